// Offers of rules: a correction that a person makes for the second time is perhaps one that a rule should make.
//
// An offer follows from the history, so that it is there until it is answered, also after a restart. Only a refusal is
// stored, in a table of this device.
import Encoding
import GRDB
public import Ledger
import Storage
import Synchronization

/// The offer of a rule that gives a payee a category.
public struct RuleOffer: Hashable, Sendable {
    /// The name of the payee on the newest corrected transaction.
    public let payee: String
    /// The category that was chosen by hand, which is live.
    public let category: EntityID
    /// The number of transactions that the rule would change now.
    public let count: Int

    /// The rule that is offered.
    /// - Parameters:
    ///   - id: the id of a new rule.
    ///   - name: the text of the offer.
    public func rule(id: EntityID, name: String) -> Rule {
        Rule(
            id: id,
            name: name,
            conditions: [RuleCondition(.payee, .equals, .text(payee))],
            effects: RuleEffects(category: category)
        )
    }
}

extension Book {
    /// The offers that are open, the newest correction first.
    public func ruleOffers() throws(BookError) -> [RuleOffer] {
        let now = clock()
        return try reading { db, lookups in
            let found = try lookups.offers.value { try db.repeatedCorrections(since: now, lookups) }
            guard !found.isEmpty else { return [] }
            var refused: Set<PayeeCategory> = []
            try db.forEach("SELECT payee, category FROM dismissed_rules") { row in
                refused.insert(PayeeCategory(payee: row.text(0), category: try row.id(1)))
            }
            var runner = RuleRunner(try ruleSet(db), db.ruleReferences(lookups))
            return try found.compactMap { correction in
                guard !refused.contains(correction.pair) else { return nil }
                // A rule that does it already need not be offered.
                var row = correction.newest
                row.category = nil
                guard runner.run(RuleRow(row)).transaction.category != correction.pair.category else {
                    return nil
                }
                return RuleOffer(
                    payee: correction.newest.payee,
                    category: correction.pair.category,
                    count: try db.countOthers(correction)
                )
            }
        }
    }

    /// Never offers a rule for a payee and a category again, on this device.
    public func dismissRuleOffer(payee: String, category: EntityID) throws(BookError) {
        try updateLocalState { db in
            try db.change(
                "INSERT INTO dismissed_rules (payee, category) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [payee.nameKey, category.column]
            )
        }
    }
}

/// A payee, by its key, and a category.
private struct PayeeCategory: Hashable {
    let payee: String
    let category: EntityID
}

/// A category that was chosen by hand for transactions of one payee, in several changes.
private struct RepeatedCorrection {
    let pair: PayeeCategory
    let newest: Transaction
}

/// The repeated corrections of a book, until its next change.
final class KnownCorrections: Sendable {
    private let known = Mutex<[RepeatedCorrection]?>(nil)

    fileprivate func value(_ read: () throws -> [RepeatedCorrection]) rethrows -> [RepeatedCorrection] {
        if let known = known.withLock({ $0 }) { return known }
        let fresh = try read()
        known.withLock { $0 = fresh }
        return fresh
    }
}

extension BookDatabase {
    /// The days for which corrections are remembered, and the entries of the history that are looked at.
    private static let (rememberedDays, mostEntries) = (Int64(90), 5_000)

    /// The corrections that were made in at least two changes to at least two transactions, which still have the category.
    fileprivate func repeatedCorrections(since now: Int64, _ lookups: Lookups) throws -> [RepeatedCorrection]
    {
        struct NetChange {
            let tx: Int64
            let after: String?
            var before: String?
        }
        var changes: [EntityID: NetChange] = [:]
        var order: [EntityID] = []
        let oldest = now - Self.rememberedDays * 86_400
        let sql = """
            SELECT id, tx, at, json_extract(before, '$.category'), json_extract(after, '$.category')
            FROM history WHERE kind = 'transaction' AND action = 'patch' AND device IS NULL
              AND after LIKE '%"category"%' AND json_extract(after, '$.rule') IS NULL
            ORDER BY seq DESC LIMIT ?
            """
        try forEachWhile(sql, [Self.mostEntries]) { row in
            guard row.int64(2) >= oldest else { return false }
            let id = try row.id(0)
            if changes[id] == nil {
                changes[id] = NetChange(tx: row.int64(1), after: row.optionalText(4))
                order.append(id)
            }
            changes[id]?.before = row.optionalText(3)
            return true
        }
        let live = Set(lookups.choices.categories.map(\.id))
        var found: [PayeeCategory: (newest: Transaction, changes: Set<Int64>)] = [:]
        var pairs: [PayeeCategory] = []
        for id in order {
            // An undone correction has changed nothing.
            guard let change = changes[id], change.after != change.before,
                let category = change.after.flatMap({ EntityID($0) }), live.contains(category),
                let (row, isDeleted) = try storedTransaction(id), !isDeleted, row.category == category,
                !row.payee.isEmpty
            else { continue }
            let pair = PayeeCategory(payee: row.payee.nameKey, category: category)
            if found[pair] == nil { pairs.append(pair) }
            found[pair, default: (row, [])].changes.insert(change.tx)
        }
        return pairs.compactMap { pair in
            guard let (newest, changes) = found[pair], changes.count > 1 else { return nil }
            return RepeatedCorrection(pair: pair, newest: newest)
        }
    }

    /// The number of transactions of the payee with another category, which a rule would change.
    fileprivate func countOthers(_ correction: RepeatedCorrection) throws -> Int {
        let kinds =
            try categoryKind(correction.pair.category) == "expense" ? ["expense", "income"] : ["income"]
        let sql = """
            SELECT count(*) FROM transactions INDEXED BY transactions_by_payee
            WHERE deleted_at IS NULL AND payee <> '' AND payee IN (SELECT value FROM json_each(?))
              AND kind IN (SELECT value FROM json_each(?)) AND split IS NULL AND category IS NOT ?
            """
        let spellings = try spellings(of: correction.newest.payee)
        return try number(
            sql,
            [SQLPiece.json(spellings), SQLPiece.json(kinds), correction.pair.category.column]
        )
    }
}
