// The subscription: its state, the features of premium, and the way to get it on this server.

import Ledger
import Links
import Templates
import Texts

/// The state of the subscription, and the way to get premium.
struct SubscriptionPage: Page {
    static let template = "user-account/subscription"

    /// The state of the subscription.
    enum Status: Equatable, Sendable {
        /// No user is signed in.
        case guest
        /// The user is signed in and never had a subscription.
        case none
        /// Premium, until a day on which it is renewed or ends; forever if the day is nil.
        case active(until: String?, renews: Bool)
        /// Premium, while a payment is being collected.
        case grace
        /// An approval or a payment is outstanding.
        case pending
        /// The subscription has ended; the day is nil if it is unknown.
        case ended(on: String?)
        /// The subscription was revoked.
        case revoked
        /// It was active at the last check, which is too old to count.
        case unverified(wantsSync: Bool)
        /// It was never checked.
        case unknown
        /// The session has ended, and the last check is too old to count.
        case signedOut
    }

    /// The way to get premium on this server.
    enum Offer: Equatable, Sendable {
        /// The operator grants it, with this command.
        case granted(command: String)
        /// Every signed-in user has premium.
        case everyone
        /// A store sells it. In the reviewers' lab, where no money is paid.
        case store
    }

    let chrome: Chrome
    let status: Status
    let offer: Offer
    /// Whether the user's data is inaccessible without a subscription.
    let isBlocked: Bool
    /// The day until which waiting changes can be uploaded; nil if nothing waits, or without such a day.
    let deadline: Text?
    /// The files of receipts that are not on this device.
    var filesNotHere: FilesNotHere = FilesNotHere()
    /// The time since the cloud last said what the status is: `just now`; nil for a guest.
    var checked: Text? = nil
    /// Whether the cloud did not answer when it was last asked.
    var isUnanswered: Bool = false

    static let keys = Keys<SubscriptionPage>()
        .model("chrome", of: Chrome.self) { page in
            var chrome = page.chrome
            // The text of the page is that of the notice.
            if chrome.cloud.isBought { chrome.notices.removeAll { $0.key == "purchase-waits" } }
            return chrome
        }
        .message("title") {
            $0.chrome.cloud.isBought ? Text("chrome.waiting-for-premium") : $0.status.title
        }
        .message("text") { page in
            if page.chrome.cloud.isUnknown { return page.chrome.cloud.text }
            if page.chrome.cloud.isBought { return Text("notices.purchase-waits") }
            if page.isBlocked, !page.status.isPremium {
                return Text("user-account.your-data-is-loaded-with-premium")
            }
            let cloud = page.chrome.cloud
            if cloud.isIncomplete, let text = page.status.textOfPart { return text }
            return page.status.text(hasCopy: cloud.hasRetainedCopy)
        }
        .optionalMessage("copy") { $0.chrome.cloud.hasRetainedCopy ? $0.chrome.cloud.text : nil }
        .optionalMessage("deadline") { $0.deadline }
        .optionalMessage("elsewhere") { page in
            guard !page.isBlocked, !page.chrome.cloud.isUnknown else { return nil }
            switch page.status {
            case .ended, .revoked:
                // Those that are nowhere are named with the copy.
                var files = page.filesNotHere
                if page.chrome.cloud.hasRetainedCopy { files.absent = AbsentFiles() }
                return files.texts.isEmpty ? nil : .sentences(files.texts)
            case .guest, .none, .active, .grace, .pending, .unverified, .unknown, .signedOut: return nil
            }
        }
        .optionalMessage("checked") { page in
            page.checked.map { Text("user-account.last-checked", ["when": .text($0)]) }
        }
        .flag("is_unanswered") { $0.isUnanswered }
        .flag("is_premium") { $0.status.isPremium }
        .flag("is_guest") { $0.status == .guest }
        .flag("can_check") { $0.status != .guest && !$0.chrome.cloud.canSignIn }
        .flag("for_everyone") { $0.offer == .everyone }
        .flag("must_sign_in") { $0.chrome.cloud.canSignIn }
        .flag("is_for_sale") { $0.offer == .store && $0.canBegin }
        .optional("command") { page in
            guard case .granted(let command) = page.offer, page.canBegin else { return nil }
            return command
        }
        .link("back") { $0.isBlocked ? .blocked : .settings }
        .message("back_label") {
            $0.isBlocked ? Text("user-account.back") : Text("user-account.back-to-settings")
        }
}

extension SubscriptionPage {
    /// Whether a subscription can be begun: there is none, and the device would learn of it.
    fileprivate var canBegin: Bool {
        guard !chrome.cloud.canSignIn, !chrome.cloud.isBought else { return false }
        return switch status {
        case .none, .pending, .ended, .revoked: true
        case .guest, .active, .grace, .unverified, .unknown, .signedOut: false
        }
    }
}

extension SubscriptionPage.Status {
    fileprivate var isPremium: Bool {
        switch self {
        case .active, .grace: true
        case .guest, .none, .pending, .ended, .revoked, .unverified, .unknown, .signedOut: false
        }
    }

    fileprivate var title: Text {
        switch self {
        case .guest: Text("user-account.breadly-premium")
        case .none: Text("user-account.free")
        case .active, .grace: Text("user-account.premium")
        case .pending: Text("settings.waiting-for-approval")
        case .ended: Text("user-account.your-subscription-ended")
        case .revoked: Text("user-account.your-subscription-was-taken-back")
        case .unverified, .unknown: Text("settings.verifying-subscription")
        case .signedOut: Text("chrome.signed-out")
        }
    }

    /// The text if sync has ended before all data was on this device; nil while there is a subscription.
    fileprivate var textOfPart: Text? {
        switch self {
        case .ended(let day?): Text("user-account.it-ended-on-too-early", ["day": .string(day)])
        case .ended(nil), .revoked, .none, .unverified: Text("user-account.a-part-is-here")
        case .guest, .unknown, .signedOut, .active, .grace, .pending: nil
        }
    }

    /// - Parameter hasCopy: whether the cloud keeps a copy of the data.
    fileprivate func text(hasCopy: Bool) -> Text {
        switch self {
        case .guest: Text("user-account.premium-belongs-to-an-account")
        case .none where hasCopy: Text("user-account.your-data-is-still-here")
        case .none: Text("user-account.your-data-is-on-this-device-only")
        case .active(nil, _): Text("user-account.it-has-no-end")
        case .active(let until?, renews: true): Text("user-account.it-renews-on", ["day": .string(until)])
        case .active(let until?, renews: false): Text("user-account.it-runs-until", ["day": .string(until)])
        case .grace: Text("user-account.the-last-payment-did-not-go-through")
        case .pending: Text("user-account.premium-begins-once-approved")
        case .ended(let day?): Text("user-account.it-ended-on", ["day": .string(day)])
        case .ended(nil), .revoked: Text("user-account.your-data-is-still-here")
        case .unverified where hasCopy: Text("user-account.your-data-is-still-here")
        case .unverified(wantsSync: true): Text("user-account.the-last-check-was-some-days-ago")
        case .unverified(wantsSync: false): Text("user-account.the-last-check-was-and-sync-is-off")
        case .unknown: Text("user-account.not-checked-yet")
        case .signedOut: Text("user-account.known-after-sign-in")
        }
    }
}
