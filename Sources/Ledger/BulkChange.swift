// One change that is made to each of many transactions.

import Encoding

/// A change that is made to each of the transactions that a person has selected.
public enum BulkChange: Hashable, Sendable {
    /// The category; nil for none.
    case category(Category?)
    case payee(String)
    /// The account that the money leaves or enters.
    case account(Account)
    case date(CivilDate)
    /// Tags that are added behind the others.
    case tagsAdded([String])
    case tagsRemoved([String])
    /// The note, in place of another one.
    case note(String)

    /// The transaction with the change, which may be equal to it.
    /// - Parameter currencies: the currency of an account; nil for an account that is not known.
    /// - Throws: the reason why the transaction cannot have the change.
    public func applied(
        to transaction: Transaction,
        currencies: (EntityID) -> CurrencyCode?
    ) throws(BulkObstacle) -> Transaction {
        var changed = transaction
        switch self {
        case .category(let category):
            guard transaction.kind != .transfer else { throw .transfer }
            guard transaction.split == nil else { throw .split }
            if let category, category.kind == .income, transaction.kind == .expense { throw .incomeCategory }
            changed.category = category?.id
        case .payee(let payee): changed.payee = payee
        case .account(let account):
            guard transaction.toAccount != account.id else { throw .sameAccount }
            guard transaction.account != account.id else { break }
            if account.currency == transaction.amount.currency {
                changed.accountMinor = transaction.amount.minor
            } else {
                // The charged amount is in the currency of the account, and no amount is invented for another one.
                guard transaction.kind != .transfer, currencies(transaction.account) == account.currency
                else {
                    throw .otherCurrency
                }
            }
            changed.account = account.id
        case .date(let date): changed.date = date
        case .tagsAdded(let tags):
            let keys = Set(transaction.tags.map(\.nameKey))
            changed.tags += tags.filter { !keys.contains($0.nameKey) }
            guard changed.tags.count <= Self.mostTags else { throw .tooManyTags }
        case .tagsRemoved(let tags):
            let keys = Set(tags.map(\.nameKey))
            changed.tags.removeAll { keys.contains($0.nameKey) }
        case .note(let note): changed.note = note
        }
        return changed
    }

    private static let mostTags = 20
}

/// The reason why a transaction cannot have a change that was made to many.
public enum BulkObstacle: Error, CaseIterable, Hashable, Sendable {
    /// It was deleted meanwhile.
    case deleted
    /// A transfer has no category.
    case transfer
    /// The parts of a split have the categories.
    case split
    /// An expense has no category of income.
    case incomeCategory
    /// The account has another currency than the account before and the amount.
    case otherCurrency
    /// The account is the one at which the transfer arrives.
    case sameAccount
    /// A transaction has at most 20 tags.
    case tooManyTags
}

/// The transactions that a person has selected.
public enum TransactionSelection: Hashable, Sendable {
    /// Single ones, each of which counts once.
    case rows([EntityID])
    /// All that pass the filters of a list, on all its pages.
    case all(TransactionQuery)

    /// The greatest number of transactions that are changed at once.
    public static let limit = 10_000
}
