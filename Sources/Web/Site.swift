// The web app as one value: what all requests share, and the way from a request to its answer.

public import Devices
public import HTTPServer
public import Ledger
import Lifecycle
public import Pages
public import SyncCore
import Synchronization

/// The pages of Breadly. Safe to use from any thread.
public final class Site: Sendable {
    /// The devices and their books.
    public let household: Household
    /// The tables of currencies and locales.
    public let tables: Tables
    let account: AccountOptions
    let pages: PageLibrary
    let files: StaticFiles
    let assets: Assets
    let listeners = Listeners()
    private let styles = Mutex<[String: LocaleStyle]>([:])
    private let catalogs = Mutex<[EntityID: Catalog]>([:])
    private static let mostCatalogs = 64

    /// What the operator decided about accounts.
    public struct AccountOptions: Sendable {
        /// How one signs in.
        public var ways: SignInPage.Ways
        /// Whether strangers may keep a book without an account.
        public var guests: Bool
        /// Whether each signed-in user is premium.
        public var premiumForEveryone: Bool
        /// Where one can sign in with an account of somebody else's.
        public var provider: (any IdentityProvider)?
        /// Where browsers find this server, as `https://budget.example.org`; nil to take what they ask for.
        public var publicAddress: String?

        /// What was decided.
        public init(
            ways: SignInPage.Ways,
            guests: Bool,
            premiumForEveryone: Bool,
            provider: (any IdentityProvider)? = nil,
            publicAddress: String? = nil
        ) {
            self.ways = ways
            self.guests = guests
            self.premiumForEveryone = premiumForEveryone
            self.provider = provider
            self.publicAddress = publicAddress
        }
    }

    /// What is read from `Resources/data` and from the system when the server starts.
    public struct Tables: Sendable {
        let currencies: CurrencyTable
        let locales: LocaleTable
        /// For a list to choose from, by name.
        let localeNames: [(tag: String, name: String)]
        let zones: @Sendable () -> [String]
        let serverZone: String

        /// The tables.
        /// - Parameters:
        ///   - zones: the names of time zones that are known; asked for when a page needs them, since reading them
        ///     takes the system's tables into memory.
        ///   - serverZone: the one of a user who chose none.
        public init(
            currencies: CurrencyTable,
            locales: LocaleTable,
            zones: @escaping @Sendable () -> [String],
            serverZone: String
        ) {
            self.currencies = currencies
            self.locales = locales
            self.zones = zones
            localeNames = locales.all.map { ($0.tag, $0.name) }.sorted { $0.name < $1.name }
            self.serverZone = serverZone
        }
    }

    /// The web app.
    /// - Parameters:
    ///   - pages: the templates, bound to their pages.
    ///   - files: what a browser loads: `app.css`, `app.js`, `icons.svg`, `favicon.svg`.
    public init(
        household: Household,
        tables: Tables,
        account: AccountOptions,
        pages: PageLibrary,
        files: StaticFiles
    ) {
        self.household = household
        self.tables = tables
        self.account = account
        self.pages = pages
        self.files = files
        assets = Assets(
            css: files.address(of: "app.css") ?? "",
            script: files.address(of: "app.js") ?? "",
            sprite: files.address(of: "icons.svg") ?? "",
            favicon: files.address(of: "favicon.svg") ?? ""
        )
        listen()
    }

    /// Answers a request: the server's handler.
    public func answer(_ request: Request) -> Response {
        if let file = files.answer(request) { return file }
        var response = routed(request)
        if request.isSecure { response.add("Strict-Transport-Security", Self.strictTransport) }
        return response
    }

    /// The page for a request that the server refuses before it reaches `answer`.
    public func refusal(_ status: Status) -> Response {
        let problem: ErrorPage.Problem =
            switch status {
            case .contentTooLarge: .tooLarge
            case .notFound: .notFound
            case .methodNotAllowed: .wrongMethod
            default: .malformed
            }
        return Visit.bare(self, problem, status)
    }

    private func routed(_ request: Request) -> Response {
        let action: Action
        switch Routes.table.match(request.method, request.path) {
        case .found(let found): action = found
        case .notFound: return problem(Refusal.notFound, request, nil)
        case .wrongMethod(let allow):
            var response = problem(Refusal.wrongMethod, request, nil)
            response.add("Allow", allow)
            return response
        }
        return answered(request) { visit in
            try visit.check()
            let device = visit.device
            let detour = Gate.detour(request.path, device?.state, device?.onboarding, guests: account.guests)
            return try detour.map { .seeOther($0) } ?? action(visit)
        }
    }

    /// Answers with what an action makes of a visit, or with the page for what went wrong.
    private func answered(_ request: Request, _ action: (Visit) throws -> Response) -> Response {
        var visit: Visit?
        do {
            let opened = try Visit(self, request)
            visit = opened
            var response = try action(opened)
            opened.addCookie(to: &response)
            return response
        } catch {
            return problem(error, request, visit)
        }
    }

    /// Lets the connection rest while something waits for the network, then goes on with the same request.
    func later<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value,
        then goOn: @escaping @Sendable (Visit, Value) throws -> Response
    ) -> Response {
        let answer = LaterAnswer()
        Background.run {
            let value = await work()
            answer.goOn { request in
                var response = self.answered(request) { try goOn($0, value) }
                if request.isSecure { response.add("Strict-Transport-Security", Self.strictTransport) }
                return response
            }
        }
        return .later(answer)
    }

    /// One year: how long a browser that came over TLS once insists on it (RFC 6797).
    private static let strictTransport = "max-age=31536000"

    /// The page that tells what went wrong.
    private func problem(_ error: any Error, _ request: Request, _ visit: Visit?) -> Response {
        let reference = household.surroundings.newID().description.suffix(8)
        let problem = Problems.page(for: error, reference: String(reference))
        if Problems.isForTheLog(error, problem) {
            household.surroundings.log("\(request.method) \(request.path): \(error) (reference \(reference))")
        }
        let status = Problems.status(of: error, problem)
        guard let visit else { return Visit.bare(self, problem, status) }
        var response = visit.page(ErrorPage(chrome: visit.chrome(isBare: true), problem: problem), status)
        visit.addCookie(to: &response)
        return response
    }

    func style(_ tag: String) -> LocaleStyle {
        styles.withLock { styles in
            if let known = styles[tag] { return known }
            let style = LocaleStyle(locale: locale(tag), currencies: tables.currencies)
            styles[tag] = style
            return style
        }
    }

    /// The catalogue of a device's book: kept for as long as the book hands out the same choices.
    func catalog(of device: EntityID, _ choices: BookChoices) -> Catalog {
        catalogs.withLock { catalogs in
            if let known = catalogs[device], known.source === choices { return known }
            if catalogs.count >= Self.mostCatalogs { catalogs = [:] }
            let catalog = Catalog(choices)
            catalogs[device] = catalog
            return catalog
        }
    }

    /// The facts of a locale; English as in the United States where it is not known.
    func locale(_ tag: String) -> LocaleFacts { tables.locales[tag] ?? .fallback }
}
