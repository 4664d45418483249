// Leaving: what it costs depends on what the cloud has.

public import Templates

/// Signing out, in the form that fits. It posts `csrf`, and `confirm` where a phrase is asked.
public struct SignOutPage: Page {
    /// Where its template is.
    public static let template = "account/sign-out"

    /// What is at stake.
    public enum Stake: Equatable, Sendable {
        /// There is no copy in the cloud.
        case everything
        /// The cloud has it all.
        case nothing
        /// Changes are on their way; so many of them are done.
        case uploading(done: Int, total: Int)
        /// Changes wait, and the cloud cannot be reached.
        case stuck(pending: Int)
    }

    let chrome: Chrome
    let stake: Stake
    let confirmation: Confirmation?
    let unsent: [String]
    let isWaiting: Bool

    /// The page.
    /// - Parameters:
    ///   - unsent: what was not sent yet, a line each.
    ///   - isWaiting: whether the user is signed out as soon as all is sent.
    ///   - isRefused: whether something else than the phrase was typed.
    public init(
        chrome: Chrome,
        stake: Stake,
        unsent: [String] = [],
        isWaiting: Bool = false,
        isRefused: Bool = false
    ) {
        self.chrome = chrome
        self.stake = stake
        self.unsent = unsent
        self.isWaiting = isWaiting
        let asked = Self.confirmation(for: stake)
        confirmation = isRefused ? asked?.refused : asked
    }

    /// The phrase that is asked; nil where one button is enough.
    public static func confirmation(for stake: Stake) -> Confirmation? {
        switch stake {
        case .everything: .allIsLost
        case .nothing: nil
        case .uploading(let done, let total): .changesAreLost(total - done)
        case .stuck(let pending): .changesAreLost(pending)
        }
    }

    /// What the template reads.
    public static let keys = Keys<SignOutPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("text") { page in
            switch page.stake {
            case .everything: "All your data will be permanently deleted. You have no cloud backup."
            case .nothing:
                "Your data stays in the cloud and comes back at the next sign-in. It is removed from this device."
            case .uploading(let done, let total): "Uploading \(done) of \(total) transactions..."
            case .stuck(let pending):
                "Cannot upload unsynced data. You have \(counted(pending, "unsynced transaction")). "
                    + "These will be lost if you sign out now."
            }
        }
        .flag("loses") { $0.stake != .nothing }
        .flag("waits") { page in
            switch page.stake {
            case .uploading, .stuck: true
            case .everything, .nothing: false
            }
        }
        .flag("uploading") { page in
            if case .uploading = page.stake { true } else { false }
        }
        .integer("done") { page in
            if case .uploading(let done, _) = page.stake { Int64(done) } else { 0 }
        }
        .integer("total") { page in
            if case .uploading(_, let total) = page.stake { Int64(total) } else { 0 }
        }
        .flag("waiting") { $0.isWaiting }
        .flag("refreshes") { page in
            if case .uploading = page.stake { true } else { page.isWaiting }
        }
        .flag("has_unsent") { !$0.unsent.isEmpty }
        .strings("unsent") { $0.unsent }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
        .flag("plain") { $0.confirmation == nil }
}
