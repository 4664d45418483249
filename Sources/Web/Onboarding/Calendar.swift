import HTTPServer
import Ledger
import Links
import Texts

/// `GET /onboarding/calendar`: asks for the first day of the week.
enum CalendarShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let chosen = try context.preferences().weekStart.rawValue
        return context.page(
            CalendarPage(chrome: context.chrome(), state: FormState(values: ["week_start": chosen]))
        )
    }
}

/// `POST /onboarding/calendar`: stores the last answer, seeds the defaults, and redirects to the dashboard.
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
        // The script sends the browser's time zone; without one, the server's time zone applies.
        if let zone = context.request.form.first("time_zone").flatMap(context.site.tables.zone) {
            preferences.timeZone = zone
        }
        try book.set(preferences)
        return context.answered(.calendar, on: device, goTo: .overview)
    }
}
