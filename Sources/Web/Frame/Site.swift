// The web app as one value: the services that all requests share, and the handler of requests.

package import Devices
package import HTTPServer
import Ledger
import Lifecycle
package import Links
import SyncCore
import Synchronization
package import Templates

/// The pages of Breadly. Safe to use from any thread.
package final class Site: Sendable {
    /// The devices and their books.
    package let devices: DeviceManager
    /// The tables of currencies and locales.
    let tables: Tables
    let account: UserAccountOptions
    let pages: PageLibrary
    let files: StaticFiles
    /// The failed checks of readiness, a sentence each.
    let readiness: @Sendable () async -> [String]
    /// Receives every page of a device as it is sent, and the sentences that its script writes into it; nil, and costs
    /// nothing, outside of the reviewers' lab.
    let observer: (@Sendable (Device?, ByteBuffer) -> Void)?
    let assets: Assets
    /// The path that the server is below.
    let base: BasePath
    /// The name of the cookie of a sign-in at a provider.
    let signInCookieName: String
    let cookie: DeviceCookie
    /// The cookie of the same server without a base path.
    private let rootCookie: DeviceCookie
    private let styles = Mutex<[String: LocaleStyle]>([:])
    private let catalogs = Mutex<[EntityID: Catalog]>([:])
    /// The greatest number of cached catalogues: one for each open book and some more, because a book that is
    /// opened again has other choices.
    private static let mostCatalogs = 24

    /// The web app.
    /// - Parameters:
    ///   - base: the base path of the server, to which `pages` are bound.
    ///   - cookieMark: ends the names of cookies, so that servers on several ports of a host do not share them; nil for a
    ///     site whose path is enough, such as that of a reviewer's device.
    ///   - pages: the templates, bound to their pages.
    ///   - files: the files that browsers load: `app.css`, `app.js`, `icons.svg`, `favicon.svg`.
    ///   - readiness: returns the failed checks of readiness, a sentence each.
    ///   - observer: called with each page that is printed, on the worker of its request, and with the sentences of an
    ///     event stream; it must not block, and must not keep the buffer.
    package init(
        devices: DeviceManager,
        tables: Tables,
        account: UserAccountOptions,
        base: BasePath,
        cookieMark: String? = nil,
        pages: PageLibrary,
        files: StaticFiles,
        readiness: @escaping @Sendable () async -> [String],
        observer: (@Sendable (Device?, ByteBuffer) -> Void)? = nil
    ) {
        self.devices = devices
        self.tables = tables
        self.account = account
        self.base = base
        cookie = DeviceCookie(below: base, of: cookieMark)
        rootCookie = DeviceCookie(below: .root, of: cookieMark)
        signInCookieName = "breadly_sign_in" + (cookieMark.map { "-\($0)" } ?? "")
        self.pages = pages
        self.files = files
        self.readiness = readiness
        self.observer = observer
        func address(_ name: String) -> String { base.text + (files.address(of: name) ?? "") }
        assets = Assets(address)
    }

    /// Answers a request: the server's handler.
    package func answer(_ request: Request) -> Response {
        files.answer(request) ?? routed(request)
    }

    /// The cookie that makes a browser the holder of a device.
    /// - Parameter isSecure: whether the browser keeps it over TLS.
    package func cookie(holding token: DeviceToken, isSecure: Bool) -> Cookie {
        cookie.holding(token, isSecure: isSecure)
    }

    /// Whether a request is of a browser on which a user is signed in. Guests count as unknown clients: a single form makes
    /// one.
    package func isOfUser(_ request: Request) -> Bool {
        sentCookie(of: request).map { devices.isOfUser($0.token) } ?? false
    }

    /// Whether a request is of a browser with a device on this server.
    package func isKnown(_ request: Request) -> Bool {
        sentCookie(of: request).map { devices.recognises($0.token) } ?? false
    }

    /// The browser's cookie.
    ///
    /// A server whose cookie has got another name, or that moves below a base path, still finds the books of browsers
    /// with its former cookie. A token of another server is unknown to this one, and stays with the browser.
    func sentCookie(of request: Request) -> DeviceCookie.Sent? {
        if let own = cookie.sent(with: request) { return own }
        var others = cookie.sentOfOtherServers(with: request)
        if base != .root {
            if var root = rootCookie.sent(with: request) {
                root.mustBeReplaced = true
                others.append(root)
            }
            others += rootCookie.sentOfOtherServers(with: request)
        }
        return others.first { devices.recognises($0.token) }
    }

    /// The page for a request that the server refuses before it reaches `answer`.
    package func refusal(_ status: Status) -> Response {
        let problem: ErrorPage.Problem =
            switch status {
            case .contentTooLarge: .tooLarge
            case .notFound: .notFound
            case .methodNotAllowed: .wrongMethod
            case .tooManyRequests, .unavailable: .overloaded
            case .misdirected: .otherHost
            default: .malformed
            }
        return RequestContext.bare(self, problem, status)
    }

    private func routed(_ request: Request) -> Response {
        let action: Action
        switch Routes.table.match(request) {
        case .found(let found): action = found
        case .notFound: return answered(request) { _ in throw Refusal.notFound }
        case .wrongMethod(let allow):
            var response = problem(Refusal.wrongMethod, request, nil)
            response.add("Allow", allow)
            return response
        }
        return answered(request) { [self] context in
            guard let device = context.device, VerifyingShow.isAwaited(on: device, by: context) else {
                return try allowed(context, action)
            }
            return context.later {
                await device.waitForCloud(withinMilliseconds: CloudWait.milliseconds)
            } then: { [self] context, _ in
                try allowed(context, action)
            }
        }
    }

    /// Answers a request with its action if the state of its device allows it, or with a redirect.
    private func allowed(_ context: RequestContext, _ action: Action) throws -> Response {
        let device = context.device
        let detour = Gate.detour(
            context.request.path,
            device?.state,
            device?.onboarding,
            guests: account.guests,
            isLocked: device?.isLocked ?? false,
            readsFormerBook: context.request.method != "POST" && device?.showsFormerBook == true
        )
        do { try context.check() } catch Refusal.staleForm {
            return try FormRefill.answer(context, isAllowed: detour == nil)
        }
        if let device, context.request.method == "POST", !device.mayWrite() { throw Refusal.tooFast }
        if let detour { return context.redirect(to: detour) }
        if let device, context.request.method == "POST", Routes.needsRoom(context.request.path),
            !device.hasRoom
        {
            throw DevicesError.noRoomForGuests
        }
        if context.request.method == "GET" { context.recordDueSchedules() }
        return try action(context)
    }

    /// Answers with the result of an action, or with the page for its error.
    ///
    /// If the request has to wait for its own device, because a book is being opened or an effect runs, its
    /// connection is suspended: no worker waits for a disk that another device's page does not need.
    /// - Parameter before: the device for which the action has begun, if it continues after a wait.
    private func answered(
        _ request: Request,
        by before: DeviceManager.Found? = nil,
        _ action: @escaping @Sendable (RequestContext) throws -> Response
    ) -> Response {
        do {
            let found = try holder(of: request, before)
            guard let found, !Routes.health.contains(request.path) else {
                return answered(request, found, nil, action)
            }
            switch Admission(found.device, request.method) {
            case .ready(let lease): return answered(request, found, lease, action)
            case .mustWait:
                let (device, method) = (found.device, request.method)
                let clock = devices.dependencies.milliseconds
                return resting {
                    await Admission.wait(for: device, method, clock: clock)
                } then: { [self] request, result in
                    switch result {
                    case .success(nil) where !found.device.hasFailed:
                        // Another tab has repaired the state in the meantime.
                        answered(request, by: found, action)
                    // The cookie has become invalid: a sign-in or sign-out elsewhere has replaced it.
                    case .success where found.newCookie == nil && !isKnown(request):
                        answered(request, by: before, action)
                    case .success(let lease): answered(request, found, lease, action)
                    case .failure(let error): problem(error, request, nil)
                    }
                }
            }
        } catch {
            return problem(error, request, nil)
        }
    }

    private func answered(
        _ request: Request,
        _ found: DeviceManager.Found?,
        _ lease: BookLease?,
        _ action: (RequestContext) throws -> Response
    ) -> Response {
        let context = RequestContext(self, request, found, lease)
        defer { context.end() }
        do {
            var response = try action(context)
            context.finish(&response)
            return response
        } catch {
            return problem(error, request, context)
        }
    }

    /// The device of a request's cookie. During a wait, the cookie may have been replaced in another window, and the
    /// device removed: an action that has waited finds it again.
    /// - Parameter before: what the request has found before its wait. A cookie that was renewed then is still to be sent.
    private func holder(of request: Request, _ before: DeviceManager.Found?) throws -> DeviceManager.Found? {
        if let before, let unsent = before.newCookie, devices.id(of: unsent) == before.device.id {
            return before
        }
        return try sentCookie(of: request).flatMap { sent in
            try devices.find(
                sent.token,
                isHostBound: sent.isHostBound,
                mustBeReplaced: sent.mustBeReplaced
            )
        }
    }

    /// Suspends the connection while something is awaited, then continues with the action that has begun.
    func later<Value: Sendable>(
        _ found: DeviceManager.Found?,
        _ work: @escaping @Sendable () async -> Value,
        then resume: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Response {
        resting(work) { [self] request, value in answered(request, by: found) { try resume($0, value) } }
    }

    private func resting<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value,
        then resume: @escaping @Sendable (Request, Value) -> Response
    ) -> Response {
        let answer = LaterAnswer()
        Background.run {
            let value = await work()
            answer.resume { request in resume(request, value) }
        }
        return .later(answer)
    }

    /// The page for an error.
    private func problem(_ error: any Error, _ request: Request, _ context: RequestContext?) -> Response {
        let reference = devices.dependencies.newID().description.suffix(8)
        var problem = Problems.page(for: error, reference: String(reference))
        if case .storageFull = problem, (try? context?.book().isFull) == true { problem = .bookFull }
        if Problems.isForTheLog(error, problem) {
            let level: LogLevel = Problems.isFault(problem) ? .error : .warning
            devices.dependencies.log.write(
                "\(request.method) \(request.path): \(error) (reference \(reference))",
                at: level
            )
        }
        let status = Problems.status(of: error, problem)
        guard let context else {
            // Without a session, the form is returned with the token that it was sent with.
            let kept = PreservedForm(
                afterFault: request,
                status,
                csrf: request.form.first("csrf") ?? "",
                action: Link(path: request.path),
                formats: nil
            )
            return RequestContext.bare(self, problem, status, kept: kept)
        }
        // The address of the sign-up has an account by now, so the same user signs in to it.
        let action: Link = error is UnfinishedSignIn ? .signIn : Link(path: request.path)
        let kept = PreservedForm(
            afterFault: request,
            status,
            csrf: context.csrf,
            action: action,
            formats: try? context.formats()
        )
        let page = ErrorPage(chrome: context.chrome(isBare: true), problem: problem, kept: kept)
        // The page for a missing page has the frame of the app.
        let isAtHome = context.device.map {
            Gate.detour(Link.overview.path, $0.state, $0.onboarding, isLocked: $0.isLocked) == nil
        }
        var response =
            status == .notFound && isAtHome == true
            ? context.page(FramedErrorPage(page), status) : context.page(page, status)
        if case Refusal.tooManyDownloads = error { response.add("Retry-After", "10") }
        context.finish(&response)
        return response
    }

    func style(_ tag: String) -> LocaleStyle {
        // The key is the resolved tag, because a book may contain any text as its locale.
        let facts = locale(tag)
        if let known = styles.withLock({ $0[facts.tag] }) { return known }
        let style = LocaleStyle(
            locale: facts,
            currencies: tables.currencies,
            texts: pages.texts
        )
        styles.withLock { $0[facts.tag] = style }
        return style
    }

    /// The catalogue of a device's book, cached for as long as the book returns the same choices.
    func catalog(of device: EntityID, _ choices: BookChoices) -> Catalog {
        if let known = catalogs.withLock({ $0[device] }), known.source === choices { return known }
        let catalog = Catalog(choices)
        catalogs.withLock { catalogs in
            if catalogs.count >= Self.mostCatalogs { catalogs = [:] }
            catalogs[device] = catalog
        }
        return catalog
    }

    /// The facts of a locale; for an unknown locale, the facts of English in the United States.
    func locale(_ tag: String) -> LocaleFacts { tables.locales[tag] ?? .fallback }
}
