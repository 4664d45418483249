// The reviewers' lab: the page of a reviewer's world, its buttons, and the devices below it.

import Devices
import Foundation
package import HTTPServer
import Ledger
import Links
import SyncCore
package import Templates
import Texts
import Web

/// The lab. Safe to use from any thread.
package final class Lab: Sendable {
    let parts: LabParts
    let reviewers: Reviewers
    let pages: LabLibrary
    let assets: LabAssets
    private let seal: FormSeal
    private let tasks = TaskScope()
    /// The interval of looking for worlds to wipe, in milliseconds.
    private static let tidyMilliseconds: Int64 = 60_000

    /// A lab in an empty folder.
    /// - Throws: `TemplateError` if a template does not fit its page.
    package init(_ parts: LabParts) throws(TemplateError) {
        self.parts = parts
        pages = try LabLibrary(parts.templates)
        assets = LabAssets(parts.labFiles)
        reviewers = Reviewers(parts)
        seal = FormSeal(key: Randomness().bytes(32))
        let reviewers = reviewers
        tasks.run {
            while !Task.isCancelled {
                await pause(milliseconds: Self.tidyMilliseconds)
                guard !Task.isCancelled else { return }
                await reviewers.tidy()
            }
        }
    }

    /// Ends all worlds, and removes the folder.
    /// - Parameter milliseconds: the longest time to wait for the worlds. A world that still works on a big
    ///   book then is left to the end of the process, and loses its files.
    package func close(withinMilliseconds milliseconds: Int64 = 600_000) async {
        await tasks.close()
        let reviewers = reviewers
        _ = await Background.ends(withinMilliseconds: milliseconds) { await reviewers.close() }
        // A world that is not at its end may make a file in a folder that is just being removed.
        for _ in 0..<3 where FileManager.default.fileExists(atPath: parts.folder) {
            try? FileManager.default.removeItem(atPath: parts.folder)
        }
    }

    /// Whether the cookie of a request leads to a reviewer who is remembered.
    package func isKnown(_ request: Request) -> Bool {
        token(of: request).map { reviewers.find($0) != nil } ?? false
    }

    /// The rules of the files of a request for a device; nil if it may contain none.
    package func uploads(_ request: Request) -> UploadRules? {
        for (place, base) in LabParts.bases.enumerated() where request.path.hasPrefix(base.text + "/") {
            let reviewer = token(of: request).flatMap { reviewers.find($0) }
            let running = reviewer?.now.world?.device(place + 1)?.running
            return running?.site.uploads(request, path: String(request.path.dropFirst(base.text.count)))
        }
        return nil
    }

    /// Answers a request: the server's handler.
    package func answer(_ request: Request) -> Response {
        if let file = parts.labFiles.answer(request) { return file }
        for (place, base) in LabParts.bases.enumerated() where request.enter(below: base.text) {
            return answer(request, device: place + 1)
        }
        if let address = Self.withSlash(request.path) { return .seeOther(address) }
        if let base = LabParts.storyBase, request.enter(below: base.text) { return answer(story: request) }
        // The lab's cookie belongs to its own addresses: elsewhere a browser does not send it, and must not get another.
        if case .found(let action) = LabRoutes.outside.match(request) { return action() }
        switch LabRoutes.table.match(request) {
        case .found(let action): return answer(request, action)
        case .notFound: return page(ProblemPage(.notFound, assets), .notFound)
        case .wrongMethod(let allow):
            var response = page(ProblemPage(.wrongMethod, assets), .methodNotAllowed)
            response.add("Allow", allow)
            return response
        }
    }

    /// The address that was meant with a slash too many or too few; nil for others.
    private static func withSlash(_ path: String) -> String? {
        if path == Link.lab.path + "/" { return Link.lab.text }
        return LabParts.bases.first { $0.text == path }.map { $0.text + "/" }
    }

    // MARK: - The page of the lab

    private func answer(_ request: Request, _ action: @escaping LabAction) -> Response {
        let sent = token(of: request)
        let known = sent.flatMap { reviewers.find($0) }
        // A form of a world that was wiped has nothing to change.
        guard known != nil || request.method != "POST" else {
            return page(ProblemPage(.gone, assets), .gone)
        }
        let isLost = known == nil && sent != nil
        // The script of a page whose world was wiped must learn that, and the page after it says so.
        guard known != nil || request.path != Link.labState.path else {
            return page(ProblemPage(.gone, assets), .gone)
        }
        let reviewer = known ?? reviewers.welcome(from: request.clientNetwork, after: sent)
        let call = LabCall(lab: self, request: request, reviewer: reviewer, isLost: isLost)
        guard
            request.method != "POST"
                || request.isSameOrigin
                    && seal.accepts(request.form.first("csrf") ?? "", for: reviewer.token.hash)
        else { return page(ProblemPage(.foreignForm, assets), .forbidden) }
        var response = action(call)
        if known == nil { response.set(cookie(reviewer.token, request)) }
        return response
    }

    /// The answer to a page of the storybook: nothing changes, and nothing is new.
    private func answer(story request: Request) -> Response {
        guard case .found(let action) = LabRoutes.story.match(request) else {
            return page(ProblemPage(.story, assets), .notFound)
        }
        return action()
    }

    // MARK: - The devices

    private func answer(_ request: Request, device number: Int) -> Response {
        guard let reviewer = token(of: request).flatMap({ self.reviewers.find($0) }) else {
            return page(ProblemPage(.gone, assets), .gone)
        }
        let runsScript = request.cookie(Self.scriptCookie) != nil
        reviewer.present.withLock { $0.reportsOpening = runsScript }
        if request.path == Link.labOpened.path { return note(opened: request, reviewer, number) }
        if let running = reviewer.now.world?.device(number)?.running {
            return answer(request, reviewer, number, running)
        }
        // A world costs files: it is made by a button of the lab, and not by an address that is only loaded.
        let present = reviewer.now
        guard present.world != nil || present.isBusy else {
            return page(ProblemPage(.notBegun, assets), .notFound)
        }
        // The world is being made, or the process of the device is being started.
        let all = reviewers
        return later { () async throws(LabError) in
            guard let device = try await all.world(of: reviewer).device(number) else { throw .gone }
            return try await device.start()
        } then: { [self] request, result in
            switch result {
            case .success(let running): answer(request, reviewer, number, running)
            case .failure(let error): problem(error)
            }
        }
    }

    private func answer(
        _ request: Request,
        _ reviewer: Reviewer,
        _ number: Int,
        _ running: LabDevice.Running
    ) -> Response {
        // The browser of a prepared device gets its cookie with the first page.
        if request.method == "GET", !running.site.isKnown(request),
            let device = reviewer.now.world?.device(number), let token = device.tokenToHand()
        {
            var response = Response.seeOther(request.target)
            response.set(running.site.cookie(holding: token, isSecure: request.isSecure))
            return response
        }
        return running.site.answer(request)
    }

    /// The answer to the script of a device's page, which reports the words in a part that was opened.
    private func note(opened request: Request, _ reviewer: Reviewer, _ number: Int) -> Response {
        guard request.method == "POST" else {
            return page(ProblemPage(.wrongMethod, assets), .methodNotAllowed)
        }
        guard request.isSameOrigin else { return page(ProblemPage(.foreignForm, assets), .forbidden) }
        reviewer.note(opened: request.form.first("words") ?? "", of: number)
        return Response(.noContent)
    }

    // MARK: - Answers

    /// Suspends the connection during some work, then answers with its result.
    func later<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value,
        then resume: @escaping @Sendable (Request, Result<Value, Failure>) -> Response
    ) -> Response {
        let answer = LaterAnswer()
        Background.run {
            let result: Result<Value, Failure>
            do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
            answer.resume { request in resume(request, result) }
        }
        return .later(answer)
    }

    /// The answer with a page.
    func page(_ page: some Page, _ status: Status = .ok) -> Response {
        let out = ByteBuffer(capacity: 48 << 10)
        pages.render(page, into: out)
        return printed(out, status)
    }

    /// The answer with a page that is rendered already.
    func printed(_ out: ByteBuffer, _ status: Status) -> Response {
        let (memory, count) = out.release()
        return Response(
            status,
            headers: [("Content-Type", "text/html; charset=utf-8")],
            body: .memory(OwnedMemory(memory, count: count))
        )
    }

    /// The page for an error.
    func problem(_ error: LabError) -> Response {
        switch error {
        case .gone: return page(ProblemPage(.gone, assets), .gone)
        case .full: return page(ProblemPage(.full, assets), .unavailable)
        case .notPossible(.session): return page(ProblemPage(.noSession, assets), .unprocessable)
        case .notPossible(.store): return page(ProblemPage(.noCustomer, assets), .unprocessable)
        case .notPossible(.refund): return page(ProblemPage(.noPurchase, assets), .unprocessable)
        case .notPossible(.clock): return page(ProblemPage(.endOfTime, assets), .unprocessable)
        case .failed(let reason):
            parts.log.error("the lab: \(reason)")
            return page(ProblemPage(.failed, assets), .internalError)
        }
    }

    /// The page for a request that the server refuses before it reaches `answer`.
    package func refusal(_ status: Status) -> Response {
        page(ProblemPage(status == .notFound ? .notFound : .malformed, assets), status)
    }

    /// The token for the forms of a reviewer.
    func csrf(_ reviewer: Reviewer) -> String { seal.token(for: reviewer.token.hash) }

    private static let cookieName = "breadly_lab"
    /// The cookie that the script of the lab sets, and a page without a script takes away.
    private static let scriptCookie = "breadly_lab_script"

    private func token(of request: Request) -> DeviceToken? {
        request.cookie(Self.cookieName).flatMap { DeviceToken($0) }
    }

    /// The answer to a picture that only a browser without a script asks for.
    @Sendable static func withoutScript() -> Response {
        var response = Response(.noContent)
        response.set(
            Cookie(name: scriptCookie, value: "", maxAgeSeconds: 0, isSecure: false, path: Link.lab.path)
        )
        return response
    }

    private func cookie(_ token: DeviceToken, _ request: Request) -> Cookie {
        Cookie(
            name: Self.cookieName,
            value: token.text,
            maxAgeSeconds: Int(parts.limits.idleSeconds) * 12,
            isSecure: request.isSecure,
            path: Link.lab.path
        )
    }
}

/// Answers a request of a reviewer.
typealias LabAction = @Sendable (LabCall) -> Response

/// A request with its reviewer.
struct LabCall {
    let lab: Lab
    let request: Request
    let reviewer: Reviewer
    /// Whether the browser's cookie belongs to a world that was wiped.
    let isLost: Bool

    var form: FormFields { request.form }
}

enum LabRoutes {
    /// The addresses that belong to no reviewer.
    static let outside = Router<@Sendable () -> Response>([
        Route("GET", Path(Link.overview.path)) { .seeOther(Link.lab.text) },
        Route("GET", Path(Link.healthz.path)) { .text(.ok, "ok") },
        Route("GET", Path(Link.readyz.path)) { .text(.ok, "ok") },
        Route("GET", Path(Link.labWithoutScript.path), Lab.withoutScript),
    ])

    /// The addresses that the pages of the storybook load by themselves.
    static let story = Router<@Sendable () -> Response>([
        // The end of a stream that is not opened again.
        Route("GET", Path(Link.events.path)) { Response(.noContent) },
        Route("GET", Path(Link.healthz.path)) { .text(.ok, "ok") },
        Route("GET", PathWith<Slug>(Link.receiptThumbnail.pattern)) { _ in StoryThumbnail.answer },
    ])

    // swift-format-ignore
    static let table = Router<LabAction>([
        get(.lab, LabShow.answer),               get(.labState, LabStateShow.answer),
        post(.labWorlds, WorldChange.answer),    post(.labClock, ClockMove.answer),
        post(.labNetwork, LineChange.answer),    post(.labStore, StoreEvent.answer),
        post(.labRates, RatesChange.answer),     post(.labKill, Kill.answer),
        post(.labSession, SessionEnd.answer),
        get(.labJourneys, JourneysShow.answer),  get(.labCoverage, CoverageShow.answer),
        Route("POST", PathWith<Slug>(Link.labJourneyStage.pattern)) { id in { JourneyStage.answer($0, id) } },
        get(.labPages, StoriesShow.answer),
        Route("GET", PathWith<Slug>(Link.labStory.pattern)) { id in { StoryShow.answer($0, id) } },
        Route("GET", PathWith<Slug>(Link.labStoryView.pattern)) { id in { StoryView.answer($0, id) } },
        get(.labSignIn, PeopleShow.answer),      post(.labSignIn, PersonChoice.answer),
        get(.labBank, BankConsentShow.answer),   post(.labBank, BankConsentAnswer.answer),
        post(.labBankBehaviour, BankBehaviourChange.answer),
    ])

    private static func get(_ link: Link, _ action: @escaping LabAction) -> Route<LabAction> {
        Route("GET", Path(link.path), action)
    }

    private static func post(_ link: Link, _ action: @escaping LabAction) -> Route<LabAction> {
        Route("POST", Path(link.path), action)
    }
}

/// The id of a journey or a story in an address.
struct Slug: PathValue {
    let text: String

    /// As `PathValue`.
    init?(pathSegment: Substring) { text = String(pathSegment) }
}
