// Rules on the rows of banks: they run whenever the rows are compared with the book, so that a rule that is added or
// changed acts on all rows that are not recorded yet.
import Ledger
import Storage
import SyncCore

extension BankReports.Row {
    /// The row as rules look at it. Nothing that the user has written on it is changed by a rule, and a row that has any
    /// writing is not hidden by one.
    /// - Parameter transaction: the row with the user's writing.
    func ruleRow(_ transaction: Transaction, _ note: BankNote?) -> RuleRow {
        var typed: Set<RuleEffect> = []
        if let note {
            typed.insert(.hide)
            if note.category != nil { typed.formUnion([.category, .split, .transfer]) }
            if !note.payee.isEmpty { typed.insert(.payee) }
            if !note.note.isEmpty { typed.insert(.note) }
            if !note.tags.isEmpty { typed.insert(.tags) }
        }
        var texts = [reported.description]
        if let counterparty = reported.counterparty { texts.append(counterparty) }
        if payee != transaction.payee { texts.append(payee) }
        return RuleRow(transaction, bankTexts: texts, typed: typed)
    }
}

extension RuleResult {
    /// The row as it is listed until it is recorded: of its own kind and without parts.
    /// - Parameter row: the row without rules.
    func listed(in row: Transaction) -> Transaction {
        var listed = row
        listed.payee = transaction.payee
        listed.note = transaction.note
        listed.tags = transaction.tags
        if transaction.kind == row.kind, transaction.split == nil { listed.category = transaction.category }
        listed.rule = rule
        return listed
    }
}

extension RuledBankRow {
    init(_ result: RuleResult) {
        var record = result.transaction
        record.rule = result.rule
        self.init(record: record, schedule: result.schedule, setBy: result.setBy)
    }
}

extension BookDatabase {
    /// Notes that a transaction is the payment of the next occurrence of a schedule, if that is near enough.
    func note(_ payment: EntityID, on day: CivilDate, isPaymentOfSchedule id: EntityID) throws {
        guard let schedule = try liveSchedule(id), let next = schedule.next,
            abs(Int(next.day.dayNumber) - Int(day.dayNumber)) <= Self.mostDaysFromOccurrence,
            let (stored, isDeleted) = try storedTransaction(payment), !isDeleted, try isFree(stored)
        else { return }
        let key = schedule.key(of: next)
        guard try heldOccurrences([key]).live.isEmpty else { return }
        try note(payment, isPaymentOf: key)
        try markAsDone(id, next.planned)
    }

    /// A rule names the schedule, so the day may differ more than where payments are recognised by themselves.
    private static let mostDaysFromOccurrence = 15
}

extension BookDatabase {
    /// Whether a person changes a value of a transaction that a rule has set. The transaction then does not name the rule
    /// any more.
    func replacesValueOfRule(_ changes: Fields, _ present: Fields) throws -> Bool {
        guard let id = present.text("rule").flatMap({ EntityID($0) }) else { return false }
        let effects = try rule(id)?.effects.kinds ?? Set(RuleEffect.allCases)
        return effects.contains { $0.fields.contains { changes[$0] != nil } }
    }
}

extension RuleEffect {
    /// The fields of a transaction that the effect sets, by their names in the sync protocol.
    fileprivate var fields: [String] {
        switch self {
        case .payee, .note, .tags: [rawValue]
        case .category, .split: ["category", "split"]
        case .transfer: ["kind", "toAccount"]
        case .schedule: ["occurrence"]
        case .hide: []
        }
    }
}
