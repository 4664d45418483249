// The latest rates for a page: converted totals, and what the page says about the rates.

import Ledger
import Templates
import Texts

/// The latest exchange rates for a user who sees converted totals.
struct Conversion: Sendable {
    /// Converts by these rates.
    let converter: CurrencyConverter
    private let now: Int64
    private let isOffline: Bool

    /// - Parameters:
    ///   - now: UTC seconds.
    ///   - isOffline: whether the cloud, which sends the rates, cannot be reached.
    init(_ converter: CurrencyConverter, now: Int64, isOffline: Bool) {
        self.converter = converter
        self.now = now
        self.isOffline = isOffline
    }

    /// The hour of the rates' day, in UTC, at which the European Central Bank publishes them (16:00 CET).
    private static let hourOfPublication: Int64 = 15
    private static let freshSeconds: Int64 = 24 * 3_600

    /// It is shown beside every converted total.
    var day: CivilDate { converter.rates.day }

    /// The sentence beside an amount at the other end of a transaction that was filled in by these rates.
    func estimateText(for kind: TransactionKind, _ formats: Formats) -> Text {
        let day: [String: Text.Argument] = ["day": .string(formats.longDay(day))]
        return switch kind {
        case .expense: Text("rates.estimate-charged", day)
        case .income: Text("rates.estimate-received", day)
        case .transfer: Text("rates.estimate-arrives", day)
        }
    }

    /// The origin of the rates if the cloud cannot be reached, and their age if they are old.
    func cautions(_ formats: Formats) -> [Text] { cautions(of: day, formats) }

    /// The same for rates of another day.
    func cautions(of day: CivilDate, _ formats: Formats) -> [Text] {
        let published = Int64(day.dayNumber) * 86_400 + Self.hourOfPublication * 3_600
        let ageSeconds = max(0, now.subtractingClamped(published))
        let isOld = ageSeconds > Self.freshSeconds
        let hours = Int(ageSeconds / 3_600)
        return (isOffline ? [Text("rates.cached-from", ["day": .string(formats.longDay(day))])] : [])
            + (isOld ? [Text("rates.updated-hours-ago", ["count": .count(hours)])] : [])
    }

    /// The same, or the day of rates that are neither old nor cached.
    func notes(_ formats: Formats) -> [Text] {
        let cautions = cautions(formats)
        return cautions.isEmpty
            ? [Text("rates.of-day", ["day": .string(formats.longDay(day))])] : cautions
    }
}

/// The words beside a converted total: the age of the rates, and the amounts without one.
struct RatesLine: TemplateModel {
    var notes: [Text]
    let leftOut: Text?
    /// A sentence about rates that are not there.
    var hint: Text?

    static let keys = Keys<RatesLine>()
        .list("notes", of: RatesNote.self) { $0.notes.map(RatesNote.init) }
        .optionalMessage("left_out") { $0.leftOut }
        .optionalMessage("hint") { $0.hint }
}

/// A sentence about the rates. It is a link to the page of rates.
struct RatesNote: TemplateModel {
    let text: Text

    static let keys = Keys<RatesNote>().message("text") { $0.text }
}

extension Formats {
    /// Income and spending in the base currency: converted for a user with rates, and otherwise what is in the base
    /// currency alone.
    func together(_ totals: [CurrencyTotal]) -> ConvertedTotal {
        if let conversion { return conversion.converter.total(totals, in: base) }
        return ConvertedTotal(
            totals.first { $0.currency == base }
                ?? CurrencyTotal(currency: base, incomeMinor: 0, expenseMinor: 0, count: 0)
        )
    }

    /// A sum in the base currency; nil for a user without rates.
    func together(_ amounts: some Sequence<MoneySum>) -> ConvertedSum? {
        conversion?.converter.sum(amounts, in: base)
    }

    /// The words about the rates; nil if a page converts nothing and leaves nothing out.
    /// - Parameter leftOut: the amounts without a rate.
    func ratesLine(isConverted: Bool, leftOut: [String]) -> RatesLine? {
        guard let conversion, isConverted || !leftOut.isEmpty else { return nil }
        return RatesLine(
            notes: conversion.notes(self),
            leftOut: leftOut.isEmpty
                ? nil
                : Text("rates.not-in-the-total", ["amounts": .string(leftOut.joined(separator: ", "))])
        )
    }

    /// The same for totals of income and spending.
    func ratesLine(of totals: [ConvertedTotal]) -> RatesLine? {
        var seen: Set<CurrencyCode> = []
        let leftOut = totals.flatMap(\.leftOut).filter { seen.insert($0.currency).inserted }
        return ratesLine(
            isConverted: totals.contains(where: \.isConverted),
            leftOut: leftOut.map { TotalLine($0, formats: self).text }
        )
    }

    /// The day of the rates for the mark of a converted amount; nil for an amount that is exact, and for a sum that is too
    /// large to be shown.
    func rateDate(_ isConverted: Bool, of minor: Int128 = 0) -> String? {
        isConverted && !minor.isTooLarge ? rateDays ?? conversion.map { "\($0.day)" } : nil
    }

    /// A converted amount with its sign, for charts and captions; an exact one as it is.
    func money(_ minor: Int128, _ currency: CurrencyCode, isConverted: Bool) -> String {
        (isConverted && !minor.isTooLarge ? "≈ " : "") + money(minor, currency)
    }
}
