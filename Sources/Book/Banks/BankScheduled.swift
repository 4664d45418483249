// Rows of banks that are perhaps payments of schedules with another amount: a bill that was recorded as planned is seldom
// booked to the cent.
import Encoding
import Ledger
import Storage

extension BookDatabase {
    /// The payments of schedules that are perhaps rows with another amount, by the ids of the rows: to the same payee, of
    /// about the same amount on the same account, within three days. Each belongs to one row, the nearest in amount and
    /// then in day.
    /// - Parameters:
    ///   - rows: rows that look like no transaction, on accounts of the book.
    ///   - first: the number of the first day that is looked at.
    ///   - taken: the transactions that are other rows.
    func scheduledPayments(
        like rows: [(row: BankReports.Row, account: Account)],
        since first: Int32,
        besides taken: Set<EntityID>
    ) throws -> [EntityID: EnteredTransaction] {
        var payments: [(account: EntityID, minor: Int64, payee: String, entered: EnteredTransaction)] = []
        let sql = """
            SELECT id, date, iif(kind = 'income', account_minor, -account_minor), payee
            FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date >= ? AND occurrence IS NOT NULL
              AND bank_transaction IS NULL AND payee <> '' AND kind <> 'transfer'
            """
        for account in Set(rows.map(\.account.id)).sorted() {
            try forEach(sql, [account.column, first]) { row in
                let id = try row.id(0)
                guard !taken.contains(id) else { return }
                let entered = EnteredTransaction(id: id, date: row.date(1), confirmation: .always)
                payments.append((account, row.int64(2), row.text(3).nameKey, entered))
            }
        }
        guard !payments.isEmpty else { return [:] }
        let answers = try bankAnswers()
        var pairs: [(minor: UInt128, days: Int, row: EntityID, payment: EnteredTransaction)] = []
        for (row, account) in rows {
            let (minor, payee) = (row.reported.money.minor, row.payee.nameKey)
            for payment in payments where payment.account == account.id && payment.payee == payee {
                let days = abs(Int(payment.entered.date.dayNumber) - Int(row.reported.date.dayNumber))
                guard days <= BankRows.mostDaysApart, payment.minor.isAbout(minor),
                    payment.minor.signum() == minor.signum(),
                    !answers.contains(BankAnswer(entered: payment.entered.id, record: row.id))
                else { continue }
                let difference = (Int128(minor) - Int128(payment.minor)).magnitude
                pairs.append((difference, days, row.id, payment.entered))
            }
        }
        pairs.sort { ($0.minor, $0.days, $0.row, $0.payment.id) < ($1.minor, $1.days, $1.row, $1.payment.id) }
        var found: [EntityID: EnteredTransaction] = [:]
        var used: Set<EntityID> = []
        for pair in pairs where found[pair.row] == nil && used.insert(pair.payment.id).inserted {
            found[pair.row] = pair.payment
        }
        return found
    }
}
