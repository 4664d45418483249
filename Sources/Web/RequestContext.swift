// A request with its device, preferences and formats, which all actions use.

import Book
import CloudProtocol
import DeviceStore
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Pages
import SyncEngine
import Templates
import Texts

/// A request with its device. It lives on one worker thread, for one answer.
final class RequestContext {
    let site: Site
    let request: Request
    /// The status of sync at the arrival of the request: a page that says "backed up" then shows all rows
    /// that have arrived.
    let sync: SyncStatus?
    private let found: DeviceManager.Found?
    /// The book until the request is answered; nil if the device has no book to show.
    private let lease: BookLease?
    private var token: DeviceToken
    private var hasNewToken: Bool
    /// Whether an action has set a cookie, which is sent regardless of the page.
    private var mustKeep = false
    private var knownPreferences: ResolvedPreferences?
    private var knownFormats: Formats?

    init(_ site: Site, _ request: Request, _ found: DeviceManager.Found?, _ lease: BookLease?) {
        self.site = site
        self.request = request
        self.found = found
        self.lease = lease
        let sent = site.token(of: request)?.token
        sync = found?.device.syncStatus(in: lease?.book)
        token = found?.newCookie ?? sent ?? site.devices.newToken()
        hasNewToken = sent == nil || found?.newCookie != nil
    }

    /// Releases the book, which may not be read afterwards.
    func end() { lease?.giveBack() }

    /// Refuses forms that were sent by a page of another site or of an earlier session, and repeated fields.
    func check() throws {
        let fields = request.method == "POST" ? request.form : request.query
        let lists: Set = ["currencies", "secondary_currencies"]
        guard !fields.repeatsAny(besides: lists.union(TransactionEntry.lists)) else {
            throw Refusal.malformed
        }
        guard request.method == "POST" else { return }
        let token = request.form.first("csrf") ?? ""
        guard isSameOrigin, !token.isEmpty else { throw Refusal.foreignForm }
        guard formCookies.contains(where: { site.devices.seal.accepts(token, for: $0) }) else {
            throw Refusal.staleForm
        }
    }

    /// The device; nil for a browser without a device.
    var device: Device? { found?.device }

    /// The device, for pages that only a device may request.
    func knownDevice() throws -> Device {
        guard let device else { throw Refusal.notFound }
        return device
    }

    /// The device's book, until the request is answered.
    func book() throws -> Book {
        guard let lease else { throw Refusal.notFound }
        return lease.book
    }

    /// Creates a device for a browser without one; an existing device is unchanged.
    /// - Parameters:
    ///   - step: the first step of the onboarding.
    ///   - user: the user who has just signed in; nil for a guest.
    /// - Returns: in addition, the cookie that the answer must set; nil if the cookie is unchanged.
    func createDeviceIfNeeded(at step: OnboardingStep = .currency, user: UserAccount? = nil) throws -> (
        Device, DeviceToken?
    ) {
        if let device { return (device, nil) }
        let found = try site.devices.welcome(
            sending,
            from: request.clientNetwork,
            locale: browserLocale?.tag ?? "",
            at: step,
            user: user
        )
        return (found.device, found.newCookie)
    }

    /// The identity of this form, which a browser may send again if the answer did not arrive.
    var sending: DeviceManager.Sending {
        DeviceManager.Sending(
            site.token(of: request)?.token.hash ?? cookie,
            form: request.form.first("once").flatMap { EntityID($0) }
        )
    }

    /// Sets a cookie with the answer.
    func keep(_ cookie: DeviceToken?) {
        guard let cookie else { return }
        token = cookie
        (hasNewToken, mustKeep) = (true, true)
    }

    /// Suspends the connection during a request to another server, then answers.
    func later<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value,
        then goOn: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Response {
        site.later(work, then: goOn)
    }

    /// Suspends the connection during a request to a cloud or a provider, then answers with its result.
    func ask<Value: Sendable, Failure: Error>(
        _ question: @escaping @Sendable () async throws(Failure) -> Value,
        then goOn: @escaping @Sendable (RequestContext, Result<Value, Failure>) throws -> Response
    ) -> Response {
        let answer: @Sendable () async -> Result<Value, Failure> = {
            do throws(Failure) { return .success(try await question()) } catch { return .failure(error) }
        }
        return later(answer, then: goOn)
    }

    /// Suspends the connection while the device handles an event, then redirects.
    func redirect(
        to link: Link,
        after event: @escaping @Sendable () async throws(DevicesError) -> Void
    ) -> Response {
        ask(event) { context, result in
            try result.get()
            return context.redirect(to: link)
        }
    }

    /// Redirects the browser to another page.
    func redirect(to link: Link) -> Response { .seeOther(site.base.address(link)) }

    /// The day of a time in the user's time zone.
    /// - Parameter seconds: UTC seconds.
    func day(of seconds: Int64) throws -> CivilDate {
        site.devices.dependencies.day(of: seconds, in: try preferences().timeZone)
    }

    /// The locale that the browser requests, or requested when the device was created.
    var browserLocale: LocaleFacts? {
        if let device { return site.tables.locales[device.locale] }
        return request.header("Accept-Language").flatMap { site.tables.locales.bestMatch(acceptLanguage: $0) }
    }

    /// The user's preferences, with defaults.
    func preferences() throws -> ResolvedPreferences {
        if let knownPreferences { return knownPreferences }
        let chosen = try lease?.book.preferences() ?? Preferences()
        let resolved = chosen.resolved(browser: browserLocale, timeZone: site.tables.serverZone)
        knownPreferences = resolved
        return resolved
    }

    /// The user's formats of amounts and days.
    func formats() throws -> Formats {
        if let knownFormats { return knownFormats }
        let preferences = try preferences()
        let formats = Formats(
            base: preferences.baseCurrency,
            secondary: preferences.secondaryCurrencies,
            today: site.devices.dependencies.today(in: preferences.timeZone),
            style: site.style(preferences.locale),
            conversion: conversion(to: preferences.baseCurrency)
        )
        knownFormats = formats
        return formats
    }

    /// The latest rates of a premium user; nil if there are none, and for other users.
    var rates: ExchangeRates? {
        guard device?.tier == .premium else { return nil }
        // A page never fails for the want of rates.
        return try? lease?.book.rates()
    }

    /// The conversion into the base currency; nil if the currency has no rate, so that totals stay by currency.
    private func conversion(to base: CurrencyCode) -> Conversion? {
        guard let rates, rates[base] != nil else { return nil }
        return Conversion(
            CurrencyConverter(rates: rates, currencies: site.tables.currencies),
            now: site.devices.dependencies.now,
            isOffline: device?.syncPhase(sync) == "offline"
        )
    }

    /// The parser for amounts as the user types them.
    func amounts() throws -> AmountParser {
        AmountParser(decimalSign: try decimalSign(), currencies: site.tables.currencies)
    }

    /// The decimal sign. For a form, the sign with which it was shown: the locale may have changed since, and
    /// "1.234" would be a thousand times as much.
    private func decimalSign() throws -> Character {
        if request.method == "POST", let sign = request.form.first("decimal"), sign.count == 1,
            let sign = sign.first, ".,٫".contains(sign)
        {
            return sign
        }
        return site.locale(try preferences().locale).decimalSign
    }

    /// A new id, for a form that may take effect only once.
    func newID() -> EntityID { site.devices.dependencies.newID() }

    /// The id that the form got when it was shown: a form that is sent twice names the same entity.
    func onceID() -> EntityID { request.form.first("once").flatMap { EntityID($0) } ?? newID() }

    /// The token for forms of this session.
    var csrf: String { site.devices.seal.token(for: cookie) }

    /// The frame of a page.
    /// - Parameter isBare: shows neither messages nor what must be read from the book.
    func chrome(isBare: Bool = false) -> Chrome {
        // A request that shows no page consumes no toasts, and neither does a script that requests rows only.
        let shows =
            !isBare && request.method != "HEAD" && request.header("Accept") != "text/html;quiet"
        let cloud = device?.cloudStatus(sync, now: site.devices.dependencies.now) ?? .guest
        // "Cloud sync is on" is shown once it is true, and not beside a failure.
        let held: Set<String> = cloud.look == .alert ? [Self.premiumActivated] : []
        if device?.tier != .premium { _ = device?.consumeToast(Self.premiumActivated) }
        let messages = shows ? device?.consumeToasts(but: held) ?? [] : []
        let theme = isBare ? nil : try? preferences().theme
        return Chrome(
            assets: site.assets,
            csrf: csrf,
            state: device?.shownState ?? State.uninitialized.name,
            tier: device?.tier ?? .guest,
            cloud: cloud,
            sync: device?.syncPhase(sync) ?? "off",
            pending: sync?.pending ?? 0,
            theme: theme ?? .system,
            toasts: messages.filter { !Self.banners.contains($0.key) }.map {
                ToastLine(key: $0.key, text: $0.text, undo: $0.undo.flatMap { Link($0) })
            },
            notice: messages.first { $0.key == Self.reminder }?.text,
            warning: messages.first { $0.key == Self.caution }?.text,
            canSignIn: true,
            toReview: isBare || sync == nil ? ToReview() : (try? lease?.book.toReview()) ?? ToReview(),
            // A locked device shows nothing about its user's data.
            notices: device.map { $0.isLocked ? [] : $0.notices }?.map {
                NoticeLine(key: $0.key, text: $0.text)
            } ?? [],
            decimal: (isBare ? nil : try? decimalSign()).map(String.init) ?? "."
        )
    }

    /// The keys of toasts that are shown above the content instead of over it.
    static let reminder = "guest-reminder"
    static let caution = "left-out"
    /// The key of the toast that appears without a user action.
    static let premiumActivated = "premium-activated"
    private static let banners: Set = [reminder, caution]

    /// A text in the language of the pages, for output without a template.
    func string(_ text: Text) -> String { site.pages.texts.string(text) }

    /// The answer with a page.
    func page(_ page: some Page, _ status: Status = .ok) -> Response {
        Self.printed(page, status, site, device)
    }

    /// A page for a browser without a device.
    static func bare(
        _ site: Site,
        _ problem: ErrorPage.Problem,
        _ status: Status,
        kept: PreservedForm? = nil
    ) -> Response {
        let chrome = Chrome(
            assets: site.assets,
            csrf: "",
            state: State.uninitialized.name,
            tier: .guest,
            cloud: .guest
        )
        return printed(ErrorPage(chrome: chrome, problem: problem, kept: kept), status, site, nil)
    }

    private static func printed(_ page: some Page, _ status: Status, _ site: Site, _ device: Device?)
        -> Response
    {
        let out = ByteBuffer(capacity: 48 << 10)
        site.pages.render(page, into: out)
        site.observer?(device, out)
        let (memory, count) = out.release()
        return Response(
            status,
            headers: [("Content-Type", "text/html; charset=utf-8")],
            body: .memory(OwnedMemory(memory, count: count))
        )
    }

    /// Sets the cookie if the browser has none, gets another one, or must keep it for longer.
    func addCookie(to response: inout Response) {
        guard hasNewToken, response.status.rawValue < 500 else { return }
        // A health check is not a browser.
        guard mustKeep || device != nil || Routes.withoutDevice.contains(request.path) else { return }
        // A browser that sends a bound cookie uses TLS, even if a proxy reports otherwise.
        let isBound = request.isSecure || site.token(of: request)?.isHostBound == true
        response.set(site.cookie.holding(token, isSecure: isBound))
    }

    /// The cookie of the request, or its replacement.
    var cookie: CookieHash { found?.cookie ?? token.hash }

    /// The cookies that the browser's forms may have been shown with.
    var formCookies: [CookieHash] { found?.formCookies ?? [token.hash] }

    /// Whether the browser reports that a page of this server led here. Without TLS, only `Referer` does.
    var comesFromOwnPage: Bool {
        if let site = request.header("Sec-Fetch-Site") { return site == "same-origin" }
        let parts = request.header("Referer")?.split(separator: "/", omittingEmptySubsequences: true) ?? []
        return parts.count >= 2 && parts[1] == request.host
    }

    /// The list from which the user came to this page, with its filters.
    var originList: Link? { originPage.flatMap { Routes.isList($0) ? $0 : nil } }

    /// The list from which the user came to the form. The register of an account that was deleted since is none.
    var postedList: Link? {
        guard let list = request.form.first("back").flatMap({ Link($0) }), Routes.isList(list),
            list.text.utf8.count <= 2_000
        else { return nil }
        guard let account = Routes.account(of: list) else { return list }
        return (try? book().account(account)) == nil ? nil : list
    }

    /// The same list with a mark at an added or changed row.
    /// - Parameter list: the list of the row, if the user did not come to the form from a list.
    func list(of row: EntityID, or list: Link) -> Link {
        (postedList ?? list).adding(fragment: "t\(row)")
    }

    /// The page of this server that sent the form, with its query; nil if the browser does not report it.
    var originPage: Link? {
        guard comesFromOwnPage, let referer = request.header("Referer") else { return nil }
        let parts = referer.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count >= 2, parts[1] == request.host else { return nil }
        let address = "/" + (parts.count > 2 ? String(parts[2].prefix { $0 != "#" }) : "")
        guard let link = site.base.inside(address).flatMap({ Link($0) }),
            case .found = Routes.table.match("GET", link.path)
        else {
            return nil
        }
        return link
    }

    /// Whether the browser reports that a page of this server sent the form; old browsers report nothing.
    private var isSameOrigin: Bool {
        if let site = request.header("Sec-Fetch-Site"), site != "same-origin", site != "none" { return false }
        guard let origin = request.header("Origin") else { return true }
        let sides = origin.split(separator: "/", omittingEmptySubsequences: true)
        return sides.count == 2 && sides[1] == request.host
    }
}
