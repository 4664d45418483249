// The data of locales: currency, week, and the format of amounts.

/// The formats and conventions of a locale.
public struct LocaleFacts: Hashable, Sendable {
    /// The place of the currency's symbol.
    public enum SymbolPlace: String, Sendable {
        case before
        case beforeWithSpace = "before-space"
        case after
        case afterWithSpace = "after-space"
    }

    /// The BCP 47 tag, such as `de-AT`.
    public let tag: String
    /// The country or region, such as `AT`.
    public let territory: String
    /// The local currency; nil if it is unknown.
    public let currency: CurrencyCode?
    /// Monday or Sunday.
    public let weekStart: WeekStart
    /// The sign between units and decimals.
    public let decimalSign: Character
    /// The sign between thousands.
    public let groupSign: String
    /// The number of digits in groups above the first one: 2 in India, 3 elsewhere.
    public let higherGroupSize: Int
    /// The ten digits of the locale; empty for 0 to 9.
    public let digits: [Character]
    /// The place of the symbol beside an amount.
    public let symbolPlace: SymbolPlace
    /// The signs of currencies, where they differ from the symbols in the table of currencies.
    public let signs: LocaleSigns
    /// The English name, such as `German (Austria)`.
    public let name: String

    /// English as in the United States, if no better match is known.
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
        signs: .none,
        name: "English (United States)"
    )
}

/// All locales, by tag.
public struct LocaleTable: Sendable {
    /// All of them, alphabetically by tag.
    public let all: [LocaleFacts]
    private let byTag: [String: Int]

    /// Parses `locales.tsv`: tag, territory, currency, first weekday, decimal sign, group sign, higher group
    /// size, digits, place of the symbol, English name in each line.
    /// - Parameter signs: the signs of currencies by locale.
    /// - Throws: `LedgerError.badTable` for a line with other columns.
    public init(tsv text: String, signs: CurrencySigns = CurrencySigns()) throws(LedgerError) {
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
                    signs: signs.signs(of: String(columns[0])),
                    name: String(columns[9])
                )
            )
        }
        self.all = all
        byTag = Dictionary(all.indices.map { (all[$0].tag.lowercased(), $0) }) { first, _ in first }
    }

    /// The locale of a tag, in any case; nil if it is unknown.
    public subscript(tag: String) -> LocaleFacts? { byTag[tag.lowercased()].map { all[$0] } }

    /// The best match for a browser's languages (RFC 9110, section 12.5.4). A tag also matches without its
    /// script, or by its language alone.
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
