import HTTPServer
import Pages

/// `GET /onboarding/welcome`: what Breadly is.
enum WelcomeShow {
    static func answer(_ visit: Visit) throws -> Response {
        visit.page(WelcomePage(chrome: visit.chrome(), canSignIn: false))
    }
}

/// `POST /onboarding/welcome`: the visitor becomes a device.
enum WelcomeAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        _ = try visit.becomeDevice()
        return .seeOther(Routes.currency.link)
    }
}
