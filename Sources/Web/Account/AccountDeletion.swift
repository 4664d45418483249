import Devices
import HTTPServer
import Lifecycle
import Pages
import SyncCore

/// `GET /account/delete`: the last question.
enum AccountDeletionShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        if case .deletingAccount = device.state {
            return context.page(WaitingPage(chrome: context.chrome(isBare: true), work: .deletingAccount))
        }
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        return page(context, device, .account, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ device: Device,
        _ confirmation: Confirmation,
        _ status: Status
    )
        -> Response
    {
        context.page(
            AccountDeletionPage(
                chrome: context.chrome(isBare: true),
                email: device.session?.user.email,
                hasSubscription: device.session?.entitlement?.entitlement.isToBeCancelled ?? false,
                confirmation: confirmation
            ),
            status
        )
    }
}

/// `POST /account/delete`: everything goes, everywhere.
enum AccountDeletionAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        guard Confirmation.account.isGiven(context.request.form.first("confirm")) else {
            return AccountDeletionShow.page(context, device, Confirmation.account.refused, .unprocessable)
        }
        let (devices, sending) = (context.site.devices, context.sending)
        return context.ask { () async throws(DevicesError) in
            guard try await device.handle(.accountDeleteRequested) else { return nil }
            let newCookie = try devices.replaceCookie(sending, of: device)
            await device.waitForCloudTask(withinMilliseconds: 1_500)
            return newCookie
        } then: { (context, newCookie: Result<DeviceToken?, DevicesError>) in
            guard let newCookie = try newCookie.get() else { return .seeOther(Routes.settings.link) }
            context.keep(newCookie)
            return .seeOther(Routes.overview.link)
        }
    }
}

extension Entitlement {
    /// Whether there is a subscription to end before the account, whoever gave it.
    fileprivate var isToBeCancelled: Bool {
        switch status {
        case .active, .grace, .pending: true
        case .expired, .revoked, .none: false
        }
    }
}
