import Devices
import HTTPServer
import Lifecycle
import Links
import Pages

/// `GET /verifying`: an existing account is being looked at.
enum VerifyingShow {
    /// After so long Retry and Cancel are offered, in seconds.
    static let patienceSeconds: Int64 = 30

    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard case .verifyingAccount = device.state else { return context.redirect(to: .overview) }
        let waited = context.site.devices.dependencies.now - device.enteredAt
        return context.page(
            VerifyingPage(
                chrome: context.chrome(isBare: true),
                email: device.session?.user.email,
                takesLong: waited >= patienceSeconds
            )
        )
    }
}

/// `POST /verifying/retry`: asks the cloud at once.
enum VerifyingRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.hurryCloudTask()
            await device.waitForCloudTask(withinMilliseconds: 1_500)
        }
    }
}

/// `POST /verifying/cancel`: back to the guest.
enum VerifyingCancel {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.handle(.verificationCancelled)
        }
    }
}
