// The page that records, corrects or deletes a transaction.

import Ledger
import Links
import Templates
import Texts

/// A transaction on a page of its own.
struct TransactionEditPage: Page {
    /// The name of the page's template.
    static let template = "transactions/edit"
    let chrome: Chrome
    let form: TransactionForm
    let editing: EntityID?
    let receipts: ReceiptsSection
    let unsaved: [UnsavedEntry]

    /// A page around a form.
    /// - Parameters:
    ///   - editing: the transaction that the form corrects; nil to record a new one.
    ///   - receipts: the files beside it.
    ///   - unsaved: other transactions with files that were not recorded.
    init(
        chrome: Chrome,
        form: TransactionForm,
        editing: EntityID?,
        receipts: ReceiptsSection,
        unsaved: [UnsavedEntry] = []
    ) {
        self.chrome = chrome.on(.transactions)
        self.form = form
        self.editing = editing
        self.receipts = receipts
        self.unsaved = unsaved
    }

    /// The values for the template.
    static let keys = Keys<TransactionEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("form", of: TransactionForm.self) { $0.form }
        .message("heading") {
            $0.editing == nil ? Text("help.new-transaction") : Text("transactions.edit-transaction")
        }
        .model("receipts_section", of: ReceiptsSection.self) { $0.receipts }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        .optionalLink("delete_action") { $0.editing.map { Link.transactionDelete($0) } }
}
