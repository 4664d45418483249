/// The text in which a day's rates are stored: a line for each currency, in alphabetical order
/// (`USD 1.1172`).
public enum RateLines {
    /// The text of some rates.
    public static func text(of rates: [CurrencyCode: ExchangeRate]) -> String {
        rates.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    }

    /// Reads a stored text.
    /// - Parameter currencies: the currencies to read; nil for all.
    /// - Returns: nil if a line is malformed.
    public static func rates(of text: String, only currencies: Set<CurrencyCode>? = nil)
        -> [CurrencyCode: ExchangeRate]?
    {
        var rates: [CurrencyCode: ExchangeRate] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let code = CurrencyCode(parts[0]) else { return nil }
            guard currencies?.contains(code) ?? true else { continue }
            guard let rate = ExchangeRate(parts[1]) else { return nil }
            rates[code] = rate
        }
        return rates
    }
}
