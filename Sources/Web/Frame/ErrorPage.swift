// Error pages: the error, the data that is safe, and the remedy.

import Ledger
import Links
import Templates
import Texts

/// A page about an error, outside of the app's frame.
struct ErrorPage: Page {
    static let template = "errors/page"

    /// The kind of an error.
    indirect enum Problem: Sendable {
        /// The request could not be understood (400).
        case malformed
        /// The form's token was missing or not this session's (403).
        case expiredForm
        /// There is no such page, or it is another user's (404).
        case notFound
        /// The entity of the address was deleted (404).
        case deleted(DeletedEntity)
        /// The address does not take this method (405).
        case wrongMethod
        /// The request is too large (413).
        case tooLarge
        /// The server accepts no more new guests at present (429).
        case crowded
        /// Too many requests are under way, of this client or of all clients (503).
        case overloaded
        /// The server has another host name (421).
        case otherHost
        /// A long operation is running on the device's book (503).
        case busy
        /// The server is stopping: the request may have been carried out in part (503).
        case stopping
        /// An internal error (500); the log contains the reference.
        case fault(reference: String)
        /// The disk is full: pages can be read, but no change can be stored (507).
        case storageFull
        /// The book has reached its greatest size (507).
        case bookFull
        /// Guests have used all the disk space that they may have, and this device is one, or would be (507).
        case guestsFull
        /// The disk has too little room for a download (507).
        case noRoomForDownload
        /// The browser sends more forms than a person could (429).
        case tooFast
        /// The file of a receipt cannot be shown.
        case file(FileProblem)
        /// The book's file can be read but not written (503).
        case readOnly
        /// The book's file is damaged (503); the reference names it in the log.
        case damagedBook(reference: String)
        /// A step of the device's lifecycle failed (503); Retry runs it again.
        case step(FailedStep, reference: String?, of: Deletion? = nil)
        /// The cloud has accepted a sign-in, but the device could not store it because of another problem.
        case unfinishedSignIn(Problem, isNewAccount: Bool)

        /// The HTTP status of the page.
        var status: Int {
            switch self {
            case .malformed: 400
            case .expiredForm: 403
            case .notFound, .deleted: 404
            case .file(let problem): problem.status
            case .wrongMethod: 405
            case .tooLarge: 413
            case .crowded, .tooFast: 429
            case .otherHost: 421
            case .fault: 500
            case .storageFull, .bookFull, .guestsFull, .noRoomForDownload: 507
            case .overloaded, .busy, .stopping, .readOnly, .damagedBook, .step: 503
            case .unfinishedSignIn(let cause, _): cause.status
            }
        }
    }

    /// A deletion for which a user has asked, as a step that failed. The cloud may have carried it out.
    enum Deletion: String, Sendable {
        /// All data in the cloud, of a user whose data is not on this device.
        case serverData = "server-data"
        /// The user account, and the book of this device with it.
        case account
        /// The user account, of a user whose data is not on this device.
        case accountWithoutBook = "account-without-book"
    }

    /// The reason why a step of the device's lifecycle failed.
    enum FailedStep: String, Sendable {
        /// No change can be stored until there is free space.
        case diskFull = "disk_full"
        /// The book's file cannot be written.
        case readOnly = "read_only"
        /// A newer Breadly has written the book.
        case newerBook = "newer_schema"
        /// The book could not be migrated to this version.
        case refusedUpgrade = "migration_refused"
        /// The cloud could not be reached.
        case cloudUnreachable = "cloud_unreachable"
        /// The cloud did not complete the request.
        case cloudFailed = "cloud_failed"
        /// The device's session was ended on another device.
        case sessionRevoked = "session_revoked"
        /// Anything else.
        case other
    }

    let chrome: Chrome
    let problem: Problem
    let kept: PreservedForm?

    /// Creates a page about a problem.
    /// - Parameter kept: the form that failed, if it may succeed when it is sent again.
    init(chrome: Chrome, problem: Problem, kept: PreservedForm? = nil) {
        var chrome = chrome
        if problem.hidesBook { chrome.cloud = .unreadable }
        self.chrome = chrome
        self.problem = problem
        self.kept = kept
    }

    static let keys = Keys<ErrorPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .integer("status") { Int64($0.problem.status) }
        .message("heading") { $0.problem.words.heading }
        .message("what") { $0.problem.words.what }
        .message("safe") { $0.problem.words.safe }
        .optionalMessage("todo") { $0.problem.words.todo }
        .flag("has_kept") { $0.kept != nil }
        .model("kept", of: PreservedForm.self) { $0.kept }
        .text("icon") { $0.problem.words.icon }
        .text("color") { $0.problem.words.color }
        .optional("reference") { $0.problem.reference }
        .optionalLink("retry_action") { page in
            switch page.problem {
            case .step, .damagedBook: .retry
            default: nil
            }
        }
        .message("retry_label") { page in
            if case .step(_, _, of: .some) = page.problem {
                Text("errors.delete-again")
            } else {
                Text("common.retry")
            }
        }
        .flag("can_let_be") { page in
            if case .step(_, _, of: .some) = page.problem { true } else { false }
        }
        .optionalLink("href") { $0.problem.words.href }
        .message("label") { $0.problem.words.label }
        .flag("export") { $0.problem.offersExport && $0.chrome.hasDevice }
}

/// An entity that was deleted, at the address of its page.
struct DeletedEntity: Sendable {
    /// The sentence that says so: `This account was deleted`.
    let heading: Text
    /// The address that restores it.
    let restore: Link
    /// The name of the other device that deleted it, which is empty if it is unknown; nil for this device.
    let device: String?
    /// The sentence about its restoration.
    let safe: Text
}

/// An error page in the frame of the app, for a user whose book is open.
struct FramedErrorPage: Page {
    static let template = "errors/framed"
    private let page: ErrorPage

    /// Shows an error page in the frame.
    init(_ page: ErrorPage) { self.page = page }

    static let keys = Keys<FramedErrorPage>()
        .model("chrome", of: Chrome.self) { $0.page.chrome }
        .optionalMessage("todo") { $0.page.problem.words.todo }
        .text("icon") { $0.page.problem.words.icon }
        .optionalLink("restore_action") { page in
            guard case .deleted(let entity) = page.page.problem else { return nil }
            return entity.restore
        }
        .optionalLink("href") { $0.page.problem.words.href }
        .message("label") { $0.page.problem.words.label }
        .integer("status") { Int64($0.page.problem.status) }
        .message("heading") { $0.page.problem.words.heading }
        .message("what") { $0.page.problem.words.what }
        .message("safe") { $0.page.problem.words.safe }
}
