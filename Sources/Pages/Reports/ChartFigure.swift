// A chart with its main result as the title, and its numbers in a table.

import Ledger
import Links
import Templates
import Texts

/// One figure of a report.
struct ChartFigure: TemplateModel {
    let caption: Text
    /// The data of the chart. `SVG` escapes all its texts.
    let chart: ChartData
    let head: [Text]
    let rows: [TableRow]

    static let keys = Keys<ChartFigure>()
        .message("caption") { $0.caption }
        .messageMarkup("chart") { figure, texts in
            Markup(trusted: figure.chart.svg(label: texts.string(figure.caption), texts))
        }
        .list("head", of: TableHead.self) { figure in
            figure.head.enumerated().map { TableHead(text: $0.element, isNumber: $0.offset > 0) }
        }
        .list("rows", of: TableRow.self) { $0.rows }
}

/// The data of a chart.
enum ChartData {
    case bars([BarDatum])
    /// Income and spending by month; amounts are in minor units of the currency.
    case months([MonthDatum], Formats, CurrencyCode)
    case worth([WorthDatum])

    /// The chart as SVG.
    /// - Parameter label: the main result, for screen readers.
    func svg(label: String, _ texts: TextCatalogue) -> String {
        switch self {
        case .bars(let data): barChart(data, label: label, texts)
        case .months(let data, let formats, let currency):
            monthChart(data, top: { formats.money($0, currency) }, label: label, texts)
        case .worth(let data): worthChart(data, label: label)
        }
    }
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

    static let keys = Keys<TableRow>()
        .message("label") { $0.label }
        .optionalLink("href") { $0.href }
        .list("cells", of: TableCell.self) { $0.cells }
}

struct TableCell: TemplateModel {
    let amount: Money
    let text: String
    let rateDate: String?
    /// The amounts of each currency in a converted amount.
    let originals: String?

    init(_ amount: Money, _ formats: Formats, isConverted: Bool = false, originals: String? = nil) {
        self.amount = amount
        text = formats.money(amount)
        rateDate = formats.rateDate(isConverted)
        self.originals = originals
    }

    static let keys = Keys<TableCell>()
        .integer("minor") { $0.amount.minor }
        .text("currency") { $0.amount.currency.rawValue }
        .text("text") { $0.text }
        .optional("rate_date") { $0.rateDate }
        .optional("originals") { $0.originals }
}
