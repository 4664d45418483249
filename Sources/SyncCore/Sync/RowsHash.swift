// The hash of all live rows of an account. The cloud and each book maintain it, and it is compared when both
// are in sync.

import Encoding
public import Ledger

/// A sum of hashes, one for each live row. It does not depend on their order.
///
/// The hash of a row covers its kind, its id and all of its values, but not its sequence, which a book does
/// not store. A field with the value null counts as absent, and a row without any value counts as no row,
/// because books have settings rows in which nothing is set. The definition is part of the wire format:
/// changing it requires another member name there.
public struct RowsHash: Hashable, Sendable {
    /// The sum, which wraps around on overflow.
    public private(set) var sum: UInt64

    /// The hash of no rows.
    public init() { sum = 0 }

    /// Decodes the form that a database column stores.
    public init(column: Int64) { sum = UInt64(bitPattern: column) }

    /// The form that a database column stores: the same 64 bits.
    public var column: Int64 { Int64(bitPattern: sum) }

    /// Replaces the hash of a row by another hash of the same row; 0 means no row.
    public mutating func replace(_ old: Int64, by new: Int64) {
        sum = sum &- UInt64(bitPattern: old) &+ UInt64(bitPattern: new)
    }

    /// The encoded form: 16 hexadecimal digits, because not every JSON implementation represents 64-bit
    /// numbers exactly.
    public var text: String { Hex.encode(sum) }

    /// Decodes `text`. Nil for any other text.
    public init?(_ text: String) {
        guard let sum = Hex.decodeWord(text) else { return nil }
        self.sum = sum
    }

    /// The hash of a live row; 0 for a row without a value.
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

    /// Combines words into one. Each step is invertible, so that no difference between two words is lost.
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
            // The count is included: two texts that are split at another place have different hashes.
            add(word)
            add(count)
        }
    }
}

/// A difference between a book and the cloud, without personal data.
public struct Divergence: Hashable, Sendable {
    /// The kind of difference, and the reaction to it.
    public enum Finding: String, CaseIterable, Hashable, Sendable {
        /// The book had computed the hash of its own rows wrongly. Its rows equal the rows of the cloud.
        case miscounted
        /// The rows differ, and a download of all rows begins.
        case mending
        /// The rows differ although all of them were downloaded recently: the next attempt is delayed.
        case remaining
        /// All rows were downloaded, and the rows that had differed were replaced.
        case mended
    }

    /// The kind of difference, and the reaction to it.
    public var finding: Finding
    /// The number of rows, if it is known; else 0.
    public var rows: Int
    /// The kinds and ids of the rows, as far as they are known. The list is limited.
    public var details: String

    /// Without details unless they are given.
    public init(_ finding: Finding, rows: Int = 0, details: String = "") {
        self.finding = finding
        self.rows = rows
        self.details = details
    }
}

extension Divergence: CustomStringConvertible {
    /// The text for the log: `mended, 2 rows: 1 account, 1 transaction; account 01K…; transaction 01K…`.
    public var description: String {
        switch finding {
        case .miscounted: "miscounted, \(rows) rows"
        case .mending: "\(finding.rawValue)"
        case .mended, .remaining:
            "\(finding.rawValue), \(rows) rows" + (details.isEmpty ? "" : ": \(details)")
        }
    }
}
