// The limits of one category as one budget: whether remainders carry over, since when, and the pace.
import Ledger

/// The live budgets of a category in the order of their months.
///
/// A row has the limit that one device set. Carry-over and pace belong to the budget as a whole, and a device writes them
/// to the rows that it knows. A row that another device has added at the same time gets them here, from the row before
/// it. If that row is deleted, the row keeps only what it stores itself.
struct BudgetChain {
    /// The rows with the carry-over and the pace that hold in them.
    private(set) var rows: [Budget]

    /// - Parameter stored: the live rows of one category, ordered by their first month.
    init(_ stored: [Budget]) {
        rows = stored
        for index in rows.indices.dropFirst() {
            let before = rows[index - 1]
            rows[index].pace = rows[index].pace ?? before.pace
            // A switch is written to the row that holds in its month. If that month is one of this row, the
            // switching device did not have this row.
            let from = rows[index].from
            guard let switched = before.switchMonth, switched >= from, before.isOpen(in: from.previous)
            else { continue }
            let start = carryStart(index - 1)
            rows[index].rollover = before.rollover
            rows[index].carryFrom =
                switched > from ? switched : before.rollover || start >= from ? nil : start
        }
    }

    /// The first month whose remainder carries over in the months of a row that carry over.
    func carryStart(_ index: Int) -> YearMonth {
        var index = index
        while true {
            let row = rows[index]
            guard let since = row.switchMonth else { return row.carryFrom ?? row.from }
            if row.rollover { return since }
            guard continues(index) else { return row.from }
            index -= 1
        }
    }

    /// Whether the row before a row has remainders that carry over into it.
    private func continues(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        let (before, row) = (rows[index - 1], rows[index])
        return before.carries(into: row.from) && before.isOpen(in: row.from.previous)
            && before.limit.currency == row.limit.currency
    }

    /// Switches carry-over on or off in all months.
    mutating func carry(_ isOn: Bool) { set(isOn, since: rows.startIndex) }

    /// Switches carry-over on or off from a month on. Earlier months stay as they are; a row remembers one switch, so
    /// that a second one in a later month of the same row replaces the first.
    mutating func carry(_ isOn: Bool, from month: YearMonth) {
        let starts = rows.indices.map(carryStart)
        // A switch in a month of the next row belongs to the next row now.
        for index in rows.indices.dropLast() {
            guard let switched = rows[index].switchMonth, switched >= rows[index + 1].from else { continue }
            rows[index].rollover.toggle()
            rows[index].carryFrom = rows[index].rollover ? starts[index].before(rows[index].from) : nil
        }
        guard let index = rows.lastIndex(where: { $0.from <= month }) else { return }
        guard rows[index].isOpen(in: month) else { return set(isOn, since: index + 1) }
        let isWithin = rows[index].from < month && rows[index].switchMonth != month
        rows[index].rollover = isOn
        if isWithin {
            rows[index].carryFrom = month
        } else {
            // Switched back in the month of the switch: as if it had never been switched.
            let isKept = isOn || rows[index].from == month
            rows[index].carryFrom = isKept ? starts[index].before(rows[index].from) : nil
        }
        set(isOn, since: index + 1)
    }

    private mutating func set(_ isOn: Bool, since first: Int) {
        for index in rows.indices.dropFirst(first) {
            rows[index].rollover = isOn
            rows[index].carryFrom = nil
            if isOn, continues(index) { rows[index].carryFrom = carryStart(index - 1) }
        }
    }

    /// Adds a row that begins later than the row in effect before it.
    mutating func add(_ row: Budget) {
        let place = rows.firstIndex { ($0.from, $0.id) > (row.from, row.id) } ?? rows.endIndex
        rows.insert(row, at: place)
    }
}

extension YearMonth {
    /// The month if it is before another one.
    fileprivate func before(_ other: YearMonth) -> YearMonth? { self < other ? self : nil }
}

extension Budget {
    /// The month, later than the first one, from which on carry-over is on or off.
    var switchMonth: YearMonth? { carryFrom.flatMap { $0 > from ? $0 : nil } }

    /// Whether the remainder of the month before carries over into a month of the row.
    func carries(into month: YearMonth) -> Bool {
        rollover ? switchMonth.map { month > $0 } ?? true : switchMonth.map { month < $0 } ?? false
    }
}
