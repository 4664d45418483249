// The page for signing out. Its confirmation depends on the data that the cloud has.

import Ledger
import Templates
import Texts

/// Asks for the confirmation of a sign-out. It posts `csrf`, and `confirm` if a phrase is required.
struct SignOutPage: Page {
    static let template = "user-account/sign-out"

    /// The data that a sign-out would delete.
    enum Stake: Equatable, Sendable {
        /// There is no copy in the cloud, or none that is known.
        case everything
        /// The cloud has all data.
        case nothing
        /// The cloud has all data, and none of it was ever on this device.
        case nothingHere
        /// Sync is off or the subscription is not verified. Without premium, the copy is available again only with a
        /// subscription.
        case copyStays(RetainedCopy, needsSubscription: Bool)
        /// The cloud had a copy, and does not answer whether it still has it.
        case copyUnknown(RetainedCopy)
        /// Changes are being uploaded; `done` of them are complete.
        case uploading(done: Int, total: Int)
        /// Changes are not on their way: the cloud cannot be reached, or it does not take them.
        case stuck(pending: Int)
    }

    /// The reason why changes are not uploaded, other than a cloud that cannot be reached.
    struct Obstacle: Equatable, Sendable {
        var text: Text
        /// Whether it passes by itself.
        var passes: Bool
    }

    let chrome: Chrome
    let stake: Stake
    let obstacle: Obstacle?
    let confirmation: Confirmation?
    let unsent: [Text]
    let files: Int
    let waitingFiles: Int
    let damagedFiles: Int
    let absentFiles: AbsentFiles
    let hasOnlyTransactions: Bool
    let isCloudAway: Bool
    let isSilent: Bool
    let isWaiting: Bool
    let asksNow: Bool
    let unsaved: [UnsavedEntry]

    /// - Parameters:
    ///   - obstacle: the reason why changes that wait are not uploaded; nil if it is the network.
    ///   - unsent: the changes that are not uploaded yet, a line each.
    ///   - files: the number of sound files of receipts that the cloud does not have.
    ///   - waitingFiles: the number of these files that are being sent to the cloud.
    ///   - damagedFiles: the number of files that this device has damaged, and the cloud does not have.
    ///   - absentFiles: the numbers of files that are neither on this device nor in the cloud.
    ///   - hasOnlyTransactions: whether each change that the cloud does not have is a change of a transaction.
    ///   - isCloudAway: whether the files wait because the cloud cannot be reached.
    ///   - isSilent: whether the answer to a request is awaited for some seconds.
    ///   - isWaiting: whether the user is signed out as soon as all changes and files are uploaded.
    ///   - asksNow: whether a waiting user asked to sign out without waiting.
    ///   - unsaved: transactions with files that were not recorded, and are deleted with the book.
    ///   - isRefused: whether the typed text differs from the phrase.
    init(
        chrome: Chrome,
        stake: Stake,
        obstacle: Obstacle? = nil,
        unsent: [Text] = [],
        files: Int = 0,
        waitingFiles: Int = 0,
        damagedFiles: Int = 0,
        absentFiles: AbsentFiles = AbsentFiles(),
        hasOnlyTransactions: Bool = true,
        isCloudAway: Bool = false,
        isSilent: Bool = false,
        isWaiting: Bool = false,
        asksNow: Bool = false,
        unsaved: [UnsavedEntry] = [],
        isRefused: Bool = false
    ) {
        self.chrome = chrome
        self.unsaved = unsaved
        self.stake = stake
        self.obstacle = obstacle
        self.unsent = unsent
        self.files = files
        self.waitingFiles = waitingFiles
        self.damagedFiles = damagedFiles
        self.absentFiles =
            switch stake {
            case .copyStays(let copy, _), .copyUnknown(let copy): copy.absentFiles
            case .everything, .nothing, .nothingHere, .uploading, .stuck: absentFiles
            }
        self.hasOnlyTransactions = hasOnlyTransactions
        self.isCloudAway = isCloudAway
        self.isSilent = isSilent
        self.isWaiting = isWaiting
        self.asksNow = asksNow || isRefused
        let asked = Self.confirmation(for: stake, files: files)
        confirmation = isRefused ? asked?.refused : asked
    }

    /// The progress of an upload.
    /// - Parameters:
    ///   - files: the number of files that follow the changes.
    ///   - isOfTransactions: whether all the changes are of transactions.
    ///   - isSilent: whether the answer to a request is awaited for some seconds.
    static func uploading(
        _ done: Int,
        of total: Int,
        files: Int,
        isOfTransactions: Bool,
        isSilent: Bool = false
    ) -> Text {
        guard done < total || files == 0 else { return uploading(files: files) }
        let words: [String: Text.Argument] = ["done": .count(done), "total": .count(total)]
        let text =
            isOfTransactions
            ? Text("user-account.uploading", words) : Text("user-account.uploading-changes", words)
        return isSilent ? .sentences([text, Text("chrome.waiting-for-an-answer")]) : text
    }

    /// The number of changes that cannot be uploaded without a network. The parameters are as for `uploading`.
    static func stuck(_ pending: Int, files: Int, isOfTransactions: Bool) -> Text {
        let words: [String: Text.Argument] = ["count": .count(pending), "files": .count(files)]
        if files > 0 { return Text("user-account.cannot-upload-changes-and-files", words) }
        return isOfTransactions
            ? Text("user-account.cannot-upload", words) : Text("user-account.cannot-upload-changes", words)
    }

    private static func uploading(files: Int) -> Text {
        Text("user-account.uploading-files", ["count": .count(files)])
    }

    /// The cost of a sign-out while changes wait for the network.
    static let needsNetwork = Text("user-account.unsynced-without-network")

    /// The phrase that the user must type; nil if a button is enough.
    /// - Parameter files: the number of files of receipts that the cloud does not have.
    static func confirmation(for stake: Stake, files: Int = 0) -> Confirmation? {
        switch stake {
        case .everything, .copyUnknown: .allIsLost
        case .copyStays(let copy, _) where copy.changes > 0: .isLost(changes: copy.changes, files: files)
        case .nothing, .nothingHere, .copyStays: files > 0 ? .isLost(changes: 0, files: files) : nil
        case .uploading(let done, let total): .isLost(changes: total - done, files: files)
        case .stuck(let pending): .isLost(changes: pending, files: files)
        }
    }

    static let keys = Keys<SignOutPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("text") { $0.text }
        .flag("is_loss") { $0.confirmation != nil && !$0.waitsForFiles }
        .optionalMessage("rest") { page in
            page.stake == .nothing && page.losesFiles ? Text("user-account.all-else-stays-in-the-cloud") : nil
        }
        .optionalMessage("files_text") { page in
            guard page.losesFiles, case .uploading = page.stake else { return nil }
            return page.filesOnlyHere
        }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        .optionalMessage("absent_text") { page in
            let count = page.absentFiles.count
            return count > 0 ? Text("user-account.files-are-nowhere", ["count": .count(count)]) : nil
        }
        .optionalMessage("damaged_text") { page in
            let count = page.damagedFiles
            switch page.stake {
            case .nothing, .uploading, .stuck: break
            // A file that is added again would be deleted as well.
            case .everything, .nothingHere, .copyStays, .copyUnknown: return nil
            }
            return count > 0 ? Text("user-account.files-are-damaged", ["count": .count(count)]) : nil
        }
        .flag("loses_files") { $0.losesFiles }
        .flag("has_files") { $0.losesFiles || $0.absentFiles.count + $0.damagedFiles > 0 }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        // A file that the cloud has refused is not sent again by itself, and nothing is sent before a sign-in.
        .flag("can_wait") { $0.files == $0.waitingFiles && !$0.chrome.cloud.canSignIn && $0.canBeUploaded }
        .flag("sees_changes") { !$0.canBeUploaded && !$0.chrome.cloud.canSignIn }
        .optionalMessage("obstacle") { $0.obstacle?.text }
        .flag("awaits_network") { $0.isWaiting && $0.obstacle == nil }
        .flag("awaits_end") { $0.isWaiting && $0.obstacle?.passes == true }
        .flag("loses") { $0.confirmation != nil }
        .flag("waits") { page in
            switch page.stake {
            case .uploading, .stuck: true
            case .nothing: page.waitingFiles > 0
            case .everything, .nothingHere, .copyStays, .copyUnknown: false
            }
        }
        .flag("uploading") { page in
            if case .uploading = page.stake { true } else { page.waitsForFiles && !page.isCloudAway }
        }
        .flag("counts") { page in
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
            switch page.stake {
            case .copyStays, .copyUnknown: Text("chrome.only-on-this-device")
            case .everything, .nothing, .nothingHere, .uploading, .stuck: Text("user-account.not-sent-yet")
            }
        }
        .flag("plain") { $0.confirmation == nil }
}

extension SignOutPage {
    /// Whether a sign-out deletes files that the cloud does not have. While the user waits for their upload, they are not
    /// about to be deleted.
    fileprivate var losesFiles: Bool { files > 0 && (!isWaiting || asksNow) }

    /// Whether the user waits for files, and for no change.
    fileprivate var waitsForFiles: Bool { stake == .nothing && files > 0 && !losesFiles }

    /// Whether everything that waits is uploaded without a step of the user.
    fileprivate var canBeUploaded: Bool { obstacle?.passes ?? true }

    /// Whether sync is switched off: other devices of the user go on, and may have uploaded their data since the cloud last
    /// said that it has none.
    private var mayHaveCopyOfAnotherDevice: Bool {
        chrome.cloud.canSwitchOn || chrome.cloud.canSignIn && chrome.tier == .premium
    }

    fileprivate var filesOnlyHere: Text { Text("user-account.files-only-here", ["count": .count(files)]) }

    fileprivate var text: Text {
        switch stake {
        case .everything where chrome.cloud.isUnknown || chrome.cloud.isDeletedElsewhere:
            return .sentences([chrome.cloud.text, Text("user-account.all-data-here-will-be-deleted")])
        case .everything where mayHaveCopyOfAnotherDevice:
            return Text("user-account.all-data-here-will-be-deleted")
        case .everything: return Text("user-account.all-your-data-will-be-deleted")
        case .nothing where losesFiles: return filesOnlyHere
        case .nothing where files > 0:
            return isCloudAway
                ? Text("sync.files-wait-for-the-cloud", ["count": .count(files)])
                : Self.uploading(files: files)
        case .nothing: return Text("user-account.your-data-stays-in-the-cloud")
        case .nothingHere where chrome.cloud.isUnknown: return chrome.cloud.text
        case .nothingHere: return Text("user-account.your-data-stays-with-subscription")
        case .copyStays(var copy, let needsSubscription):
            // With the files of entries that were not saved, which sync would not send.
            copy.files = files
            let comesBack = needsSubscription ? Text("user-account.it-comes-back-with-subscription") : nil
            return .sentences([copy.stays, comesBack, copy.onlyHere].compactMap { $0 })
        case .copyUnknown(let copy):
            let unknown = Text("user-account.copy-not-confirmed")
            let lost = Text("user-account.all-data-here-will-be-deleted")
            return .sentences([unknown, copy.onlyHere, lost].compactMap { $0 })
        case .uploading(let done, let total):
            return Self.uploading(
                done,
                of: total,
                files: files,
                isOfTransactions: hasOnlyTransactions,
                isSilent: isSilent
            )
        case .stuck(let pending):
            return Self.stuck(pending, files: files, isOfTransactions: hasOnlyTransactions)
        }
    }
}
