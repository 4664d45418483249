// The call for the exchange rates of many days, and its JSON, version 1.

public import Ledger

/// A request for the rates of many days.
public struct RateHistoryQuery: Hashable, Sendable {
    /// The days and currencies.
    public var range: RateHistoryRange
    /// The version of the history of the same range that the device has; nil for none.
    public var known: String?

    /// A request; `known` saves the response if nothing has changed.
    public init(_ range: RateHistoryRange, known: String? = nil) {
        self.range = range
        self.known = known
    }

    /// There are fewer currencies.
    private static let mostCurrencies = 300

    var encoded: String {
        let codes = range.currencies.sorted().map(\.rawValue).joined(separator: ",")
        let query = "from=\(range.from)&currencies=\(codes)"
        return known.map { "\(query)&known=\($0)" } ?? query
    }

    init?(_ field: (String) -> String?) {
        guard let from = field("from").flatMap({ CivilDate(iso: $0) }),
            let texts = field("currencies")?.split(separator: ","), texts.count <= Self.mostCurrencies
        else { return nil }
        let codes = texts.compactMap { CurrencyCode($0) }
        let known = field("known")
        guard codes.count == texts.count, known?.utf8.count ?? 0 <= RatesVersion.mostBytes else { return nil }
        self.init(RateHistoryRange(from: from, currencies: Set(codes)), known: known)
    }
}

/// The answer to a request for the rates of many days.
public enum RateHistoryAnswer: Hashable, Sendable {
    /// The device has the present version.
    case unchanged
    /// The rates of all days from the first one of the range on. If there are any on the days of the week before, the
    /// last of these is included, because its rates hold on until the next one.
    case history(RateHistory)
}

extension Endpoints {
    /// As `RatesAPI.rateHistory`.
    public static let rateHistory = Endpoint<RateHistoryQuery, RateHistoryAnswer>(
        "rateHistory",
        "GET",
        "/rates/history",
        request: RequestCoding(
            encode: { EncodedRequest(query: $0.encoded) },
            decode: { RateHistoryQuery($0.field) }
        ),
        response: .json({ WireRateHistory($0) }, \.answer),
        .session { cloud, query, token, _ async throws(CloudError) in
            try await cloud.rateHistory(query, token)
        }
    )
}

extension RelayingCloud {
    /// As `RatesAPI`.
    public func rateHistory(_ query: RateHistoryQuery, _ token: SessionToken) async throws(CloudError)
        -> RateHistoryAnswer
    {
        try await send(Endpoints.rateHistory, query, Caller(token))
    }
}

/// The answer to `GET rates/history`. All fields are absent if nothing has changed; only the version is there if
/// there are no rates.
struct WireRateHistory: Codable, Sendable {
    /// More days are malformed: these are the working days of a century.
    private static let mostDays = 30_000

    var version: String?
    var source: String?
    var base: String?
    var currencies: [String]?
    /// A day and the published digits in the order of the currencies, separated by spaces; `-` for a currency that
    /// has no rate on the day.
    var days: [String]?

    init(_ answer: RateHistoryAnswer) {
        guard case .history(let history) = answer else { return }
        version = history.version
        guard let newest = history.days.last else { return }
        source = newest.source.rawValue
        base = newest.base.rawValue
        let codes = history.days.reduce(into: Set<CurrencyCode>()) { $0.formUnion($1.rates.keys) }.sorted()
        currencies = codes.map(\.rawValue)
        days = history.days.map { set in
            ([set.day.description] + codes.map { set.rates[$0]?.description ?? "-" }).joined(separator: " ")
        }
    }

    /// The decoded value; nil if a field is malformed.
    var answer: RateHistoryAnswer? {
        guard let version else { return .unchanged }
        guard version.utf8.count <= RatesVersion.mostBytes else { return nil }
        guard let days, !days.isEmpty else { return .history(RateHistory(version: version, days: [])) }
        guard days.count <= Self.mostDays, let source, let base = base.flatMap({ CurrencyCode($0) }),
            let codes = currencies?.compactMap({ CurrencyCode($0) }), codes.map(\.rawValue) == currencies,
            Set(codes).count == codes.count
        else { return nil }
        // A source of a newer version is none that pages could name.
        guard let source = RateSource(rawValue: source) else {
            return .history(RateHistory(version: version, days: []))
        }
        var sets: [ExchangeRates] = []
        for line in days {
            let parts = line.split(separator: " ")
            guard parts.count == codes.count + 1, let day = CivilDate(iso: String(parts[0])) else {
                return nil
            }
            var rates: [CurrencyCode: ExchangeRate] = [:]
            for (code, digits) in zip(codes, parts.dropFirst()) where digits != "-" {
                guard let rate = ExchangeRate(digits) else { return nil }
                rates[code] = rate
            }
            guard sets.last.map({ $0.day < day }) ?? true else { return nil }
            sets.append(ExchangeRates(day: day, source: source, base: base, rates: rates))
        }
        return .history(RateHistory(version: version, days: sets))
    }
}
