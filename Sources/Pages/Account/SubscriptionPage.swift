// The subscription: its state, the features of premium, and the way to get it on this server.

import Links
public import Templates

/// The state of the subscription, and an offer.
public struct SubscriptionPage: Page {
    /// Where its template is.
    public static let template = "account/subscription"

    /// The state of the subscription.
    public enum Status: Equatable, Sendable {
        /// No user is signed in.
        case guest
        /// Signed in, and there never was one.
        case none
        /// Premium; until a day, renewed then or not, or for good.
        case active(until: String?, renews: Bool)
        /// Premium, while a payment is being collected.
        case grace
        /// An approval or a payment is outstanding.
        case pending
        /// It ended, on a day where that is known.
        case ended(on: String?)
        /// It was taken back.
        case revoked
        /// The known state is too old to count.
        case unverified
    }

    /// How premium is got on this server.
    public enum Offer: Equatable, Sendable {
        /// The operator grants it, with this command.
        case granted(command: String)
        /// Every signed-in user has premium.
        case everyone
    }

    let chrome: Chrome
    let status: Status
    let offer: Offer
    let isBlocked: Bool

    /// The page.
    /// - Parameter isBlocked: whether the user's data waits for it.
    public init(chrome: Chrome, status: Status, offer: Offer, isBlocked: Bool) {
        self.chrome = chrome
        self.status = status
        self.offer = offer
        self.isBlocked = isBlocked
    }

    /// The values for the template.
    public static let keys = Keys<SubscriptionPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("title") { $0.status.title }
        .text("text") { page in
            page.isBlocked && !page.status.isPremium
                ? "Your data is in the cloud, and nothing of it is on this device. It is loaded once you have Premium."
                : page.status.text
        }
        .flag("is_premium") { $0.status.isPremium }
        .flag("is_guest") { $0.status == .guest }
        .flag("can_check") { $0.status != .guest }
        .flag("for_everyone") { $0.offer == .everyone }
        .optional("command") { page in
            guard case .granted(let command) = page.offer, !page.status.isPremium, page.status != .guest
            else { return nil }
            return command
        }
        .link("back") { $0.isBlocked ? .blocked : .settings }
        .text("back_label") { $0.isBlocked ? "Back" : "Back to settings" }
}

extension SubscriptionPage.Status {
    fileprivate var isPremium: Bool {
        switch self {
        case .active, .grace: true
        case .guest, .none, .pending, .ended, .revoked, .unverified: false
        }
    }

    fileprivate var title: String {
        switch self {
        case .guest: "Breadly Premium"
        case .none: "Free"
        case .active, .grace: "Premium"
        case .pending: "Waiting for approval"
        case .ended: "Your subscription ended"
        case .revoked: "Your subscription was taken back"
        case .unverified: "Verifying subscription..."
        }
    }

    fileprivate var text: String {
        switch self {
        case .guest: "Premium belongs to an account. Sign in first; what you have entered comes along."
        case .none: "Your data is on this device only."
        case .active(nil, _): "It has no end."
        case .active(let until?, renews: true): "It renews by itself on \(until)."
        case .active(let until?, renews: false): "It runs until \(until)."
        case .grace:
            "The last payment did not go through and is being tried again. Premium goes on meanwhile."
        case .pending: "Premium begins as soon as it is approved."
        case .ended(let day):
            (day.map { "It ended on \($0). " } ?? "") + "Your data is still on this device."
        case .revoked: "Your data is still on this device."
        case .unverified:
            "The last check was some days ago. Your data is all there, and syncs again once it is done."
        }
    }
}
