// Pages of a device whose session has ended: what cannot be done is not offered, and the way to sign in is.

import TestKit
import Testing
import Texts

@testable import Web

@Suite struct PagesOfAnEndedSession {
    private func page(_ page: some Page) throws -> HTMLReader { HTMLReader(try Renderer().render(page)) }

    private func main(_ html: HTMLReader) throws -> Int {
        try #require(html.elements.firstIndex { $0.tag == "main" })
    }

    private func signInLinks(_ html: HTMLReader) throws -> Int {
        let main = try main(html)
        return html.elements.filter { $0["href"] == "/sign-in" && $0.ancestors.contains(main) }.count
    }

    private func download(_ cloud: CloudStatus, trouble: Text?) throws -> HTMLReader {
        let chrome = Sample().with { $0.cloud = cloud }.chrome
        return try page(DownloadPage(chrome: chrome, done: 0, total: 0, rows: nil, trouble: trouble))
    }

    @Test func aDownloadIsNotCalledOneBeforeTheSignIn() throws {
        let before = try download(.connecting, trouble: nil)
        #expect(before.all("h1").map(\.text) == ["Downloading your data..."])
        #expect(try before.first("progress") != nil && signInLinks(before) == 0)
        let ended = try download(
            .signInAgain(pending: 0, isComplete: false),
            trouble: Text("chrome.session-ended-and-syncs-again")
        )
        #expect(ended.all("h1").map(\.text) == ["Sign in again to sync"])
        #expect(try ended.first("progress") == nil && signInLinks(ended) == 1)
        #expect(ended.first("title")?.text.contains("Downloading") == false)
        #expect(ended.form("/download/dismiss") != nil)
    }

    private func blocked(_ cloud: CloudStatus, isKnown: Bool = true) throws -> HTMLReader {
        let amounts = BlockedPage.Amounts(accounts: 1, transactions: 2, categories: 3, changed: nil)
        let chrome = Sample().with { $0.cloud = cloud }.chrome
        return try page(BlockedPage(chrome: chrome, email: nil, amounts: isKnown ? amounts : nil))
    }

    @Test func aBlockedUserSignsInBeforeTheChoicesThatNeedTheCloud() throws {
        let before = try blocked(.blocked)
        #expect(before.form("/blocked/delete-server-data") != nil)
        #expect(before.first("a", ["href": "/subscription"]) != nil)
        #expect(try signInLinks(before) == 0)
        for isKnown in [true, false] {
            let ended = try blocked(.sessionEnded, isKnown: isKnown)
            let text = ended.elements[try main(ended)].text
            #expect(text.contains("Your session on this device has ended. Sign in again to continue."))
            #expect(try signInLinks(ended) == 1)
            #expect(ended.form("/blocked/delete-server-data") == nil)
            #expect(ended.form("/subscription/restore") == nil)
            #expect(!text.contains("Subscribe to enable sync"))
            #expect(ended.first("a", ["href": "/sign-out"]) != nil)
        }
    }

    /// The book was cleared when the page was reached.
    @Test func theBlockedPageThreatensNothingThatIsGone() throws {
        let text = try blocked(.blocked).first("main")?.text ?? ""
        #expect(text.contains("What was on this device before has been discarded."))
    }
}
