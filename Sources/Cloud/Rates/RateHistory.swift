// The rates of many days from the cloud's file, for devices.

import CloudProtocol
import GRDB
import Ledger
import Storage

extension Directory {
    /// The rates of many days; `unchanged` if the device has the present version.
    /// - Throws: `failed`.
    func rateHistory(_ query: RateHistoryQuery) throws(CloudError) -> RateHistoryAnswer {
        try reading { db in
            let first = try db.firstDay(of: query.range.from)
            let version = try db.version(of: first)
            guard version != query.known else { return .unchanged }
            let sql = "SELECT \(columnsOfRates) FROM rate_days WHERE day >= ? ORDER BY day"
            let days = try db.all(sql, [first]) { try ExchangeRates($0, only: query.range.currencies) }
            return .history(RateHistory(version: version, days: days))
        }
    }
}

extension Database {
    /// The last day of the week before a day, whose rates hold on until the next day with rates; the day itself if
    /// there is none.
    fileprivate func firstDay(of day: CivilDate) throws -> Int32 {
        let before = day.dayNumber - RateHistory.mostDaysWithoutRates
        let sql = "SELECT max(day) FROM rate_days WHERE day BETWEEN ? AND ?"
        return try first(sql, [before, day.dayNumber]) { $0.isNull(0) ? day.dayNumber : $0.date(0).dayNumber }
            ?? day.dayNumber
    }

    /// The version of all days from one on.
    fileprivate func version(of first: Int32) throws -> String {
        var hash = RatesVersion.Hash()
        var count = 0
        try forEach("SELECT day, version FROM rate_days WHERE day >= ? ORDER BY day", [first]) { row in
            hash.add("\(row.int(0))=\(row.text(1)) ")
            count += 1
        }
        return "\(count)-\(hash.digest)"
    }
}
