// The currencies that the euro has replaced, with the rates at which it did.

/// The currencies that the euro has replaced. From the day on which it did, their rate is fixed for ever.
public struct EuroTable: Sendable {
    private struct Entry {
        let day: CivilDate
        let rate: ExchangeRate
    }

    private var entries: [CurrencyCode: Entry] = [:]

    /// Without any currency.
    public init() {}

    /// Parses `euro.tsv`: the code, the first day of the euro, and the number of units in one euro, in each line.
    /// - Throws: `LedgerError.badTable` for a line with other columns.
    public init(tsv text: String) throws(LedgerError) {
        for (index, line) in text.split(separator: "\n").enumerated() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 3, let code = CurrencyCode(columns[0]), code != .eur,
                let day = CivilDate(iso: String(columns[1])), let rate = ExchangeRate(columns[2])
            else { throw .badTable(line: index + 1) }
            entries[code] = Entry(day: day, rate: rate)
        }
    }

    /// The codes, in alphabetical order.
    public var codes: [CurrencyCode] { entries.keys.sorted() }

    /// Whether the euro has replaced a currency.
    public func contains(_ code: CurrencyCode) -> Bool { entries[code] != nil }

    /// The number of units in one euro; nil before the first day of the euro, and for all other currencies.
    public func rate(of code: CurrencyCode, on day: CivilDate) -> ExchangeRate? {
        entries[code].flatMap { $0.day <= day ? $0.rate : nil }
    }

    /// The rates of a day with those of some of these currencies in addition, for display.
    public func completing(_ rates: ExchangeRates, for codes: some Sequence<CurrencyCode>) -> ExchangeRates {
        guard rates.base == .eur else { return rates }
        var all = rates.rates
        for code in codes { if let fixed = rate(of: code, on: rates.day) { all[code] = fixed } }
        return ExchangeRates(day: rates.day, source: rates.source, base: rates.base, rates: all)
    }
}
