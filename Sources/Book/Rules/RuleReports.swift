// How often rules have set values, which of them contradict each other, and which are too costly.
import GRDB
public import Ledger
import Storage
import Synchronization

/// The live transactions on which a rule has set values.
public struct RuleUse: Hashable, Sendable {
    /// Their number.
    public let count: Int
    /// The day of the newest one.
    public let lastDay: CivilDate
}

/// Two rules that set different values of the same kind and have both matched a transaction of the last year.
public struct RuleConflict: Hashable, Sendable {
    /// The rule that runs first, and is overruled.
    public let first: EntityID
    /// The rule whose value counts.
    public let second: EntityID
    /// The value.
    public let effect: RuleEffect
    /// The number of transactions that both match.
    public let count: Int
}

/// The uses, the conflicts and the cost of the rules of a book.
public struct RuleReport: Hashable, Sendable {
    /// The uses of the rules that have set a value which is still there.
    public internal(set) var uses: [EntityID: RuleUse] = [:]
    /// In the order of the rules.
    public internal(set) var conflicts: [RuleConflict] = []
    /// The rules with a regular expression that is too costly for some transaction of the last year.
    public internal(set) var tooCostly: Set<EntityID> = []

    init() {}
}

extension Book {
    /// The report of the rules, which is read once between two changes.
    /// - Parameter today: the last day of the year that is looked at.
    public func ruleReport(on today: CivilDate) throws(BookError) -> RuleReport {
        try reading { db, lookups in
            if let known = lookups.rules.known(on: today) { return known }
            var report = RuleReport()
            report.uses = try db.ruleUses()
            let rules = try ruleSet(db)
            let pairs = RulePairs(rules.rules)
            if !pairs.isEmpty || rules.rules.contains(where: \.hasPattern) {
                try db.compare(rules, pairs, on: today, lookups, &report)
            }
            lookups.rules.keep(report, on: today)
            return report
        }
    }
}

extension Rule {
    fileprivate var hasPattern: Bool { conditions.contains { $0.pattern != nil } }
}

/// The report of the rules, until the next change of the book.
final class KnownRuleReport: Sendable {
    private let known = Mutex<(day: CivilDate, report: RuleReport)?>(nil)

    func known(on today: CivilDate) -> RuleReport? {
        known.withLock { $0?.day == today ? $0?.report : nil }
    }

    func keep(_ report: RuleReport, on today: CivilDate) { known.withLock { $0 = (today, report) } }
}

/// The pairs of rules that set different values of the same kind.
private struct RulePairs {
    private var effects: [Pair: RuleEffect] = [:]
    private var counts: [Pair: Int] = [:]
    private let order: [EntityID: Int]

    private struct Pair: Hashable {
        let first: EntityID
        let second: EntityID
    }

    init(_ rules: [Rule]) {
        order = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (place, first) in rules.enumerated() {
            for second in rules[(place + 1)...] {
                effects[Pair(first: first.id, second: second.id)] = first.effects.difference(
                    from: second.effects
                )
            }
        }
    }

    var isEmpty: Bool { effects.isEmpty }

    mutating func add(_ matched: [EntityID]) {
        guard matched.count > 1 else { return }
        for (place, first) in matched.enumerated() {
            for second in matched[(place + 1)...] {
                let pair = Pair(first: first, second: second)
                if effects[pair] != nil { counts[pair, default: 0] += 1 }
            }
        }
    }

    var conflicts: [RuleConflict] {
        counts.compactMap { pair, count in
            effects[pair].map {
                RuleConflict(first: pair.first, second: pair.second, effect: $0, count: count)
            }
        }
        .sorted {
            (order[$0.first] ?? 0, order[$0.second] ?? 0) < (order[$1.first] ?? 0, order[$1.second] ?? 0)
        }
    }
}

extension RuleEffects {
    /// The first value that both set and that differs. The parts of a split are compared as a category.
    fileprivate func difference(from other: RuleEffects) -> RuleEffect? {
        func differ<Value: Equatable>(_ value: Value?, _ other: Value?) -> Bool {
            guard let value, let other else { return false }
            return value != other
        }
        if differ(category, other.category) { return .category }
        if !split.isEmpty, !other.split.isEmpty, split != other.split { return .split }
        if category != nil && !other.split.isEmpty || !split.isEmpty && other.category != nil {
            return .split
        }
        if differ(transfer, other.transfer) { return .transfer }
        if differ(payee, other.payee) { return .payee }
        if differ(schedule, other.schedule) { return .schedule }
        return differ(note, other.note) ? .note : nil
    }
}

extension BookDatabase {
    fileprivate func ruleUses() throws -> [EntityID: RuleUse] {
        let sql = """
            SELECT rule, count(*), max(date) FROM transactions INDEXED BY transactions_by_rule
            WHERE deleted_at IS NULL AND rule IS NOT NULL GROUP BY rule
            """
        var uses: [EntityID: RuleUse] = [:]
        try forEach(sql) { row in
            uses[try row.id(0)] = RuleUse(count: row.int(1), lastDay: row.date(2))
        }
        return uses
    }

    /// Runs the rules over the newest transactions of a year.
    fileprivate func compare(
        _ rules: RuleSet,
        _ pairs: RulePairs,
        on today: CivilDate,
        _ lookups: Lookups,
        _ report: inout RuleReport
    ) throws {
        var pairs = pairs
        var tooCostly: Set<EntityID> = []
        var runner = RuleRunner(rules, ruleReferences(lookups))
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND date BETWEEN ? AND ? ORDER BY date DESC, id DESC LIMIT ?
            """
        let first = today.adding(days: -365)
        try forEach(sql, [first.dayNumber, today.dayNumber, Self.mostCompared]) { row in
            let result = runner.run(RuleRow(try Transaction(row)))
            pairs.add(result.matched)
            tooCostly.formUnion(result.tooCostly)
        }
        report.conflicts = pairs.conflicts
        report.tooCostly = tooCostly
    }

    /// More than most books have in a year, and few enough for a page.
    private static let mostCompared = 20_000
}
