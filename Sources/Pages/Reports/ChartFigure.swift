// A chart with its finding above and its numbers behind.

import Ledger
import Links
import Templates

/// One figure of a report.
struct ChartFigure: TemplateModel {
    let caption: String
    /// Made by our own writer, which escapes every text.
    let svg: String
    let head: [String]
    let rows: [TableRow]

    static let keys = Keys<ChartFigure>()
        .text("caption") { $0.caption }
        .markup("chart") { Markup(trusted: $0.svg) }
        .list("head", of: TableHead.self) { figure in
            figure.head.enumerated().map { TableHead(text: $0.element, isNumber: $0.offset > 0) }
        }
        .list("rows", of: TableRow.self) { $0.rows }
}

struct TableHead: TemplateModel {
    let text: String
    let isNumber: Bool

    static let keys = Keys<TableHead>()
        .text("text") { $0.text }
        .flag("is_number") { $0.isNumber }
}

struct TableRow: TemplateModel {
    let label: String
    /// The transactions that the row is made of; nil where it leads nowhere.
    var href: Link?
    let cells: [TableCell]

    static let keys = Keys<TableRow>()
        .text("label") { $0.label }
        .optionalLink("href") { $0.href }
        .list("cells", of: TableCell.self) { $0.cells }
}

struct TableCell: TemplateModel {
    let minor: Int64
    let currency: CurrencyCode
    let text: String

    static let keys = Keys<TableCell>()
        .integer("minor") { $0.minor }
        .text("currency") { $0.currency.rawValue }
        .text("text") { $0.text }
}
