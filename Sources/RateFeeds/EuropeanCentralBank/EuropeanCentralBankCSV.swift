// The CSV of the European Central Bank, which its zip files contain. Each line, also the header, may end with
// a comma:
//
//     Date,USD,JPY,CYP,          a history: the newest day first
//     2026-10-30,1.1172,175.68,N/A,
//
//     Date, USD, JPY,            the daily file
//     30 October 2026, 1.1172, 175.68,
//
// `N/A` says that the day has no rate of the currency.

import Ledger

/// Passes the rates of a table to the collected days.
struct EuropeanCentralBankCSV {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    let days: RateDays

    /// Reads a table that begins with `Date`.
    func read(_ text: ArraySlice<UInt8>) throws(RateFileError) {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let header = lines.first.map(Self.cells) ?? []
        var columns = header.dropFirst()
        if columns.last == "" { columns.removeLast() }
        guard header.first == "Date" else { throw RateFileError(.malformed, line: 1) }
        guard !columns.isEmpty else { throw RateFileError(.noRates, line: 1) }
        for column in columns where RateDays.code(column) == nil {
            throw RateFileError(.invalidCurrency(column), line: 1)
        }
        for (index, line) in lines.enumerated().dropFirst() {
            let cells = Self.cells(line)
            guard cells.count == header.count else {
                let isLast = index == lines.count - 1 && cells.count < header.count
                throw RateFileError(isLast ? .truncated : .malformed, line: index + 1)
            }
            try readDay(cells, columns, line: index + 1)
        }
    }

    private func readDay(
        _ cells: [String],
        _ columns: ArraySlice<String>,
        line: Int
    ) throws(RateFileError) {
        try days.beginDay(Self.day(cells[0]), cells[0], line: line)
        // Index 0 is the day in both, so that a column and its cell have the same index.
        for index in columns.indices where cells[index] != "N/A" {
            try days.add(cells[index], of: columns[index], line: line)
        }
        // The header ends with a comma, and so does the line.
        if columns.endIndex < cells.count, let last = cells.last, !last.isEmpty {
            throw RateFileError(.unexpected(last), line: line)
        }
        try days.endDay(line: line)
    }

    /// The cells of a line without the spaces around them.
    private static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
            let start = cell.drop { $0 == UInt8(ascii: " ") }
            let length = start.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? start.startIndex
            return String(decoding: start[..<length], as: UTF8.self)
        }
    }

    /// `2026-10-30` or `30 October 2026`.
    private static func day(_ text: String) -> CivilDate? {
        if let day = CivilDate(iso: text) { return day }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let month = months.firstIndex(where: { $0 == parts[1] }),
            let day = number(parts[0], upTo: 2), let year = number(parts[2], upTo: 4)
        else { return nil }
        return CivilDate(year: year, month: month + 1, day: day)
    }

    /// A number of ASCII digits.
    private static func number(_ text: Substring, upTo mostDigits: Int) -> Int? {
        guard (1...mostDigits).contains(text.utf8.count),
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }
}
