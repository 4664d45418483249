// The shares of a report by payee: what has no payee, and what is beyond the last line, are parts of the whole.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct SharesOfPayees {
    private let sample = Sample()

    private func page(_ spending: [(payee: String, minor: Int128)]) -> ReportsPage {
        ReportsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            kind: .payee,
            state: FormState(values: ["from": "2026-11", "to": "2026-11"]),
            content: .totals(
                spending.map { payee, minor in
                    ReportRow(
                        key: .payee(payee),
                        total: CurrencyTotal(
                            currency: Sample.eur,
                            incomeMinor: 0,
                            expenseMinor: minor,
                            count: 1
                        )
                    )
                }
            )
        )
    }

    private func caption(_ page: ReportsPage) throws -> String {
        try Repository.texts().string(try #require(page.charts.first).caption)
    }

    @Test(
        arguments: [
            ([("", 7_000), ("X", 3_000)], "X", ": 30.00\u{a0}EUR, 30% of 100.00\u{a0}EUR"),
            ([("X", 7_000), ("", 3_000)], "X", ": 70.00\u{a0}EUR, 70% of 100.00\u{a0}EUR"),
            ([("", 3_000)], "No payee", ": 30.00\u{a0}EUR, 100% of 30.00\u{a0}EUR"),
            ([("", 3_000), ("X", -1_000)], "No payee", ": 30.00\u{a0}EUR, 150% of 20.00\u{a0}EUR"),
            ([("X", 3_000)], "X", ": 30.00\u{a0}EUR, 100% of 30.00\u{a0}EUR"),
        ] as [([(String, Int128)], String, String)]
    )
    func theWholeHasWhatHasNoPayee(_ rows: [(String, Int128)], _ name: String, _ words: String) throws {
        let page = page(rows)
        let caption = try caption(page)
        #expect(caption.contains(name) && caption.hasSuffix(words), "\(caption)")
        let lines = try #require(page.charts.first).rows
        #expect(lines.count == rows.count)
        #expect(lines.compactMap(\.cells.last?.minor).reduce(0, +) == rows.reduce(0) { $0 + $1.1 })
        let links = lines.compactMap { $0.href?.text }
        #expect(links.contains { $0.contains("without=payee") } == rows.contains { $0.0.isEmpty })
    }

    @Test(arguments: [199, 200, 201, 250, 3_000]) func theLastLineHasTheOthers(count: Int) throws {
        let rows = (1...count).map { ("Payee \($0)", Int128($0) * 100) }
        let page = page(rows)
        let whole = rows.reduce(0) { $0 + $1.1 }
        #expect(try caption(page).contains(sample.formats.money(whole, Sample.eur)))
        let lines = try #require(page.charts.first).rows
        #expect(lines.count == min(count, 200))
        #expect(lines.compactMap(\.cells.last?.minor).reduce(0, +) == whole)
        #expect(lines.filter { $0.href == nil }.count == (count > 200 ? 1 : 0))
        let cells = page.table(try Repository.texts())
        #expect(cells.count == min(count, 200) + 1)
    }
}
