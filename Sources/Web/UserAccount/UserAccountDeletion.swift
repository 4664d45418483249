import CloudProtocol
import Devices
import HTTPServer
import Lifecycle
import Links
import Texts

/// `GET /account/delete`: asks for confirmation of the deletion.
enum UserAccountDeletionShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        if case .deletingAccount = device.state {
            return context.page(WaitingPage(chrome: context.chrome(isBare: true), work: .deletingAccount))
        }
        guard device.session != nil else { return context.redirect(to: .settings) }
        return page(context, device, .account, FormState(), .ok)
    }

    static func page(
        _ context: RequestContext,
        _ device: Device,
        _ confirmation: Confirmation,
        _ state: FormState,
        _ status: Status,
        _ error: CloudError? = nil
    ) -> Response {
        context.page(
            UserAccountDeletionPage(
                chrome: context.chrome(isBare: true),
                email: device.session?.user.email,
                hasSubscription: device.awaitsPurchase
                    || device.session?.entitlement?.entitlement.isToBeCancelled == true,
                confirmation: confirmation,
                proof: proof(context, device),
                loss: (try? loss(device, context)) ?? UserAccountDeletionPage.Loss(),
                state: state,
                forgotten: ForgottenPassword(
                    of: device.session?.user.email ?? "",
                    context.site.account.signInMethods,
                    isOpen: error?.isAboutThePassword ?? false
                )
            ),
            status
        )
    }

    /// The changes and files that the deletion removes besides the data in the cloud. Without a book that can be read, as on
    /// a blocked device, the page has no such numbers: an account can be deleted nevertheless.
    private static func loss(_ device: Device, _ context: RequestContext) throws
        -> UserAccountDeletionPage.Loss
    {
        let book = try context.book()
        // Without a copy in the cloud, all data is only on this device.
        let hasCopy = try SignOutStake.of(device, context) != .everything
        let unsaved = try context.unsavedEntries()
        return UserAccountDeletionPage.Loss(
            changes: hasCopy ? try context.sync?.unsent ?? book.syncFacts().changesOnlyHere : 0,
            files: hasCopy ? try book.filesOnlyHere() : 0,
            filesNotHere: try device.filesNotHere(in: book),
            canFetch: context.sync != nil,
            hasFiles: try book.hasReceiptFiles() || !unsaved.isEmpty,
            unsaved: unsaved
        )
    }

    /// The proof of identity that the deletion requires.
    static func proof(_ context: RequestContext, _ device: Device) -> UserAccountDeletionPage.Proof {
        if device.session?.user.hasPassword == true { return .password }
        guard let provider = context.site.account.provider, !device.isConfirmed else { return .given }
        return .provider(provider.name)
    }
}

/// `POST /account/delete`: deletes the account and its data on the cloud and on all devices.
enum UserAccountDeletionAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return context.redirect(to: .settings) }
        guard
            Confirmation.account.isGiven(
                context.request.form.first("confirm"),
                in: context.site.pages.texts
            )
        else {
            let confirmation = Confirmation.account.refused
            return UserAccountDeletionShow.page(context, device, confirmation, FormState(), .unprocessable)
        }
        switch UserAccountDeletionShow.proof(context, device) {
        case .given: return deleting(context, device)
        case .provider:
            return UserAccountDeletionShow.page(context, device, .account, FormState(), .unprocessable)
        case .password: break
        }
        let (address, password) = (
            context.request.clientAddress, context.request.form.first("password") ?? ""
        )
        return context.ask { () async throws(CloudError) in
            try await device.confirm(.password(email: "", password: password), from: address)
        } then: { context, result in
            guard case .failure(let error) = result else { return deleting(context, device) }
            if let line = error.refusalLine(from: address) {
                context.site.devices.dependencies.log.warning(line)
            }
            var state = FormState()
            switch error {
            case .signIn(.wrongCredentials): state.refuse("password", Text("user-account.not-your-password"))
            case .signIn(.tooManyAttempts(let seconds)): state.refuse("password", SignIn.wait(seconds))
            default: state.refuse("password", CloudWords.of(error))
            }
            let status = SignIn.status(of: error)
            return UserAccountDeletionShow.page(context, device, .account, state, status, error)
        }
    }

    private static func deleting(_ context: RequestContext, _ device: Device) -> Response {
        let (devices, submission) = (context.site.devices, context.submission)
        return context.ask { () async throws(DevicesError) in
            guard try await device.handle(.accountDeleteRequested) else { return nil }
            let newCookie = try devices.replaceCookie(submission, of: device)
            await device.waitForCloudTask(withinMilliseconds: CloudWait.milliseconds)
            return newCookie
        } then: { (context, newCookie: Result<DeviceToken?, DevicesError>) in
            guard let newCookie = try newCookie.get() else { return context.redirect(to: .settings) }
            context.keep(newCookie)
            context.clearsBrowser = true
            return context.redirect(to: .overview)
        }
    }
}

extension Entitlement {
    /// Whether a payment may follow that the deletion of the account does not end. None follows what does not renew.
    fileprivate var isToBeCancelled: Bool {
        switch status {
        case .active: willRenew
        case .grace, .pending: true
        case .expired, .revoked, .none: false
        }
    }
}
