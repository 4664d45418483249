// The reasons why the file of a receipt cannot be shown, and their texts.

import Links
import Texts

/// The reason why the file of a receipt cannot be shown.
enum FileProblem: Equatable, Sendable {
    /// The file is in the cloud, which cannot be reached (503).
    case away
    /// The file is in a cloud that does not pass files on (503).
    case notServed
    /// The file is on another device, which has not sent it yet (404).
    case notSent
    /// The file was added on this device and is missing, and the cloud of a user does not have it (404).
    case lost(hasCloud: Bool)
    /// The cloud has sent content that is not the content of the receipt (502).
    case corrupted
    /// This server could not fetch the file, because of a fault of its own (500).
    case notStored
    /// The file is not on this device, or damaged on it, and cannot be fetched at present (404).
    case elsewhere(Obstacle, isDamaged: Bool = false)
    /// The file is damaged on this device, and the cloud of a user has none in its place (404).
    case damaged(hasCloud: Bool)

    /// The reason why a device cannot fetch a file from the cloud.
    enum Obstacle: String, Sendable {
        /// The user has no Premium.
        case premium
        /// The user has switched sync off.
        case sync
        /// The session has ended.
        case session
        /// The book is not synced, or the cloud refuses the file without a reason that the user can change.
        case other
    }

    /// The HTTP status of the page.
    var status: Int {
        switch self {
        case .notSent, .lost, .elsewhere, .damaged: 404
        case .notStored: 500
        case .corrupted: 502
        case .away, .notServed: 503
        }
    }

    var words: ErrorWords {
        switch self {
        case .away:
            words(
                Text("errors.the-cloud-is-away"),
                Text("errors.the-file-is-in-the-cloud"),
                todo: Text("errors.try-again-when-the-cloud"),
                color: "butter"
            )
        case .notServed:
            words(
                Text("errors.not-on-this-device-yet"),
                Text("errors.the-cloud-has-no-files"),
                todo: Text("errors.ask-for-a-newer-cloud"),
                color: "butter"
            )
        case .notSent:
            words(
                Text("errors.not-on-this-device-yet"),
                Text("errors.the-device-that-has-the-file"),
                todo: Text("errors.open-breadly-on-that-device"),
                color: "slate"
            )
        case .lost(let hasCloud):
            words(
                Text("errors.the-file-is-missing"),
                hasCloud
                    ? Text("errors.this-device-had-the-file")
                    : Text("errors.this-device-had-the-file-without-a-cloud"),
                todo: Text("errors.add-the-file-again-if-you-have-it")
            )
        case .corrupted:
            words(
                Text("errors.the-file-came-damaged"),
                Text("errors.what-came-is-another-file"),
                todo: Text("errors.try-again-or-open-it-there")
            )
        case .notStored:
            words(
                Text("errors.the-file-was-not-fetched"),
                Text("errors.the-file-cannot-be-stored"),
                todo: Text("errors.try-again-in-a-minute")
            )
        case .elsewhere(let obstacle, isDamaged: false):
            words(
                Text("errors.not-on-this-device"),
                obstacle.what,
                todo: obstacle.todo,
                color: "slate",
                obstacle.way
            )
        case .elsewhere(let obstacle, isDamaged: true):
            words(
                Text("errors.the-file-is-damaged"),
                Text("errors.a-good-copy-may-be-in-the-cloud"),
                todo: obstacle.todo,
                obstacle.way
            )
        case .damaged(let hasCloud):
            words(
                Text("errors.the-file-is-damaged"),
                hasCloud
                    ? Text("errors.the-disk-has-damaged-the-file")
                    : Text("errors.the-disk-has-damaged-the-file-without-a-cloud"),
                todo: hasCloud
                    ? Text("errors.add-the-file-again") : Text("errors.add-the-file-again-without-a-cloud")
            )
        }
    }

    private var isOfAFileThatIsGone: Bool {
        switch self {
        case .lost, .damaged, .elsewhere(_, isDamaged: true): true
        case .away, .notServed, .notSent, .corrupted, .notStored, .elsewhere: false
        }
    }

    private func words(
        _ heading: Text,
        _ what: Text,
        todo: Text,
        color: String = "tomato",
        _ way: (href: Link, label: Text) = (.receipts, Text("errors.back-to-receipts"))
    ) -> ErrorWords {
        ErrorWords(
            heading: heading,
            what: what,
            safe: isOfAFileThatIsGone ? Text("errors.the-entry-is-as-it") : Text("errors.your-data-is-as-it"),
            todo: todo,
            icon: "clip",
            color: color,
            href: way.href,
            label: way.label
        )
    }
}

extension FileProblem.Obstacle {
    fileprivate var what: Text {
        switch self {
        case .premium: Text("errors.files-need-premium")
        case .sync: Text("errors.files-need-sync")
        case .session: Text("errors.files-need-a-session")
        case .other: Text("errors.the-file-cannot-be-fetched")
        }
    }

    fileprivate var todo: Text {
        switch self {
        case .premium: Text("errors.subscribe-and-open-the-file")
        case .sync: Text("errors.switch-sync-on-and-open-the-file")
        case .session: Text("errors.sign-in-and-open-the-file")
        case .other: Text("errors.open-the-file-where-it-was-added")
        }
    }

    /// The page that removes the obstacle.
    fileprivate var way: (href: Link, label: Text) {
        switch self {
        case .premium: (.subscription, Text("chrome.see-premium"))
        case .sync: (.settings, Text("common.settings"))
        case .session: (.signIn, Text("settings.sign-in-again"))
        case .other: (.receipts, Text("errors.back-to-receipts"))
        }
    }
}
