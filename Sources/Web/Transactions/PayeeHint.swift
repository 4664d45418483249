// Suggestions for a transaction from an earlier one with the same payee.

import Ledger
import Templates

/// A payee with its last category.
struct PayeeHint: TemplateModel {
    let payee: String
    let category: EntityID?

    static let keys = Keys<PayeeHint>()
        .text("value") { $0.payee }
        .text("category") { $0.category.map { "\($0)" } ?? "" }
}
