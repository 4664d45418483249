// Preferences with their fallbacks, so that every page works for a book that was never asked anything.

/// What holds: what was chosen, else what the browser's locale tells, else a default.
public struct ResolvedPreferences: Hashable, Sendable {
    /// The currency of budgets and totals.
    public let baseCurrency: CurrencyCode
    /// Other currencies often used.
    public let secondaryCurrencies: [CurrencyCode]
    /// Monday or Sunday.
    public let weekStart: WeekStart
    /// What happens where two devices changed the same guarded field.
    public let conflictPolicy: ConflictPolicy
    /// Light or dark.
    public let theme: Theme
    /// How amounts and dates are written.
    public let locale: String
    /// A name of the IANA time zone database.
    public let timeZone: String
}

extension Preferences {
    /// What holds.
    /// - Parameters:
    ///   - browser: the locale that the browser asked for, where it is known.
    ///   - timeZone: the server's, for a user who chose none.
    public func resolved(browser: LocaleFacts?, timeZone serverZone: String) -> ResolvedPreferences {
        ResolvedPreferences(
            baseCurrency: baseCurrency ?? browser?.currency ?? .usd,
            secondaryCurrencies: secondaryCurrencies ?? [],
            weekStart: weekStart ?? browser?.weekStart ?? .monday,
            conflictPolicy: conflictPolicy ?? .newest,
            theme: theme ?? .system,
            locale: locale ?? browser?.tag ?? "en-US",
            timeZone: timeZone ?? serverZone
        )
    }
}
