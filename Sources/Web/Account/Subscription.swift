import Devices
import Entitlements
import HTTPServer
import Ledger
import Lifecycle
import Pages
import SyncCore

/// `GET /subscription`: how it stands and how one gets it.
enum SubscriptionShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        let isBlocked = if case .blocked = device.state { true } else { false }
        return visit.page(
            SubscriptionPage(
                chrome: visit.chrome(),
                standing: try standing(visit, device.session),
                offer: offer(visit, device.session),
                isBlocked: isBlocked
            )
        )
    }

    private static func standing(_ visit: Visit, _ session: Session?) throws -> SubscriptionPage.Standing {
        guard let session else { return .guest }
        guard let status = session.entitlement else { return .unverified }
        guard status.trust(at: visit.site.household.surroundings.now) == .trusted else { return .unverified }
        let entitlement = status.entitlement
        // The last day of it, where it ends at midnight.
        let day = try entitlement.expiresAt.map { try visit.formats().longDay(visit.day(of: $0 - 1)) }
        return switch entitlement.status {
        case .active: .active(until: day, renews: entitlement.willRenew)
        case .grace: .grace
        case .pending: .pending
        case .expired: .ended(on: day)
        case .revoked: .revoked
        case .none: .none
        }
    }

    private static func offer(_ visit: Visit, _ session: Session?) -> SubscriptionPage.Offer {
        guard !visit.site.account.premiumForEveryone else { return .everyone }
        let who = session.map { $0.user.email ?? $0.user.id.description } ?? "EMAIL"
        return .granted(command: "breadly grant \(who) --forever")
    }
}

/// `POST /subscription/restore`: asks the service now.
enum SubscriptionRestore {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        return visit.later {
            await device.verify(withinMilliseconds: 5_000)
        } then: { visit, hasAnswer in
            // Where the account turned out to be gone, the fresh guest has nothing to do with it.
            if let session = device.session {
                let text =
                    if !hasAnswer {
                        "The cloud does not answer. Breadly goes on asking by itself."
                    } else if session.isRevoked {
                        "This device was signed out on another one. Sign in again first."
                    } else {
                        device.tier == .premium ? "You have Premium" : "Checked: you do not have Premium"
                    }
                device.tell(Device.Message(key: "subscription-checked", text: text))
            }
            return .seeOther(Routes.subscription.link)
        }
    }
}

/// `POST /subscription/purchase`: nothing is sold here; the page says how premium is got.
enum SubscriptionPurchase {
    static func answer(_ visit: Visit) throws -> Response { .seeOther(Routes.subscription.link) }
}

/// `POST /settings/sync`: the user's own switch.
enum SyncSwitch {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.session != nil else { return .seeOther(Routes.settings.link) }
        guard let wish = visit.request.form.first("sync"), wish == "on" || wish == "off" else {
            throw Refusal.malformed
        }
        try device.setSync(wish == "on")
        return .seeOther(Routes.settings.link)
    }
}
