import Devices
import HTTPServer
import Lifecycle
import Links

/// `GET /verifying`: the waiting page while an existing account is verified, and its first page is loaded.
enum VerifyingShow {
    /// The time in seconds after which the page offers Retry and Cancel.
    static let patienceSeconds: Int64 = 30

    /// The age in seconds from which a state has had that time.
    private static let oldSeconds: Int64 = 2

    /// Whether a page is to wait, because the cloud mostly answers at once, and a page without its answer would only
    /// flash.
    static func isAwaited(on device: Device, by context: RequestContext) -> Bool {
        guard context.request.method != "POST", !Routes.isOpen(context.request.path),
            !Routes.verification.contains(context.request.path),
            context.site.devices.dependencies.now - device.enteredAt < oldSeconds
        else { return false }
        return device.awaitsCloud
    }

    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard case .verifyingAccount = device.state else { return context.redirect(to: .overview) }
        let takesLong = context.site.devices.dependencies.now - device.enteredAt >= patienceSeconds
        if device.awaitsFirstPage {
            return FirstPage.answer(context, device, .guest, takesLong: takesLong)
        }
        return context.page(
            VerifyingPage(
                chrome: context.chrome(isBare: true),
                email: device.session?.user.email,
                takesLong: takesLong
            )
        )
    }
}

/// `POST /verifying/retry`: repeats the verification, or the request for the first page, at once.
enum VerifyingRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.hurryCloudTask()
            await device.waitForCloudTask(withinMilliseconds: CloudWait.milliseconds)
        }
    }
}

/// `POST /verifying/cancel`: cancels the sign-in and returns to the guest's state.
enum VerifyingCancel {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.handle(.verificationCancelled)
        }
    }
}
