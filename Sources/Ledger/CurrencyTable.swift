/// A currency in use.
public struct Currency: Hashable, Sendable {
    /// The ISO 4217 code.
    public let code: CurrencyCode
    /// The number of decimals: 0 for yen, 2 for cents, 3 for fils.
    public let exponent: Int
    /// The sign beside an amount, such as `€`; the code if the currency has no sign of its own.
    public let symbol: String
    /// The English name.
    public let name: String
    /// The signs and words by which any locale knows the currency, other than its code, in the form in which typed
    /// signs are compared: `kč` and `kc`, `¥` and `円`.
    public let signs: [String]

    /// The number of minor units in one unit.
    public var minorPerUnit: Int64 { (0..<exponent).reduce(1) { unit, _ in unit * 10 } }
}

/// A table that cannot be parsed.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line of a data file has other columns than it should.
    case badTable(line: Int)

    /// A line that tells what to do.
    public var description: String {
        switch self {
        case .badTable(let line):
            "Line \(line) of a data table is damaged: install Breadly's resources again."
        }
    }
}

/// The currencies in use, by code.
public struct CurrencyTable: Sendable {
    /// All of them, alphabetically by code.
    public let all: [Currency]
    /// The currencies that the euro has replaced. They are in use no more, and an account from before keeps its amounts.
    public let euro: EuroTable
    private let byCode: [CurrencyCode: Currency]

    /// Parses `currencies.tsv`: code, exponent, symbol, name and signs in each line. Without signs, a currency is known by
    /// its symbol alone.
    /// - Throws: `LedgerError.badTable` for a line with other columns.
    public init(tsv text: String, euro: EuroTable = EuroTable()) throws(LedgerError) {
        self.euro = euro
        var all: [Currency] = []
        for (index, line) in text.split(separator: "\n").enumerated() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 4 || columns.count == 5, let code = CurrencyCode(columns[0]),
                let exponent = Int(columns[1]),
                (0...4).contains(exponent)
            else { throw .badTable(line: index + 1) }
            let symbol = String(columns[2])
            all.append(
                Currency(
                    code: code,
                    exponent: exponent,
                    symbol: symbol,
                    name: String(columns[3]),
                    signs: columns.count == 5
                        ? columns[4].split(separator: " ").map(String.init) : [TypedCurrency.compared(symbol)]
                )
            )
        }
        self.all = all.sorted { $0.code < $1.code }
        byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }
    }

    /// The currency of a code; nil if the code is not in use.
    public subscript(code: CurrencyCode) -> Currency? { byCode[code] }

    /// The number of decimals of an amount; two in a currency that is not in use.
    public func exponent(of code: CurrencyCode) -> Int { byCode[code]?.exponent ?? 2 }
}
