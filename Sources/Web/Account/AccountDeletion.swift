import Devices
import HTTPServer
import Lifecycle
import Pages

/// `GET /account/delete`: the last question.
enum AccountDeletionShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        if case .deletingAccount = device.state {
            return visit.page(WaitingPage(chrome: visit.chrome(isBare: true), work: .deletingAccount))
        }
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        return page(visit, device, .account, .ok)
    }

    static func page(_ visit: Visit, _ device: Device, _ confirmation: Confirmation, _ status: Status)
        -> Response
    {
        visit.page(
            AccountDeletionPage(
                chrome: visit.chrome(isBare: true),
                email: device.session?.user.email,
                hasSubscription: device.session?.entitlement?.entitlement.willRenew ?? false,
                confirmation: confirmation
            ),
            status
        )
    }
}

/// `POST /account/delete`: everything goes, everywhere.
enum AccountDeletionAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        guard Confirmation.account.isGiven(visit.request.form.first("confirm")) else {
            return AccountDeletionShow.page(visit, device, Confirmation.account.refused, .unprocessable)
        }
        try device.handle(.accountDeleteRequested)
        guard case .deletingAccount = device.state else { return .seeOther(Routes.settings.link) }
        let newCookie = try visit.site.household.replaceCookie(of: device)
        return visit.later {
            await device.settle(withinMilliseconds: 1_500)
        } then: { visit, _ in
            visit.keep(newCookie)
            return .seeOther(Routes.overview.link)
        }
    }
}
