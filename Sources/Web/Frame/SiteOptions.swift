// The operator's settings of the web app, and the tables that it is given.

package import CloudProtocol
package import Ledger

extension Site {
    /// The operator's settings of user accounts.
    package struct UserAccountOptions: Sendable {
        /// Which forms and providers the page of sign-in offers.
        var signInMethods: SignInPage.Methods
        /// Whether guests may keep a book without an account.
        var guests: Bool
        /// Whether each signed-in user is premium.
        var premiumForEveryone: Bool
        /// The OpenID Connect provider for signing in.
        var provider: (any IdentityProvider)?
        /// The address of this server for browsers, with its base path; nil to use the address of each request.
        var publicAddress: String?
        /// The store that sells subscriptions; nil if the operator grants them.
        var store: (any SubscriptionStore)?
        /// The number of days for which backups keep deleted data; nil if this server does not know.
        var backupDays: Int?

        /// - Parameter publicAddress: the address of this server for browsers.
        package init(
            signInMethods: SignInPage.Methods,
            guests: Bool,
            premiumForEveryone: Bool,
            provider: (any IdentityProvider)? = nil,
            publicAddress: String? = nil,
            store: (any SubscriptionStore)? = nil,
            backupDays: Int? = nil
        ) {
            self.signInMethods = signInMethods
            self.guests = guests
            self.premiumForEveryone = premiumForEveryone
            self.provider = provider
            self.publicAddress = publicAddress
            self.store = store
            self.backupDays = backupDays
        }
    }

    /// Data from `Resources/data` and the system, read when the server starts.
    package struct Tables: Sendable {
        /// The currencies that are in use.
        package let currencies: CurrencyTable
        let locales: LocaleTable
        /// For a list to choose from, by name.
        let localeNames: [(tag: String, name: String)]
        let zones: @Sendable () -> [String]
        let zone: @Sendable (String) -> String?

        /// The tables.
        /// - Parameters:
        ///   - zones: returns the names of the known time zones; called when a page needs them, because it
        ///     loads the system's tables into memory.
        ///   - zone: returns the canonical name of a time zone for any of its names; nil if it is unknown.
        package init(
            currencies: CurrencyTable,
            locales: LocaleTable,
            zones: @escaping @Sendable () -> [String],
            zone: @escaping @Sendable (String) -> String?
        ) {
            self.currencies = currencies
            self.locales = locales
            self.zones = zones
            self.zone = zone
            localeNames = locales.all.map { ($0.tag, $0.name) }.sorted { $0.name < $1.name }
        }
    }
}
