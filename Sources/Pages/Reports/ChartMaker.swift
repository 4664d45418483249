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

    /// Spending by top category.
    func byCategory(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let all = CategorySlice.slices(rows, currency: currency, catalog: catalog, most: .max - 1)
        guard let largest = all.first else { return nil }
        let whole = sum(all.map(\.minor))
        let shown = CategorySlice.slices(rows, currency: currency, catalog: catalog, most: 5)
        let caption = Text(
            "reports.took-the-most",
            [
                "name": .text(largest.name.isolated),
                "amount": .string(formats.money(largest.minor, currency)),
                "whole": .string(formats.money(whole, currency)),
                "share": .count(percent(largest.minor, of: whole)),
            ]
        )
        let data = shown.map { slice in
            BarDatum(
                name: slice.name,
                color: slice.color,
                minor: slice.minor,
                amount: formats.money(slice.minor, currency)
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .bars(data),
            head: [Text("transactions.category"), Text("overview.spending")],
            rows: all.map {
                TableRow(label: $0.name, href: href(of: $0), cells: [cell($0.minor, currency)])
            }
                + [TableRow(label: Text("reports.together"), cells: [cell(whole, currency)])]
        )
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
        let spending = rows.filter { $0.total.expenseMinor > 0 }
            .sorted { $0.total.expenseMinor > $1.total.expenseMinor }
        guard let largest = spending.first else { return nil }
        let whole = sum(spending.map(\.total.expenseMinor))
        let values: [String: Text.Argument] = [
            "name": .text(name(largest).isolated),
            "amount": .string(formats.money(largest.total.expenseMinor, currency)),
            "share": .count(percent(largest.total.expenseMinor, of: whole)),
            "whole": .string(formats.money(whole, currency)),
        ]
        let caption =
            isAccount(largest)
            ? Text("reports.most-went-through", values) : Text("reports.most-went-to", values)
        var data = spending.prefix(6).map { row in
            BarDatum(
                name: name(row),
                color: "crust",
                minor: row.total.expenseMinor,
                amount: formats.money(row.total.expenseMinor, currency)
            )
        }
        let rest = sum(spending.dropFirst(6).map(\.total.expenseMinor))
        if rest > 0 {
            data.append(
                BarDatum(
                    name: Text("reports.other"),
                    color: "slate",
                    minor: rest,
                    amount: formats.money(rest, currency)
                )
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .bars(data),
            head: [
                isAccount(largest) ? Text("transactions.account") : Text("transactions.payee"),
                Text("overview.income"), Text("overview.spending"),
            ],
            rows: rows.map { row in
                TableRow(
                    label: name(row),
                    cells: [cell(row.total.incomeMinor, currency), cell(row.total.expenseMinor, currency)]
                )
            }
        )
    }

    /// Income and spending by month.
    func byMonth(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let data: [MonthDatum] = rows.compactMap { row in
            guard case .month(let month) = row.key else { return nil }
            return MonthDatum(
                month: month,
                name: formats.shortMonth(month),
                income: row.total.incomeMinor,
                expense: row.total.expenseMinor
            )
        }
        .sorted { $0.month < $1.month }
        guard !data.isEmpty else { return nil }
        let income = sum(data.map(\.income))
        let expense = sum(data.map(\.expense))
        let saved = income.subtractingClamped(expense)
        let caption =
            saved >= 0
            ? Text("reports.more-came-in", ["amount": .string(formats.money(saved, currency))])
            : Text(
                "reports.more-went-out",
                ["amount": .string(formats.money(saved == .min ? .max : -saved, currency))]
            )
        return ChartFigure(
            caption: caption,
            chart: .months(data, formats, currency),
            head: [
                Text("forms.month"), Text("overview.income"), Text("overview.spending"), Text("reports.left"),
            ],
            rows: data.map { datum in
                TableRow(
                    label: .verbatim(formats.monthTitle(datum.month)),
                    cells: [
                        cell(datum.income, currency), cell(datum.expense, currency),
                        cell(datum.income.subtractingClamped(datum.expense), currency),
                    ]
                )
            }
        )
    }

    /// The total of all accounts of a currency at the end of each month.
    func worth(_ points: [NetWorthPoint], _ currency: CurrencyCode) -> ChartFigure? {
        let sorted = points.sorted { $0.month < $1.month }
        guard let first = sorted.first, let last = sorted.last, sorted.count > 1 else { return nil }
        let change = last.balanceMinor.addingClamped(first.balanceMinor == .min ? .max : -first.balanceMinor)
        let by = formats.money(change < 0 ? (change == .min ? .max : -change) : change, currency)
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
                minor: point.balanceMinor,
                amount: formats.money(point.balanceMinor, currency)
            )
        }
        return ChartFigure(
            caption: caption,
            chart: .worth(data),
            head: [Text("forms.month"), Text("reports.at-its-end")],
            rows: sorted.map {
                TableRow(
                    label: .verbatim(formats.monthTitle($0.month)),
                    cells: [cell($0.balanceMinor, currency)]
                )
            }
        )
    }

    private func cell(_ minor: Int64, _ currency: CurrencyCode) -> TableCell {
        TableCell(minor: minor, currency: currency, text: formats.money(minor, currency))
    }

    private func sum(_ values: some Sequence<Int64>) -> Int64 {
        values.reduce(0) { $0.addingClamped($1) }
    }

    private func isAccount(_ row: ReportRow) -> Bool {
        if case .account = row.key { true } else { false }
    }

    private func name(_ row: ReportRow) -> Text {
        switch row.key {
        case .category(let id): catalog.categoryName(id)
        case .month(let month): .verbatim(formats.monthTitle(month))
        case .account(let id): catalog.accountName(id)
        case .payee(let payee): payee.isEmpty ? Text("reports.no-payee") : .verbatim(payee)
        }
    }
}
