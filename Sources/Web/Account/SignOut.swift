import Devices
import HTTPServer
import Lifecycle
import Pages

/// `GET /sign-out`: what it costs.
enum SignOutShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        switch device.state {
        case .signingOut:
            return visit.page(WaitingPage(chrome: visit.chrome(isBare: true), work: .signingOut))
        default: break
        }
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        guard let stake = SignOutStake.of(device) else {
            let text = "Cloud sync is being set up. Sign out once that is done."
            device.tell(Device.Message(key: "sign-out-later", text: text))
            return .seeOther(Routes.settings.link)
        }
        return visit.page(SignOutPage(chrome: visit.chrome(isBare: true), stake: stake))
    }
}

/// `POST /sign-out`: ends the session and clears the book, once what must be confirmed is.
enum SignOutAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.session != nil, let stake = SignOutStake.of(device) else {
            return .seeOther(Routes.settings.link)
        }
        if let asked = SignOutPage.confirmation(for: stake),
            !asked.isGiven(visit.request.form.first("confirm"))
        {
            let page = SignOutPage(chrome: visit.chrome(isBare: true), stake: stake, isRefused: true)
            return visit.page(page, .unprocessable)
        }
        try device.handle(.userSignedOut)
        visit.keep(try visit.site.household.replaceCookie(of: device))
        return .seeOther(Routes.overview.link)
    }
}

/// What signing out costs in each state.
enum SignOutStake {
    /// Nil where the state does not let anybody sign out.
    static func of(_ device: Device) -> SignOutPage.Stake? {
        switch device.state {
        case .localOnly: .everything
        // The book was cleared already, or is the cloud's.
        case .blocked: .nothing
        case .synced, .draining:
            device.pendingChanges == 0 ? .nothing : .stuck(pending: device.pendingChanges)
        default: nil
        }
    }
}
