// A tab of a browser without JavaScript: it shows one page, follows links and redirects, and sends forms.

import Foundation
import Synchronization
import TestKit
import Testing

/// A browser profile. Its tabs share the cookies.
final class BrowserProfile {
    let port: Int
    var cookies = Cookies()

    init(port: Int) { self.port = port }
}

/// A tab with a page.
final class BrowserTab {
    private let profile: BrowserProfile
    /// The page in the tab.
    var page = SeenPage(HTMLReader(""))
    /// The answer that brought the page.
    private var loaded: LoadedPage?

    init(_ profile: BrowserProfile) { self.profile = profile }

    /// The path and query of the page.
    var address: String { loaded?.address ?? "" }

    /// The cookies that the browser sends to an address, by name.
    func cookies(for address: String) -> [String: String] { profile.cookies.sent(to: address) }

    /// Opens an address as a person who types it.
    func open(_ address: String) throws { try send(.page(address)) }

    /// Loads the page again, unless that would send a form once more.
    func reload() throws {
        let refreshes = page.html.first("meta", ["http-equiv": "refresh"]) != nil
        if loaded?.isRepeatable == true || refreshes { try send(.page(address)) }
    }

    /// Waits until a condition is true of the page, and loads it again meanwhile.
    /// - Returns: whether it came true in time.
    func becomes(_ condition: (BrowserTab) throws -> Bool) throws -> Bool {
        var isFirst = true
        return try becomesTrue {
            if !isFirst { try reload() }
            isFirst = false
            return try condition(self)
        }
    }

    /// Follows the link at a place of the page.
    func follow(_ place: Int) throws {
        let link = page.html.elements[place]
        let sendsReferrer = link["rel"]?.contains("noreferrer") != true
        try send(.page(link["href"] ?? "", from: sendsReferrer ? address : nil))
    }

    /// Asks for the file behind a link of the page, which stays in the tab.
    func download(_ place: Int) throws -> Reply {
        let request = PageRequest.page(page.html.elements[place]["href"] ?? "", from: address)
        return try LoadedPage(request, profile.port, profile.cookies).reply
    }

    /// Presses the button at a place of the page.
    /// - Parameters:
    ///   - typed: what is typed or chosen before, by the names of fields.
    ///   - files: the files that are chosen before.
    func press(
        _ place: Int,
        typing typed: [String: String] = [:],
        files: [ChosenFile] = [],
        at source: SourceLocation = #_sourceLocation
    ) throws {
        let request = page.submission(of: place, typing: typed, files: files)
        try send(
            try #require(
                request,
                "no form of the button has the fields \(typed.keys)",
                sourceLocation: source
            )
        )
    }

    /// Presses the button at a place of the page, and does something else before the answer is there.
    func press(_ place: Int, meanwhile work: () throws -> Void) throws {
        let request = try #require(page.submission(of: place))
        let (port, cookies) = (profile.port, profile.cookies)
        let answer = ThreadResult { try LoadedPage(request, port, cookies) }
        try work()
        let isThere = becomesTrue { answer.value != nil }
        try #require(isThere)
        show(try #require(answer.value).get())
    }

    private func send(_ request: PageRequest) throws {
        show(try LoadedPage(request, profile.port, profile.cookies))
    }

    private func show(_ answer: LoadedPage) {
        profile.cookies.merge(answer.cookies, since: answer.formerCookies)
        page = SeenPage(answer.reply.html)
        loaded = answer
    }
}

/// The page at the end of a request and its redirects.
struct LoadedPage: Sendable {
    let reply: Reply
    /// The path and query.
    let address: String
    /// Whether loading it again sends no form once more.
    let isRepeatable: Bool
    /// The cookies before the request and after the last answer.
    let formerCookies: Cookies
    let cookies: Cookies

    /// Sends a request as the browser with these cookies, and follows the redirects.
    init(_ request: PageRequest, _ port: Int, _ cookies: Cookies) throws {
        let host = "http://127.0.0.1:\(port)"
        var present = cookies
        func send(_ method: String, _ address: String, _ headers: [(String, String)], _ body: [UInt8]) throws
            -> Reply
        {
            let visitor = Visitor(port: port)
            visitor.cookies = present.sent(to: address)
            let reply = try visitor.send(method, address, headers: headers, body: body)
            present.store(reply)
            return reply
        }
        func path(_ address: String) -> String {
            let local = address.hasPrefix(host) ? String(address.dropFirst(host.count)) : address
            return String(local.prefix { $0 != "#" })
        }
        var (address, isRepeatable) = (path(request.address), request.method == "GET")
        var headers = request.referrer.map { [("Referer", host + $0)] } ?? []
        let content = request.content
        if let content { headers.append(("Content-Type", content.type)) }
        var reply = try send(request.method, address, headers, content?.body ?? [])
        for _ in 0..<10 {
            guard reply.status == 303, let next = reply.header("location") else { break }
            (address, isRepeatable) = (path(next), true)
            reply = try send("GET", address, [], [])
        }
        (self.reply, self.address, self.isRepeatable) = (reply, address, isRepeatable)
        (formerCookies, self.cookies) = (cookies, present)
    }
}

/// The result of work on a thread of its own, once there is one.
private final class ThreadResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(_ work: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let done = Result { try work() }
            result.withLock { $0 = done }
        }
    }

    var value: Result<Value, any Error>? { result.withLock { $0 } }
}
