// The words for the parts of a split transaction.

import Ledger
import SyncCore
import Texts

extension ChangeWords {
    /// The parts in one text: `Groceries €12.00, Health €36.50 (soap)`.
    /// - Parameter text: the stored text of a `Split`.
    func parts(_ text: String, _ currency: CurrencyCode) -> Text {
        let parts = Split(text: text).parts.map { part in
            PartLine.text(
                category: category(part.category),
                amount: formats.money(part.minor, currency),
                note: part.note
            )
        }
        return Text.joined(parts) {
            Text("changes.one-change-after-another", ["first": .text($0), "next": .text($1)])
        } ?? Text("splits.of-a-newer-version")
    }

    private func category(_ id: EntityID?) -> Text {
        guard let id else { return Text("transactions.no-category") }
        return value("category", .text("\(id)"), "transaction", [:])
    }
}
