// The exchange rates that a book keeps: one set, which is no change of the user.
import Ledger
import Storage
import Synchronization
import TestKit
import Testing

@testable import Book

@Suite struct RatesOfABook {
    private let folder = Scratch()

    private func rates(_ iso: String, _ texts: [(String, String)]) throws -> ExchangeRates {
        var rates: [CurrencyCode: ExchangeRate] = [:]
        for (code, text) in texts {
            let rate = try #require(ExchangeRate(text))
            rates[try #require(CurrencyCode(code))] = rate
        }
        return ExchangeRates(day: day(iso), source: .europeanCentralBank, rates: rates)
    }

    @Test func aNewBookHasNone() throws {
        #expect(try Book.scratch(folder).rates() == nil)
    }

    @Test func theLastSetReplacesTheOneBeforeAndSurvivesReopening() throws {
        var book = try Book.scratch(folder)
        try book.store(try rates("2025-11-20", [("USD", "1.0823"), ("CYP", "0.58")]))
        let newer = try rates("2025-11-21", [("USD", "1.0801"), ("JPY", "163.06"), ("IDR", "17123.45678")])
        try book.store(newer)
        #expect(try book.rates() == newer)
        book.close()
        #expect(throws: BookError.closed) { try book.rates() }
        book = try Book.scratch(folder)
        #expect(try book.rates() == newer)
        #expect(try book.rates()?.rates.count == 3)
    }

    @Test func aSetWithoutRatesRemovesTheStoredOne() throws {
        let book = try Book.scratch(folder)
        try book.store(try rates("2025-11-20", [("USD", "1.0823")]))
        try book.store(try rates("2025-11-21", []))
        #expect(try book.rates() == nil)
    }

    @Test func storingRatesIsNoChangeOfTheUser() throws {
        let changes = Mutex(0)
        let book = try Book.open(
            at: folder("book.sqlite"),
            clock: { noon },
            changed: { changes.withLock { $0 += 1 } }
        )
        try book.store.inDatabase { db in
            try db.execute(
                sql: """
                    UPDATE sync SET is_capturing = 1, replica = '\(EntityID.number(900))', epoch = 1, cursor = 3
                    """
            )
        }
        try book.store(try rates("2025-11-20", [("USD", "1.0823")]))
        #expect(try book.history(limit: 10) == [])
        #expect(try book.store.inDatabase { try $0.number("SELECT count(*) FROM outbox") } == 0)
        #expect(changes.withLock { $0 } == 0)
    }

    @Test func rowsThatThisVersionCannotReadAreNoRates() throws {
        let book = try Book.scratch(folder)
        try book.store.inDatabase { db in
            try db.execute(
                sql: """
                    INSERT INTO rates (currency, rate, day, source, base) VALUES
                      ('USD', '1.0823', 20412, 'ecb', 'EUR'), ('JPY', 'many', 20412, 'ecb', 'EUR'),
                      ('CHF', '0.93', 20412, 'another bank', 'EUR')
                    """
            )
        }
        #expect(try book.rates() == rates("2025-11-20", [("USD", "1.0823")]))
    }
}
