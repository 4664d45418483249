// The exchange rates: of the user's currencies, then of all others, and how totals are converted with them.

import Ledger
import Templates
import Texts

/// The page of the latest exchange rates.
struct RatesPage: Page {
    static let template = "rates/index"
    let chrome: Chrome
    let formats: Formats
    let rates: ExchangeRates?
    let own: [RateLine]
    let others: [RateLine]
    let against: CurrencyCode

    /// - Parameters:
    ///   - rates: the latest rates; nil for a user who has none.
    ///   - euro: adds the rates of the currencies of the user that the euro has replaced.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        rates: ExchangeRates?,
        euro: EuroTable = EuroTable()
    ) {
        self.chrome = chrome
        self.formats = formats
        let rates = rates.map { euro.completing($0, for: formats.usedCurrencies(catalog) + [formats.base]) }
        self.rates = rates
        // Without a rate of the base currency, the rates are shown as they were published.
        let against = rates.map { $0[formats.base] == nil ? $0.base : formats.base } ?? formats.base
        self.against = against
        guard let rates else {
            (own, others) = ([], [])
            return
        }
        let used = formats.usedCurrencies(catalog).filter { $0 != against }
        let known = Set(rates.rates.keys).union([rates.base]).subtracting(used).subtracting([against])
        func line(_ code: CurrencyCode) -> RateLine {
            RateLine(code, against: against, rates: rates, formats: formats, decimal: chrome.decimal)
        }
        own = used.map(line)
        others = known.sorted().map(line)
    }

    static let keys = Keys<RatesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optionalMessage("upgrade_text") { $0.chrome.tier == .premium ? nil : Chrome.upgradeForTotals }
        .optionalMessage("none_text") { page in
            page.chrome.tier == .premium && page.rates == nil ? Text("rates.none-yet") : nil
        }
        .flag("has_rates") { $0.rates != nil }
        .message("published_text") { page in
            guard let rates = page.rates else { return .verbatim("") }
            return Text(
                "rates.published-by",
                ["day": .string(page.formats.longDay(rates.day)), "source": .string(rates.source.name)]
            )
        }
        .text("day") { $0.rates.map { "\($0.day)" } ?? "" }
        .optionalMessage("base_text") { page in
            guard page.rates != nil, page.against != page.formats.base else { return nil }
            return Text("rates.no-rate-for-the-base", ["currency": .string("\(page.formats.base)")])
        }
        .list("cautions", of: RatesNote.self) { page in
            page.formats.conversion?.cautions(page.formats).map(RatesNote.init) ?? []
        }
        .text("against") { $0.against.rawValue }
        .flag("has_own") { !$0.own.isEmpty }
        .list("own", of: RateLine.self) { $0.own }
        .flag("has_others") { !$0.others.isEmpty }
        .list("others", of: RateLine.self) { $0.others }
}

/// The rate of one currency in both directions.
struct RateLine: TemplateModel {
    let code: CurrencyCode
    let name: String
    /// `1.0823 USD`; nil without a rate.
    let one: String?
    /// `0.92396 EUR`; nil without a rate.
    let back: String?

    init(
        _ code: CurrencyCode,
        against: CurrencyCode,
        rates: ExchangeRates,
        formats: Formats,
        decimal: String
    ) {
        self.code = code
        name = formats.currencyName(code)
        func written(_ rate: String?, _ currency: CurrencyCode) -> String? {
            rate.map { $0.split(separator: ".").joined(separator: decimal) + "\u{a0}\(currency)" }
        }
        one = written(rates.crossRate(from: against, to: code), code)
        back = written(rates.crossRate(from: code, to: against), against)
    }

    static let keys = Keys<RateLine>()
        .text("code") { $0.code.rawValue }
        .text("name") { $0.name }
        .message("one") { $0.one.map { .verbatim($0) } ?? Text("rates.no-rate") }
        .message("back") { $0.back.map { .verbatim($0) } ?? Text("rates.no-rate") }
}
