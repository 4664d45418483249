// The exchange rates of many days that the device received, for reports by the rates of each day.
import GRDB
public import Ledger
import Storage

/// A history of rates, and the range that was requested.
public struct StoredRateHistory: Hashable, Sendable {
    /// The range. The history may begin later, or be empty, because the cloud has no more.
    public let range: RateHistoryRange
    /// The rates.
    public let history: RateHistory
}

/// The year of the first reference rates of the European Central Bank.
private let firstYearOfRates = 1999

extension Book {
    /// The range that reports of the book need.
    /// - Parameters:
    ///   - month: the first month of a report.
    ///   - base: the currency into which amounts are converted.
    /// - Returns: a range from the first day of a year on, so that it changes seldom.
    public func rateHistoryRange(from month: YearMonth, to base: CurrencyCode) throws(BookError)
        -> RateHistoryRange
    {
        try reading { db, lookups in
            let first = try db.dayOfFirstTransaction()
            let year = max(min(first?.yearMonth ?? month, month).year, firstYearOfRates)
            return RateHistoryRange(
                from: YearMonth(year: year, month: 1).firstDay,
                currencies: lookups.currenciesOfAccounts.union([base])
            )
        }
    }

    /// The stored history; nil if there is none. It is cached, so a page may call this at every request.
    public func rateHistory() throws(BookError) -> StoredRateHistory? {
        guard !store.isClosed else { throw .closed }
        return try storedRateHistory.value { () throws(BookError) in
            try reading { db in try db.rateHistory() }
        }
    }

    /// Replaces the stored history. Like the latest rates, it is not the user's (`store(_:)`).
    public func store(_ history: RateHistory, of range: RateHistoryRange) throws(BookError) {
        try updateRates(in: storedRateHistory) { db in
            try db.change("DELETE FROM rate_days")
            try db.change(
                """
                INSERT OR REPLACE INTO rate_history (only_row, version, from_day, currencies, source, base)
                VALUES (1, ?, ?, ?, ?, ?)
                """,
                [
                    history.version, range.from.dayNumber,
                    range.currencies.sorted().map(\.rawValue).joined(separator: " "),
                    history.days.last?.source.rawValue, history.days.last?.base.rawValue,
                ]
            )
            for set in history.days {
                try db.change(
                    "INSERT INTO rate_days (day, rates) VALUES (?, ?)",
                    [set.day.dayNumber, RateLines.text(of: set.rates)]
                )
            }
        }
    }
}

extension BookDatabase {
    fileprivate func rateHistory() throws -> StoredRateHistory? {
        let sql = "SELECT version, from_day, currencies, source, base FROM rate_history"
        let found = try first(sql) { row in
            (
                version: row.text(0),
                range: RateHistoryRange(
                    from: row.date(1),
                    currencies: Set(row.text(2).split(separator: " ").compactMap { CurrencyCode($0) })
                ),
                source: row.optionalText(3).flatMap { RateSource(rawValue: $0) },
                base: row.isNull(4) ? nil : try row.currency(4)
            )
        }
        guard let found else { return nil }
        // A history of a source of a newer version is none.
        guard let source = found.source, let base = found.base else {
            return StoredRateHistory(
                range: found.range,
                history: RateHistory(version: found.version, days: [])
            )
        }
        let days = try all("SELECT day, rates FROM rate_days ORDER BY day") { row in
            guard let rates = RateLines.rates(of: row.text(1)) else {
                throw StorageError.damaged("a malformed rate")
            }
            return ExchangeRates(day: row.date(0), source: source, base: base, rates: rates)
        }
        return StoredRateHistory(
            range: found.range,
            history: RateHistory(version: found.version, days: days)
        )
    }
}
