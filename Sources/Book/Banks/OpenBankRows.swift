// The open rows of banks as lists and sums read them: in order of days, without texts.
import Ledger

/// The values of an open row by which it is found and counted. It contains no texts, so that a request copies and
/// skips it at no cost.
struct OpenBankRow {
    /// The place of the row in `BankRows.all`.
    let place: Int
    let id: EntityID
    let date: CivilDate
    let kind: TransactionKind
    let isRefund: Bool
    /// Whether the bank has not booked it yet. Lists and reports of spending count it, and balances do not.
    let isPending: Bool
    /// Whether the user has hidden it: only balances count it.
    let isHidden: Bool
    let amount: Money
    let account: EntityID
    let category: EntityID?

    init(_ row: BankRow, at place: Int, isRefund: Bool) {
        let transaction = row.transaction
        self.place = place
        (id, date, kind) = (transaction.id, transaction.date, transaction.kind)
        (amount, account, category) = (transaction.amount, transaction.account, transaction.category)
        isPending = row.reported.isPending
        isHidden = row.state == .hidden
        self.isRefund = isRefund
    }

    /// The change of the account, in minor units of its currency.
    var changeMinor: Int64 { kind == .expense ? -amount.minor : amount.minor }
}

extension RandomAccessCollection<OpenBankRow> where Index == Int {
    /// The rows of some days, of rows of which the newest is first.
    func of(_ days: ClosedRange<CivilDate>) -> SubSequence {
        self[firstPlace { $0.date <= days.upperBound }..<firstPlace { $0.date < days.lowerBound }]
    }

    /// The rows below a place in a list, of rows of which the newest is first.
    func below(_ date: CivilDate, _ id: EntityID) -> SubSequence {
        self[firstPlace { ($0.date, $0.id) < (date, id) }...]
    }

    /// Income and spending of the rows.
    var totals: [CurrencyTotal] {
        var totals = TotalsByCurrency()
        for row in self {
            let minor = Int128(row.amount.minor)
            totals.add(row.kind, row.amount.currency, count: 1, minor: minor)
            if row.isRefund { totals.refund(row.amount.currency, minor: minor) }
        }
        return totals.sorted
    }

    /// The rows as charges of their accounts: one for each month, category, kind and currency, the newest month first.
    var charges: [Charge] {
        var charges: [Charge] = []
        var places: [ChargePlace: Int] = [:]
        for row in self {
            let month = row.date.yearMonth
            if charges.last?.month != month { places = [:] }
            let kind: Charge.Kind = row.kind == .expense ? .expense : row.isRefund ? .refund : .income
            let place = ChargePlace(category: row.category, kind: kind, currency: row.amount.currency)
            guard let index = places[place] else {
                places[place] = charges.count
                charges.append(
                    Charge(
                        month: month,
                        category: row.category,
                        kind: kind,
                        paid: MoneySum(row.amount),
                        charged: MoneySum(row.amount),
                        count: 1
                    )
                )
                continue
            }
            var sum = charges[index].paid
            sum.minor += Int128(row.amount.minor)
            charges[index] = Charge(
                month: month,
                category: row.category,
                kind: kind,
                paid: sum,
                charged: sum,
                count: charges[index].count + 1
            )
        }
        return charges
    }
}

/// A charge by what keeps it apart from others of its month.
private struct ChargePlace: Hashable {
    let category: EntityID?
    let kind: Charge.Kind
    let currency: CurrencyCode
}
