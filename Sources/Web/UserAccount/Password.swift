import CloudProtocol
import Devices
import HTTPServer
import Links
import Texts

/// `GET /settings/password`: the form for a new password, for accounts with a password on this server.
enum PasswordShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session?.user.hasPassword == true else { return context.redirect(to: .settings) }
        return page(context, device, FormState(), locksOthers: true, nil, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ device: Device,
        _ state: FormState,
        locksOthers: Bool,
        _ error: CloudError?,
        _ status: Status
    ) -> Response {
        let email = device.session?.user.email ?? ""
        return context.page(
            PasswordPage(
                chrome: context.chrome(),
                state: state,
                email: email,
                locksOthers: locksOthers,
                forgotten: ForgottenPassword(
                    of: email,
                    context.site.account.signInMethods,
                    isOpen: error?.isAboutThePassword ?? false
                )
            ),
            status
        )
    }
}

/// `POST /settings/password`: changes the password.
enum PasswordChange {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session?.user.hasPassword == true else { return context.redirect(to: .settings) }
        let form = context.request.form
        let update = PasswordUpdate(
            from: form.first("password") ?? "",
            to: form.first("new_password") ?? "",
            locksOthers: form.first("others") == "1"
        )
        let address = context.request.clientAddress
        return context.ask { () async throws(CloudError) in
            try await device.changePassword(update, from: address)
        } then: { context, result in
            guard case .failure(let error) = result else {
                let text =
                    update.locksOthers
                    ? Text("user-account.password-changed-and-signed-out")
                    : Text("user-account.password-changed")
                device.show(Device.Toast(key: "password-changed", text: text))
                return context.redirect(to: .settings)
            }
            if let line = error.refusalLine(from: address) {
                context.site.devices.dependencies.log.warning(line)
            }
            var state = FormState()
            switch error {
            case .signIn(.wrongCredentials):
                state.refuse("password", Text("user-account.not-the-present-password"))
            case .signIn(.weakPassword): state.refuse("new_password", CloudWords.weakPassword)
            case .signIn(.commonPassword): state.refuse("new_password", CloudWords.commonPassword)
            case .signIn(.tooManyAttempts(let seconds)): state.refuse("password", SignIn.wait(seconds))
            default: state.refuse("password", CloudWords.of(error))
            }
            let status = SignIn.status(of: error)
            let locksOthers = update.locksOthers
            return PasswordShow.page(context, device, state, locksOthers: locksOthers, error, status)
        }
    }
}
