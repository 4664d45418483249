import Devices
import HTTPServer
import Links

/// `GET /onboarding/welcome`: introduces Breadly.
enum WelcomeShow {
    static func answer(_ context: RequestContext) throws -> Response {
        // Such a device has no book: its user has left it, it was erased from elsewhere, or its guest has only begun.
        context.clearsBrowser = context.device != nil
        return context.page(
            WelcomePage(
                chrome: context.chrome(),
                canSignIn: context.device?.session == nil,
                takesGuests: context.site.account.guests,
                hasLostSignIn: context.hasLostSignIn,
                once: context.newID().description
            )
        )
    }
}

extension RequestContext {
    /// Whether the browser has signed in and never learnt that: it still has the cookie of before.
    fileprivate var hasLostSignIn: Bool {
        guard device == nil, let sent = site.token(of: request) else { return false }
        return site.devices.hasLostSignIn(sent.token)
    }

    /// Records the answer to a step, while the connection is suspended.
    func answered(_ step: OnboardingStep, on device: Device, goTo link: Link) -> Response {
        redirect(to: link) { () async throws(DevicesError) in try await device.answered(step) }
    }
}

/// `POST /onboarding/welcome`: creates a device for a new browser; a fresh guest continues.
enum WelcomeAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        // Without guests, the page has no such button.
        guard context.site.account.guests else { return context.redirect(to: .signIn) }
        let (device, cookie) = try context.createDeviceIfNeeded()
        return context.ask { () async throws(DevicesError) in
            try await device.answered(.welcome)
        } then: { context, result in
            try result.get()
            context.keep(cookie)
            return context.redirect(to: .currency)
        }
    }
}
