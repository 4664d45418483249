// Suggestions for a transaction from an earlier one with the same payee.

public import Ledger
public import Templates

/// A payee with its last category.
public struct PayeeHint: TemplateModel {
    let payee: String
    let category: EntityID?

    /// A suggestion.
    public init(payee: String, category: EntityID?) {
        self.payee = payee
        self.category = category
    }

    /// The values for the template.
    public static let keys = Keys<PayeeHint>()
        .text("value") { $0.payee }
        .text("category") { $0.category.map { "\($0)" } ?? "" }
}
