// Collects the days of a file with the checks that all formats share.

import Ledger

/// The days of a file while it is read. One reader owns it.
final class RateDays {
    private let currencies: CurrencyTable
    private let today: CivilDate
    private let source: RateSource
    private var days: [CivilDate: ExchangeRates] = [:]
    private var withdrawn: [CurrencyCode: Int] = [:]
    /// The days so far, also days whose rates are all withdrawn.
    private var seenDays: Set<CivilDate> = []
    private var day: CivilDate?
    private var rates: [CurrencyCode: ExchangeRate] = [:]
    private var seenCurrencies: Set<CurrencyCode> = []

    init(currencies: CurrencyTable, today: CivilDate, source: RateSource) {
        self.currencies = currencies
        self.today = today
        self.source = source
    }

    /// Begins a day.
    /// - Parameters:
    ///   - day: nil if the text is no day.
    ///   - text: for the error.
    func beginDay(_ day: CivilDate?, _ text: String, line: Int) throws(RateFileError) {
        // The euro exists since 1999-01-01.
        guard let day, day.components.year >= 1999 else { throw RateFileError(.invalidDay(text), line: line) }
        guard day <= today else { throw RateFileError(.futureDay(day), line: line) }
        guard seenDays.insert(day).inserted else { throw RateFileError(.repeatedDay(day), line: line) }
        self.day = day
        rates = [:]
        seenCurrencies = []
    }

    func add(_ rate: String, of currency: String, line: Int) throws(RateFileError) {
        guard let code = Self.code(currency) else {
            throw RateFileError(.invalidCurrency(currency), line: line)
        }
        guard seenCurrencies.insert(code).inserted else {
            throw RateFileError(.repeatedCurrency(code), line: line)
        }
        guard let number = ExchangeRate(rate) else {
            throw RateFileError(.invalidRate(code, rate), line: line)
        }
        if currencies[code] == nil, !currencies.euro.contains(code) {
            withdrawn[code, default: 0] += 1
        } else {
            rates[code] = number
        }
    }

    func endDay(line: Int) throws(RateFileError) {
        guard let day, !seenCurrencies.isEmpty else { throw RateFileError(.noRates, line: line) }
        if !rates.isEmpty { days[day] = ExchangeRates(day: day, source: source, rates: rates) }
    }

    /// The whole file.
    func file() throws(RateFileError) -> RateFile {
        guard !days.isEmpty else { throw RateFileError(.noRates) }
        return RateFile(days: days.values.sorted { $0.day > $1.day }, withdrawn: withdrawn)
    }

    /// Three capital letters; nil for the base currency, which has no rate.
    static func code(_ text: String) -> CurrencyCode? {
        guard let code = CurrencyCode(text), code.rawValue == text, code != .eur else { return nil }
        return code
    }
}
