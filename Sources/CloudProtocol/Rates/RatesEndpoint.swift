// The calls for exchange rates, and the one for the latest: its meaning, its endpoint, its relay, and its JSON, version 1.

import Ledger

/// The calls about exchange rates.
public protocol RatesAPI: Sendable {
    /// Returns the latest exchange rates.
    /// - Throws: `sessionRevoked`, `accountGone`; `subscriptionRequired` without premium; `failed`,
    ///   `unreachable`.
    func rates(_ token: SessionToken) async throws(CloudError) -> LatestRates

    /// Returns the exchange rates of many days.
    /// - Throws: as `rates`.
    func rateHistory(_ query: RateHistoryQuery, _ token: SessionToken) async throws(CloudError)
        -> RateHistoryAnswer
}

extension Endpoints {
    /// As `RatesAPI.rates`.
    public static let rates = Endpoint<Void, LatestRates>(
        "rates",
        "GET",
        "/rates",
        isTagged: true,
        request: .none,
        response: .json({ WireRates($0) }, \.latest),
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.rates(token) }
    )
}

extension RelayingCloud {
    /// As `RatesAPI`.
    public func rates(_ token: SessionToken) async throws(CloudError) -> LatestRates {
        try await send(Endpoints.rates, (), Caller(token))
    }
}

/// The answer to `GET rates`; all fields are absent if there are no rates.
struct WireRates: Codable, Sendable {
    /// More rates are malformed: there are fewer currencies.
    private static let most = 1_000

    var day: String?
    var source: String?
    var base: String?
    /// The published digits by currency.
    var rates: [String: String]?

    init(_ latest: LatestRates) {
        guard let set = latest.rates else { return }
        day = set.day.description
        source = set.source.rawValue
        base = set.base.rawValue
        rates = Dictionary(set.rates.map { ($0.key.rawValue, $0.value.description) }) { first, _ in first }
    }

    /// The decoded value; nil if a field is malformed.
    var latest: LatestRates? {
        guard let day else { return LatestRates(nil) }
        guard let day = CivilDate(iso: day), let source, let base = base.flatMap({ CurrencyCode($0) }),
            let rates, rates.count <= Self.most
        else { return nil }
        guard let source = RateSource(rawValue: source) else { return LatestRates(nil) }
        var decoded: [CurrencyCode: ExchangeRate] = [:]
        for (text, digits) in rates {
            guard let code = CurrencyCode(text), code.rawValue == text, let rate = ExchangeRate(digits) else {
                return nil
            }
            decoded[code] = rate
        }
        return LatestRates(ExchangeRates(day: day, source: source, base: base, rates: decoded))
    }
}

/// The version of the latest rates, in other messages.
struct WireRatesVersion: Codable, Sendable {
    var day: String
    var digest: String

    init(_ version: RatesVersion) {
        day = version.day.description
        digest = version.digest
    }

    /// The decoded value; nil if a field is malformed.
    var version: RatesVersion? {
        guard let day = CivilDate(iso: day), digest.utf8.count <= RatesVersion.mostBytes else { return nil }
        return RatesVersion(day: day, digest: digest)
    }
}
