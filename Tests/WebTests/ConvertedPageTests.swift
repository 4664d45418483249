// Pages with several currencies: one converted total for premium, totals by currency for others.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct ConvertedPages {
    private let sample = Sample()
    private let renderer: Renderer

    init() throws { renderer = try Renderer() }

    private func html(_ page: some Page) throws -> HTMLReader {
        HTMLReader(try renderer.render(page))
    }

    private static let upgrade =
        "Upgrade to Breadly Premium to see converted totals in your base currency."

    /// 1,659.30 + 18.99 dollars + 12.99 francs, and 3,124.00 + 900.01 francs.
    @Test func premiumSeesOneTotalWithItsOriginals() throws {
        for html in [try html(sample.mixedOverview(.fresh)), try html(sample.mixedList(.fresh))] {
            let marked = html.all(nil, ["data-converted": "", "data-rate-date": "2026-11-20"])
            let amounts = Set(marked.compactMap { $0["data-amount"] })
            #expect(amounts.isSuperset(of: ["408999", "-169079"]), "\(amounts)")
            #expect(marked.allSatisfy { $0["data-currency"] == "EUR" && $0.text.contains("Converted: ≈") })
            let text = mainText(html)
            #expect(text.contains("Of it in USD") && text.contains("\u{2212}18.99 USD"))
            #expect(text.contains("Of it in CHF"))
            #expect(text.contains("Without a rate, not in the total: \u{2212}500.00 RUB"))
            #expect(text.contains("Rates of Friday 20 November 2026"))
            #expect(!text.contains(Self.upgrade) && !text.contains("Also in"))
            #expect(html.all("a", ["href": "/rates"]).count >= 1)
        }
    }

    @Test func accountsHaveOneTotalAndKeepTheirBalances() throws {
        let html = try html(sample.mixedAccounts(.fresh))
        let marked = html.all(nil, ["data-converted": ""])
        // 83.50 + 2,412.77 - 312.40 and 120 dollars; the roubles have no rate.
        #expect(marked.map { $0["data-amount"] } == ["229474"])
        #expect(mainText(html).contains("Without a rate, not in the total: 8,100.00 RUB"))
        #expect(html.all(nil, ["data-amount": "12000", "data-currency": "USD"]).count == 2)
    }

    @Test(arguments: ReportGroup.allCases) func reportsHaveOneFigureAndTheOriginalsInTheTable(
        group: ReportGroup
    ) throws {
        let page = try html(sample.mixedReport(.fresh, group))
        #expect(!page.all("td", ["data-converted": "", "data-rate-date": "2026-11-20"]).isEmpty)
        let text = mainText(page)
        if group == .category {
            // 47.65 and 18.99 dollars, with the roubles in a figure of their own.
            #expect(page.all("td", ["data-amount": "6520"]).count == 1)
            #expect(text.contains("47.65 EUR + 18.99 USD"))
            #expect(text.contains("of ≈ 1,676.85 EUR"))
            #expect(text.contains("took the most: 500.00 RUB of 500.00 RUB, 100%"))
        }
        if group == .month { #expect(text.contains("EUR + 50.00 USD")) }
    }

    @Test func aReportWhoseDayRatesAreNotThereSaysWhichOnesItHas() throws {
        let page = mainText(try html(sample.reportWithoutDayRates))
        #expect(page.contains("The rates of each day are not here yet, so these are the latest ones."))
        #expect(page.contains("Rates of Friday 20 November 2026"))
        #expect(!page.contains("Each amount is converted at the rate of its day"))
    }

    @Test func netWorthIsOneFigureWithItsOriginals() throws {
        let page = try html(sample.mixedWorth(.fresh))
        #expect(page.all("figure", [:]).count == 3)
        #expect(!page.all("td", ["data-converted": "", "data-rate-date": "2026-11-20"]).isEmpty)
        #expect(mainText(page).contains("EUR + 120.00 USD"))
    }

    @Test func budgetsSayWhatIsConvertedAndWhatIsNot() throws {
        let html = try html(sample.mixedBudgets(.fresh))
        let text = mainText(html)
        #expect(text.contains("With 3 expenses in other currencies, converted at the latest rates."))
        #expect(
            text.contains(
                "1 expense of this month is in a currency without an exchange rate and is not counted."
            )
        )
        #expect(html.all("a", ["data-converted": ""]).count == 1 && !text.contains("Upgrade"))
    }

    @Test func oldRatesAndCachedOnesAreToldOnEveryPage() throws {
        func texts(_ state: Sample.RatesState) throws -> [String] {
            [
                mainText(try html(sample.mixedOverview(state))),
                mainText(try html(sample.mixedAccounts(state))),
                mainText(try html(sample.mixedList(state))), mainText(try html(sample.mixedBudgets(state))),
                mainText(try html(sample.mixedReport(state, .month))),
                mainText(try html(sample.ratesPage(state))),
            ]
        }
        for text in try texts(.stale) { #expect(text.contains("Rates updated 50 hours ago"), "\(text)") }
        for text in try texts(.offline) {
            #expect(text.contains("Using cached rates from Friday 20 November 2026"), "\(text)")
            #expect(!text.contains("hours ago"))
        }
        for text in try texts(.fresh) { #expect(!text.contains("hours ago") && !text.contains("cached")) }
    }

    @Test(arguments: [Sample.RatesState.none, .guest])
    func withoutRatesTotalsStayByCurrency(state: Sample.RatesState) throws {
        for page in [
            try html(sample.mixedOverview(state)), try html(sample.mixedList(state)),
            try html(sample.mixedAccounts(state)), try html(sample.mixedReport(state, .category)),
        ] {
            let text = mainText(page)
            #expect(page.all(nil, ["data-converted": ""]).isEmpty && !text.contains("≈"))
            #expect(text.contains(Self.upgrade) == (state == .guest))
            #expect(text.contains("USD") && !text.contains("Without a rate"))
        }
    }

    @Test func thePageOfRatesShowsBothDirections() throws {
        let html = try html(sample.ratesPage(.fresh))
        let text = mainText(html)
        #expect(text.contains("Rates of Friday 20 November 2026, published by the European Central Bank."))
        #expect(html.all("tr", ["data-rate": ""]).map { $0["data-rate"] } == ["USD", "CHF"])
        let dollar = try #require(html.first("tr", ["data-rate": "USD"]))
        #expect(dollar.text.replacing("\u{a0}", with: " ").contains("1.0823 USD 0.92396 EUR"))
        #expect(
            mainText(try self.html(sample.ratesPage(.none))).contains("There are no exchange rates yet.")
        )
        #expect(mainText(try self.html(sample.ratesPage(.guest))).contains(Self.upgrade))
    }

    @Test func aPastMonthSaysNothingAboutTheDaysLeft() throws {
        let october = sample.formats.today.yearMonth.previous
        let page = try html(sample.mixedOverview(.fresh, month: october, budgets: sample.budgets))
        let text = mainText(page)
        #expect(text.contains("Left in October 2026") && text.contains("Accounts at the end of October 2026"))
        #expect(!text.contains("this month") && !text.contains("a day") && !text.contains("gone"))
        #expect(page.first("a", ["rel": "next"])?["href"] == "/")
        #expect(page.first("a", ["rel": "prev"])?["href"] == "/?month=2026-09")
        for path in ["/budgets?month=2026-10", "/transactions?month=2026-10"] {
            #expect(!page.all("a", ["href": path]).isEmpty, "\(path)")
        }
        var over = sample.budgets
        over[0].spentMinor = 240_000
        #expect(
            mainText(try html(sample.mixedOverview(.fresh, month: october, budgets: over)))
                .contains("2,400.00 EUR of 2,300.00 EUR spent.")
        )
        let without = mainText(try html(sample.mixedOverview(.guest, month: october)))
        #expect(
            without.contains("Left of the income of October 2026")
                && without.contains("53% of the income spent.")
        )
    }
}
