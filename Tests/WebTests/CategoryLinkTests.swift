// Where the lines of a month's spending lead.
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

@Test func incomeOfADeletedCategoryOfSpendingIsShownAsARefund() {
    let sample = Sample()
    let transaction = Transaction(
        id: Sample.id(1),
        kind: .income,
        date: sample.formats.today,
        amount: Money(minor: 1_200, currency: Sample.eur),
        account: Sample.id(2),
        accountMinor: 1_200,
        category: Sample.id(3)
    )
    let choices = BookChoices(accounts: [], categories: [], deletedSpending: [Sample.id(3)])
    #expect(Catalog(choices).isRefund(transaction))
    #expect(!Catalog(BookChoices(accounts: [], categories: [])).isRefund(transaction))
}

@Test func onlyTheLineWithoutACategoryLeadsToWhatHasNone() throws {
    let sample = Sample()
    let ids: [EntityID?] = [nil] + (1...8).map { Sample.id(900 + $0) }
    let rows = ids.enumerated().map { place, id in
        ReportRow(
            key: .category(id),
            total: CurrencyTotal(
                currency: Sample.eur,
                incomeMinor: 0,
                expenseMinor: Int128(1_000 - place),
                count: 1
            )
        )
    }
    let slices = CategorySlice.slices(rows, currency: Sample.eur, catalog: sample.catalog, most: 5, .alone)
    #expect(slices.map(\.filter) == [.uncategorized] + ids[1...4].map { $0.map { .family($0) } } + [nil])
    #expect(slices.last?.name == Text("reports.other"))
    let lines = SpendingLine.lines(
        rows,
        month: sample.formats.today.yearMonth,
        catalog: sample.catalog,
        formats: sample.formats
    )
    #expect(lines.first?.href.text == "/transactions?month=2026-11&category=none&kind=spending")
    // No list is one of all other categories: the report has a line for each of them.
    #expect(lines.last?.href.text == "/reports?from=2026-11-01&to=2026-11-30")
}

@Test func theAddressOfAListKeepsItsFilterByMissingCategories() {
    var query = TransactionQuery()
    query.category = .uncategorized
    query.text = "rent"
    #expect(TransactionsPage.href(query).text == "/transactions?month=all&category=none&q=rent")
}
