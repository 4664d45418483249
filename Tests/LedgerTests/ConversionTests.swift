// Conversions against numbers of any size, for each pair of the currencies of a day, and at the ends of 64
// bits.
import Ledger
import TestKit
import Testing

/// Converts, and compares the result with the exact value.
private struct Checked {
    let converter: CurrencyConverter
    let currencies: CurrencyTable
    let texts: [String: String]

    init(_ texts: [(String, String)]) throws {
        currencies = try Shipped.currencies()
        converter = CurrencyConverter(rates: try rates(texts), currencies: currencies)
        self.texts = Dictionary(uniqueKeysWithValues: texts + [("EUR", "1")])
    }

    func expect(_ minor: Int64, _ source: String, _ target: String, seed: UInt64) throws {
        let (from, to) = (try #require(CurrencyCode(source)), try #require(CurrencyCode(target)))
        let (fromRate, toRate) = (try #require(texts[source]), try #require(texts[target]))
        let exact = Ratio().times(String(minor.magnitude)).times(toRate).times(try unit(to))
            .divided(by: fromRate).divided(by: try unit(from))
        let isRight: Bool
        let result: String
        do {
            let money = try converter.convert(Money(minor: minor, currency: from), to: to)
            isRight =
                money.currency == to && exact.rounds(to: String(money.minor.magnitude))
                && (money.minor == 0 || (money.minor < 0) == (minor < 0))
            result = "\(money.minor)"
        } catch {
            let limit = minor < 0 ? Int64.min.magnitude : Int64.max.magnitude
            isRight = error == .tooLarge && exact.roundsToMore(than: String(limit))
            result = "\(error)"
        }
        let place = "\(minor) \(source) at \(fromRate) to \(target) at \(toRate)"
        #expect(isRight, "\(place): \(result), seed \(seed)")
    }

    private func unit(_ code: CurrencyCode) throws -> String {
        "1" + String(repeating: "0", count: try #require(currencies[code]).exponent)
    }
}

/// A number of random length, so that small ones are as likely as large ones.
private func amount(using generator: inout SplitMix) -> Int64 {
    Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
}

/// A rate with 1 to 15 digits before the point and up to 12 behind it, or one below 1.
private func rate(using generator: inout SplitMix) -> String {
    let whole = Int.random(in: 1...15, using: &generator)
    let decimals = Int.random(in: 0...min(12, 15 - whole), using: &generator)
    var digits = String(Int.random(in: 1...9, using: &generator))
    for _ in 1..<whole { digits += String(Int.random(in: 0...9, using: &generator)) }
    guard decimals > 0 else { return digits }
    var fraction = ""
    for _ in 1..<decimals { fraction += String(Int.random(in: 0...9, using: &generator)) }
    let zeros = String(repeating: "0", count: 12 - decimals)
    return Bool.random(using: &generator) ? "0.\(zeros)\(fraction)1" : "\(digits).\(fraction)1"
}

@Suite struct Conversions {
    static let edges: [Int64] = [0, 1, -1, 50, -150, .max, .max - 1, .min, .min + 1]

    @Test func eachPairOfADayIsExactAndRoundedOnce() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix(seed: seed)
        let checked = try Checked(dayOfRates)
        let codes = dayOfRates.map(\.0) + ["EUR"]
        for source in codes {
            for target in codes where target != source {
                let random = (0..<4).map { _ in amount(using: &generator) }
                for minor in Self.edges + random {
                    try checked.expect(minor, source, target, seed: seed)
                }
            }
        }
    }

    /// Currencies of all exponents, and rates of all lengths: the numbers in between exceed 128 bits.
    @Test func ratesOfAnyLengthAreExact() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix(seed: seed)
        let codes = ["JPY", "USD", "BHD", "CLF", "EUR"]
        for _ in 0..<500 {
            let texts = codes.dropLast().map { ($0, rate(using: &generator)) }
            let checked = try Checked(texts)
            for source in codes {
                for target in codes where target != source {
                    try checked.expect(amount(using: &generator), source, target, seed: seed)
                    let edge = Self.edges.randomElement(using: &generator) ?? 0
                    try checked.expect(edge, source, target, seed: seed)
                }
            }
        }
    }

    @Test(
        arguments: [
            // One euro cent is half a cent, half a yen, half a fils.
            ("USD", "0.5", 1, 0), ("USD", "0.5", 3, 2), ("USD", "0.5", 5, 2), ("USD", "0.5", 7, 4),
            ("USD", "0.5", -1, 0), ("USD", "0.5", -3, -2), ("USD", "0.5", -5, -2), ("USD", "0.5", -7, -4),
            ("JPY", "50", 1, 0), ("JPY", "50", 3, 2), ("JPY", "50", 5, 2), ("JPY", "1", 50, 0),
            ("JPY", "1", 51, 1), ("JPY", "1", 49, 0), ("BHD", "0.05", 1, 0), ("BHD", "0.05", 3, 2),
            ("CLF", "0.005", 1, 0), ("CLF", "0.005", 3, 2), ("CLF", "1", 1, 100),
            ("USD", "0.500000000001", 1, 1), ("USD", "0.499999999999", 1, 0),
        ] as [(String, String, Int64, Int64)]
    )
    func halvesAreRoundedToTheEvenNumber(
        code: String,
        rate: String,
        minor: Int64,
        expected: Int64
    ) throws {
        let target = try #require(CurrencyCode(code))
        let converter = CurrencyConverter(
            rates: try rates([(code, rate)]),
            currencies: try Shipped.currencies()
        )
        let money = try converter.convert(Money(minor: minor, currency: .eur), to: target)
        #expect(money == Money(minor: expected, currency: target))
    }

    @Test func nothingIsRoundedOnTheWayThroughTheBaseCurrency() throws {
        // A cent is a third of a euro cent, and one yen.
        let converter = CurrencyConverter(
            rates: try rates([("USD", "3"), ("JPY", "300")]),
            currencies: try Shipped.currencies()
        )
        let yen = try #require(CurrencyCode("JPY"))
        let money = try converter.convert(Money(minor: 1, currency: .usd), to: yen)
        #expect(money == Money(minor: 1, currency: yen))
    }

    @Test func theSameCurrencyNeedsNoRate() throws {
        let converter = CurrencyConverter(rates: try rates([]), currencies: try Shipped.currencies())
        for code in ["USD", "EUR", "XXX"] {
            let currency = try #require(CurrencyCode(code))
            for minor in Self.edges {
                let money = Money(minor: minor, currency: currency)
                #expect(try converter.convert(money, to: currency) == money)
            }
        }
    }

    @Test(arguments: [
        ("RUB", "EUR", "RUB"), ("EUR", "RUB", "RUB"), ("RUB", "XXX", "RUB"), ("USD", "XXX", "XXX"),
        ("TRL", "EUR", "TRL"), ("EUR", "TRL", "TRL"),
    ])
    func aCurrencyWithoutARateOrOutOfUseIsAnError(source: String, target: String, lacking: String) throws {
        let codes = try [source, target, lacking].map { try #require(CurrencyCode($0)) }
        let converter = CurrencyConverter(
            rates: try rates([("USD", "1.1172"), ("TRL", "1817000")]),
            currencies: try Shipped.currencies()
        )
        #expect(throws: ConversionError.noRate(codes[2])) {
            try converter.convert(Money(minor: 100, currency: codes[0]), to: codes[1])
        }
    }

    @Test(
        arguments: [
            ("1", .max, .max), ("1", .min, .min), ("1.000000000001", .max, nil),
            ("1.000000000001", .min, nil), ("2", 4_611_686_018_427_387_903, 9_223_372_036_854_775_806),
            ("2", 4_611_686_018_427_387_904, nil), ("2", -4_611_686_018_427_387_904, .min),
            ("2", -4_611_686_018_427_387_905, nil), ("999999999999999", .max, nil),
            ("0.000000000001", .max, 9_223_372),
        ] as [(String, Int64, Int64?)]
    )
    func whatDoesNotFitIsAnError(rate: String, minor: Int64, expected: Int64?) throws {
        let converter = CurrencyConverter(
            rates: try rates([("USD", rate)]),
            currencies: try Shipped.currencies()
        )
        let money = Money(minor: minor, currency: .eur)
        guard let expected else {
            #expect(throws: ConversionError.tooLarge) { try converter.convert(money, to: .usd) }
            return
        }
        #expect(try converter.convert(money, to: .usd) == Money(minor: expected, currency: .usd))
    }
}
