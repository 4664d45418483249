// The page that records, corrects or deletes a transaction.

import Ledger
import Links
import Templates
import Texts

/// A transaction on a page of its own.
struct TransactionEditPage: Page {
    static let template = "transactions/edit"
    let chrome: Chrome
    let form: TransactionForm
    /// The transaction that the form corrects; nil to record a new one.
    let editing: EntityID?
    /// Whether the transaction stands among the templates of the form.
    var isStarred = false
    /// The files beside it.
    let receipts: ReceiptsSection
    /// Other transactions with files that were not recorded.
    var unsaved: [UnsavedEntry] = []
    /// The rule that set its values; nil if none did.
    var rule: RuleMark? = nil

    static let keys = Keys<TransactionEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .model("form", of: TransactionForm.self) { $0.form }
        .message("heading") {
            $0.editing == nil ? Text("help.new-transaction") : Text("transactions.edit-transaction")
        }
        .model("receipts_section", of: ReceiptsSection.self) { $0.receipts }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        .model("rule", of: RuleMark.self) { $0.rule }
        .optionalLink("star_action") { $0.editing.map { Link.transactionStar($0) } }
        .flag("is_starred") { $0.isStarred }
        .optionalLink("duplicate_action") { $0.editing.map { Link.transactionDuplicate($0) } }
        .optionalLink("delete_action") { $0.editing.map { Link.transactionDelete($0) } }
}
