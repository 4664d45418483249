// Files of a transaction that was not saved, where a person would look for them.

public import Ledger
import Links
public import Templates
import Texts

/// A transaction that files were added to and that was not recorded.
public struct UnsavedEntry: TemplateModel {
    private let transaction: EntityID
    private let files: Int

    /// - Parameters:
    ///   - transaction: the id that it gets when it is recorded.
    ///   - files: their number.
    public init(_ transaction: EntityID, files: Int) { (self.transaction, self.files) = (transaction, files) }

    /// The values for the template.
    public static let keys = Keys<UnsavedEntry>()
        .message("text") { Text("receipts.of-an-unsaved-entry", ["count": .count($0.files)]) }
        .link("href") { ReceiptsSection.Place.entered($0.transaction).page }
}
