// The ranges of indexes that have the transactions of a category, a kind, a payee or an account.
import Ledger

extension TransactionList.Stream {
    /// The transactions of a category: transactions that are not split, and transactions with a part in it.
    static func all(of category: EntityID) -> [Self] {
        let id = category.description
        return [
            Self(index: "transactions_by_category", key: "category", value: id),
            Self(index: "split_shares", key: nil, value: id, isOfShares: true),
        ]
    }

    init(kind: TransactionKind) {
        self.init(index: "transactions_by_kind", key: "kind", value: kind.rawValue)
    }

    init(payee: String) {
        self.init(index: "transactions_by_payee", key: "payee", value: payee)
    }

    /// Both ends of an account.
    static func ends(of account: EntityID) -> [Self] {
        [
            Self(index: "transactions_by_account", key: "account", value: account.description),
            Self(index: "transactions_by_to_account", key: "to_account", value: account.description),
        ]
    }
}
