// The figures of income and spending, of cash flow and of net worth, month by month.

import Ledger
import Links
import Texts

extension ChartMaker {
    /// Income and spending by month.
    func byMonth(_ rows: [ReportRow], _ currency: CurrencyCode) -> ChartFigure? {
        let lines = together(rows, currency).compactMap { line -> (month: YearMonth, line: Line)? in
            if case .month(let month) = line.key { (month: month, line: line) } else { nil }
        }
        .sorted { $0.month < $1.month }
        guard !lines.isEmpty else { return nil }
        let data = lines.map { month, line in
            MonthDatum(
                name: formats.shortMonth(month),
                first: line.total.incomeMinor,
                second: line.total.expenseMinor,
                firstHref: href(line.key) { $0.kind = .income },
                secondHref: href(line.key) { $0.isSpending = true }
            )
        }
        let whole = valuation.total(rows, in: currency)
        let (income, expense) = (whole.total.incomeMinor, whole.total.expenseMinor)
        let between = distance(income, expense)
        let amount = formats.money(between, currency, isConverted: whole.isConverted)
        let caption =
            income >= expense
            ? Text("reports.more-came-in", ["amount": .string(amount)])
            : Text("reports.more-went-out", ["amount": .string(amount)])
        return ChartFigure(
            caption: .saying(between, in: caption),
            chart: .months(data, Text("overview.income"), Text("overview.spending"), formats, currency),
            head: [
                Text("forms.month"), Text("overview.income"), Text("overview.spending"), Text("reports.left"),
            ],
            rows: lines.map { month, line in
                let left = line.total.incomeMinor - line.total.expenseMinor
                var leftCell = TableCell(
                    MoneySum(minor: left, currency: currency),
                    formats,
                    isConverted: line.isConverted
                )
                leftCell.href = href(line.key)
                return TableRow(
                    label: .verbatim(formats.monthTitle(month)),
                    href: href(line.key),
                    cells: [incomeCell(line), expenseCell(line), leftCell]
                )
            }
        )
    }

    /// The cash flow of the accounts for daily use.
    func flow(_ flows: [CashFlow], _ currency: CurrencyCode) -> ChartFigure? {
        let months = byMonth(flows, \.month)
        guard let first = months.first, let last = months.last else { return nil }
        func amounts(_ flows: [CashFlow], _ minor: (CashFlow) -> Int128) -> [ReportAmount] {
            flows.map { ReportAmount(money: MoneySum(minor: minor($0), currency: $0.currency)) }
        }
        func balance(_ flows: [CashFlow], _ minor: (CashFlow) -> Int128, _ href: Link) -> TableCell {
            flows.allSatisfy(\.isBalanceUnknown)
                ? TableCell(unknown: Text("accounts.unknown"), currency)
                : cell(amounts(flows, minor), currency, href: href)
        }
        let unknownCount = last.items.reduce(0) { $0 + $1.unknownCount }
        let without = Text.withoutUnknown(unknownCount).map {
            [$0, Text("reports.flow-of-unknown-counts", ["count": .count(unknownCount)])]
        }
        // The transactions of these accounts, as the numbers count them.
        func href(_ month: YearMonth, _ narrow: (inout TransactionQuery) -> Void = { _ in }) -> Link {
            self.href(.month(month)) { query in
                query.isOfDailyUse = true
                narrow(&query)
            }
        }
        let data = months.map { month, flows in
            MonthDatum(
                name: formats.shortMonth(month),
                first: sum(amounts(flows, \.incomeMinor), currency).sum.minor,
                second: sum(amounts(flows, \.expenseMinor), currency).sum.minor,
                firstHref: href(month) { $0.kind = .income },
                secondHref: href(month) { $0.isSpending = true }
            )
        }
        let caption = grown(
            from: sum(amounts(first.items, \.startMinor), currency),
            to: sum(amounts(last.items, \.endMinor), currency),
            .verbatim(formats.monthTitle(first.month)),
            grew: { Text("reports.cash-grew", $0) },
            shrank: { Text("reports.cash-shrank", $0) },
            stands: { Text("reports.cash-same", $0) }
        )
        let isUnknown = last.items.allSatisfy(\.isBalanceUnknown)
        let hasOpened = flows.contains { $0.openedMinor != 0 }
        return ChartFigure(
            caption: isUnknown ? Text("reports.balances-unknown") : caption,
            chart: .months(data, Text("reports.came-in"), Text("reports.went-out"), formats, currency),
            head: [
                Text("forms.month"), Text("reports.at-its-beginning"), Text("reports.came-in"),
                Text("reports.went-out"), Text("reports.moved"),
            ] + (hasOpened ? [Text("reports.opened")] : []) + [Text("reports.at-its-end")],
            rows: months.map { month, flows in
                let balances = balancesHref(month, currency)
                return TableRow(
                    label: .verbatim(formats.monthTitle(month)),
                    href: href(month),
                    cells: [
                        balance(flows, \.startMinor, balances),
                        cell(
                            amounts(flows, \.incomeMinor),
                            currency,
                            href: href(month) { $0.kind = .income }
                        ),
                        cell(
                            amounts(flows, \.expenseMinor),
                            currency,
                            href: href(month) { $0.isSpending = true }
                        ),
                        cell(
                            amounts(flows, \.movedMinor),
                            currency,
                            href: href(month) { $0.kind = .transfer }
                        ),
                    ] + (hasOpened ? [cell(amounts(flows, \.openedMinor), currency, href: balances)] : [])
                        + [balance(flows, \.endMinor, balances)]
                )
            },
            note: Text.sentences([Text("reports.cash-flow-note")] + (without ?? []))
        )
    }

    /// The total of all accounts at the end of each month, and what of it is owed.
    /// - Parameter accounts: the accounts of the total, and the accounts whose balances are unknown.
    func worth(_ points: [NetWorthPoint], _ accounts: [AccountWorth], _ currency: CurrencyCode)
        -> [ChartFigure]
    {
        let months = byMonth(points, \.month)
        guard let first = months.first, let last = months.last else { return [] }
        let without = Text.withoutUnknown(accounts.count { $0.unknown != nil })
        func amounts(_ points: [NetWorthPoint], _ minor: (NetWorthPoint) -> Int128) -> [ReportAmount] {
            points.map {
                valuation.amount(MoneySum(minor: minor($0), currency: $0.currency), on: $0.month.lastDay)
            }
        }
        func debts(_ points: [NetWorthPoint]) -> [ReportAmount] {
            amounts(points) { -$0.debtMinor }
        }
        let data = months.map { month, points in
            let together = sum(amounts(points, \.balanceMinor), currency)
            return WorthDatum(
                name: formats.shortMonth(month),
                minor: together.sum.minor,
                amount: formats.money(together.sum.minor, currency, isConverted: together.isConverted),
                href: balancesHref(month, currency)
            )
        }
        let rows = months.map { month, points in
            let balances = balancesHref(month, currency)
            return TableRow(
                label: .verbatim(formats.monthTitle(month)),
                href: href(.month(month)),
                cells: [
                    cell(amounts(points, \.assetMinor), currency, href: balances),
                    cell(debts(points), currency, href: balances),
                    cell(amounts(points, \.balanceMinor), currency, href: balances),
                ]
            )
        }
        let end = sum(amounts(last.items, \.balanceMinor), currency)
        var figures = [
            ChartFigure(
                caption: months.count > 1
                    ? grown(
                        from: sum(amounts(first.items, \.balanceMinor), currency),
                        to: end,
                        .verbatim(formats.monthTitle(first.month)),
                        grew: { Text("reports.accounts-grew", $0) },
                        shrank: { Text("reports.accounts-shrank", $0) },
                        stands: { Text("reports.accounts-stand-where", $0) }
                    )
                    : .saying(
                        end.sum.minor,
                        in: Text(
                            "reports.accounts-hold",
                            [
                                "amount": .string(
                                    formats.money(end.sum.minor, currency, isConverted: end.isConverted)
                                ),
                                "month": .string(formats.monthTitle(last.month)),
                            ]
                        )
                    ),
                chart: months.count > 1 ? .worth(data) : nil,
                head: [
                    Text("forms.month"), Text("reports.assets"), Text("reports.debts"),
                    Text("reports.at-its-end"),
                ],
                rows: rows,
                note: without
            )
        ]
        let pairs = months.map { month, points in
            MonthDatum(
                name: formats.shortMonth(month),
                first: sum(amounts(points, \.assetMinor), currency).sum.minor,
                second: sum(debts(points), currency).sum.minor,
                firstHref: balancesHref(month, currency),
                secondHref: balancesHref(month, currency)
            )
        }
        if pairs.contains(where: { $0.second > 0 }) {
            let (owned, owed) = (
                sum(amounts(last.items, \.assetMinor), currency), sum(debts(last.items), currency)
            )
            let caption = Text(
                "reports.debts-against-assets",
                [
                    "debts": .string(
                        formats.money(owed.sum.minor, currency, isConverted: owed.isConverted)
                    ),
                    "assets": .string(
                        formats.money(owned.sum.minor, currency, isConverted: owned.isConverted)
                    ),
                    "month": .string(formats.monthTitle(last.month)),
                ]
            )
            figures.append(
                ChartFigure(
                    caption: .saying(owed.sum.minor, owned.sum.minor, in: caption),
                    chart: .months(pairs, Text("reports.assets"), Text("reports.debts"), formats, currency),
                    note: without
                )
            )
        }
        return figures
    }

    /// The balance of each account, and its change.
    func worthByAccount(_ accounts: [AccountWorth], _ currency: CurrencyCode) -> ChartFigure? {
        let accounts = accounts.filter { valuation.converts || $0.currency == currency }
        let unknown = accounts.filter { $0.unknown != nil }.sorted { $0.account < $1.account }
        let lines = accounts.filter { $0.unknown == nil }.compactMap {
            account -> (account: AccountWorth, minor: Int128, isConverted: Bool)? in
            let together = sum([worth(account).after], currency)
            guard together.leftOut.isEmpty else { return nil }
            return (account, together.sum.minor, together.isConverted)
        }
        .sorted { ($1.minor, $0.account.account) < ($0.minor, $1.account.account) }
        guard !lines.isEmpty || !unknown.isEmpty else { return nil }
        let bars = lines.filter { $0.minor > 0 }.map { line in
            BarDatum(
                name: catalog.accountName(line.account.account),
                color: "crust",
                minor: line.minor,
                amount: formats.money(line.minor, currency, isConverted: line.isConverted),
                href: href(.account(line.account.account))
            )
        }
        var caption = lines.isEmpty ? Text("reports.balances-unknown") : Text("reports.no-account-holds")
        if let largest = lines.first, largest.minor > 0 {
            let amount = formats.money(largest.minor, currency, isConverted: largest.isConverted)
            let words = Text(
                "reports.holds-the-most",
                [
                    "name": .text(catalog.accountName(largest.account.account).isolated),
                    "amount": .string(amount),
                ]
            )
            caption = .saying(largest.minor, in: words)
        }
        return ChartFigure(
            id: Self.balancesID(currency),
            caption: caption,
            chart: bars.isEmpty ? nil : .bars(bars),
            head: [
                Text("transactions.account"), Text("reports.at-the-beginning"), Text("reports.at-the-end"),
                Text("reports.change"),
            ],
            rows: lines.map { row(of: $0.account, currency) } + unknown.map { row(of: $0, currency) },
            note: Text.withoutUnknown(unknown.count)
        )
    }

    private func row(of account: AccountWorth, _ currency: CurrencyCode) -> TableRow {
        let link = href(.account(account.account)) { query in
            query.isAsCharged = account.currency != formats.base
        }
        let cells: [TableCell]
        if let since = formats.words(for: account.unknown, on: days?.upperBound) {
            let unknown = TableCell(unknown: Text("accounts.unknown"), account.currency)
            cells = [unknown, TableCell(unknown: since, account.currency), unknown]
        } else {
            let worth = worth(account)
            cells = [
                cell(
                    [worth.before],
                    currency,
                    href: registerHref(account.account, days?.lowerBound.adding(days: -1))
                ),
                cell([worth.after], currency, href: registerHref(account.account, lastDay)),
                // The list of its transactions does not have the opening balance.
                cell(
                    [worth.change],
                    currency,
                    href: account.openedMinor == 0 ? link : registerHref(account.account, nil)
                ),
            ]
        }
        return TableRow(label: catalog.accountName(account.account), href: link, cells: cells)
    }

    /// The balances of an account before the report and at its end, and their difference.
    private func worth(_ account: AccountWorth) -> (
        before: ReportAmount, after: ReportAmount, change: ReportAmount
    ) {
        func amount(_ minor: Int128, _ day: CivilDate?) -> ReportAmount {
            let money = MoneySum(minor: minor, currency: account.currency)
            return day.map { valuation.amount(money, on: $0) } ?? ReportAmount(money: money)
        }
        let before = amount(account.beforeMinor, days?.lowerBound.adding(days: -1))
        let after = amount(account.afterMinor, days?.upperBound)
        var change = ReportAmount(
            money: MoneySum(minor: account.afterMinor - account.beforeMinor, currency: account.currency)
        )
        if let from = before.value, let to = after.value { change.value = to - from }
        return (before, after, change)
    }

    private func byMonth<Item>(_ items: [Item], _ month: (Item) -> YearMonth) -> [(
        month: YearMonth, items: [Item]
    )] {
        Dictionary(grouping: items, by: month).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func grown(
        from first: ConvertedSum,
        to last: ConvertedSum,
        _ month: Text,
        grew: ([String: Text.Argument]) -> Text,
        shrank: ([String: Text.Argument]) -> Text,
        stands: ([String: Text.Argument]) -> Text
    ) -> Text {
        let change = distance(first.sum.minor, last.sum.minor)
        let amount = formats.money(
            change,
            first.sum.currency,
            isConverted: first.isConverted || last.isConverted
        )
        if first.sum.minor == last.sum.minor { return stands(["month": .text(month)]) }
        let arguments: [String: Text.Argument] = ["amount": .string(amount), "month": .text(month)]
        return .saying(
            change,
            in: first.sum.minor < last.sum.minor ? grew(arguments) : shrank(arguments)
        )
    }
}
