// Files of a transaction that was not saved, where a person would look for them.

import Ledger
import Links
import Templates
import Texts

/// A transaction that files were added to and that was not recorded, with a link that continues with it and a form that
/// removes its files.
struct UnsavedEntry: TemplateModel {
    private let transaction: EntityID
    private let files: [String]

    /// - Parameters:
    ///   - transaction: the id that it gets when it is recorded.
    ///   - files: the names of its files, one at least.
    init(_ transaction: EntityID, files: [String]) {
        (self.transaction, self.files) = (transaction, files)
    }

    static let keys = Keys<UnsavedEntry>()
        .message("text") {
            Text(
                "receipts.of-an-unsaved-entry",
                ["file": .string($0.files.first?.isolated ?? ""), "more": .count($0.files.count - 1)]
            )
        }
        .text("once") { "\($0.transaction)" }
        .link("href") { ReceiptsSection.Place.entered($0.transaction).page }
}
