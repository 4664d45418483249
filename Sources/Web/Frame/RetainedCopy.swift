// The copy that the cloud keeps while sync does not follow a book, and the changes that it does not have.

import Ledger
import Texts

/// A copy in the cloud that stays as it was on a day, or that other devices may change. The header, the settings, the page of the subscription and the
/// pages that ask before a sign-out or a deletion say the same about it.
struct RetainedCopy: Hashable, Sendable {
    /// The day of its last change, as text; nil if it is unknown.
    var day: String?
    /// Whether other devices may have changed it since this device followed it.
    var mayHaveChanged = false
    /// The number of changes that are on this device only.
    var changes: Int
    /// The number of files of receipts that are on this device only.
    var files: Int
    /// The numbers of files that are neither on this device nor in the copy.
    var absentFiles = AbsentFiles()

    /// That the copy stays as it was, or what is known of it.
    var stays: Text {
        guard !mayHaveChanged else {
            return day.map { Text("user-account.your-copy-last-changed", ["day": .string($0)]) }
                ?? Text("user-account.your-copy-may-change")
        }
        return day.map { Text("user-account.your-copy-stays-of-day", ["day": .string($0)]) }
            ?? Text("user-account.your-copy-stays")
    }

    /// The changes and files that the copy does not have; nil if it has all.
    var onlyHere: Text? {
        switch (changes, files) {
        case (0, 0): nil
        case (_, 0): Text("user-account.changes-only-here", ["count": .count(changes)])
        default:
            Text(
                "user-account.files-only-here-too",
                ["count": .count(changes), "files": .count(files), "total": .count(changes + files)]
            )
        }
    }

    /// The files that are neither here nor in the copy; nil if there are none.
    private var nowhere: Text? {
        let count = absentFiles.count
        return count > 0 ? Text("user-account.files-are-nowhere", ["count": .count(count)]) : nil
    }

    /// The copy, the changes that it does not have, and the help.
    /// - Parameters:
    ///   - why: a sentence before them.
    ///   - help: a sentence after them.
    func text(_ why: Text? = nil, then help: Text) -> Text {
        .sentences([why, stays, onlyHere, nowhere, help].compactMap { $0 })
    }
}
