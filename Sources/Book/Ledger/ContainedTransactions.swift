// Transactions that an opening balance contains already: they are taken out of it, so that they count once.
public import Ledger
import Storage

extension Book {
    /// Stores a new transaction that opening balances contain already, as one change.
    ///
    /// It is taken out of them, so that the balances from the days of the opening balances on stay what they were. A
    /// second call with the same id and the same content changes nothing.
    /// - Parameter accounts: the accounts whose opening balances contain it.
    /// - Returns: the number of the change in the history; nil if the transaction was stored before.
    /// - Throws: as `record`; `overflow` also if an opening balance would leave the range.
    @discardableResult
    public func record(_ transaction: Transaction, containedInOpeningsOf accounts: Set<EntityID>)
        throws(BookError) -> Int64?
    {
        try transaction.checkShape()
        try transaction.checkSplit(before: nil)
        let now = clock()
        return try changeAsUser { db in
            let recorded = try db.record(new: transaction)
            try db.acceptDraftReceipts(of: transaction.id, now)
            guard recorded == .new else { return nil }
            try db.removeFromOpenings(transaction, inPlaceOf: nil, ofOpeningsOf: accounts)
            return try db.presentChange()
        }
    }

    /// Changes a transaction that opening balances contain in its new form, as one change.
    ///
    /// They change by the difference to what was in the balances before their days, so that the balances at the beginning
    /// of these days stay what they were.
    /// - Parameters:
    ///   - version: as for `change(_:shown:)`.
    ///   - accounts: the accounts whose opening balances contain it.
    /// - Throws: as `change(_:shown:)`; `overflow` also if an opening balance would leave the range.
    @discardableResult
    public func change(
        _ transaction: Transaction,
        shown version: EntityVersion? = nil,
        containedInOpeningsOf accounts: Set<EntityID>
    ) throws(BookError) -> Edit {
        try transaction.checkShape()
        return try changeAsUser { db in
            let former = try db.storedTransaction(transaction.id)?.0
            let edit = try db.edit(transaction, version)
            // Another device may have changed fields that the form has left alone.
            guard edit.change != nil, let changed = try db.storedTransaction(transaction.id)?.0 else {
                return edit
            }
            try db.removeFromOpenings(changed, inPlaceOf: former, ofOpeningsOf: accounts)
            return edit
        }
    }

    /// The day of the first transaction of an account; nil without any.
    public func firstDay(ofAccount id: EntityID) throws(BookError) -> CivilDate? {
        try reading { db, _ in
            let sql = """
                SELECT min(date) FROM (
                  SELECT min(date) AS date FROM transactions INDEXED BY transactions_by_account
                  WHERE deleted_at IS NULL AND account = ?
                  UNION ALL
                  SELECT min(date) FROM transactions INDEXED BY transactions_by_to_account
                  WHERE deleted_at IS NULL AND to_account = ?)
                """
            return try db.first(sql, [id.column, id.column]) { $0.isNull(0) ? nil : $0.date(0) } ?? nil
        }
    }
}

extension BookDatabase {
    /// Changes opening balances against what a transaction has changed before their days.
    fileprivate func removeFromOpenings(
        _ transaction: Transaction,
        inPlaceOf former: Transaction?,
        ofOpeningsOf accounts: Set<EntityID>
    ) throws {
        for id in accounts.sorted() {
            guard let account = try liveAccount(id) else { throw BookError.unknownAccount(id) }
            let change =
                Int128(transaction.changeMinor(beforeOpeningOf: account))
                - Int128(former?.changeMinor(beforeOpeningOf: account) ?? 0)
            guard let opening = Int64(exactly: Int128(account.openingMinor) - change) else {
                throw BookError.overflow
            }
            guard opening != account.openingMinor else { continue }
            try patch(["opening": .integer(opening)], Account.entityKind, id)
        }
    }
}
