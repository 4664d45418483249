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
        return visit.page(try page(visit, device, stake))
    }

    static func page(_ visit: Visit, _ device: Device, _ stake: SignOutPage.Stake, isRefused: Bool = false)
        throws
        -> SignOutPage
    {
        var unsent: [String] = []
        switch stake {
        case .uploading, .stuck:
            let words = try ChangeWords(visit)
            unsent = try visit.book().pendingChanges(limit: 50).map { words.line($0).line }
        case .everything, .nothing: break
        }
        return SignOutPage(
            chrome: visit.chrome(isBare: true),
            stake: stake,
            unsent: unsent,
            isWaiting: device.leavingTotal != nil,
            isRefused: isRefused
        )
    }
}

/// `POST /sign-out/wait`: as soon as all is uploaded. `POST /sign-out/stay` takes that back.
enum SignOutWait {
    static func answer(_ visit: Visit) throws -> Response {
        try visit.knownDevice().signOutOnceSent()
        return .seeOther(Routes.signOut.link)
    }

    static func stay(_ visit: Visit) throws -> Response {
        try visit.knownDevice().stay()
        return .seeOther(Routes.settings.link)
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
            return visit.page(try SignOutShow.page(visit, device, stake, isRefused: true), .unprocessable)
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
            if let status = device.syncStatus, status.unsent > 0 {
                switch status.phase {
                case .offline, .failed: .stuck(pending: status.unsent)
                case .connecting, .downloading, .uploading, .idle:
                    .uploading(
                        done: max(0, (device.leavingTotal ?? status.pending) - status.pending),
                        total: max(device.leavingTotal ?? status.pending, status.pending)
                    )
                }
            } else {
                .nothing
            }
        default: nil
        }
    }
}
