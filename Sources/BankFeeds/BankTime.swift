// Points in time as providers write them.

import Ledger

enum BankTime {
    /// The UTC seconds of a time of RFC 3339, such as `2027-02-19T10:00:00.123Z` or `2027-02-19T11:00:00+01:00`. One
    /// without an offset counts as UTC. Fractions of a second are dropped.
    /// - Returns: nil for other text.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard (19...40).contains(bytes.count), bytes[10] | 32 == UInt8(ascii: "t"),
            let date = CivilDate(iso: String(decoding: bytes[..<10], as: UTF8.self)),
            let time = time(bytes[11..<19], separatorAt: [2, 5])
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = offset(rest) else { return nil }
        return Int64(date.dayNumber) * 86_400 + time - offset
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
