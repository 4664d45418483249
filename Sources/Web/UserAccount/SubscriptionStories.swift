// The page of the subscription, in each of its states.

import Texts

enum SubscriptionStories {
    static let all: [Story] =
        cases(from: SubscriptionPage.Status.guest, next).map { status in
            Story("subscription-\(name(status))", .userAccount, "The subscription: \(title(status))") {
                $0.framed(frame(status)).subscription(status)
            }
        } + [
            Story(
                "subscription-everyone",
                .userAccount,
                "The subscription: every user of the server has Premium"
            ) {
                $0.framed(.free).subscription(.none, offer: .everyone)
            },
            Story(
                "subscription-blocked",
                .userAccount,
                "The subscription: the data is out of reach without it"
            ) {
                $0.framed(.free).subscription(.ended(on: "1 November 2026"), isBlocked: true)
            },
            Story("subscription-unanswered", .userAccount, "The subscription: the cloud does not answer") {
                $0.framed(.offlineIdle).subscription(.active(until: nil, renews: false), isUnanswered: true)
            },
            Story("subscription-deadline", .userAccount, "The subscription: it ended, and changes wait") {
                $0.framed(.stalled).subscription(
                    .ended(on: "21 November 2026"),
                    deadline: Sample.uploadDeadline
                )
            },
            Story("subscription-bought", .userAccount, "The subscription: bought, and not confirmed yet") {
                $0.framed(.free).with { $0.cloud = .bought(nil) }.subscription(.none, offer: .store)
            },
        ]

    private static let day = "21 December 2026"

    private static func name(_ status: SubscriptionPage.Status) -> String {
        switch status {
        case .guest: "guest"
        case .none: "none"
        case .active(until: nil, _): "active-for-good"
        case .active(_, renews: true): "active-renews"
        case .active(_, renews: false): "active-ends"
        case .grace: "grace"
        case .pending: "pending"
        case .ended(on: nil): "ended-some-day"
        case .ended: "ended"
        case .revoked: "revoked"
        case .unverified(wantsSync: true): "unverified"
        case .unverified(wantsSync: false): "unverified-without-sync"
        case .unknown: "unknown"
        case .signedOut: "signed-out"
        }
    }

    private static func title(_ status: SubscriptionPage.Status) -> String {
        switch status {
        case .guest: "a guest"
        case .none: "never had one"
        case .active(until: nil, _): "Premium that does not end"
        case .active(_, renews: true): "Premium that renews itself"
        case .active(_, renews: false): "Premium that ends on a day"
        case .grace: "a payment is being collected"
        case .pending: "it waits for an approval"
        case .ended(on: nil): "it has ended, on a day that is not known"
        case .ended: "it has ended"
        case .revoked: "it was revoked"
        case .unverified(wantsSync: true): "it was last checked some days ago"
        case .unverified(wantsSync: false): "it was last checked some days ago, and sync is off"
        case .unknown: "it was never checked"
        case .signedOut: "the session has ended"
        }
    }

    private static func next(_ status: SubscriptionPage.Status) -> SubscriptionPage.Status? {
        switch status {
        case .guest: SubscriptionPage.Status.none
        case .none: .active(until: nil, renews: false)
        case .active(until: nil, _): .active(until: day, renews: true)
        case .active(_, renews: true): .active(until: day, renews: false)
        case .active(_, renews: false): .grace
        case .grace: .pending
        case .pending: .ended(on: "1 November 2026")
        case .ended(on: _?): .ended(on: nil)
        case .ended(on: nil): .revoked
        case .revoked: .unverified(wantsSync: true)
        case .unverified(wantsSync: true): .unverified(wantsSync: false)
        case .unverified(wantsSync: false): .unknown
        case .unknown: .signedOut
        case .signedOut: nil
        }
    }

    private static func frame(_ status: SubscriptionPage.Status) -> Frame {
        switch status {
        case .guest: .guest
        case .active, .grace: .idle
        case .none, .pending: .free
        case .ended, .revoked: .ended
        case .unverified(wantsSync: true): .verifying
        case .unverified(wantsSync: false): .off
        case .unknown: .free
        case .signedOut: .signedOut
        }
    }
}

extension Sample {
    fileprivate func subscription(
        _ status: SubscriptionPage.Status,
        offer: SubscriptionPage.Offer? = nil,
        isBlocked: Bool = false,
        deadline: Text? = nil,
        isUnanswered: Bool = false
    ) -> SubscriptionPage {
        SubscriptionPage(
            chrome: isBlocked ? inBlockedState().chrome : chrome,
            status: status,
            offer: offer ?? .granted(command: "breadly grant \(email)"),
            isBlocked: isBlocked,
            deadline: deadline,
            checked: isUnanswered ? Text("sync.minutes-ago", ["count": .count(3)]) : nil,
            isUnanswered: isUnanswered
        )
    }
}
