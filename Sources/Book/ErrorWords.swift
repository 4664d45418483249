// The texts of errors in the log.

import Ledger

extension BookError: CustomStringConvertible {
    /// A short text for the log.
    public var description: String {
        switch self {
        case .unknownTransaction(let id): "there is no transaction \(id)"
        case .deletedTransaction(let id): "the transaction \(id) is deleted"
        case .unknownAccount(let id): "there is no account \(id)"
        case .unknownCategory(let id): "there is no category \(id)"
        case .unknownBudget(let id): "there is no budget \(id)"
        case .unknownSchedule(let id): "there is no schedule \(id)"
        case .unknownView(let id): "there is no saved view \(id)"
        case .unknownRule(let id): "there is no rule \(id)"
        case .unknownReceipt(let id): "there is no receipt \(id)"
        case .unknownConflict(let id): "there is no conflict \(id)"
        case .unknownChange: "there is no such change"
        case .deletedSince(let id): "\(id) was deleted since"
        case .changedMeanwhile(let field): "the \(field.words) was changed meanwhile"
        case .idTaken(let id): "the id \(id) is in use"
        case .accountInUse(let count): "the account has \(count) transactions"
        case .accountScheduled(let count): "the account has \(count) schedules"
        case .accountClosed(let field): "the \(field.words) is closed"
        case .categoryInUse(let transactions, let budgets, let children):
            "the category has \(transactions) transactions, \(budgets) budgets and \(children) subcategories"
        case .categoryKindInUse: "the category is in use with its kind"
        case .categoryNesting: "categories have one level of parents"
        case .categoryKind: "the category is of another kind"
        case .budgetExists(let id): "there is a budget from that month on: \(id)"
        case .selectionTooLarge: "more than \(TransactionSelection.limit) transactions are selected"
        case .invalid(let field): "the \(field.words) cannot be stored"
        case .overflow: "a sum exceeds 64 bits"
        case .diskFull: "the disk is full"
        case .readOnly: "the file cannot be written"
        case .damaged(let what): "the file is damaged: \(what)"
        case .newerSchema(let schema): "\(schema)"
        case .migrationRefused(let why): why
        case .busy: "another process has locked the file"
        case .closed: "the file is closed"
        case .failed(let what): what
        }
    }
}

extension BookField {
    fileprivate var words: String {
        switch self {
        case .accountAmount: "amount of the account"
        case .toAccount: "other account"
        case .toAmount: "other amount"
        case .from: "first month"
        case .every: "distance"
        case .end: "last day"
        case .timeZone: "time zone"
        case .secondaryCurrencies: "other currencies"
        case .other: "value"
        case .amount, .account, .category, .currency, .payee, .note, .tags, .split, .name, .icon, .color,
            .parent, .limit, .opening, .locale:
            rawValue
        }
    }
}
