// Reports: spending, a comparison of months, and net worth.

public import Ledger
import Links
public import Templates
import Texts

/// Charts over a span of months, each with the table behind it.
public struct ReportsPage: Page {
    /// The name of the page's template.
    public static let template = "reports/index"
    let chrome: Chrome
    let formats: Formats
    let group: ReportGroup
    let state: FormState
    let charts: [ChartFigure]
    let hasOtherCurrencies: Bool
    let rates: RatesLine?

    /// Reports of a span.
    /// - Parameters:
    ///   - state: the entered values of `from` and `to`, with errors if they could not be parsed.
    ///   - rows: the rows of the span, grouped by `group`.
    ///   - worth: the net worth at the end of each month, by currency; shown with `.month` and `.account`.
    public init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        group: ReportGroup,
        state: FormState,
        rows: [ReportRow],
        worth: [NetWorthPoint]
    ) {
        self.chrome = chrome.on(.reports)
        self.formats = formats
        self.group = group
        self.state = state
        let month = state["from"] == state["to"] ? YearMonth(iso: state["from"]) : nil
        let alone = ChartMaker(formats: formats, catalog: catalog, month: month)
        let found = Set(rows.map(\.total.currency)).union(worth.map(\.currency))
        // With rates, the first figure is of all currencies that have one; the others have figures of their own.
        let together = formats.together(rows.map(\.total))
        let balances = formats.together(
            worth.filter { $0.month == worth.last?.month }
                .map { Money(minor: $0.balanceMinor, currency: $0.currency) }
        )
        let missing = Set(together.leftOut.map(\.currency)).union(
            formats.conversion.map { conversion in
                found.filter { $0 != formats.base && conversion.converter.rates[$0] == nil }
            } ?? []
        )
        rates = formats.ratesLine(
            isConverted: together.isConverted || balances?.isConverted == true,
            leftOut: together.leftOut.map { TotalLine($0, formats: formats).text }
                + (balances?.leftOut ?? []).filter { balance in
                    !together.leftOut.contains { $0.currency == balance.currency }
                }
                .map { formats.money($0) }
        )
        var all = alone
        all.converter = formats.conversion?.converter
        let shown = formats.conversion == nil || found.isEmpty ? found : missing.union([formats.base])
        let currencies = shown.sorted {
            ($0 != formats.base ? 1 : 0, $0) < ($1 != formats.base ? 1 : 0, $1)
        }
        hasOtherCurrencies = found.count > 1
        charts = currencies.flatMap { currency in
            let isWhole = currency == formats.base && formats.conversion != nil
            let maker = isWhole ? all : alone
            let own = isWhole ? rows : rows.filter { $0.total.currency == currency }
            let worth = isWhole ? worth : worth.filter { $0.currency == currency }
            return switch group {
            case .category: [maker.byCategory(own, currency)].compactMap(\.self)
            case .month: [maker.byMonth(own, currency), maker.worth(worth, currency)].compactMap(\.self)
            case .account: [maker.byName(own, currency), maker.worth(worth, currency)].compactMap(\.self)
            case .payee: [maker.byName(own, currency)].compactMap(\.self)
            }
        }
    }

    /// The values for the template.
    public static let keys = Keys<ReportsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("group") { $0.group.rawValue }
        .model("from", of: Field.self) { $0.state.field("from") }
        .model("to", of: Field.self) { $0.state.field("to") }
        .list("tabs", of: LinkChoice.self) { page in
            ReportGroup.allCases.map { group in
                LinkChoice(
                    label: group.label,
                    href: page.href(group, from: page.state["from"], to: page.state["to"]),
                    isSelected: group == page.group
                )
            }
        }
        .list("spans", of: LinkChoice.self) { $0.spans }
        .flag("has_charts") { !$0.charts.isEmpty }
        .list("charts", of: ChartFigure.self) { $0.charts }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("upgrade_text") { page in
            page.chrome.tier != .premium && page.hasOtherCurrencies ? Chrome.upgradeForTotals : nil
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
                href: href(group, from: "\(from)", to: "\(to)"),
                isSelected: state["from"] == "\(from)" && state["to"] == "\(to)"
            )
        }
    }

    private func href(_ group: ReportGroup, from: String, to: String) -> Link {
        var items = [("group", group.rawValue)]
        if !from.isEmpty { items.append(("from", from)) }
        if !to.isEmpty { items.append(("to", to)) }
        return Link.reports.adding(query: items)
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

extension ReportGroup {
    var label: Text {
        switch self {
        case .category: Text("common.categories")
        case .month: Text("reports.months")
        case .account: Text("common.accounts")
        case .payee: Text("reports.payees")
        }
    }
}
