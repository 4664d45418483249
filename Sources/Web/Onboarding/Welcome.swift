import Devices
import HTTPServer
import Pages

/// `GET /onboarding/welcome`: what Breadly is.
enum WelcomeShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(
            WelcomePage(
                chrome: context.chrome(),
                canSignIn: context.device?.session == nil,
                takesGuests: context.site.account.guests
            )
        )
    }
}

extension RequestContext {
    /// A step was answered; the device goes on while the connection rests.
    func answered(_ step: OnboardingStep, on device: Device, goTo path: Path) -> Response {
        redirect(to: path) { () async throws(DevicesError) in try await device.answered(step) }
    }
}

/// `POST /onboarding/welcome`: the visitor becomes a device, a fresh guest goes on.
enum WelcomeAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        // The page has no such button then.
        guard context.site.account.guests else { return .seeOther(Routes.signIn.link) }
        return context.answered(.welcome, on: try context.becomeDevice(), goTo: Routes.currency)
    }
}
