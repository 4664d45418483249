// Transactions after today: they are few, and are read and subtracted from the sums of whole months.
import GRDB
import Ledger
import Storage
import Synchronization

/// The changes of accounts by the transactions after a day. They are read once for each day: the values that are cached
/// beside them change with the book, and the day changes without it.
final class LaterChanges: Sendable {
    private let state = Mutex<(day: CivilDate, changes: [EntityID: Int128])?>(nil)

    fileprivate func after(_ day: CivilDate, _ read: () throws -> [EntityID: Int128]) rethrows
        -> [EntityID: Int128]
    {
        if let known = state.withLock({ $0 }), known.day == day { return known.changes }
        let changes = try read()
        state.withLock { $0 = (day, changes) }
        return changes
    }
}

extension Lookups {
    /// The days after today that a range contains, as far as there are transactions; nil if no figure of the range has
    /// anything to come.
    func daysToCome(in days: ClosedRange<CivilDate>, after today: CivilDate, beside bank: BankRows? = nil)
        -> ClosedRange<CivilDate>?
    {
        guard let last = [lastDay, bank?.lastDay].compactMap(\.self).max(), today < last,
            let later = days.daysToCome(after: today)
        else { return nil }
        return later.lowerBound...min(later.upperBound, last)
    }

    /// The changes of accounts by the transactions of the book after a day.
    func changes(after day: CivilDate, _ db: BookDatabase) throws -> [EntityID: Int128] {
        guard let lastDay, day < lastDay else { return [:] }
        return try later.after(day) { try db.changes(after: day) }
    }

    /// An account with the balance at the end of a day.
    /// - Parameter account: the account with the balance after all its transactions.
    func account(_ account: AccountBalance, through day: CivilDate, _ db: BookDatabase) throws
        -> AccountBalance
    {
        var account = account
        account.postpone(
            (try changes(after: day, db)[account.account.id] ?? 0) + account.opening.minor(after: day)
        )
        return account
    }
}

extension AccountBalance {
    /// Moves a change from the balance to what is to come.
    mutating func postpone(_ later: Int128) {
        balanceMinor -= later
        toComeMinor = later
    }
}

/// The charges of some months, up to today and after it.
struct DatedCharges {
    var soFar: [Charge]
    var toCome: [Charge] = []
}

/// A transaction that is no transfer, or a part of one.
struct DatedCharge {
    let seq: Int64
    let date: CivilDate
    let category: EntityID?
    let account: EntityID
    let payee: String
    let kind: Ledger.TransactionKind
    let isRefund: Bool
    /// In the currency of the transaction.
    let paid: Money
    /// In the currency of the account.
    let charged: Money
}

extension BookDatabase {
    /// A query for the transactions that pass a condition: each by itself, and a split one by category.
    ///
    /// The transactions of a day come together, and so do the categories of one.
    static func charges(where condition: String) -> String {
        """
        SELECT seq, date, category, account, payee, kind, currency, amount_minor AS minor, account_minor
        FROM transactions INDEXED BY transactions_by_date
        WHERE deleted_at IS NULL AND split IS NULL AND \(condition)
        UNION ALL
        SELECT t.seq, t.date, nullif(s.category, ''), t.account, t.payee, t.kind, t.currency, s.minor, s.account_minor
        FROM (SELECT seq, date, account, payee, kind, currency FROM transactions INDEXED BY transactions_by_date
              WHERE deleted_at IS NULL AND split IS NOT NULL AND \(condition)) t
        CROSS JOIN split_shares s INDEXED BY split_shares_by_seq ON s.seq = t.seq
        """
    }

    /// Passes the charges of some days, each transaction, or part of one, by itself.
    func forEachCharge(of days: ClosedRange<CivilDate>, _ body: (DatedCharge) throws -> Void) throws {
        let sql = """
            SELECT r.seq, r.date, r.category, r.account, r.payee, r.kind, r.currency, r.minor, a.currency, r.account_minor,
              r.kind = 'income' AND r.category IN (SELECT id FROM categories WHERE kind = 'expense') IS TRUE
            FROM (\(BookDatabase.charges(where: "kind <> 'transfer' AND date BETWEEN ? AND ?"))) r
            CROSS JOIN accounts a ON a.id = r.account
            """
        let bounds = [days.lowerBound.dayNumber, days.upperBound.dayNumber]
        try forEach(sql, StatementArguments(bounds + bounds)) { row in
            let charge = DatedCharge(
                seq: row.int64(0),
                date: row.date(1),
                category: row.optionalID(2),
                account: try row.id(3),
                payee: row.text(4),
                kind: try row.kind(5),
                isRefund: row.int(10) != 0,
                paid: Money(minor: row.int64(7), currency: try row.currency(6)),
                charged: Money(minor: row.int64(9), currency: try row.currency(8))
            )
            try body(charge)
        }
    }

    /// The charges of some days, in no particular order.
    func charges(of days: ClosedRange<CivilDate>) throws -> [Charge] {
        var charges: [Charge] = []
        try forEachCharge(of: days) { row in
            charges.append(
                Charge(
                    month: row.date.yearMonth,
                    category: row.category,
                    kind: row.kind == .expense ? .expense : row.isRefund ? .refund : .income,
                    paid: MoneySum(row.paid),
                    charged: MoneySum(row.charged),
                    count: 1
                )
            )
        }
        return charges
    }

    /// Passes account, kind and change of each end of the transactions of some days.
    func forEachChange(of days: ClosedRange<CivilDate>, _ body: (Columns) throws -> Void) throws {
        let sql = """
            SELECT account, kind, iif(kind = 'income', account_minor, -account_minor)
            FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL AND date BETWEEN ? AND ?
            UNION ALL
            SELECT to_account, kind, to_minor FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND to_account IS NOT NULL AND date BETWEEN ? AND ?
            """
        let bounds = [days.lowerBound.dayNumber, days.upperBound.dayNumber]
        try forEach(sql, StatementArguments(bounds + bounds), body)
    }

    /// The changes of accounts by the transactions of some days. A sum of a part of the transactions can exceed 64 bits.
    func changes(of days: ClosedRange<CivilDate>) throws -> [EntityID: Int128] {
        var changes: [EntityID: Int128] = [:]
        try forEachChange(of: days) { row in
            changes[try row.id(0), default: 0] += Int128(row.int64(2))
        }
        return changes
    }

    /// The changes of accounts by the transactions after a day: by the sums of the later months, and the transactions of
    /// the rest of the day's month.
    fileprivate func changes(after day: CivilDate) throws -> [EntityID: Int128] {
        let month = day.yearMonth
        var changes: [EntityID: Int128] = [:]
        if let rest = (month.firstDay...month.lastDay).daysToCome(after: day) {
            changes = try self.changes(of: rest)
        }
        try forEach("SELECT account, delta_minor FROM account_months WHERE month > ?", [month.index]) { row in
            changes[try row.id(0), default: 0] += Int128(row.int64(1))
        }
        return changes
    }

    /// The rows of a report of some days, in no particular order: what the same transactions are in the report of their
    /// month. The transactions are read.
    /// - Parameter base: as `knownIn` of a report.
    func report(
        ofDays days: ClosedRange<CivilDate>,
        by group: ReportGroup,
        knownIn base: CurrencyCode?
    ) throws -> [ReportRow] {
        var sums = ReportSums()
        // A transaction counts once, and by category once for each of its parts.
        var last: Int64?
        try forEachCharge(of: days) { charge in
            let key: ReportRow.Key
            switch group {
            case .month: key = .month(charge.date.yearMonth)
            case .category: key = .category(charge.category)
            case .account: key = .account(charge.account)
            case .payee: key = .payee(charge.payee)
            }
            let isCounted = group == .category || charge.seq != last
            last = charge.seq
            sums.add(
                key,
                MoneySum(base == nil || charge.paid.currency == base ? charge.paid : charge.charged),
                charge.kind,
                count: isCounted ? 1 : 0,
                isRefund: charge.isRefund
            )
        }
        guard base == nil, group == .month || group == .account else { return sums.rows() }
        let transfers = """
            SELECT date, account, to_account, currency FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND kind = 'transfer' AND date BETWEEN ? AND ?
            """
        try forEach(transfers, [days.lowerBound.dayNumber, days.upperBound.dayNumber]) { row in
            let nothing = MoneySum(minor: 0, currency: try row.currency(3))
            let keys: [ReportRow.Key] =
                group == .month
                ? [.month(row.date(0).yearMonth)] : [.account(try row.id(1)), .account(try row.id(2))]
            for key in keys { sums.add(key, nothing, .transfer, count: 1, isRefund: false) }
        }
        return sums.rows()
    }
}

extension [Charge] {
    /// These charges without others that are among them, added up, in no particular order.
    func without(_ others: [Charge]) -> [Charge] {
        guard !others.isEmpty else { return self }
        var sums: [ChargePlace: (paid: Int128, charged: Int128, count: Int)] = [:]
        func add(_ charges: [Charge], sign: Int128) {
            for charge in charges {
                let place = ChargePlace(charge)
                var sum = sums[place] ?? (0, 0, 0)
                sum.paid += charge.paid.minor * sign
                sum.charged += charge.charged.minor * sign
                sum.count = sum.count.addingClamped(charge.count * Int(sign))
                sums[place] = sum
            }
        }
        add(self, sign: 1)
        add(others, sign: -1)
        return sums.compactMap { place, sum in
            guard sum.count > 0 else { return nil }
            return Charge(
                month: place.month,
                category: place.category,
                kind: place.kind,
                paid: MoneySum(minor: sum.paid, currency: place.paid),
                charged: MoneySum(minor: sum.charged, currency: place.charged),
                count: sum.count
            )
        }
    }
}

/// A charge by what keeps it apart from others.
private struct ChargePlace: Hashable {
    let month: YearMonth
    let category: EntityID?
    let kind: Charge.Kind
    let paid: CurrencyCode
    let charged: CurrencyCode

    init(_ charge: Charge) {
        (month, category, kind) = (charge.month, charge.category, charge.kind)
        (paid, charged) = (charge.paid.currency, charge.charged.currency)
    }
}

extension [CurrencyTotal] {
    /// These totals without others that are among them. A currency of which nothing is left stays, with zero.
    func without(_ others: [CurrencyTotal]) -> [CurrencyTotal] {
        adding(
            others.map { other in
                CurrencyTotal(
                    currency: other.currency,
                    incomeMinor: -other.incomeMinor,
                    expenseMinor: -other.expenseMinor,
                    count: -other.count
                )
            }
        )
    }
}

extension [ReportRow] {
    /// These rows without the transactions of others that are among them.
    func without(_ others: [ReportRow]) -> [ReportRow] {
        guard !others.isEmpty else { return self }
        return adding(
            others.map { row in
                var row = row
                row.total = [].without([row.total])[0]
                return row
            }
        )
        .filter { $0.total.count != 0 || $0.total.incomeMinor != 0 || $0.total.expenseMinor != 0 }
    }
}
