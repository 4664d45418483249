// The hash of all live rows of an account: kept by the cloud and by each book, and compared when both are in step.

import Encoding
public import Ledger

/// A sum of hashes, one for each live row, in whatever order they are counted.
///
/// It is counted over kind, id and every value of a row, not over sequences, which a book does not keep. A field without
/// a value counts as one that is not there, and a row without any value as none, since books have rows of settings that
/// nobody has set. The definition is part of the wire: a change of it needs another name there.
public struct RowsHash: Hashable, Sendable {
    /// The sum, which wraps around.
    public private(set) var sum: UInt64

    /// The hash of no rows.
    public init() { sum = 0 }

    /// The hash as a column keeps it.
    public init(column: Int64) { sum = UInt64(bitPattern: column) }

    /// As a column keeps it.
    public var column: Int64 { Int64(bitPattern: sum) }

    /// Counts a row's hash in the place of another one of the same row; 0 stands for no row.
    public mutating func replace(_ old: Int64, by new: Int64) {
        sum = sum &- UInt64(bitPattern: old) &+ UInt64(bitPattern: new)
    }

    /// As it is sent: 16 hexadecimal digits, because numbers of JSON do not hold 64 bits everywhere.
    public var text: String { Hex.encode(sum) }

    /// Reads it again; nil for anything else.
    public init?(_ text: String) {
        guard let sum = Hex.decodeWord(text) else { return nil }
        self.sum = sum
    }

    /// The hash of a live row; 0 for one without a value.
    public static func of(_ kind: String, _ id: EntityID, _ fields: Fields) -> Int64 {
        var mixer = Mixer()
        var isEmpty = true
        for field in fields.all where field.value != .null {
            isEmpty = false
            mixer.add(field.name)
            switch field.value {
            case .null: break
            case .integer(let value):
                mixer.add(1)
                mixer.add(UInt64(bitPattern: value))
            case .text(let text):
                mixer.add(2)
                mixer.add(text)
            case .other(let json):
                mixer.add(3)
                mixer.add(json)
            }
        }
        guard !isEmpty else { return 0 }
        mixer.add(kind)
        mixer.add(id.high)
        mixer.add(id.low)
        return Int64(bitPattern: mixer.state)
    }

    /// Words into one, each step one that can be undone, so that no difference between two words is lost on the way.
    private struct Mixer {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        mutating func add(_ word: UInt64) {
            state ^= word
            state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
            state = (state ^ state >> 31) &+ 0x9E37_79B9_7F4A_7C15
        }

        mutating func add(_ text: String) {
            var word: UInt64 = 0
            var count: UInt64 = 0
            for byte in text.utf8 {
                word = word << 8 | UInt64(byte)
                count += 1
                guard count.isMultiple(of: 8) else { continue }
                add(word)
                word = 0
            }
            // With its length: two texts are not one that was cut elsewhere.
            add(word)
            add(count)
        }
    }
}

/// A difference between a book and the cloud, without personal data.
public struct Divergence: Hashable, Sendable {
    /// The kind of difference, and what is done about it.
    public enum Finding: String, CaseIterable, Hashable, Sendable {
        /// The book had counted its own rows wrongly. They are those of the cloud.
        case miscounted
        /// The rows differ: all of them are loaded anew.
        case mending
        /// The rows differ although they were loaded anew lately: the next attempt waits.
        case remaining
        /// All rows were loaded anew: these had differed.
        case mended
    }

    /// The kind of difference.
    public var finding: Finding
    /// How many rows, where that is known.
    public var rows: Int
    /// The rows' kinds and ids, as far as they are known, not more than some.
    public var details: String

    /// A difference.
    public init(_ finding: Finding, rows: Int = 0, details: String = "") {
        self.finding = finding
        self.rows = rows
        self.details = details
    }
}

extension Divergence: CustomStringConvertible {
    /// For the log: `mended, 2 rows: 1 account, 1 transaction; account 01K…; transaction 01K…`.
    public var description: String {
        switch finding {
        case .miscounted: "miscounted, \(rows) rows"
        case .mending: "\(finding.rawValue)"
        case .mended, .remaining:
            "\(finding.rawValue), \(rows) rows" + (details.isEmpty ? "" : ": \(details)")
        }
    }
}
