// The form of a transaction that was sent along with its files: nothing that was typed there is lost.

import Book
import Ledger
import Texts

/// The form of a transaction as it was sent with files. The script sends files alone, and leaves the form as it is.
struct SentTransaction {
    let id: EntityID
    /// The values of the form; the stored values if none were sent.
    var state: FormState
    /// Whether the values differ from the stored transaction, so that a page that is loaded anew would lose them.
    let isChanged: Bool

    /// - Throws: `Refusal.notFound` if the transaction was deleted.
    init(_ id: EntityID, _ context: RequestContext) throws {
        self.id = id
        let shown = try EntityChange<TransactionEntry>.shown(id, context)
        guard context.request.form.names.contains(where: TransactionEntry.fields.contains) else {
            var state = shown.state
            state.back = context.originList
            (self.state, isChanged) = (state, false)
            return
        }
        var state = try EntityChange<TransactionEntry>.sent(over: shown.state, context)
        // Untouched fields may differ from the stored values: a list begins with its first choice.
        isChanged = try TransactionEntry(state, id: id, context).value != shown.value
        if case .some(nil) = state.seen.map({ EntityVersion($0) }) {
            state.seen = shown.state.seen
            state.notice = EntityVersion.unreadable
        }
        self.state = state
    }
}
