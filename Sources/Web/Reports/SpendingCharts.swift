// The figures of spending by category, payee and account.

import Ledger
import Links
import Texts

extension ChartMaker {
    /// Spending by top category, with the categories below each.
    func byCategory(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let all = slices(rows, currency, most: .max - 1)
        guard let largest = all.first else { return nil }
        // A sum of rounded slices could differ by a cent from the spending of the month.
        let spent = all.flatMap(\.originals)
        let together = sum(spent, currency)
        let shown = slices(rows, currency, most: 5).filter { $0.minor > 0 }
        let bars = shown.map { slice in
            BarDatum(
                name: slice.name,
                color: slice.color,
                minor: slice.minor,
                amount: formats.money(slice.minor, currency, isConverted: slice.isConverted),
                href: href(of: slice)
            )
        }
        return ChartFigure(
            caption: caption(
                { Text("reports.took-the-most", $0) },
                largest.name,
                MoneySum(minor: largest.minor, currency: currency),
                largest.isConverted,
                of: together
            ),
            chart: bars.isEmpty ? nil : .bars(bars),
            head: [Text("transactions.category"), Text("overview.spending")],
            rows: all.flatMap { slice in
                let cell = cell(slice.originals, currency, href: href(of: slice))
                return [TableRow(label: slice.name, href: cell.href, cells: [cell])]
                    + children(of: slice, rows, currency)
            }
                + [
                    TableRow(
                        label: Text("reports.together"),
                        href: spendingHref(days),
                        cells: [cell(spent, currency, href: spendingHref(days))]
                    )
                ]
        )
    }

    private func slices(_ rows: [ReportRow], _ currency: CurrencyCode, most: Int) -> [CategorySlice] {
        CategorySlice.slices(rows, currency: currency, catalog: catalog, most: most, valuation)
    }

    /// The categories below the category of a slice, and what was spent in that category itself; none if that is all.
    private func children(of slice: CategorySlice, _ rows: [ReportRow], _ currency: CurrencyCode)
        -> [TableRow]
    {
        guard case .family(let top)? = slice.filter else { return [] }
        let lines = together(rows, currency).compactMap { line -> (id: EntityID, line: Line)? in
            guard case .category(let id?) = line.key, line.total.expenseMinor != 0 else { return nil }
            return id == top || catalog.category(id)?.parent == top ? (id, line) : nil
        }
        guard lines.contains(where: { $0.id != top }) else { return [] }
        return lines.sorted { $0.line.total.expenseMinor > $1.line.total.expenseMinor }.map { id, line in
            var cell = expenseCell(line)
            // A list of the category itself would contain the categories below it.
            if id == top, cell.href != nil { cell.href = href(of: .alone(top)) }
            return TableRow(
                label: id == top ? Text("reports.without-subcategory") : name(line.key),
                href: cell.href,
                cells: [cell],
                isPart: true
            )
        }
    }

    private func href(of slice: CategorySlice) -> Link? { slice.filter.map(href(of:)) }

    private func href(of filter: CategoryFilter) -> Link {
        var query = TransactionQuery()
        query.days = days
        query.isSpending = true
        query.category = filter
        return TransactionsPage.href(query)
    }

    /// The most lines of a table of payees, of which there can be thousands. The last line has the others together.
    private static let mostLines = 200

    /// Spending by account or payee.
    func byName(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let all = together(rows, currency)
        let spending = all.filter { $0.total.expenseMinor > 0 }
            .sorted { $0.total.expenseMinor > $1.total.expenseMinor }
        // Amounts without a payee went to many.
        let named = spending.first { $0.key != .payee("") }
        guard let largest = named ?? spending.first ?? all.first else { return nil }
        let whole = sum(all.flatMap(\.spent), currency)
        var (lines, others) = (all, [Line]())
        if all.count > Self.mostLines {
            lines.sort { $0.total.expenseMinor > $1.total.expenseMinor }
            others = Array(lines[(Self.mostLines - 1)...])
            lines.removeSubrange((Self.mostLines - 1)...)
        }
        var bars = spending.prefix(6).map { row in
            BarDatum(
                name: name(row.key),
                color: "crust",
                minor: row.total.expenseMinor,
                amount: formats.money(row.total.expenseMinor, currency, isConverted: row.isConverted),
                href: href(row.key) { $0.isSpending = true }
            )
        }
        let rest = spending.dropFirst(6).reduce(Int128(0)) { $0 + $1.total.expenseMinor }
        if rest > 0 {
            let isConverted = spending.dropFirst(6).contains(where: \.isConverted)
            bars.append(
                BarDatum(
                    name: Text("reports.other"),
                    color: "slate",
                    minor: rest,
                    amount: formats.money(rest, currency, isConverted: isConverted)
                )
            )
        }
        return ChartFigure(
            caption: caption(
                {
                    switch largest.key {
                    case .account: Text("reports.most-went-through", $0)
                    case .payee(""): Text("reports.most-without-payee", $0)
                    default: Text("reports.most-went-to", $0)
                    }
                },
                name(largest.key),
                MoneySum(minor: largest.total.expenseMinor, currency: currency),
                largest.isConverted,
                of: whole
            ),
            chart: bars.isEmpty ? nil : .bars(bars),
            head: [
                isAccount(largest.key) ? Text("transactions.account") : Text("transactions.payee"),
                Text("overview.income"), Text("overview.spending"),
            ],
            rows: lines.map { row in
                TableRow(
                    label: name(row.key),
                    href: href(row.key),
                    cells: [incomeCell(row), expenseCell(row)]
                )
            }
                + (others.isEmpty
                    ? []
                    : [
                        TableRow(
                            label: Text("reports.other"),
                            cells: [
                                cell(others.flatMap(\.received), currency),
                                cell(others.flatMap(\.spent), currency),
                            ]
                        )
                    ])
        )
    }

    /// The share of the largest part in the whole; another sentence if nothing was spent, or if more came back.
    private func caption(
        _ sentence: ([String: Text.Argument]) -> Text,
        _ name: Text,
        _ largest: MoneySum,
        _ isConverted: Bool,
        of whole: ConvertedSum
    ) -> Text {
        let amount = formats.money(whole.sum.minor, largest.currency, isConverted: whole.isConverted)
        if whole.sum.minor < 0 {
            let back = formats.money(
                distance(0, whole.sum.minor),
                largest.currency,
                isConverted: whole.isConverted
            )
            return .saying(whole.sum.minor, in: Text("reports.more-came-back", ["amount": .string(back)]))
        }
        guard largest.minor > 0, whole.sum.minor > 0 else { return Text("reports.nothing-spent") }
        let words = sentence([
            "name": .text(name.isolated),
            "amount": .string(formats.money(largest.minor, largest.currency, isConverted: isConverted)),
            "whole": .string(amount),
            "share": .string(share(largest.minor, of: whole.sum.minor)),
        ])
        return .saying(largest.minor, whole.sum.minor, in: words)
    }
}
