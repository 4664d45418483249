// Transfers between two accounts of banks that both report their sides, as spending and as income.
import Ledger
import Storage

extension BankRows {
    /// The row that is perhaps the other side of a transfer: it has the opposite amount on another account in the same
    /// currency within three days, and both are open and booked. The one of the nearest day; nil if there is none.
    public func otherSide(of row: BankRow) -> BankRow? {
        guard row.state == .open, !row.reported.isPending else { return nil }
        let (day, account) = (row.transaction.date, row.transaction.account)
        let alike = open.of(day.adding(days: -3)...day.adding(days: 3)).filter { other in
            !other.isPending && other.account != account
                && all[other.place].reported.money.currency == row.reported.money.currency
                && all[other.place].reported.money.minor == -row.reported.money.minor
        }
        func distance(_ other: OpenBankRow) -> Int { abs(Int(other.date.dayNumber) - Int(day.dayNumber)) }
        return alike.min { (distance($0), $0.id) < (distance($1), $1.id) }.map { all[$0.place] }
    }
}

extension Book {
    /// Records two rows, of which each is the other side of the other one, as a transfer. It has the user's writing on the
    /// side that the money leaves, and that on the other one where there is none.
    /// - Returns: the number of the change in the history; nil if it is recorded already.
    /// - Throws: the errors of recording a transaction.
    public func recordTransfer(_ one: BankRow, _ other: BankRow) throws(BookError) -> Int64? {
        let (out, arrival) = one.reported.money.minor < 0 ? (one, other) : (other, one)
        var transfer = out.transaction
        (transfer.kind, transfer.category) = (.transfer, nil)
        (transfer.toAccount, transfer.toMinor) = (
            arrival.transaction.account, arrival.transaction.accountMinor
        )
        if transfer.note.isEmpty { transfer.note = arrival.transaction.note }
        if transfer.tags.isEmpty { transfer.tags = arrival.transaction.tags }
        try transfer.checkShape()
        let recorded = transfer
        return try changeAsUser { db in
            for row in [out, arrival] where try db.hasRecord(of: row.transaction.bankTransaction) {
                return nil
            }
            return try db.record(recorded, again: true) ? try db.presentChange() : nil
        }
    }
}
