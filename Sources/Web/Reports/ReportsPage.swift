// Reports: spending, a comparison of months, and net worth.

import Ledger
import Links
import Templates
import Texts

/// Charts over a span of months, each with the table behind it.
struct ReportsPage: Page {
    static let template = "reports/index"
    let chrome: Chrome
    let formats: Formats
    let kind: ReportKind
    let state: FormState
    let charts: [ChartFigure]
    let upgrade: Text?
    let rates: RatesLine?
    private let toCome: ReportToCome?
    private let dayRates: DayRates
    private let hasBanks: Bool
    private let hasBankBalances: Bool
    private let unknownCount: Int
    /// Whether some amounts are in another currency than the base currency.
    private let hasForeignAmounts: Bool

    /// A report of a span.
    /// - Parameters:
    ///   - state: the entered values of `from` and `to`, with errors if they could not be parsed.
    ///   - content: the amounts of the span, with values if the rates of each day are there.
    ///   - toCome: what of the span is to come; nil for a span without today.
    ///   - hasBanks: whether balances and transactions of banks count in it.
    ///   - unknownCount: the number of accounts of which only recorded transactions count.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        kind: ReportKind,
        state: FormState,
        content: ReportContent,
        dayRates: DayRates = .unused,
        toCome: ReportToCome? = nil,
        hasBanks: Bool = false,
        unknownCount: Int = 0
    ) {
        self.toCome = toCome
        (self.hasBanks, self.unknownCount) = (hasBanks, unknownCount)
        hasBankBalances = hasBanks && (kind == .flow || kind == .worth)
        self.chrome = chrome.on(.reports)
        self.kind = kind
        self.state = state
        self.dayRates = dayRates
        let days = Self.days(state)
        // A comparison needs the rates of earlier months as well.
        var rateDays = days
        if case .comparison(let comparison) = content, let days {
            rateDays = min(comparison.firstDay, days.lowerBound)...days.upperBound
        }
        var formats = formats
        var valuation = formats.conversion.map { Valuation.latest($0.converter) } ?? .alone
        if kind.hasDayRates, let rateDays, case .of(let converter) = dayRates {
            valuation = .ofDays(converter)
            formats.rateDays = converter.history.span(in: rateDays)
        }
        self.formats = formats
        let base = formats.base
        let alone = ChartMaker(
            formats: formats,
            catalog: catalog,
            days: days,
            asksForDays: kind.hasDayRates && dayRates.isAsked
        )
        let found = content.currencies
        // With rates, the first figure is of all currencies that have one; the others have figures of their own.
        let missing = content.missing(valuation, in: formats.base, days)
        let leftOut = content.leftOut(missing, valuation)
        rates = formats.ratesLine(
            isConverted: content.hasConverted(missing, valuation, in: formats.base),
            leftOut: leftOut.map(\.money).ofEachCurrency.map { formats.listed($0) },
            dayRates: kind.hasDayRates ? dayRates : .unused,
            rateDays
        )
        var all = alone
        all.valuation = valuation
        let shown = formats.conversion == nil || found.isEmpty ? found : missing.union([formats.base])
        let currencies = shown.sorted {
            ($0 != formats.base ? 1 : 0, $0) < ($1 != formats.base ? 1 : 0, $1)
        }
        upgrade = formats.upgradeOffer(chrome.tier, content.shownAmounts)
        hasForeignAmounts = found.contains { $0 != base }
        charts = currencies.flatMap { currency in
            let isWhole = currency == formats.base && formats.conversion != nil
            return isWhole
                ? all.figures(content.without(missing, valuation), kind, currency)
                : alone.figures(content.only(currency, missing, valuation), kind, currency)
        }
    }

    /// The days of the months that were entered; nil if they were refused.
    private static func days(_ state: FormState) -> ClosedRange<CivilDate>? {
        guard let from = YearMonth(typed: state["from"]), let to = YearMonth(typed: state["to"]), from <= to
        else { return nil }
        return from.firstDay...to.lastDay
    }

    static let keys = Keys<ReportsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("group") { $0.kind.rawValue }
        .model("from", of: Field.self) { $0.state.field("from") }
        .model("to", of: Field.self) { $0.state.field("to") }
        .flag("has_span") { $0.kind != .comparison }
        .list("months", of: MonthNavigation.self) { page in
            guard page.kind == .comparison, let month = YearMonth(iso: page.state["to"]) else { return [] }
            return [
                MonthNavigation(month: month, formats: page.formats) {
                    page.href(.comparison, from: "\($0)", to: "\($0)")
                }
            ]
        }
        .list("tabs", of: LinkChoice.self) { page in
            ReportKind.allCases.map { kind in
                LinkChoice(
                    label: kind.label,
                    href: page.href(kind, from: page.state["from"], to: page.state["to"]),
                    isSelected: kind == page.kind
                )
            }
        }
        .list("spans", of: LinkChoice.self) { $0.spans }
        .optionalMessage("all_to_come") { $0.formats.wordsToCome(Self.days($0.state)) }
        .optionalMessage("until_today") { $0.toCome?.untilToday($0.formats) }
        .list("to_come", of: ToComeLine.self) { $0.toCome?.lines($0.formats) ?? [] }
        .flag("has_charts") { !$0.charts.isEmpty }
        // Of a span that was refused, nothing is known.
        .flag("is_empty") { $0.charts.isEmpty && !$0.state.isRefused }
        .message("empty_text") {
            $0.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("reports.nothing-was-written-down")
        }
        .list("charts", of: ChartFigure.self) { $0.charts }
        .link("csv_href") { $0.file(nil) }
        .model("cells", of: SheetChoice.self) { page in
            SheetChoice(usual: page.formats.sheetForm) { page.file($0) }
        }
        .optional("rates_value") { $0.dayRates.isAsked ? Self.ofDays : nil }
        .list("rate_choices", of: LinkChoice.self) { $0.rateChoices }
        .flag("has_rate_choices") { !$0.rateChoices.isEmpty }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("file_note") { page in
            page.hasBanks || page.unknownCount > 0 ? Text("reports.file-without-banks") : nil
        }
        .optionalMessage("recorded_text") { $0.recordedText }
        .optionalMessage("bank_note") { $0.hasBankBalances ? Text("reports.banks-count") : nil }
        .optionalMessage("upgrade_text") { $0.upgrade }

    /// `breadly-flow-2026-01-2026-11`.
    var fileName: String { "breadly-\(kind.rawValue)-\(state["from"])-\(state["to"])" }

    /// Whether rows of the cloud are not here yet.
    var isPart: Bool { chrome.cloud.isIncomplete }

    /// The numbers of the page for a text file: of each figure the titles, the rows, and the explanation; each amount is
    /// followed by its currency.
    func table(_ texts: TextCatalogue) -> [[SheetCell]] {
        func words(_ text: Text) -> SheetCell { .text(texts.string(text)) }
        var lines: [[SheetCell]] = []
        var head: [SheetCell]?
        for chart in charts where !chart.rows.isEmpty {
            let currency = words(Text("rates.currency"))
            let titles = chart.head.enumerated().flatMap { place, title in
                [words(title)] + (place > 0 ? [currency] : [])
            }
            // The figures of several currencies share one table.
            if titles != head {
                if head != nil { lines.append([]) }
                lines.append(titles)
                head = titles
            }
            lines += chart.rows.map { row in
                [words(row.label)] + row.cells.flatMap { $0.sheetCells(texts) }
            }
            if let note = chart.note { lines.append([words(note)]) }
        }
        if isPart { lines.append([words(Text("chrome.totals-count-what-is-here"))]) }
        if let recordedText { lines.append([words(recordedText)]) }
        if let end = toCome?.untilToday(formats) { lines.append([words(end)]) }
        return lines
    }

    /// The address of the numbers as a text file.
    /// - Parameter form: nil for the usual one of the user's region.
    private func file(_ form: SheetForm?) -> Link {
        let items = query(kind, state["from"], state["to"]) + [("format", "csv")]
        return Link.reports.adding(query: items + (form.map { [("cells", $0.rawValue)] } ?? []))
    }

    /// The sentence about income and spending. That of a cash flow is in its explanation, and a net worth has neither.
    private var recordedText: Text? {
        kind == .flow || kind == .worth ? nil : Text.onlyRecorded(unknownCount)
    }

    private var spans: [LinkChoice] {
        let month = formats.today.yearMonth
        let choices: [(Text, YearMonth, YearMonth)] = [
            (Text("forms.this-month"), month, month),
            (Text("reports.last-month"), month.previous, month.previous),
            (
                Text("reports.this-year"), YearMonth(year: month.year, month: 1),
                YearMonth(year: month.year, month: 12)
            ),
            (Text("reports.12-months"), YearMonth(index: month.index - 11), month),
        ]
        return choices.map { label, from, to in
            LinkChoice(
                label: label,
                href: href(kind, from: "\(from)", to: "\(to)"),
                isSelected: state["from"] == "\(from)" && state["to"] == "\(to)"
            )
        }
    }

    /// The value of `rates` in the address of a report by the rates of each day.
    static let ofDays = "day"

    private var rateChoices: [LinkChoice] {
        guard formats.conversion != nil, kind.hasDayRates, hasForeignAmounts || dayRates.isAsked else {
            return []
        }
        func choice(_ label: Text, _ isOfDays: Bool) -> LinkChoice {
            let query = query(kind, state["from"], state["to"]).filter { $0.0 != "rates" }
            return LinkChoice(
                label: label,
                href: Link.reports.adding(query: query + (isOfDays ? [("rates", Self.ofDays)] : [])),
                isSelected: dayRates.isAsked == isOfDays
            )
        }
        return [choice(Text("reports.latest-rates"), false), choice(Text("reports.rates-of-each-day"), true)]
    }

    private func href(_ kind: ReportKind, from: String, to: String) -> Link {
        Link.reports.adding(query: query(kind, from, to))
    }

    private func query(_ kind: ReportKind, _ from: String, _ to: String) -> [(String, String)] {
        var items = [kind == .comparison ? ("compare", "previous") : ("group", kind.rawValue)]
        if !from.isEmpty { items.append(("from", from)) }
        if !to.isEmpty { items.append(("to", to)) }
        if dayRates.isAsked { items.append(("rates", Self.ofDays)) }
        return items
    }
}

extension ChartMaker {
    fileprivate func figures(_ content: ReportContent, _ kind: ReportKind, _ currency: CurrencyCode)
        -> [ChartFigure]
    {
        switch content {
        case .totals(let rows):
            switch kind {
            case .category: [byCategory(rows, currency)].compactMap(\.self)
            case .month: [byMonth(rows, currency)].compactMap(\.self)
            default: [byName(rows, currency)].compactMap(\.self)
            }
        case .flow(let flows): [flow(flows, currency)].compactMap(\.self)
        case .worth(let points, let accounts):
            worth(points, accounts, currency) + [worthByAccount(accounts, currency)].compactMap(\.self)
        case .comparison(let comparison): [self.comparison(comparison, currency)].compactMap(\.self)
        }
    }
}

/// A link of a group of links, one of which is the current page.
struct LinkChoice: TemplateModel {
    let label: Text
    let href: Link
    let isSelected: Bool

    static let keys = Keys<LinkChoice>()
        .message("label") { $0.label }
        .link("href") { $0.href }
        .flag("selected") { $0.isSelected }
}
