// Points in time as providers write them.

import Ledger

enum BankTime {
    /// The UTC seconds of a time, as `stated` reads it. A day without a time begins at midnight UTC, and a time without an
    /// offset is one in UTC.
    /// - Returns: nil for other text.
    static func seconds(_ text: String) -> Int64? { parse(text)?.seconds }

    /// A day, such as `2027-02-19`, or a time of RFC 3339, such as `2027-02-19T10:00:00.123Z` or
    /// `2027-02-19T11:00:00+01:00`. Of a time without an offset, or in another format, only the day is known. Fractions of
    /// a second are dropped; a time with one is not midnight, unless it is zero.
    /// - Returns: nil for text that does not begin with a day.
    static func stated(_ text: String) -> StatedTime? {
        guard let parsed = parse(text) else { return CivilDate(iso: text.prefix(10)).map { .day($0) } }
        guard parsed.hasOffset else { return .day(parsed.date) }
        return parsed.hasFraction ? .time(parsed.seconds) : StatedTime(seconds: parsed.seconds)
    }

    private struct Parsed {
        /// The date as it is written.
        let date: CivilDate
        var seconds: Int64
        var hasOffset = false
        var hasFraction = false
    }

    private static func parse(_ text: String) -> Parsed? {
        let bytes = Array(text.utf8)
        guard let date = CivilDate(iso: String(decoding: bytes.prefix(10), as: UTF8.self)) else { return nil }
        var parsed = Parsed(date: date, seconds: Int64(date.dayNumber) * 86_400)
        guard bytes.count != 10 else { return parsed }
        guard (19...40).contains(bytes.count), bytes[10] | 32 == UInt8(ascii: "t"),
            let time = time(bytes[11..<19], separatorAt: [2, 5])
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            parsed.hasFraction = digits.contains { $0 != 48 }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = offset(rest) else { return nil }
        parsed.hasOffset = !rest.isEmpty
        parsed.seconds += time - offset
        return parsed
    }

    /// The seconds since midnight of `HH:MM:SS` or `HH:MM`.
    private static func time(_ text: ArraySlice<UInt8>, separatorAt separators: [Int]) -> Int64? {
        let bytes = Array(text)
        guard separators.allSatisfy({ bytes[$0] == UInt8(ascii: ":") }) else { return nil }
        var numbers: [Int64] = []
        for place in stride(from: 0, to: bytes.count, by: 3) {
            let digits = bytes[place...place + 1]
            guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int64($1 - 48) })
        }
        // A leap second counts as the one before.
        guard numbers[0] < 24, numbers[1] < 60, numbers.count < 3 || numbers[2] <= 60 else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count < 3 ? 0 : min(numbers[2], 59))
    }

    /// The seconds of an offset: none, `Z`, `+HH:MM` or `-HH:MM`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let first = text.first else { return 0 }
        if first | 32 == UInt8(ascii: "z") { return text.count == 1 ? 0 : nil }
        guard text.count == 6, first == UInt8(ascii: "+") || first == UInt8(ascii: "-"),
            let seconds = time(text.dropFirst(), separatorAt: [2])
        else { return nil }
        return first == UInt8(ascii: "-") ? -seconds : seconds
    }
}
