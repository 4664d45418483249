// A chart with its main result as the title, and its numbers in a table.

import Ledger
import Links
import Templates
import Texts

/// One figure of a report.
struct ChartFigure: TemplateModel {
    /// The id of the element, for links to the figure.
    var id: String?
    let caption: Text
    /// The data of the chart, whose texts `SVG` escapes; nil if there is nothing to draw.
    let chart: ChartData?
    /// The results of the chart, in a sentence each.
    var sentences: [LinkedText] = []
    /// The titles of the columns of the table; empty if the figure has none.
    var head: [Text] = []
    var rows: [TableRow] = []
    /// An explanation of the numbers.
    var note: Text?

    static let keys = Keys<ChartFigure>()
        .optional("id") { $0.id }
        .message("caption") { $0.caption }
        .messageMarkup("chart") { figure, texts in
            Markup(trusted: figure.chart?.svg(label: texts.string(figure.caption), texts) ?? "")
        }
        .list("sentences", of: LinkedText.self) { $0.sentences }
        .flag("has_sentences") { !$0.sentences.isEmpty }
        .flag("has_rows") { !$0.rows.isEmpty }
        .optionalMessage("note") { $0.note }
        .list("head", of: TableHead.self) { figure in
            figure.head.enumerated().map { TableHead(text: $0.element, isNumber: $0.offset > 0) }
        }
        .list("rows", of: TableRow.self) { $0.rows }
}

enum ChartData {
    case bars([BarDatum])
    /// Two amounts by month, with their names; in minor units of the currency.
    case months([MonthDatum], Text, Text, Formats, CurrencyCode)
    case worth([WorthDatum])
    /// Three amounts by category, with their names.
    case comparison([ComparisonDatum], [Text])

    /// The chart as SVG.
    /// - Parameter label: the main result, for screen readers.
    func svg(label: String, _ texts: TextCatalogue) -> String {
        switch self {
        case .bars(let data): barChart(data, label: label, texts)
        case .months(let data, let first, let second, let formats, let currency):
            monthChart(data, first, second, top: { formats.money($0, currency) }, label: label, texts)
        case .worth(let data): worthChart(data, label: label, texts)
        case .comparison(let data, let legend): comparisonBars(data, legend: legend, label: label, texts)
        }
    }
}

/// A sentence that leads to the transactions behind it.
struct LinkedText: TemplateModel {
    let text: Text
    let href: Link

    static let keys = Keys<LinkedText>()
        .message("text") { $0.text }
        .link("href") { $0.href }
}

struct TableHead: TemplateModel {
    let text: Text
    let isNumber: Bool

    static let keys = Keys<TableHead>()
        .message("text") { $0.text }
        .flag("is_number") { $0.isNumber }
}

struct TableRow: TemplateModel {
    let label: Text
    /// The link to the transactions of the row; nil if the row is not a link.
    var href: Link?
    let cells: [TableCell]
    /// Whether the row is a part of one above it.
    var isPart = false

    static let keys = Keys<TableRow>()
        .flag("is_part") { $0.isPart }
        .message("label") { $0.label }
        .optionalLink("href") { $0.href }
        .list("cells", of: TableCell.self) { $0.cells }
}

struct TableCell: TemplateModel {
    /// Nil if it is unknown.
    let minor: Int128?
    let currency: CurrencyCode
    let text: String
    /// The words in the place of an amount that is unknown.
    let unknown: Text?
    let rateDate: String?
    /// The amounts of each currency in a converted amount.
    let originals: String?
    /// The link to the transactions of the amount.
    var href: Link?

    init(_ amount: MoneySum, _ formats: Formats, isConverted: Bool = false, originals: String? = nil) {
        (minor, currency, unknown) = (amount.minor, amount.currency, nil)
        text = formats.money(amount)
        rateDate = formats.rateDate(isConverted, of: amount.minor)
        self.originals = originals
    }

    /// The place of an amount that is unknown.
    init(unknown: Text, _ currency: CurrencyCode) {
        (minor, text, rateDate, originals) = (nil, "", nil, nil)
        self.currency = currency
        self.unknown = unknown
    }

    static let keys = Keys<TableCell>()
        .optionalMessage("unknown") { $0.unknown }
        .sum("minor") { $0.minor ?? 0 }
        .text("currency") { $0.currency.rawValue }
        .text("text") { $0.text }
        .optional("rate_date") { $0.rateDate }
        .optional("originals") { $0.originals }
        .optionalLink("href") { $0.href }

    /// The amount, or the words in its place, and its currency.
    func sheetCells(_ texts: TextCatalogue) -> [SheetCell] {
        let amount = minor.map { SheetCell.sum(MoneySum(minor: $0, currency: currency)) }
        return [
            amount ?? unknown.map { .text(texts.string($0)) } ?? .none, .text(currency.rawValue),
        ]
    }
}
