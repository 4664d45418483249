// Links print themselves, and only what is an address of this server is read as one.
import Ledger
import Links
import Testing

private let transactions = Link(declared: "/transactions")

@Suite struct LinkText {
    @Test func aQueryIsPercentEncoded() {
        let link = transactions.adding(query: [("month", "2026-11"), ("q", "café & crème #1")])
        #expect(link.text == "/transactions?month=2026-11&q=caf%C3%A9%20%26%20cr%C3%A8me%20%231")
        #expect(link.path == "/transactions")
        #expect(transactions.adding(query: []) == transactions)
    }

    @Test func aFragmentStandsAtTheEnd() {
        let link = transactions.adding(query: [("month", "all")]).adding(fragment: "t1")
        #expect(link.text == "/transactions?month=all#t1")
        #expect(link.path == "/transactions")
    }

    @Test func aValueTakesItsPlace() throws {
        let id = try #require(EntityID("01ja2b3c4d5e6f7g8h9jkmnpqr"))
        #expect(LinkTo<EntityID>("/transactions/*/delete")(id).text == "/transactions/\(id)/delete")
        #expect(LinkTo<Int>("/history/*")(12).text == "/history/12")
        #expect(LinkTo<String>("/notices/*/dismiss")("a/b").text == "/notices/a%2Fb/dismiss")
    }

    @Test func aDecodedPathIsEncodedAgain() {
        #expect(Link(path: "/transactions").text == "/transactions")
        #expect(Link(path: "/a b?c#d\"é").text == "/a%20b%3Fc%23d%22%C3%A9")
    }

    @Test(arguments: ["/", "/transactions?month=2026-11", "/history/1/undo", "/reports?from=a%20b"])
    func anAddressOfThisServerIsRead(text: String) {
        #expect(Link(text)?.text == text)
    }

    @Test(arguments: [
        "", "transactions", "//evil.example/", "/\\evil.example", "https://evil.example/", "/a b", "/a\nb",
        "/\"onclick", "/é", "javascript:alert(1)",
    ])
    func whatCouldLeadElsewhereIsNot(text: String) {
        #expect(Link(text) == nil)
    }
}

@Suite struct TheBasePath {
    @Test(arguments: [
        ("", ""), ("/", ""), ("/breadly", "/breadly"), ("/breadly/", "/breadly"),
        ("/home/money~1.2_a-b/", "/home/money~1.2_a-b"),
    ])
    func isReadWithoutItsLastSlash(text: String, expected: String) throws {
        #expect(try BasePath(text).text == expected)
    }

    @Test(arguments: [
        "breadly", "//", "/a//b", "/a/../b", "/.", "/a%20b", "/a b", "/é", "/a;b", "/a?b", "/a#b", "/a//",
        "/" + String(repeating: "a", count: 200),
    ])
    func ofOtherCharactersIsRefused(text: String) {
        #expect(throws: BasePathError.notAPath) { try BasePath(text) }
    }

    @Test(arguments: ["healthz", "readyz", "cloud"])
    func isNoneOfWhatIsAnsweredEverywhere(segment: String) {
        #expect(throws: BasePathError.taken(segment)) { try BasePath("/\(segment)/x") }
    }

    @Test func standsBeforeEachAddress() throws {
        let base = try BasePath("/home/breadly")
        #expect(base.address(Link(path: "/")) == "/home/breadly/")
        #expect(base.address(transactions.adding(fragment: "t1")) == "/home/breadly/transactions#t1")
        #expect(BasePath.root.address(Link(path: "/")) == "/")
        #expect(base.folder == "/home/breadly/" && BasePath.root.folder == "/")
    }

    @Test func isTakenOffWhatIsBelowIt() throws {
        let base = try BasePath("/breadly")
        #expect(base.inside("/breadly/transactions?a=1") == "/transactions?a=1")
        #expect(base.inside("/breadly/") == "/")
        for other in ["/breadly", "/breadlyx/", "/", "/transactions", "/x/breadly/", "/breadly?a"] {
            #expect(base.inside(other) == nil)
        }
        #expect(BasePath.root.inside("/transactions") == "/transactions")
    }
}
