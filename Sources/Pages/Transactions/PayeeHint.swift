// What an earlier transaction with a payee suggests for the next one.

public import Ledger
public import Templates

/// A payee and the category it was last given.
public struct PayeeHint: TemplateModel {
    let payee: String
    let category: EntityID?

    /// A suggestion.
    public init(payee: String, category: EntityID?) {
        self.payee = payee
        self.category = category
    }

    /// What the template reads.
    public static let keys = Keys<PayeeHint>()
        .text("value") { $0.payee }
        .text("category") { $0.category.map { "\($0)" } ?? "" }
}
