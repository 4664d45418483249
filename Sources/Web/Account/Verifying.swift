import Devices
import HTTPServer
import Lifecycle
import Pages

/// `GET /verifying`: an existing account is being looked at.
enum VerifyingShow {
    /// After so long Retry and Cancel are offered, in seconds.
    static let patienceSeconds: Int64 = 30

    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard case .verifyingAccount = device.state else { return .seeOther(Routes.overview.link) }
        let waited = visit.site.household.surroundings.now - device.enteredAt
        return visit.page(
            VerifyingPage(
                chrome: visit.chrome(isBare: true),
                email: device.session?.user.email,
                takesLong: waited >= patienceSeconds
            )
        )
    }
}

/// `POST /verifying/retry`: asks the cloud at once.
enum VerifyingRetry {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        device.hurry()
        return visit.later {
            await device.settle(withinMilliseconds: 1_500)
        } then: { _, _ in
            .seeOther(Routes.overview.link)
        }
    }
}

/// `POST /verifying/cancel`: back to the guest.
enum VerifyingCancel {
    static func answer(_ visit: Visit) throws -> Response {
        try visit.knownDevice().handle(.verificationCancelled)
        return .seeOther(Routes.overview.link)
    }
}
