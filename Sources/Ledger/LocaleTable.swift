// What is known of each locale: its currency, its week, and how it writes amounts.

/// How a locale counts and writes.
public struct LocaleFacts: Hashable, Sendable {
    /// Where the currency's symbol stands.
    public enum SymbolPlace: String, Sendable {
        case before
        case beforeWithSpace = "before-space"
        case after
        case afterWithSpace = "after-space"
    }

    /// Its BCP 47 tag, such as `de-AT`.
    public let tag: String
    /// Its country or region, such as `AT`.
    public let territory: String
    /// The currency used there; nil where none is known.
    public let currency: CurrencyCode?
    /// Monday or Sunday.
    public let weekStart: WeekStart
    /// Between units and decimals.
    public let decimalSign: Character
    /// Between thousands.
    public let groupSign: String
    /// How many digits the groups above the first one have: 2 in India, else 3.
    public let higherGroupSize: Int
    /// Ten digits of its own; empty for 0 to 9.
    public let digits: [Character]
    /// Where the symbol stands.
    public let symbolPlace: SymbolPlace
    /// Its English name, such as `German (Austria)`.
    public let name: String

    /// English as in the United States: for where nothing better is known.
    public static let fallback = LocaleFacts(
        tag: "en-US",
        territory: "US",
        currency: .usd,
        weekStart: .sunday,
        decimalSign: ".",
        groupSign: ",",
        higherGroupSize: 3,
        digits: [],
        symbolPlace: .before,
        name: "English (United States)"
    )
}

/// All locales, by tag.
public struct LocaleTable: Sendable {
    /// All of them, alphabetically by tag.
    public let all: [LocaleFacts]
    private let byTag: [String: Int]

    /// Reads `locales.tsv`: tag, territory, currency, first weekday, decimal sign, group sign, higher group size,
    /// digits, place of the symbol, English name in each line.
    /// - Throws: `LedgerError.badTable` for a line that has other columns.
    public init(tsv text: String) throws(LedgerError) {
        var all: [LocaleFacts] = []
        for (index, line) in text.split(separator: "\n").enumerated() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 10, let week = WeekStart(rawValue: String(columns[3])),
                let decimal = columns[4].first, columns[4].count == 1, let size = Int(columns[6]), size > 0,
                columns[7].isEmpty || columns[7].count == 10,
                let place = LocaleFacts.SymbolPlace(rawValue: String(columns[8]))
            else { throw .badTable(line: index + 1) }
            all.append(
                LocaleFacts(
                    tag: String(columns[0]),
                    territory: String(columns[1]),
                    currency: CurrencyCode(columns[2]),
                    weekStart: week,
                    decimalSign: decimal,
                    groupSign: String(columns[5]),
                    higherGroupSize: size,
                    digits: Array(columns[7]),
                    symbolPlace: place,
                    name: String(columns[9])
                )
            )
        }
        self.all = all
        byTag = Dictionary(all.indices.map { (all[$0].tag.lowercased(), $0) }) { first, _ in first }
    }

    /// A locale by its tag, in any case; nil where it is not known.
    public subscript(tag: String) -> LocaleFacts? { byTag[tag.lowercased()].map { all[$0] } }

    /// The first known locale that a browser asks for (RFC 9110, section 12.5.4); a tag is also found without its
    /// script, and at last by its language alone.
    public func bestMatch(acceptLanguage header: String) -> LocaleFacts? {
        var wishes: [(tag: String, weight: Double, place: Int)] = []
        for (place, part) in header.prefix(500).split(separator: ",").prefix(20).enumerated() {
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = pieces.first, tag != "*" else { continue }
            let weight =
                pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > 0 { wishes.append((tag, weight, place)) }
        }
        wishes.sort { ($1.weight, $0.place) < ($0.weight, $1.place) }
        for wish in wishes {
            let parts = wish.tag.split(whereSeparator: { $0 == "-" || $0 == "_" })
            guard let language = parts.first else { continue }
            let region = parts.dropFirst().last { $0.count == 2 }
            if let region, let found = self["\(language)-\(region)"] { return found }
            if let found = self[String(language)] { return found }
        }
        return nil
    }
}
