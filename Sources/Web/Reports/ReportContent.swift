// The reports that there are, and the amounts that each of them shows.

package import Ledger
import Texts

/// A report, by its name in addresses.
enum ReportKind: String, CaseIterable, Sendable {
    case category, payee, account, month, flow, worth
    /// Its address names what a month is compared with, `compare`, in the place of a group; the page has both.
    case comparison

    /// The subject by which income and spending are grouped; nil for a report of something else.
    var group: ReportGroup? {
        switch self {
        case .category: .category
        case .payee: .payee
        case .account: .account
        case .month: .month
        case .flow, .worth, .comparison: nil
        }
    }

    /// Whether the report can be converted by the rates of each day. A cash flow cannot: what came in and went out would
    /// not add up to the difference of the balances.
    var hasDayRates: Bool { self != .flow }

    var label: Text {
        switch self {
        case .category: Text("common.categories")
        case .payee: Text("reports.payees")
        case .account: Text("common.accounts")
        case .month: Text("reports.months")
        case .flow: Text("reports.cash-flow")
        case .worth: Text("reports.net-worth")
        case .comparison: Text("reports.comparison")
        }
    }
}

/// The rates of each day for a report.
enum DayRates: Sendable {
    /// The report is by the latest rates.
    case unused
    /// The report was to be by the rates of each day, but these are not in the book.
    case missing
    case of(DayConverter)

    var isAsked: Bool { if case .unused = self { false } else { true } }
}

/// The amounts of a report.
enum ReportContent: Sendable {
    /// Income and spending by the subject of a kind that has one.
    case totals([ReportRow])
    case flow([CashFlow])
    /// The balances at the end of each month, and what each account held before and afterwards.
    case worth([NetWorthPoint], [AccountWorth])
    case comparison(SpendingComparison)
}

/// The spending of a month, beside the spending of the month before and of up to twelve months before.
package struct SpendingComparison: Sendable {
    /// The days of a month, from the first one.
    package let days: ClosedRange<CivilDate>
    /// The same days of the month before.
    let daysBefore: ClosedRange<CivilDate>
    private(set) var rows: [ReportRow]
    private(set) var rowsBefore: [ReportRow]
    private(set) var rowsOfYear: [ReportRow]
    let monthsOfYear: Int

    /// - Parameters:
    ///   - month: the month that is compared; if it is the current one, up to the current day.
    ///   - first: the month of the first transaction; nil without transactions. Months before it would make the average
    ///     too small, and a later month counts in it whether or not something was spent in these days.
    ///   - spending: the spending of some days by category; of days that contain the current one, up to it.
    package init<Failure>(
        of month: YearMonth,
        today: CivilDate,
        since first: YearMonth?,
        spending: (ClosedRange<CivilDate>) throws(Failure) -> [ReportRow]
    ) throws(Failure) {
        // The last day of a month ends it, however many days it has: what is paid then counts in each month.
        let isWhole = month != today.yearMonth || today == month.lastDay
        let day = isWhole ? 30 : Int(today.dayNumber - month.firstDay.dayNumber)
        func days(_ month: YearMonth) -> ClosedRange<CivilDate> {
            month.firstDay...min(month.lastDay, month.firstDay.adding(days: day))
        }
        self.days = days(month)
        daysBefore = days(month.previous)
        rows = try spending(self.days)
        monthsOfYear = first.map { max(0, min(12, month.index - $0.index)) } ?? 0
        var year: [[ReportRow]] = []
        for months in 0..<monthsOfYear {
            year.append(try spending(days(YearMonth(index: month.index - months - 1))))
        }
        rowsBefore = year.first ?? []
        rowsOfYear = year.flatMap(\.self)
    }

    /// The days of which the average is; nil without earlier months, and if each of them counts up to a day only.
    var daysOfYear: ClosedRange<CivilDate>? {
        guard monthsOfYear > 0, days.upperBound == days.lowerBound.yearMonth.lastDay else { return nil }
        return firstDay...days.lowerBound.adding(days: -1)
    }

    /// The first day that counts in the average; without earlier months, the first day of the month itself.
    var firstDay: CivilDate {
        YearMonth(index: days.lowerBound.yearMonth.index - monthsOfYear).firstDay
    }

    /// The same comparison of some of the rows.
    func with(_ own: ([ReportRow]) -> [ReportRow]) -> SpendingComparison {
        var copy = self
        (copy.rows, copy.rowsBefore, copy.rowsOfYear) = (own(rows), own(rowsBefore), own(rowsOfYear))
        return copy
    }
}
