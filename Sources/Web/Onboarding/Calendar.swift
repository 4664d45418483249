import HTTPServer
import Ledger
import Links
import Pages
import Texts

/// `GET /onboarding/calendar`: when the week starts.
enum CalendarShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let chosen = try context.preferences().weekStart.rawValue
        return context.page(
            CalendarPage(chrome: context.chrome(), state: FormState(values: ["week_start": chosen]))
        )
    }
}

/// `POST /onboarding/calendar`: the last answer; the defaults are seeded, the dashboard follows.
enum CalendarAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let typed = context.request.form.first("week_start") ?? ""
        guard let start = WeekStart(rawValue: typed) else {
            let state = FormState(
                values: ["week_start": typed],
                errors: ["week_start": Text("forms.choose-monday-or-sunday")]
            )
            return context.page(CalendarPage(chrome: context.chrome(), state: state), .unprocessable)
        }
        let device = try context.knownDevice()
        let book = try context.book()
        var preferences = try book.preferences()
        preferences.weekStart = start
        // The browser's own, filled in by the script; without it the server's holds.
        if let zone = context.request.form.first("time_zone").flatMap(context.site.tables.zone) {
            preferences.timeZone = zone
        }
        try book.set(preferences)
        return context.answered(.calendar, on: device, goTo: .overview)
    }
}
