// The figure that compares the spending of a month with earlier months, with a sentence for each category.

import Ledger
import Links
import Texts

extension ChartMaker {
    /// Spending by top category, up to the same day of the month before, and on average.
    func comparison(_ comparison: SpendingComparison, _ currency: CurrencyCode) -> ChartFigure? {
        let (now, before) = (byTop(comparison.rows), byTop(comparison.rowsBefore))
        let year = byTop(comparison.rowsOfYear)
        let ids = Set(now.keys).union(before.keys).union(year.keys)
        func compared(_ id: EntityID?) -> Compared {
            Compared(
                name: catalog.categoryName(id),
                filter: id.map { .family($0) } ?? .uncategorized,
                color: catalog.category(id)?.color ?? "slate",
                now: now[id] ?? [],
                before: before[id] ?? [],
                year: year[id] ?? []
            )
        }
        let lines = ids.map(compared).map { ($0, values($0, comparison, currency)) }
            .filter { $1.now != 0 || $1.before != 0 || $1.average != 0 }
            .sorted { first, second in
                let (left, right) = (first.1, second.1)
                return (right.now, right.average, first.0.filter?.description ?? "")
                    < (left.now, left.average, second.0.filter?.description ?? "")
            }
        guard !lines.isEmpty else { return nil }
        let whole = Compared(
            name: wholeName(comparison),
            filter: nil,
            color: "slate",
            now: lines.flatMap(\.0.now),
            before: lines.flatMap(\.0.before),
            year: lines.flatMap(\.0.year)
        )
        let sums = values(whole, comparison, currency)
        let shown = lines.prefix(8).map { line, values in
            ComparisonDatum(
                name: line.name,
                color: line.color,
                amount: formats.money(values.now, currency, isConverted: values.isConverted),
                minors: [values.now, values.before, values.average],
                href: href(of: line, comparison.days)
            )
        }
        return ChartFigure(
            caption: sentence(whole.name, sums, comparison, currency),
            chart: .comparison(
                shown,
                [title(comparison.days), title(comparison.daysBefore), Text("reports.average")]
            ),
            sentences: lines.map { line, values in
                LinkedText(
                    text: sentence(line.name.isolated, values, comparison, currency),
                    href: href(of: line, comparison.days)
                )
            },
            head: [
                Text("transactions.category"), title(comparison.days), title(comparison.daysBefore),
                Text("reports.average"),
            ],
            rows: (lines + [(whole, sums)]).map { line, values in
                var average = TableCell(
                    MoneySum(minor: values.average, currency: currency),
                    formats,
                    isConverted: values.isConverted
                )
                average.href = comparison.daysOfYear.map { href(of: line, $0) }
                return TableRow(
                    label: line.filter == nil ? Text("reports.together") : line.name,
                    href: href(of: line, comparison.days),
                    cells: [
                        cell(line.now, currency, href: href(of: line, comparison.days)),
                        cell(line.before, currency, href: href(of: line, comparison.daysBefore)),
                        average,
                    ]
                )
            },
            note: comparison.monthsOfYear == 0
                ? nil : Text("reports.average-of", ["count": .count(comparison.monthsOfYear)])
        )
    }

    /// The spending of a category, with the categories below it.
    private struct Compared {
        let name: Text
        let filter: CategoryFilter?
        let color: String
        let now: [ReportAmount]
        let before: [ReportAmount]
        let year: [ReportAmount]
    }

    private struct Values {
        let now: Int128
        let before: Int128
        let average: Int128
        let isConverted: Bool
    }

    private func values(_ line: Compared, _ comparison: SpendingComparison, _ currency: CurrencyCode)
        -> Values
    {
        let sums = [line.now, line.before, line.year].map { sum($0, currency) }
        let months = Int128(max(comparison.monthsOfYear, 1))
        let (quotient, remainder) = sums[2].sum.minor.quotientAndRemainder(dividingBy: months)
        // Halves are rounded away from zero.
        let isRoundedUp = abs(remainder) * 2 >= months
        return Values(
            now: sums[0].sum.minor,
            before: sums[1].sum.minor,
            average: isRoundedUp ? quotient + remainder.signum() : quotient,
            isConverted: sums.contains(where: \.isConverted)
        )
    }

    private func byTop(_ rows: [ReportRow]) -> [EntityID?: [ReportAmount]] {
        var amounts: [EntityID?: [ReportAmount]] = [:]
        for row in rows where row.hasExpense {
            guard case .category(let id) = row.key else { continue }
            let top = catalog.category(id)?.parent ?? id
            amounts[top, default: []].append(row.expense)
        }
        return amounts
    }

    private func sentence(
        _ name: Text,
        _ values: Values,
        _ comparison: SpendingComparison,
        _ currency: CurrencyCode
    ) -> Text {
        let amount = formats.money(values.now, currency, isConverted: values.isConverted)
        guard comparison.monthsOfYear > 0 else {
            let words = Text(
                "reports.compared-with-nothing",
                ["name": .text(name), "amount": .string(amount)]
            )
            return .saying(values.now, in: words)
        }
        func more(_ other: Int128) -> [String: Text.Argument] {
            let by = formats.money(distance(values.now, other), currency, isConverted: values.isConverted)
            return ["amount": .string(by)]
        }
        let last =
            if values.now == values.before {
                Text("reports.same-as-last")
            } else if values.now > values.before {
                Text("reports.more-than-last", more(values.before))
            } else {
                Text("reports.less-than-last", more(values.before))
            }
        let average =
            if values.now == values.average {
                Text("reports.same-as-average")
            } else if values.now > values.average {
                Text("reports.more-than-average", more(values.average))
            } else {
                Text("reports.less-than-average", more(values.average))
            }
        let words = Text(
            "reports.compared",
            ["name": .text(name), "amount": .string(amount), "last": .text(last), "average": .text(average)]
        )
        let (fromLast, fromAverage) = (values.now - values.before, values.now - values.average)
        return .saying(values.now, fromLast, fromAverage, in: words)
    }

    private func wholeName(_ comparison: SpendingComparison) -> Text {
        Text("reports.spending-of", ["days": .text(title(comparison.days))])
    }

    /// `November 2026`, or `25 Nov 2026` for a month up to that day.
    private func title(_ days: ClosedRange<CivilDate>) -> Text {
        days.upperBound == days.lowerBound.yearMonth.lastDay
            ? .verbatim(formats.monthTitle(days.lowerBound.yearMonth))
            : Text("reports.up-to", ["day": .string(formats.style.shortDay(days.upperBound))])
    }

    private func href(of line: Compared, _ days: ClosedRange<CivilDate>) -> Link {
        var query = TransactionQuery()
        query.days = days
        query.isSpending = true
        query.category = line.filter
        return TransactionsPage.href(query)
    }
}
