import HTTPServer
import Ledger
import Pages
import Texts

/// `GET /reports`: income, spending and net worth over a span of months.
enum ReportsShow {
    /// The longest span, in months (a century).
    private static let longest = 1_200
    /// The greatest number of lines of each currency.
    private static let mostRows = 200

    static func answer(_ context: RequestContext) throws -> Response {
        let query = context.request.query
        let formats = try context.formats()
        let today = formats.today.yearMonth
        var group = ReportGroup.category
        if let text = query.first("group"), !text.isEmpty {
            guard let asked = ReportGroup(rawValue: text) else { throw Refusal.malformed }
            group = asked
        }
        let from = month(
            query.first("from"),
            else: group == .category ? today : YearMonth(index: today.index - 11)
        )
        let to = month(query.first("to"), else: today)
        var state = FormState(values: ["from": "\(from ?? today)", "to": "\(to ?? today)"])
        if from == nil { state.values["from"] = query.first("from") }
        if to == nil { state.values["to"] = query.first("to") }
        if from == nil { state.errors["from"] = Text("forms.enter-a-month") }
        if to == nil { state.errors["to"] = Text("forms.enter-a-month") }
        if let from, let to {
            if from > to { state.errors["to"] = Text("reports.last-before-first") }
            if to.index - from.index >= longest {
                state.errors["from"] = Text("reports.span-too-long")
            }
        }
        let catalog = try context.catalog()
        var rows: [ReportRow] = []
        var worth: [NetWorthPoint] = []
        if let from, let to, !state.isRefused {
            let book = try context.book()
            // A converted total is that of all rows, except of payees, of whom there can be thousands.
            let isWhole = group == .month || (formats.conversion != nil && group != .payee)
            rows = try book.report(
                from: from,
                to: to,
                group: group,
                limit: isWhole ? nil : mostRows,
                knownIn: formats.base
            )
            if group == .month { rows = everyMonth(from, to, rows) }
            if group == .month || group == .account { worth = try book.netWorth(from: from, to: to) }
        }
        let page = ReportsPage(
            chrome: context.chrome(),
            formats: formats,
            catalog: catalog,
            group: group,
            state: state,
            rows: rows,
            worth: worth
        )
        return context.page(page, state.isRefused ? .unprocessable : .ok)
    }

    /// The same rows, completed with months without transactions, unless the result is too long to read.
    private static func everyMonth(_ from: YearMonth, _ to: YearMonth, _ rows: [ReportRow]) -> [ReportRow] {
        guard to.index - from.index < 36 else { return rows }
        let known = Dictionary(grouping: rows, by: \.key)
        let currencies = Set(rows.map(\.total.currency)).sorted()
        return (from.index...to.index).flatMap { index in
            let key = ReportRow.Key.month(YearMonth(index: index))
            return currencies.map { currency in
                let nothing = CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
                return known[key]?.first { $0.total.currency == currency }
                    ?? ReportRow(key: key, total: nothing)
            }
        }
    }

    /// A month, or the month of a day; nil for any other text.
    private static func month(_ text: String?, else fallback: YearMonth) -> YearMonth? {
        guard let text, !text.isEmpty else { return fallback }
        return YearMonth(iso: text) ?? CivilDate(iso: text)?.yearMonth
    }
}
