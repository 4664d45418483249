import Devices
import HTTPServer
import Lifecycle
import Links
import Pages

/// `GET /verifying`: the waiting page while an existing account is verified.
enum VerifyingShow {
    /// The time in seconds after which the page offers Retry and Cancel.
    static let patienceSeconds: Int64 = 30

    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard case .verifyingAccount = device.state else { return context.redirect(to: .overview) }
        let waited = context.site.devices.dependencies.now - device.enteredAt
        return context.page(
            VerifyingPage(
                chrome: context.chrome(isBare: true),
                email: device.session?.user.email,
                isLoading: device.isLoadingNextBook,
                takesLong: waited >= patienceSeconds
            )
        )
    }
}

/// `POST /verifying/retry`: repeats the verification at once.
enum VerifyingRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.hurryCloudTask()
            await device.waitForCloudTask(withinMilliseconds: 1_500)
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
