// Makes charts, titled with their main result, from the lines of a report.

import Ledger
import Links
import Texts

/// Makes the figures of a report, each in one currency.
struct ChartMaker {
    let formats: Formats
    let catalog: Catalog
    /// The month of the report; nil if the report covers several.
    let month: YearMonth?

    /// Converts the amounts of other currencies; nil for a figure of one currency alone.
    var converter: CurrencyConverter?

    /// Spending by top category.
    func byCategory(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let all = slices(rows, currency, most: .max - 1)
        guard let largest = all.first else { return nil }
        // A sum of rounded slices could differ by a cent from the spending of the month.
        let spent = all.flatMap(\.originals)
        let together = converter?.sum(spent, in: currency)
        let whole = together?.sum.minor ?? sum(all.map(\.minor))
        let isConverted = together?.isConverted ?? false
        let shown = slices(rows, currency, most: 5)
        let caption = Text(
            "reports.took-the-most",
            [
                "name": .text(largest.name.isolated),
                "amount": .string(formats.money(largest.minor, currency, isConverted: largest.isConverted)),
                "whole": .string(formats.money(whole, currency, isConverted: isConverted)),
                "share": .count(percent(largest.minor, of: whole)),
            ]
        )
        let data = shown.map { slice in
            BarDatum(
                name: slice.name,
                color: slice.color,
                minor: slice.minor,
                amount: formats.money(slice.minor, currency, isConverted: slice.isConverted)
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .bars(data),
            head: [Text("transactions.category"), Text("overview.spending")],
            rows: all.map {
                TableRow(
                    label: $0.name,
                    href: href(of: $0),
                    cells: [cell($0.minor, currency, $0.isConverted ? $0.originals : [])]
                )
            }
                + [
                    TableRow(
                        label: Text("reports.together"),
                        cells: [cell(whole, currency, isConverted ? byCurrency(spent) : [])]
                    )
                ]
        )
    }

    private func slices(_ rows: [ReportRow], _ currency: CurrencyCode, most: Int) -> [CategorySlice] {
        CategorySlice.slices(rows, currency: currency, catalog: catalog, most: most, converter: converter)
    }

    /// Only "No category" is a link: the user can add the missing categories in that list.
    private func href(of slice: CategorySlice) -> Link? {
        guard slice.filter == .uncategorized else { return nil }
        var query = TransactionQuery()
        query.month = month
        query.kind = .expense
        query.category = slice.filter
        return TransactionsPage.href(query)
    }

    /// Spending by account or payee.
    func byName(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let lines = together(rows, currency)
        let spending = lines.filter { $0.total.expenseMinor > 0 }
            .sorted { $0.total.expenseMinor > $1.total.expenseMinor }
        guard let largest = spending.first else { return nil }
        let spent = spending.flatMap(\.spent)
        let whole = converter?.sum(spent, in: currency).sum.minor ?? sum(spending.map(\.total.expenseMinor))
        let isConverted = spending.contains(where: \.isConverted)
        let values: [String: Text.Argument] = [
            "name": .text(name(largest.key).isolated),
            "amount": .string(
                formats.money(largest.total.expenseMinor, currency, isConverted: largest.isConverted)
            ),
            "share": .count(percent(largest.total.expenseMinor, of: whole)),
            "whole": .string(formats.money(whole, currency, isConverted: isConverted)),
        ]
        let caption =
            isAccount(largest.key)
            ? Text("reports.most-went-through", values) : Text("reports.most-went-to", values)
        var data = spending.prefix(6).map { row in
            BarDatum(
                name: name(row.key),
                color: "crust",
                minor: row.total.expenseMinor,
                amount: formats.money(row.total.expenseMinor, currency, isConverted: row.isConverted)
            )
        }
        let rest = sum(spending.dropFirst(6).map(\.total.expenseMinor))
        if rest > 0 {
            data.append(
                BarDatum(
                    name: Text("reports.other"),
                    color: "slate",
                    minor: rest,
                    amount: formats.money(
                        rest,
                        currency,
                        isConverted: spending.dropFirst(6).contains(where: \.isConverted)
                    )
                )
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .bars(data),
            head: [
                isAccount(largest.key) ? Text("transactions.account") : Text("transactions.payee"),
                Text("overview.income"), Text("overview.spending"),
            ],
            rows: lines.map { row in
                TableRow(label: name(row.key), cells: [incomeCell(row), expenseCell(row)])
            }
        )
    }

    /// Income and spending by month.
    func byMonth(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let lines = together(rows, currency).compactMap { line -> (month: YearMonth, line: Line)? in
            if case .month(let month) = line.key { (month: month, line: line) } else { nil }
        }
        .sorted { $0.month < $1.month }
        guard !lines.isEmpty else { return nil }
        let data = lines.map { month, line in
            MonthDatum(
                month: month,
                name: formats.shortMonth(month),
                income: line.total.incomeMinor,
                expense: line.total.expenseMinor
            )
        }
        let whole = converter?.total(rows.map(\.total), in: currency)
        let income = whole?.total.incomeMinor ?? sum(data.map(\.income))
        let expense = whole?.total.expenseMinor ?? sum(data.map(\.expense))
        let saved = income.subtractingClamped(expense)
        let amount = formats.money(
            saved == .min ? .max : abs(saved),
            currency,
            isConverted: whole?.isConverted ?? false
        )
        let caption =
            saved >= 0
            ? Text("reports.more-came-in", ["amount": .string(amount)])
            : Text("reports.more-went-out", ["amount": .string(amount)])
        return ChartFigure(
            caption: caption,
            chart: .months(data, formats, currency),
            head: [
                Text("forms.month"), Text("overview.income"), Text("overview.spending"), Text("reports.left"),
            ],
            rows: lines.map { month, line in
                let left = line.total.incomeMinor.subtractingClamped(line.total.expenseMinor)
                return TableRow(
                    label: .verbatim(formats.monthTitle(month)),
                    cells: [
                        incomeCell(line), expenseCell(line),
                        TableCell(
                            Money(minor: left, currency: currency),
                            formats,
                            isConverted: line.isConverted
                        ),
                    ]
                )
            }
        )
    }

    /// The total of all accounts at the end of each month.
    func worth(_ points: [NetWorthPoint], _ currency: CurrencyCode) -> ChartFigure? {
        let sorted = Dictionary(grouping: points, by: \.month).sorted { $0.key < $1.key }.map {
            month,
            points in
            let amounts = points.map { Money(minor: $0.balanceMinor, currency: $0.currency) }
            let sum =
                converter?.sum(amounts, in: currency)
                ?? ConvertedSum(of: amounts.first { $0.currency == currency }, in: currency)
            return (month: month, sum: sum, originals: amounts)
        }
        guard let first = sorted.first, let last = sorted.last, sorted.count > 1 else { return nil }
        let isConverted = sorted.contains { $0.sum.isConverted }
        let change = last.sum.sum.minor.subtractingClamped(first.sum.sum.minor)
        let by = formats.money(change == .min ? .max : abs(change), currency, isConverted: isConverted)
        let since = formats.monthTitle(first.month)
        let values: [String: Text.Argument] = ["amount": .string(by), "month": .string(since)]
        let caption =
            if change == 0 {
                Text("reports.accounts-stand-where", ["month": .string(since)])
            } else if change > 0 {
                Text("reports.accounts-grew", values)
            } else {
                Text("reports.accounts-shrank", values)
            }
        let data = sorted.map { point in
            WorthDatum(
                name: formats.shortMonth(point.month),
                minor: point.sum.sum.minor,
                amount: formats.money(point.sum.sum.minor, currency, isConverted: point.sum.isConverted)
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .worth(data),
            head: [Text("forms.month"), Text("reports.at-its-end")],
            rows: sorted.map { point in
                let missing = Set(point.sum.leftOut.map(\.currency))
                let originals = point.originals.filter { $0.minor != 0 && !missing.contains($0.currency) }
                return TableRow(
                    label: .verbatim(formats.monthTitle(point.month)),
                    cells: [cell(point.sum.sum.minor, currency, point.sum.isConverted ? originals : [])]
                )
            }
        )
    }

    /// A line of a report in the currency of the figure.
    private struct Line {
        let key: ReportRow.Key
        let total: CurrencyTotal
        let isConverted: Bool
        /// The amounts of each currency that are in the line.
        let received: [Money]
        let spent: [Money]
    }

    /// The rows of each subject in one line, in the order of the first of them.
    private func together(_ rows: [ReportRow], _ currency: CurrencyCode) -> [Line] {
        guard let converter else {
            return rows.filter { $0.total.currency == currency }.map { row in
                let spent = Money(minor: row.total.expenseMinor, currency: currency)
                return Line(key: row.key, total: row.total, isConverted: false, received: [], spent: [spent])
            }
        }
        let bySubject = Dictionary(grouping: rows, by: \.key)
        var seen: Set<ReportRow.Key> = []
        return rows.map(\.key).filter { seen.insert($0).inserted }.compactMap { key in
            let totals = (bySubject[key] ?? []).map(\.total)
            let together = converter.total(totals, in: currency)
            let included = totals.filter { $0.currency == currency } + together.originals
            // A subject whose only currency has no rate has a figure of its own.
            guard together.leftOut.count < totals.count else { return nil }
            return Line(
                key: key,
                total: together.total,
                isConverted: together.isConverted,
                received: included.map { Money(minor: $0.incomeMinor, currency: $0.currency) },
                spent: included.map { Money(minor: $0.expenseMinor, currency: $0.currency) }
            )
        }
    }

    private func incomeCell(_ line: Line) -> TableCell {
        cell(line.total.incomeMinor, line.total.currency, line.isConverted ? line.received : [])
    }

    private func expenseCell(_ line: Line) -> TableCell {
        cell(line.total.expenseMinor, line.total.currency, line.isConverted ? line.spent : [])
    }

    /// - Parameter originals: the amounts of each currency in a converted amount. It is exact if there is none of
    ///   another currency.
    private func cell(_ minor: Int64, _ currency: CurrencyCode, _ originals: [Money] = []) -> TableCell {
        let others = originals.filter { $0.minor != 0 }
        let isConverted = others.contains { $0.currency != currency }
        return TableCell(
            Money(minor: minor, currency: currency),
            formats,
            isConverted: isConverted,
            originals: isConverted ? others.map { formats.money($0) }.joined(separator: " + ") : nil
        )
    }

    private func byCurrency(_ amounts: [Money]) -> [Money] {
        var sums: [CurrencyCode: Int64] = [:]
        for amount in amounts {
            sums[amount.currency] = (sums[amount.currency] ?? 0).addingClamped(amount.minor)
        }
        return sums.sorted { $0.key < $1.key }.map { Money(minor: $0.value, currency: $0.key) }
    }

    private func sum(_ values: some Sequence<Int64>) -> Int64 {
        values.reduce(0) { $0.addingClamped($1) }
    }

    private func isAccount(_ key: ReportRow.Key) -> Bool {
        if case .account = key { true } else { false }
    }

    private func name(_ key: ReportRow.Key) -> Text {
        switch key {
        case .category(let id): catalog.categoryName(id)
        case .month(let month): .verbatim(formats.monthTitle(month))
        case .account(let id): catalog.accountName(id)
        case .payee(let payee): payee.isEmpty ? Text("reports.no-payee") : .verbatim(payee)
        }
    }
}
