import CloudProtocol
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Texts

/// `GET /settings/devices`: the devices on which the user is signed in.
enum SignedInDevicesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return context.redirect(to: .settings) }
        return context.ask { () async throws(CloudError) in
            try await device.devices()
        } then: { context, result in
            switch result {
            case .success(let sessions):
                let lines = try sessions.map { session in
                    let seen = try context.formats().longDay(context.day(of: session.seenAt))
                    return DeviceLine(
                        id: session.id,
                        name: session.name,
                        seen: Text("user-account.last-seen", ["day": .string(seen)]),
                        access: session.isThisDevice ? .this : session.isLocked ? .locked : .signedIn
                    )
                }
                return context.page(page(context, device, lines))
            case .failure(let error):
                return context.page(
                    page(context, device, message: CloudWords.of(error)),
                    CloudWords.status(of: error)
                )
            }
        }
    }

    static func page(
        _ context: RequestContext,
        _ device: Device,
        _ lines: [DeviceLine] = [],
        message: Text? = nil
    ) -> DevicesPage {
        let isBeforeBook =
            switch device.state {
            case .verifyingAccount, .blocked: true
            default: false
            }
        return DevicesPage(
            chrome: context.chrome(),
            devices: lines,
            isBeforeBook: isBeforeBook,
            message: message
        )
    }
}

/// `POST /settings/devices/ID/sign-out`: ends the session of another device, which notices it at its next
/// request to the cloud.
enum SignedInDeviceEnd {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return context.redirect(to: .settings) }
        let erases = context.request.form.first("erase") == "1"
        return context.ask { () async throws(CloudError) in
            try await device.signOut(device: id, erases: erases)
        } then: { context, result in
            guard case .failure(let error) = result else {
                let text =
                    erases
                    ? Text("user-account.signed-out-and-erased")
                    : Text("user-account.signed-out-and-locked")
                device.show(Device.Toast(key: "device-signed-out", text: text))
                return context.redirect(to: .signedInDevices)
            }
            let page = SignedInDevicesShow.page(context, device, message: CloudWords.of(error))
            return context.page(page, CloudWords.status(of: error))
        }
    }
}

/// The message for an error of the cloud.
enum CloudWords {
    static let commonPassword = Text("user-account.common-password")
    static let weakPassword = Text("user-account.weak-password")

    static func of(_ error: CloudError) -> Text {
        switch error {
        case .sessionRevoked, .sessionLocked, .sessionErased: Text("user-account.session-was-ended")
        case .accountGone: Text("user-account.account-is-gone")
        default: Text("user-account.cloud-cannot-be-reached")
        }
    }

    static func status(of error: CloudError) -> Status {
        switch error {
        case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone: .forbidden
        default: .unavailable
        }
    }
}
