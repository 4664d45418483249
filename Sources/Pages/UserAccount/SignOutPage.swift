// The page for signing out. Its confirmation depends on the data that the cloud has.

public import Templates
public import Texts

/// Asks for the confirmation of a sign-out. It posts `csrf`, and `confirm` if a phrase is required.
public struct SignOutPage: Page {
    /// The name of the page's template.
    public static let template = "user-account/sign-out"

    /// The data that a sign-out would delete.
    public enum Stake: Equatable, Sendable {
        /// There is no copy in the cloud.
        case everything
        /// The cloud has all data.
        case nothing
        /// The cloud has all data, and none of it was ever on this device.
        case nothingHere
        /// Sync is off or the subscription is not verified: the copy in the cloud stays as it was on a day,
        /// and a number of changes is only on this device. Without premium, the copy is available again only
        /// with a subscription.
        case copyStays(on: String?, changes: Int, needsSubscription: Bool)
        /// Changes are being uploaded; `done` of them are complete.
        case uploading(done: Int, total: Int)
        /// Changes wait, and the cloud cannot be reached.
        case stuck(pending: Int)
    }

    let chrome: Chrome
    let stake: Stake
    let confirmation: Confirmation?
    let unsent: [Text]
    let files: Int
    let waitingFiles: Int
    let isWaiting: Bool
    let asksNow: Bool

    /// - Parameters:
    ///   - unsent: the changes that are not uploaded yet, a line each.
    ///   - files: the number of files of receipts that the cloud does not have.
    ///   - waitingFiles: those of the files that are being sent to the cloud.
    ///   - isWaiting: whether the user is signed out as soon as all changes and files are uploaded.
    ///   - asksNow: whether a waiting user asked to sign out without waiting.
    ///   - isRefused: whether the typed text differs from the phrase.
    public init(
        chrome: Chrome,
        stake: Stake,
        unsent: [Text] = [],
        files: Int = 0,
        waitingFiles: Int = 0,
        isWaiting: Bool = false,
        asksNow: Bool = false,
        isRefused: Bool = false
    ) {
        self.chrome = chrome
        self.stake = stake
        self.unsent = unsent
        self.files = files
        self.waitingFiles = waitingFiles
        self.isWaiting = isWaiting
        self.asksNow = asksNow || isRefused
        let asked = Self.confirmation(for: stake, files: files)
        confirmation = isRefused ? asked?.refused : asked
    }

    /// The progress of an upload.
    public static func uploading(_ done: Int, of total: Int) -> Text {
        Text("user-account.uploading", ["done": .count(done), "total": .count(total)])
    }

    /// The cost of a sign-out while changes wait for the network.
    static let needsNetwork = Text("user-account.unsynced-without-network")

    /// The phrase that the user must type; nil if a button is enough.
    /// - Parameter files: the number of files of receipts that the cloud does not have.
    public static func confirmation(for stake: Stake, files: Int = 0) -> Confirmation? {
        switch stake {
        case .everything: .allIsLost
        case .nothing, .nothingHere, .copyStays(on: _, changes: 0, _): files > 0 ? .filesAreLost(files) : nil
        case .copyStays(_, let changes, _): .changesAreLost(changes)
        case .uploading(let done, let total): .changesAreLost(total - done)
        case .stuck(let pending): .changesAreLost(pending)
        }
    }

    /// The values for the template.
    public static let keys = Keys<SignOutPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("text") { $0.stake.text }
        .optionalMessage("files_text") { page in
            // While the user waits for their upload, they are not about to be deleted.
            let isLost = page.files > 0 && (!page.isWaiting || page.asksNow)
            return isLost ? Text("user-account.files-only-here", ["count": .count(page.files)]) : nil
        }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        // A file that the cloud has refused is not sent again by itself.
        .flag("can_wait") { $0.files == $0.waitingFiles }
        .flag("loses") { $0.confirmation != nil }
        .flag("waits") { page in
            switch page.stake {
            case .uploading, .stuck: true
            case .nothing: page.waitingFiles > 0
            case .everything, .nothingHere, .copyStays: false
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
        .optionalMessage("needs_network") { $0.chrome.waitsForNetwork ? needsNetwork : nil }
        // Text that is being typed must not be lost: a page with a field does not reload.
        .flag("refreshes") { $0.isWaiting && !$0.asksNow }
        .flag("asks") { $0.confirmation != nil && (!$0.isWaiting || $0.asksNow) }
        .flag("has_unsent") { !$0.unsent.isEmpty }
        .messages("unsent") { $0.unsent }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
        .message("list_title") { page in
            if case .copyStays = page.stake {
                Text("chrome.only-on-this-device")
            } else {
                Text("user-account.not-sent-yet")
            }
        }
        .flag("plain") { $0.confirmation == nil }
}

extension SignOutPage.Stake {
    fileprivate var text: Text {
        switch self {
        case .everything: return Text("user-account.all-your-data-will-be-deleted")
        case .nothing: return Text("user-account.your-data-stays-in-the-cloud")
        case .nothingHere: return Text("user-account.your-data-stays-with-subscription")
        case .copyStays(let day, let changes, let needsSubscription):
            var sentences = [
                day.map { Text("user-account.your-copy-stays-of-day", ["day": .string($0)]) }
                    ?? Text("user-account.your-copy-stays")
            ]
            if needsSubscription { sentences.append(Text("user-account.it-comes-back-with-subscription")) }
            if changes > 0 {
                sentences.append(Text("user-account.changes-only-here", ["count": .count(changes)]))
            }
            return .sentences(sentences)
        case .uploading(let done, let total): return SignOutPage.uploading(done, of: total)
        case .stuck(let pending): return Text("user-account.cannot-upload", ["count": .count(pending)])
        }
    }
}
