// A request with its device, preferences and formats, which all actions use.

import Book
import CloudProtocol
import DeviceStore
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
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
    let lease: BookLease?
    private var token: DeviceToken
    private var hasNewToken: Bool
    /// Whether an action has set a cookie, which is sent regardless of the page.
    private var mustKeep = false
    /// Whether the browser is to remove all that it keeps of this site: its book is gone, or closed to it.
    var clearsBrowser = false
    private var knownPreferences: ResolvedPreferences?
    private var knownFormats: Formats?

    init(_ site: Site, _ request: Request, _ found: DeviceManager.Found?, _ lease: BookLease?) {
        self.site = site
        self.request = request
        self.found = found
        self.lease = lease
        let sent = site.sentCookie(of: request)?.token
        sync = found?.device.syncStatus(in: lease?.book)
        token = found?.newCookie ?? sent ?? site.devices.newToken()
        hasNewToken = sent == nil || found?.newCookie != nil
    }

    /// Releases the book, which may not be read afterwards.
    func end() {
        if request.method == "POST" { device?.noteForm() }
        lease?.giveBack()
    }

    /// Refuses forms that were sent by a page of another site or of an earlier session, and repeated fields.
    func check() throws {
        let fields = request.method == "POST" ? request.form : request.query
        // Forms that are not sent as multipart have the names of chosen files in their place.
        let lists: Set = ["currencies", "secondary_currencies", "file", "id", "from"]
        guard !fields.repeatsAny(besides: lists.union(TransactionEntry.lists).union(RuleEntry.lists)) else {
            throw Refusal.malformed
        }
        guard request.method == "POST" else { return }
        let token = request.form.first("csrf") ?? ""
        guard request.isSameOrigin, !token.isEmpty else { throw Refusal.foreignForm }
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
            submission,
            from: request.clientNetwork,
            locale: browserLocale?.tag ?? "",
            at: step,
            user: user
        )
        return (found.device, found.newCookie)
    }

    /// The identity of this form, which a browser may send again if the answer did not arrive.
    var submission: DeviceManager.FormSubmission {
        DeviceManager.FormSubmission(
            site.sentCookie(of: request)?.token.hash ?? cookie,
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
        then resume: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Response {
        site.later(found, work, then: resume)
    }

    /// Suspends the connection during a request to a cloud or a provider, then answers with its result.
    func ask<Value: Sendable, Failure: Error>(
        _ question: @escaping @Sendable () async throws(Failure) -> Value,
        then resume: @escaping @Sendable (RequestContext, Result<Value, Failure>) throws -> Response
    ) -> Response {
        let answer: @Sendable () async -> Result<Value, Failure> = {
            do throws(Failure) { return .success(try await question()) } catch { return .failure(error) }
        }
        return later(answer, then: resume)
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

    /// The last day before an end. An end at midnight UTC was stated as a day, such as the one with which an operator grants
    /// premium: it is the same in every time zone.
    /// - Parameter end: UTC seconds.
    func lastDay(before end: Int64) throws -> CivilDate {
        if case .day(let day) = StatedTime(seconds: end) { return day.adding(days: -1) }
        return try day(of: end.subtractingClamped(1))
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
        let resolved = chosen.resolved(browser: browserLocale, timeZone: site.devices.dependencies.serverZone)
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
            weekStart: preferences.weekStart,
            style: site.style(preferences.locale),
            sheetForm: .usual(in: site.locale(preferences.locale)),
            conversion: conversion(to: preferences.baseCurrency),
            day: { [dependencies = site.devices.dependencies, zone = preferences.timeZone] in
                dependencies.day(of: $0, in: zone)
            }
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
        guard let rates else { return nil }
        let converter = CurrencyConverter(rates: rates, currencies: site.tables.currencies)
        guard converter.hasRate(of: base) else { return nil }
        return Conversion(
            converter,
            now: site.devices.dependencies.now,
            isOffline: device?.syncPhase(sync) == "offline"
        )
    }

    /// The parser for amounts as the user types them.
    func amounts() throws -> AmountParser {
        AmountParser(
            decimalSign: try decimalSign(),
            currencies: site.tables.currencies,
            locale: site.locale(try preferences().locale)
        )
    }

    /// The decimal sign. For a form, the sign with which it was shown: the locale may have changed since, and
    /// "1.234" would be a thousand times as much.
    func decimalSign() throws -> Character {
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
    func onceID() -> EntityID { knownOnceID ?? newID() }

    /// The same; nil for a request that names none.
    var knownOnceID: EntityID? {
        (request.form.first("once") ?? request.query.first("once")).flatMap { EntityID($0) }
    }

    /// The token for forms of this session.
    var csrf: String { site.devices.seal.token(for: cookie) }

    /// Adds what the browser is to keep or to remove: the cookie if it has none, gets another one, or must keep it for
    /// longer.
    func finish(_ response: inout Response) {
        if clearsBrowser {
            // The storage is that of the whole origin, which a server below a path shares with other apps.
            let kinds = site.base == .root ? "\"cache\", \"storage\"" : "\"cache\""
            response.add("Clear-Site-Data", kinds)
        }
        guard hasNewToken, response.status.rawValue < 500 else { return }
        // A health check is not a browser.
        guard mustKeep || device != nil || Routes.withoutDevice.contains(request.path) else { return }
        // A browser that sends a bound cookie uses TLS, even if a proxy reports otherwise.
        let isBound = request.isSecure || site.sentCookie(of: request)?.isHostBound == true
        response.set(site.cookie.holding(token, isSecure: isBound))
    }

    /// The cookie of the request, or its replacement.
    var cookie: CookieHash { found?.cookie ?? token.hash }

    /// The cookies that the browser's forms may have been shown with.
    var formCookies: [CookieHash] { found?.formCookies ?? [token.hash] }
}
