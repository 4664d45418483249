// Preferences with defaults, so that every page works for a book without any.

/// The effective preferences: the user's choice, or else the browser's locale, or else a default.
public struct ResolvedPreferences: Hashable, Sendable {
    /// The currency of budgets and totals.
    public let baseCurrency: CurrencyCode
    /// Other currencies that the user often needs.
    public let secondaryCurrencies: [CurrencyCode]
    /// Monday or Sunday.
    public let weekStart: WeekStart
    /// The treatment of a guarded field that two devices changed.
    public let conflictPolicy: ConflictPolicy
    /// The colour scheme.
    public let theme: Theme
    /// The format of amounts and dates.
    public let locale: String
    /// A name of the IANA time zone database.
    public let timeZone: String
}

extension Preferences {
    /// The effective preferences.
    /// - Parameters:
    ///   - browser: the locale of the browser, if it is known.
    ///   - timeZone: the server's time zone, for users without a choice.
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
