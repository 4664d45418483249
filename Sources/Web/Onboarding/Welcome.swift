import Devices
import HTTPServer
import Links
import Pages

/// `GET /onboarding/welcome`: what Breadly is.
enum WelcomeShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(
            WelcomePage(
                chrome: context.chrome(),
                canSignIn: context.device?.session == nil,
                takesGuests: context.site.account.guests,
                once: context.newID().description
            )
        )
    }
}

extension RequestContext {
    /// A step was answered; the device goes on while the connection rests.
    func answered(_ step: OnboardingStep, on device: Device, goTo link: Link) -> Response {
        redirect(to: link) { () async throws(DevicesError) in try await device.answered(step) }
    }
}

/// `POST /onboarding/welcome`: the visitor becomes a device, a fresh guest goes on.
enum WelcomeAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        // The page has no such button then.
        guard context.site.account.guests else { return context.redirect(to: .signIn) }
        let (device, cookie) = try context.becomeDevice()
        return context.ask { () async throws(DevicesError) in
            try await device.answered(.welcome)
        } then: { context, result in
            try result.get()
            context.keep(cookie)
            return context.redirect(to: .currency)
        }
    }
}
