// The reference rates of many days, and the conversion of amounts by the rates of their days.

/// The days and currencies of a history of rates.
public struct RateHistoryRange: Hashable, Sendable {
    /// The first day. The history may begin later, and never ends before the newest day.
    public var from: CivilDate
    /// The currencies, in addition to the base currency of the rates.
    public var currencies: Set<CurrencyCode>

    /// A range without an end.
    public init(from: CivilDate, currencies: Set<CurrencyCode>) {
        self.from = from
        self.currencies = currencies
    }

    /// Whether a history of this range contains one of another range.
    public func covers(_ other: Self) -> Bool {
        from <= other.from && currencies.isSuperset(of: other.currencies)
    }

    /// The smallest range that covers both.
    public func union(_ other: Self) -> Self {
        Self(from: min(from, other.from), currencies: currencies.union(other.currencies))
    }
}

/// The rates of many days, all of one source and one base currency.
public struct RateHistory: Hashable, Sendable {
    /// Changes with any day of the history.
    public let version: String
    /// The days, oldest first.
    public let days: [ExchangeRates]
    private let numbers: [Int32]

    /// The longest time for which the rates of a day hold if there are newer rates: around Christmas and Easter, the
    /// European Central Bank publishes none for five days.
    public static let mostDaysWithoutRates: Int32 = 7

    /// Days that are not of the source and the base currency of the newest one are left out.
    public init(version: String, days: [ExchangeRates]) {
        self.version = version
        let sorted = days.sorted { $0.day < $1.day }
        self.days = sorted.filter { $0.source == sorted.last?.source && $0.base == sorted.last?.base }
        numbers = self.days.map(\.day.dayNumber)
    }

    /// The rates that hold on a day: its own rates, or the rates of the last day with rates before it.
    /// - Returns: nil before the first day, and in gaps of more than a week. The newest rates hold from their day on.
    public func rates(on day: CivilDate) -> ExchangeRates? {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] <= day.dayNumber { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let isInGap = low < numbers.count && day.dayNumber - numbers[low - 1] > Self.mostDaysWithoutRates
        return isInGap ? nil : days[low - 1]
    }
}

/// Converts amounts into one currency, each by the rates of its day.
public struct DayConverter: Sendable {
    /// The rates.
    public let history: RateHistory
    /// The currency of the results.
    public let target: CurrencyCode
    private let currencies: CurrencyTable

    /// - Parameter currencies: tells the minor units of each currency.
    public init(_ history: RateHistory, to target: CurrencyCode, currencies: CurrencyTable) {
        self.history = history
        self.target = target
        self.currencies = currencies
    }

    /// The conversion by the rates of a day. A day without any has those of the currencies that the euro has replaced.
    public func converter(on day: CivilDate) -> CurrencyConverter {
        let none = ExchangeRates(day: day, source: .europeanCentralBank, rates: [:])
        return CurrencyConverter(rates: history.rates(on: day) ?? none, currencies: currencies, on: day)
    }

    /// The value of an amount in minor units of the target currency, rounded as by `CurrencyConverter`.
    /// - Returns: nil if the day has no rate for one of the two currencies.
    public func value(of sum: MoneySum, on day: CivilDate) -> Int128? {
        guard sum.currency != target else { return sum.minor }
        return converter(on: day).value(of: sum, in: target)
    }
}
