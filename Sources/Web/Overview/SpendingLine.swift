// The spending of a month by category, on the overview.

import Ledger
import Links
import Templates
import Texts

/// A category with its part of the month's spending.
struct SpendingLine: TemplateModel {
    let name: Text
    let icon: String
    let color: String
    let href: Link
    let minor: Int128
    let currency: CurrencyCode
    let amount: String
    let width: String
    let share: String
    let rateDate: String?

    var isConverted: Bool { rateDate != nil }

    static let keys = Keys<SpendingLine>()
        .message("name") { $0.name }
        .text("icon") { $0.icon }
        .text("color") { $0.color }
        .link("href") { $0.href }
        .sum("minor") { -$0.minor }
        .text("currency") { $0.currency.rawValue }
        .text("amount") { $0.amount }
        .text("width") { $0.width }
        .text("share") { $0.share }
        .optional("rate_date") { $0.rateDate }

    /// The five largest top categories in the base currency, then all others as one line.
    static func lines(_ rows: [ReportRow], month: YearMonth, catalog: Catalog, formats: Formats)
        -> [SpendingLine]
    {
        let slices = CategorySlice.slices(
            rows,
            currency: formats.base,
            catalog: catalog,
            most: 5,
            formats.conversion.map { .latest($0.converter) } ?? .alone
        )
        let whole = slices.reduce(Int128(0)) { $0 + $1.minor }
        let largest = slices.map(\.minor).max() ?? 1
        return slices.map { slice in
            // The report has a line for each of the others.
            let href = slice.filter.map { Link.spending(in: month, category: $0, counts: nil) }
            return SpendingLine(
                name: slice.name,
                icon: slice.icon,
                color: slice.color,
                href: href ?? Link.report(of: month),
                minor: slice.minor,
                currency: formats.base,
                amount: formats.money(slice.minor, formats.base),
                width: Web.width(slice.minor, of: largest),
                share: slice.minor > 0 ? Web.share(slice.minor, of: whole) + "%" : "",
                rateDate: formats.rateDate(slice.isConverted, of: slice.minor)
            )
        }
    }
}
