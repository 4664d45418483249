// The data of the page of schedules.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The page of schedules.
    /// - Parameters:
    ///   - today: the user's present day, whose month counts.
    ///   - base: the currency in which charged amounts are preferred.
    ///   - converter: the latest rates, for expenses on accounts in other currencies than a budget; nil to leave them
    ///     out.
    ///   - bank: the rows of banks that are added.
    public func schedules(
        on today: CivilDate,
        base: CurrencyCode,
        converter: CurrencyConverter? = nil,
        beside bank: BankRows? = nil
    ) throws(BookError) -> SchedulesView {
        try reading { db, lookups in
            let progress = BudgetProgress(
                db,
                lookups,
                month: today.yearMonth,
                current: today.yearMonth,
                converter: converter,
                bank: bank
            )
            let charges = try progress.charges(through: today)
            let payments = try db.payments(
                from: today.yearMonth.firstDay,
                through: today.yearMonth.next.lastDay,
                on: today,
                lookups,
                beside: bank
            )
            return SchedulesView(
                schedules: lookups.schedules,
                month: MonthSoFar(
                    totals: db.totals(of: charges.soFar, base: base),
                    toCome: db.totals(of: charges.toCome, base: base),
                    repaid: try db.repaid(in: today.yearMonth, through: today, lookups)
                ),
                suggestions: try db.scheduleSuggestions(on: today),
                payments: SchedulePayments(payments, beside: bank),
                overall: try progress.statuses(charges).first { $0.budget.category == nil },
                choices: lookups.choices
            )
        }
    }

    /// Suggests no schedule for the payee of a transaction any more, in this book.
    public func dismissScheduleSuggestion(_ transaction: Transaction) throws(BookError) {
        try updateLocalState { db in
            try db.change(
                "INSERT INTO dismissed_schedules (payee, kind) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [transaction.payee, transaction.kind.rawValue]
            )
        }
    }
}

extension SchedulePayments {
    /// - Parameter bank: the rows of banks that were among the payments.
    init(_ payments: OccurrencePayments, beside bank: BankRows?) {
        self.init(
            answered: payments.held.union(payments.found.keys),
            transactions: payments.found.filter { bank?[$1.id]?.state != .open }
        )
    }
}

extension BookDatabase {
    /// The amounts that went to loans from other accounts in a month, up to a day and after it.
    func repaid(in month: YearMonth, through today: CivilDate, _ lookups: Lookups) throws -> Repaid {
        let loans = lookups.choices.accounts.filter { $0.type == .loan }.map(\.id)
        var repaid = Repaid()
        let sql = """
            SELECT t.currency, t.amount_minor, t.date FROM transactions t INDEXED BY transactions_by_to_account
            JOIN accounts a ON a.id = t.account
            WHERE t.deleted_at IS NULL AND t.to_account = ? AND t.date BETWEEN ? AND ? AND a.type <> 'loan'
            """
        for loan in loans {
            try forEach(sql, [loan.column, month.firstDay.dayNumber, month.lastDay.dayNumber]) { row in
                let money = Money(minor: row.int64(1), currency: try row.currency(0))
                if row.date(2) > today { repaid.toCome.append(money) } else { repaid.soFar.append(money) }
            }
        }
        return repaid
    }

    /// Regular payments of the last weeks without a schedule, also without a deleted one, the newest first.
    ///
    /// Only the payees of the last weeks are looked at, and only a few of the payments of each.
    fileprivate func scheduleSuggestions(on today: CivilDate) throws
        -> [ScheduleSuggestion]
    {
        var known: Set<Payer> = []
        try forEach("SELECT payee, kind FROM schedules UNION ALL SELECT payee, kind FROM dismissed_schedules")
        {
            known.insert(Payer($0.text(0), try $0.kind(1)))
        }
        let recent = """
            SELECT DISTINCT payee, kind FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND date BETWEEN ? AND ? AND payee <> '' AND kind <> 'transfer'
            """
        let since = today.adding(days: -Self.recentDays)
        let payers = try all(recent, [since.dayNumber, today.dayNumber]) {
            (payee: $0.text(0), kind: try $0.kind(1))
        }
        return try payers.compactMap { payer -> ScheduleSuggestion? in
            guard known.insert(Payer(payer.payee, payer.kind)).inserted else { return nil }
            let payments = try newest(
                5,
                ofPayee: payer.payee,
                selecting: (Transaction.columns, Transaction.columnCount),
                where: SQLPiece("kind = ? AND date <= ?", [payer.kind.rawValue, today.dayNumber])
            ) { try Transaction($0) }
            // A payment that has not come again has ended.
            return ScheduleSuggestion(payments).flatMap {
                $0.next.adding(days: Self.lateDays) < today ? nil : $0
            }
        }.sorted { ($0.latest.date, $0.latest.id) > ($1.latest.date, $1.latest.id) }
    }

    private static let recentDays = 40
    private static let lateDays = 5
}

/// A payee and the direction of the money.
private struct Payer: Hashable {
    let payee: String
    let kind: Ledger.TransactionKind

    /// - Parameter payee: in any spelling.
    init(_ payee: String, _ kind: Ledger.TransactionKind) {
        self.payee = payee.nameKey
        self.kind = kind
    }
}

extension ScheduleSuggestion {
    /// The suggestion that payments make, the newest first; nil if they are not regular, or not of about one amount.
    fileprivate init?(_ payments: [Transaction]) {
        guard let latest = payments.first, latest.split == nil else { return nil }
        let alike = payments.prefix { payment in
            guard payment.amount.currency == latest.amount.currency else { return false }
            return latest.amount.minor.isAbout(payment.amount.minor)
        }
        guard let recurrence = Self.recurrence(ofDays: alike.map(\.date)) else { return nil }
        self.init(latest: latest, recurrence: recurrence)
    }
}
