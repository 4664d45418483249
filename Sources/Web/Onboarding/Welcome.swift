import HTTPServer
import Pages

/// `GET /onboarding/welcome`: what Breadly is.
enum WelcomeShow {
    static func answer(_ visit: Visit) throws -> Response {
        visit.page(
            WelcomePage(
                chrome: visit.chrome(),
                canSignIn: visit.device?.session == nil,
                takesGuests: visit.site.account.guests,
                message: try visit.device?.farewell()
            )
        )
    }
}

/// `POST /onboarding/welcome`: the visitor becomes a device, a fresh guest goes on.
enum WelcomeAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        // The page has no such button then.
        guard visit.site.account.guests else { return .seeOther(Routes.signIn.link) }
        try visit.becomeDevice().answered(.welcome)
        return .seeOther(Routes.currency.link)
    }
}
