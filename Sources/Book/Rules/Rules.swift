// Rules as rows of the book: their creation, order and deletion, and how they are read.
import GRDB
public import Ledger
import RegularExpressions
import Storage
import SyncCore
import Synchronization

extension Book {
    /// Compiles the regular expressions of rules.
    public static var patterns: any PatternCompiling { RegularExpressions() }

    /// All live rules, in the order in which they run.
    public func rules() throws(BookError) -> [Rule] {
        try reading { db in try db.rules() }
    }

    /// A live rule; nil if there is none.
    public func rule(_ id: EntityID) throws(BookError) -> Rule? {
        try reading { db in try db.rule(id) }
    }

    /// Adds a rule behind the others. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`; `unknownCategory`, `unknownAccount`, `unknownSchedule`; `invalid`.
    @discardableResult
    public func add(_ rule: Rule) throws(BookError) -> Recorded {
        try rule.checkShape()
        return try changeAsUser { db in try db.add(rule) }
    }

    /// Changes what a person has changed in the form of a rule.
    /// - Parameter version: the values that the form showed; nil to write every value.
    /// - Throws: `unknownRule`; `unknownCategory`, `unknownAccount`, `unknownSchedule`; `invalid`.
    @discardableResult
    public func change(rule: Rule, shown version: EntityVersion? = nil) throws(BookError) -> Edit {
        try rule.checkShape()
        return try changeAsUser { db in
            try db.checkReferences(of: rule, before: try db.rule(rule.id))
            return try db.edit(rule, version)
        }
    }

    /// Marks a rule as deleted. The values that it has set stay. A repeated call does nothing.
    /// - Throws: `unknownRule`.
    public func deleteRule(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in
            guard try db.isDeleted(id, in: "rules") != nil else { throw BookError.unknownRule(id) }
            try db.change(
                "UPDATE rules SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
                [now, id.column]
            )
        }
    }

    /// Reverts a deletion. The call does nothing on a live rule.
    /// - Returns: the id of the restored rule. It is another one if the cloud may know of the deletion, because a row that
    ///   is deleted there stays deleted.
    /// - Throws: `unknownRule`.
    @discardableResult
    public func restoreRule(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in
            guard try db.isDeleted(id, in: "rules") != nil else { throw BookError.unknownRule(id) }
            try db.bringBack(Rule.entityKind, id)
            return try db.living(id, Rule.entityKind) ?? id
        }
    }

    /// Puts the rules into an order, as `order(accounts:)`.
    /// - Returns: the number of rules with another place.
    @discardableResult
    public func order(rules ids: [EntityID]) throws(BookError) -> Int {
        try changeAsUser { db in
            try db.order(ids, Rule.entityKind, db.rules().map { ($0.id, $0.position) })
        }
    }
}

extension Rule: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "rule"

    static let columns = "id, \(SyncedEntity.rule.columns)"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            name: row.text(1),
            position: row.optionalText(2),
            isEnabled: row.int(3) == 1,
            match: RuleMatch(rawValue: row.text(4)) ?? .all,
            conditions: row.text(5),
            effects: row.text(6)
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [
            name.inNormalForm, position, Int64(isEnabled ? 1 : 0), match.rawValue, conditionsText,
            effectsText,
        ]
    }

    /// Checks the rule by itself: see `faults`, by which a form explains what is wrong.
    public func checkShape() throws(BookError) {
        guard !name.isEmpty, name.isStorable(upTo: Self.nameLimit) else { throw .invalid(.name) }
        guard faults(Book.patterns).isEmpty, !conditionsText.utf8.contains(0), !effectsText.utf8.contains(0),
            conditionsText.count <= 20_000, effectsText.count <= 20_000
        else { throw .invalid(.other) }
    }
}

/// The rules that were compiled last.
struct CompiledRules: Sendable {
    let rules: [Rule]
    let set: RuleSet
}

extension Book {
    /// The rules that run, compiled once for each version of them.
    func ruleSet(_ db: BookDatabase) throws -> RuleSet {
        let rules = try db.rules()
        if let known = compiledRules.withLock({ $0 }), known.rules == rules { return known.set }
        let set = RuleSet(rules, Book.patterns)
        compiledRules.withLock { $0 = CompiledRules(rules: rules, set: set) }
        return set
    }
}

extension BookDatabase {
    /// All live rules, in the order in which they run.
    func rules() throws -> [Rule] {
        try all("SELECT \(Rule.columns) FROM rules WHERE deleted_at IS NULL") { try Rule($0) }
            .sorted { Rule.isBefore($0, $1) }
    }

    func rule(_ id: EntityID) throws -> Rule? {
        try first("SELECT \(Rule.columns) FROM rules WHERE id = ? AND deleted_at IS NULL", [id.column]) {
            try Rule($0)
        }
    }

    /// Adds a rule after its references were checked.
    func add(_ rule: Rule) throws -> Recorded {
        let sql = "SELECT \(Rule.columns) FROM rules WHERE id = ?"
        if var stored = try first(sql, [rule.id.column], { try Rule($0) }) {
            // The order may have changed since.
            stored.position = rule.position
            guard stored == rule else { throw BookError.idTaken(rule.id) }
            return .already
        }
        try checkReferences(of: rule, before: nil)
        try change(
            "INSERT INTO rules (\(Rule.columns)) VALUES (\(SyncedEntity.rule.marks))",
            StatementArguments([rule.id.column] + rule.values)
        )
        return .new
    }

    /// Checks that the rows that a rule names are live. Those that it named before are not checked again.
    func checkReferences(of rule: Rule, before: Rule?) throws {
        for category in rule.categories.subtracting(before?.categories ?? []).sorted()
        where try categoryKind(category) == nil {
            throw BookError.unknownCategory(category)
        }
        for account in rule.accounts.subtracting(before?.accounts ?? []).sorted()
        where try liveAccount(account) == nil {
            throw BookError.unknownAccount(account)
        }
        if let schedule = rule.effects.schedule, schedule != before?.effects.schedule,
            try liveSchedule(schedule) == nil
        {
            throw BookError.unknownSchedule(schedule)
        }
    }

    /// The rows to which effects can refer.
    func ruleReferences(_ lookups: Lookups) -> RuleReferences {
        let choices = lookups.choices
        return RuleReferences(
            categories: Dictionary(
                choices.categories.map { ($0.id, $0.kind) },
                uniquingKeysWith: { first, _ in first }
            ),
            accounts: Dictionary(
                choices.accounts.filter { !$0.isClosed }.map { ($0.id, $0.currency) },
                uniquingKeysWith: { first, _ in first }
            ),
            schedules: Set(lookups.schedules.map(\.id))
        )
    }
}
