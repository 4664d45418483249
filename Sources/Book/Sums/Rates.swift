// The latest exchange rates that the device received, for times without the cloud.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The set of rates that was stored last; nil if there is none.
    ///
    /// The parsed set is cached, so a page may call this at every request. A row that this version cannot read, such as
    /// one of a source of a newer version, is no rate; it is no error either.
    public func rates() throws(BookError) -> ExchangeRates? {
        guard !store.isClosed else { throw .closed }
        return try latestRates.value { () throws(BookError) in try reading { db in try db.rates() } }
    }

    /// Replaces the stored set of rates.
    ///
    /// The rates are not the user's: they are in no history, no export and not sent to the cloud, and `changed` is not
    /// called. They disappear with the file when the book is cleared. A set without any rate removes the stored one.
    public func store(_ rates: ExchangeRates) throws(BookError) {
        try updateRates(in: latestRates) { db in
            try db.change("DELETE FROM rates")
            let sql = "INSERT INTO rates (currency, rate, day, source, base) VALUES (?, ?, ?, ?, ?)"
            for (currency, rate) in rates.rates {
                try db.change(
                    sql,
                    [
                        currency.rawValue, rate.description, rates.day.dayNumber, rates.source.rawValue,
                        rates.base.rawValue,
                    ]
                )
            }
        }
    }
}

extension BookDatabase {
    fileprivate func rates() throws -> ExchangeRates? {
        var rates: [CurrencyCode: ExchangeRate] = [:]
        var origin: (day: CivilDate, source: RateSource, base: CurrencyCode)?
        try forEach("SELECT currency, rate, day, source, base FROM rates") { row in
            guard let source = RateSource(rawValue: row.text(3)), let rate = ExchangeRate(row.text(1)) else {
                return
            }
            rates[try row.currency(0)] = rate
            origin = (row.date(2), source, try row.currency(4))
        }
        return origin.map { ExchangeRates(day: $0.day, source: $0.source, base: $0.base, rates: rates) }
    }
}
