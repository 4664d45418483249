// Sums that are read from transactions, cached until a transaction of their months changes.
import Ledger
import Synchronization

/// Sums of days that no maintained table has: by the rates of each day, and of days that are not whole months.
///
/// The sums of a range are put together from the sums of its years and months, so that a change costs the reading of
/// one year or month. Whether cached sums still hold is decided within the snapshot that is read: by `month_changes`,
/// and by the rates themselves. Safe to use from any thread.
final class CachedSums: Sendable {
    /// The sums of some days.
    struct Query: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            /// The spending by category, without values.
            case spending
            /// The amounts that are not known in the currency, with their values by the rates of each day.
            case valued(ReportGroup)
        }

        var days: ClosedRange<CivilDate>
        let content: Content
        let currency: CurrencyCode
    }

    private struct Entry {
        let sums: ReportSums
        /// The changes of the months of these days.
        let changes: Int
        var used: Int
    }

    private struct State {
        var entries: [Query: Entry] = [:]
        var lines = 0
        /// Counts the uses.
        var time = 0
        /// The rates of all values.
        var rates: RateHistory?

        mutating func remove(_ query: Query, _ entry: Entry) {
            entries[query] = nil
            lines -= entry.sums.lineCount
        }
    }

    private let state = Mutex(State())
    /// The greatest number of lines. A line takes some 200 bytes; five years with 300 payees in four
    /// currencies have 9,000.
    private let mostLines: Int

    init(mostLines: Int = 15_000) { self.mostLines = mostLines }

    /// The cached sums; nil if there are none that hold.
    /// - Parameters:
    ///   - changes: the changes of the months of these days.
    ///   - rates: the rates of the values.
    func sums(_ query: Query, changes: Int, rates: RateHistory?) -> ReportSums? {
        state.withLock { state in
            guard let entry = state.entries[query], entry.changes == changes,
                rates == nil || state.rates == rates
            else { return nil }
            state.time += 1
            state.entries[query]?.used = state.time
            return entry.sums
        }
    }

    /// Caches sums, in place of the sums that were not used for the longest time.
    func keep(_ sums: ReportSums, of query: Query, changes: Int, rates: RateHistory?) {
        guard sums.lineCount < mostLines else { return }
        state.withLock { state in
            if let rates, state.rates != rates {
                for (other, entry) in state.entries where other.content != .spending {
                    state.remove(other, entry)
                }
                state.rates = rates
            }
            if let entry = state.entries[query] { state.remove(query, entry) }
            state.time += 1
            state.entries[query] = Entry(sums: sums, changes: changes, used: state.time)
            state.lines += sums.lineCount
            while state.lines > mostLines,
                let (oldest, entry) = state.entries.min(by: { $0.value.used < $1.value.used })
            {
                state.remove(oldest, entry)
            }
        }
    }
}

extension BookDatabase {
    /// The sums of some days, from the cache where they hold.
    /// - Parameters:
    ///   - rates: the rates of the values, if there are any.
    ///   - read: adds up the transactions of some days.
    func sums(
        _ query: CachedSums.Query,
        rates: RateHistory?,
        in cache: CachedSums,
        _ read: (ClosedRange<CivilDate>) throws -> ReportSums
    ) throws -> ReportSums {
        let changes = try number(
            "SELECT ifnull(sum(changes), 0) FROM month_changes WHERE month BETWEEN ? AND ?",
            [query.days.lowerBound.yearMonth.index, query.days.upperBound.yearMonth.index]
        )
        if let sums = cache.sums(query, changes: changes, rates: rates) { return sums }
        let parts = query.days.yearsAndMonths
        let sums: ReportSums
        if parts.count == 1 {
            sums = try read(query.days)
        } else {
            var all = ReportSums()
            for days in parts {
                var part = query
                part.days = days
                all.add(try self.sums(part, rates: rates, in: cache, read))
            }
            sums = all
        }
        cache.keep(sums, of: query, changes: changes, rates: rates)
        return sums
    }
}

extension ClosedRange<CivilDate> {
    /// The same days, divided into whole years and, at both ends, months and parts of them.
    var yearsAndMonths: [ClosedRange<CivilDate>] {
        var parts: [ClosedRange<CivilDate>] = []
        var first = lowerBound
        while first <= upperBound {
            let month = first.yearMonth
            let december = YearMonth(year: month.year, month: 12).lastDay
            let isWholeYear =
                first == YearMonth(year: month.year, month: 1).firstDay && december <= upperBound
            let last = isWholeYear ? december : Swift.min(month.lastDay, upperBound)
            parts.append(first...last)
            guard last < upperBound else { break }
            first = last.adding(days: 1)
        }
        return parts
    }
}
