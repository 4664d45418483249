import HTTPServer
import Ledger
import Pages

/// `GET /onboarding/calendar`: when the week starts.
enum CalendarShow {
    static func answer(_ visit: Visit) throws -> Response {
        let chosen = try visit.preferences().weekStart.rawValue
        return visit.page(
            CalendarPage(chrome: visit.chrome(), state: FormState(values: ["week_start": chosen]))
        )
    }
}

/// `POST /onboarding/calendar`: the last answer; the defaults are seeded, the dashboard follows.
enum CalendarAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        let typed = visit.request.form.first("week_start") ?? ""
        guard let start = WeekStart(rawValue: typed) else {
            let state = FormState(
                values: ["week_start": typed],
                errors: ["week_start": "Choose Monday or Sunday."]
            )
            return visit.page(CalendarPage(chrome: visit.chrome(), state: state), .unprocessable)
        }
        let device = try visit.knownDevice()
        var preferences = try device.preferences()
        preferences.weekStart = start
        // The browser's own, filled in by the script; without it the server's holds.
        if let zone = visit.request.form.first("time_zone"), visit.site.tables.zones().contains(zone) {
            preferences.timeZone = zone
        }
        try device.set(preferences)
        try device.answered(.calendar)
        return .seeOther(Routes.overview.link)
    }
}
