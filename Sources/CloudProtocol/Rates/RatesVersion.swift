// The exchange rates of the cloud: their version, and the latest set.

public import Ledger

/// Identifies a set of exchange rates. A corrected set of the same day has another version.
public struct RatesVersion: Hashable, Sendable {
    /// The day of the rates at their source.
    public let day: CivilDate
    /// Distinguishes sets of the same day; for `init(of:)` a hash of all rates.
    public let digest: String
    /// The maximum length of a digest.
    static let mostBytes = 100

    /// A version that a cloud reports.
    public init(day: CivilDate, digest: String) {
        self.day = day
        self.digest = digest
    }

    /// The version of a set. Equal sets have the same version, whatever the order of their rates.
    public init(of rates: ExchangeRates) {
        day = rates.day
        let sorted = rates.rates.sorted { $0.key < $1.key }.map { "\($0.key.rawValue)=\($0.value)" }
        var hash = Hash()
        hash.add(([rates.source.rawValue, rates.base.rawValue] + sorted).joined(separator: " "))
        digest = hash.digest
    }

    /// FNV-1a in 64 bits. It tells corrections of a day apart; no security depends on it.
    package struct Hash {
        private var value: UInt64 = 0xcbf2_9ce4_8422_2325

        package init() {}

        package mutating func add(_ text: String) {
            for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }

        /// 16 hexadecimal digits.
        package var digest: String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}

/// The answer of the cloud to a request for the latest rates.
public struct LatestRates: Hashable, Sendable {
    /// The set of the newest day; nil if the cloud has none, or only of a source that this version does not
    /// know.
    public var rates: ExchangeRates?

    /// An answer; nil if there are no rates.
    public init(_ rates: ExchangeRates?) { self.rates = rates }
}
