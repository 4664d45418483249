// The exchange rates in the cloud's file: the set of every day, and the rates that cannot be right.

public import CloudProtocol
import GRDB
public import Ledger
import Storage

/// The way in which a day's rates came into the file.
public enum RateOrigin: String, Hashable, Sendable {
    /// They came with the program, for a first start without a network.
    case bundled
    /// The cloud requested them from their source.
    case feed
    /// The operator has imported a file.
    case file
}

/// The newest day in the file.
public struct NewestRates: Hashable, Sendable {
    /// The rates of the day.
    public var rates: ExchangeRates
    /// Their version.
    public var version: RatesVersion
    /// The way in which they came into the file.
    public var origin: RateOrigin
    /// When they were stored, in UTC seconds.
    var storedAt: Int64
}

/// An implausible rate, which is stored apart from the others and never used.
public struct ImplausibleRate: Hashable, Sendable {
    /// The bank's day on which it was published.
    public var day: CivilDate
    /// The currency of both rates.
    public var currency: CurrencyCode
    /// Units of the currency for one euro, as they were published.
    public var rate: ExchangeRate
    /// The rate of the day before.
    public var earlier: ExchangeRate
}

/// The result of storing days.
public struct RateAdditions: Hashable, Sendable {
    /// The number of days that were not in the file.
    public var added = 0
    /// The number of days whose rates were replaced by others.
    public var corrected = 0
    /// The number of days that were in the file with the same rates, or that have no plausible rate.
    public var unchanged = 0
    /// The implausible rates that are not in the file yet.
    public var implausible: [ImplausibleRate] = []
    /// The currencies without a rate on the newest of the days that had one on the day before; empty if that
    /// day was in the file already.
    public var missing: [CurrencyCode] = []

    /// Nothing.
    public init() {}
}

extension Directory {
    /// Stores the rates of days, all or none of them.
    ///
    /// Each day is compared with the day before, if that is at most a year earlier (`RateComparison`): its
    /// implausible rates are stored apart. A day that is in the file with other rates is replaced.
    /// - Throws: `failed`.
    public func store(_ days: [ExchangeRates], from origin: RateOrigin) throws(CloudError) -> RateAdditions {
        let now = self.now
        return try changing { db in
            var additions = RateAdditions()
            for rates in days.sorted(by: { $0.day < $1.day }) {
                try db.store(rates, from: origin, at: now, &additions)
            }
            return additions
        }
    }

    /// The newest day; nil if there are no rates.
    /// - Throws: `failed`.
    public func newestRates() throws(CloudError) -> NewestRates? {
        try reading { db in
            let sql = "SELECT \(columnsOfRates), version, origin, stored_at FROM rate_days"
            return try db.first("\(sql) ORDER BY day DESC LIMIT 1") { row in
                let rates = try ExchangeRates(row)
                return NewestRates(
                    rates: rates,
                    version: RatesVersion(day: rates.day, digest: row.text(4)),
                    origin: try row.word(5),
                    storedAt: row.int64(6)
                )
            }
        }
    }

    /// The version of the newest day; nil if there are no rates.
    /// - Throws: `failed`.
    public func ratesVersion() throws(CloudError) -> RatesVersion? {
        try reading { db in
            try db.first("SELECT day, version FROM rate_days ORDER BY day DESC LIMIT 1") {
                RatesVersion(day: $0.date(0), digest: $0.text(1))
            }
        }
    }

    /// The number of days, and the first of them; nil if there are none.
    /// - Throws: `failed`.
    public func rateDays() throws(CloudError) -> (count: Int, first: CivilDate)? {
        try reading { db in
            guard
                let first = try db.first("SELECT day FROM rate_days ORDER BY day LIMIT 1", [], { $0.date(0) })
            else { return nil }
            return (try db.number("SELECT count(*) FROM rate_days"), first)
        }
    }

    /// The implausible rates, the newest day first.
    /// - Throws: `failed`.
    public func implausibleRates() throws(CloudError) -> [ImplausibleRate] {
        try reading { db in
            let sql = "SELECT day, currency, rate, earlier FROM implausible_rates"
            return try db.all("\(sql) ORDER BY day DESC, currency, rate") { row in
                guard let rate = ExchangeRate(row.text(2)), let earlier = ExchangeRate(row.text(3)) else {
                    throw StorageError.damaged("a malformed rate")
                }
                return ImplausibleRate(
                    day: row.date(0),
                    currency: try row.currency(1),
                    rate: rate,
                    earlier: earlier
                )
            }
        }
    }
}

/// The greatest number of days between two sets that are compared. Over a longer time, rates may change by
/// more.
private let mostDaysBetween: Int32 = 366

let columnsOfRates = "day, source, base, rates"

extension Database {
    fileprivate func store(
        _ rates: ExchangeRates,
        from origin: RateOrigin,
        at now: Int64,
        _ additions: inout RateAdditions
    ) throws {
        let known = try self.rates("day = ?", rates.day)
        var plausible = rates
        additions.missing = []
        if let earlier = try self.rates("day < ?", rates.day), earlier.base == rates.base,
            rates.day.dayNumber - earlier.day.dayNumber <= mostDaysBetween
        {
            let comparison = RateComparison(of: rates, with: earlier)
            plausible = comparison.plausible
            if known == nil { additions.missing = comparison.missing }
            for jump in comparison.jumps where try store(jump, of: rates.day, at: now) {
                additions.implausible.append(
                    ImplausibleRate(
                        day: rates.day,
                        currency: jump.currency,
                        rate: jump.later,
                        earlier: jump.earlier
                    )
                )
            }
        }
        guard !plausible.rates.isEmpty, plausible != known else {
            additions.unchanged += 1
            return
        }
        if known == nil { additions.added += 1 } else { additions.corrected += 1 }
        try change(
            """
            INSERT OR REPLACE INTO rate_days (\(columnsOfRates), version, origin, stored_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                plausible.day.dayNumber, plausible.source.rawValue, plausible.base.rawValue,
                RateLines.text(of: plausible.rates), RatesVersion(of: plausible).digest, origin.rawValue, now,
            ]
        )
    }

    /// - Returns: whether the rate was not stored before.
    private func store(_ jump: RateComparison.Jump, of day: CivilDate, at now: Int64) throws -> Bool {
        let count = try change(
            """
            INSERT INTO implausible_rates (day, currency, rate, earlier, stored_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                day.dayNumber, jump.currency.rawValue, jump.later.description, jump.earlier.description, now,
            ]
        )
        return count == 1
    }

    /// The newest set of a day that meets a condition.
    fileprivate func rates(_ condition: String, _ day: CivilDate) throws -> ExchangeRates? {
        let sql = "SELECT \(columnsOfRates) FROM rate_days WHERE \(condition) ORDER BY day DESC LIMIT 1"
        return try first(sql, [day.dayNumber]) { try ExchangeRates($0) }
    }
}

extension ExchangeRates {
    /// Reads the columns of a day.
    /// - Parameter currencies: the currencies to read; nil for all.
    init(_ row: Columns, only currencies: Set<CurrencyCode>? = nil) throws {
        guard let rates = RateLines.rates(of: row.text(3), only: currencies) else {
            throw StorageError.damaged("a malformed rate")
        }
        self.init(day: row.date(0), source: try row.word(1), base: try row.currency(2), rates: rates)
    }
}
