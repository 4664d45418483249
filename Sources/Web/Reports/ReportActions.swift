// The action of the reports.

import Book
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let reports = Link(declared: "/reports")
}

extension Feature {
    static let reports = Feature(
        routes: [get(.reports, ReportsShow.answer)],
        pages: [ReportsPage.self],
        links: ["reports": .reports]
    )
}

/// `GET /reports`: what the months of a span were made of; with `format=csv`, the numbers of the page.
enum ReportsShow {
    /// The longest span, in months (a century).
    private static let longest = 1_200

    /// How long a report waits for the rates of each day, in milliseconds. If they arrive later, the page updates itself.
    private static let waitForRates: Int64 = 2_000

    static func answer(_ context: RequestContext) throws -> Response {
        guard let device = context.device, let range = try rangeOfDayRates(context) else {
            return try show(context)
        }
        let stored = try context.book().rateHistory()
        device.refreshRateHistory(range, stored: stored)
        let isThere = stored?.range.covers(range) ?? false
        guard !isThere, device.isAskingForRateHistory else { return try show(context) }
        return context.later {
            await device.waitForRateHistory(withinMilliseconds: waitForRates)
        } then: { context, _ in
            try show(context)
        }
    }

    /// The rates that the report needs; nil if it uses the latest rates.
    private static func rangeOfDayRates(_ context: RequestContext) throws -> RateHistoryRange? {
        let query = context.request.query
        guard query.first("rates") == ReportsPage.ofDays, try kind(query).hasDayRates else { return nil }
        let formats = try context.formats()
        guard formats.conversion != nil else { return nil }
        let month = month(query.first("from"), else: formats.today.yearMonth) ?? formats.today.yearMonth
        // A comparison and a year of months look a year back.
        let first = min(month.index, formats.today.yearMonth.index) - 12
        return try context.book().rateHistoryRange(
            from: YearMonth(index: max(first, YearMonth(index: .min).index)),
            to: formats.base
        )
    }

    private static func show(_ context: RequestContext) throws -> Response {
        let format = context.request.query.first("format") ?? ""
        // A file leaves the device: rows and balances of banks that were not recorded stay out of it.
        let bank: BankRows? = format.isEmpty ? try context.bankRows() : try context.bankRowsOfFile()
        let (page, isRefused) = try page(context, beside: bank)
        switch format {
        case "": return context.page(page, isRefused ? .unprocessable : .ok)
        // A span that the page would refuse has no numbers.
        case "csv" where !isRefused: return try spreadsheet(page, context)
        default: throw Refusal.malformed
        }
    }

    private static func spreadsheet(_ page: ReportsPage, _ context: RequestContext) throws -> Response {
        let sheet = try context.sheet()
        let lines = page.table(context.site.pages.texts).map { sheet.line($0) }
        return Response(
            .ok,
            headers: [
                ("Content-Type", Sheet.contentType),
                ExportName(base: page.fileName, type: "csv").header(isPart: page.isPart),
            ],
            body: .bytes(Array((Sheet.mark + lines.joined()).utf8))
        )
    }

    private static func page(_ context: RequestContext, beside bank: BankRows?) throws
        -> (page: ReportsPage, isRefused: Bool)
    {
        let query = context.request.query
        let formats = try context.formats()
        let today = formats.today.yearMonth
        let kind = try kind(query)
        let isOfOneMonth = kind == .category || kind == .comparison
        let to = month(query.first("to"), else: today)
        // A comparison is of one month, and chooses the others by itself.
        let from =
            kind == .comparison
            ? to : month(query.first("from"), else: isOfOneMonth ? today : YearMonth(index: today.index - 11))
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
        var content = ReportContent.totals([])
        let dayRates = try dayRates(context, kind)
        if let from, let to, !state.isRefused {
            content = try Self.content(context, kind, from, to, formats, dayRates, beside: bank)
        }
        let page = ReportsPage(
            chrome: context.chrome(),
            formats: formats,
            catalog: try context.catalog(),
            kind: kind,
            state: state,
            content: content,
            dayRates: dayRates,
            toCome: state.isRefused ? nil : try toCome(context, kind, from, to, formats, beside: bank),
            hasBanks: bank?.areReported == true,
            unknownCount: bank?.unknownAccounts.count ?? 0
        )
        return (page, state.isRefused)
    }

    private static func dayRates(_ context: RequestContext, _ kind: ReportKind) throws -> DayRates {
        switch context.request.query.first("rates") {
        case nil, "": return .unused
        case ReportsPage.ofDays: break
        default: throw Refusal.malformed
        }
        let formats = try context.formats()
        guard formats.conversion != nil, let range = try rangeOfDayRates(context) else {
            // A cash flow is by the latest rates, and the choice stays for the other reports.
            return kind.hasDayRates ? .unused : .missing
        }
        guard let stored = try context.book().rateHistory(), stored.range.covers(range) else {
            return .missing
        }
        return .of(
            DayConverter(stored.history, to: formats.base, currencies: context.site.tables.currencies)
        )
    }

    private static func kind(_ query: FormFields) throws -> ReportKind {
        switch query.first("compare") {
        case "previous", "average": return .comparison
        case nil, "": break
        default: throw Refusal.malformed
        }
        guard let text = query.first("group"), !text.isEmpty else { return .category }
        guard let asked = ReportKind(rawValue: text), asked != .comparison else { throw Refusal.malformed }
        return asked
    }

    private static func content(
        _ context: RequestContext,
        _ kind: ReportKind,
        _ from: YearMonth,
        _ to: YearMonth,
        _ formats: Formats,
        _ dayRates: DayRates,
        beside bank: BankRows?
    ) throws -> ReportContent {
        let (book, today) = (try context.book(), formats.today)
        let converter: DayConverter? = if case .of(let converter) = dayRates { converter } else { nil }
        switch kind {
        case .category, .payee, .account, .month:
            let group = kind.group ?? .category
            let rows = try book.report(
                from: from,
                to: to,
                group: group,
                knownIn: formats.base,
                valued: converter,
                beside: bank,
                through: today
            )
            // The months of a report that has today in it end with the present one.
            let last = from <= today.yearMonth ? min(to, today.yearMonth) : to
            return .totals(group == .month ? everyMonth(from, last, rows) : rows)
        case .flow:
            return .flow(try book.cashFlow(from: from, to: to, beside: bank, through: today))
        case .worth:
            return .worth(
                try book.netWorth(from: from, to: to, beside: bank, through: today),
                try book.accountWorth(from: from, to: to, beside: bank, through: today)
            )
        case .comparison:
            return .comparison(
                try SpendingComparison(of: to, today: today, since: book.firstMonth(beside: bank)) {
                    days throws(BookError) in
                    try book.spending(
                        of: days,
                        knownIn: formats.base,
                        valued: converter,
                        beside: bank,
                        through: today
                    )
                }
            )
        }
    }

    /// The part of a report that is to come: the totals of the list of its days after today; nil if it does not have today in it.
    private static func toCome(
        _ context: RequestContext,
        _ kind: ReportKind,
        _ from: YearMonth?,
        _ to: YearMonth?,
        _ formats: Formats,
        beside bank: BankRows?
    ) throws -> ReportToCome? {
        guard let from, let to, from <= to else { return nil }
        var query = TransactionQuery()
        query.months = from...to
        guard let days = query.days?.daysToCome(after: formats.today) else { return nil }
        query.days = days
        switch kind {
        case .category, .comparison: query.isSpending = true
        case .flow: query.isOfDailyUse = true
        case .worth: query.isAsCharged = true
        case .payee, .account, .month: break
        }
        query.limit = 1
        let page = try context.book().transactions(
            query,
            knownIn: formats.base,
            beside: bank,
            through: formats.today
        ).page
        return ReportToCome(totals: page.totals, query: query)
    }

    /// The same rows, completed with months without transactions, unless the result is too long to read.
    private static func everyMonth(_ from: YearMonth, _ to: YearMonth, _ rows: [ReportRow]) -> [ReportRow] {
        guard to.index - from.index < 36 else { return rows }
        let known = Dictionary(grouping: rows, by: \.key)
        let currencies = Set(rows.map(\.total.currency)).sorted()
        return (from.index...to.index).flatMap { index in
            let key = ReportRow.Key.month(YearMonth(index: index))
            let own = known[key] ?? []
            let others = currencies.filter { currency in !own.contains { $0.total.currency == currency } }
            return own
                + others.map { currency in
                    let nothing = CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
                    return ReportRow(key: key, total: nothing)
                }
        }
    }

    /// A month, or the month of a day; nil for any other text.
    private static func month(_ text: String?, else fallback: YearMonth) -> YearMonth? {
        guard let text, !text.isEmpty else { return fallback }
        return YearMonth(typed: text) ?? CivilDate(typed: text)?.yearMonth
    }
}
