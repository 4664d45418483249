import Devices
import HTTPServer
import Pages
import SyncCore

/// `GET /settings/password`: for accounts of this server's own.
enum PasswordShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.session?.user.hasPassword == true else { return .seeOther(Routes.settings.link) }
        return page(visit, device, FormState(), .ok)
    }

    static func page(_ visit: Visit, _ device: Device, _ state: FormState, _ status: Status) -> Response {
        let email = device.session?.user.email ?? ""
        return visit.page(PasswordPage(chrome: visit.chrome(), state: state, email: email), status)
    }
}

/// `POST /settings/password`.
enum PasswordChange {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.session?.user.hasPassword == true else { return .seeOther(Routes.settings.link) }
        let form = visit.request.form
        let (old, new) = (form.first("password") ?? "", form.first("new_password") ?? "")
        let address = visit.request.clientAddress
        return visit.ask { () async throws(CloudError) in
            try await device.changePassword(from: old, to: new, at: address)
        } then: { visit, result in
            guard case .failure(let error) = result else {
                device.tell(Device.Message(key: "password-changed", text: "Password changed"))
                return .seeOther(Routes.settings.link)
            }
            var state = FormState()
            switch error {
            case .wrongCredentials: state.refuse("password", "This is not the present password.")
            case .weakPassword:
                state.refuse("new_password", CloudWords.weakPassword)
            case .tooManyAttempts(let seconds): state.refuse("password", SignIn.wait(seconds))
            default: state.refuse("password", CloudWords.of(error))
            }
            return PasswordShow.page(visit, device, state, SignIn.status(of: error))
        }
    }
}
