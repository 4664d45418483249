// The same form, sent several times at once, as by an impatient finger.
import BreadlyApp
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct FormsThatAreSentTogether {
    let server: Running

    init() throws { server = try Running() }

    @Test func threeClicksOnSignInMakeOneDevice() throws {
        let owner = try server.guest()
        _ = try owner.get("/sign-in")
        let words = Visitor.anna
        #expect(try owner.post("/sign-up", words).status == 303)
        let browser = server.visitor()
        let once = try #require(try browser.get("/sign-in").html.hidden("once"))
        let (cookies, csrf, port) = (browser.cookies, browser.csrf, browser.port)
        let kept = Mutex<[[String: String]]>([])
        let clicks = (0..<3).map { _ in
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                let tab = Visitor(port: port)
                (tab.cookies, tab.csrf) = (cookies, csrf)
                _ = try? tab.post("/sign-in", words + [("once", once)])
                kept.withLock { $0.append(tab.cookies) }
                done.signal()
            }
            thread.start()
            return done
        }
        for click in clicks { click.wait() }
        // Whichever answer the browser took last, it is signed in, and on the same device.
        for cookies in kept.withLock({ $0 }) {
            let tab = server.visitor()
            tab.cookies = cookies
            let status = try tab.get("/status.json").text
            #expect(status.contains("anna@x.test"))
        }
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: server.folder + "/devices")
                .filter { $0.hasSuffix(".sqlite") }.count == 2,
            "the owner's book and one more"
        )
    }
}
