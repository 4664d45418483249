// The style sheet, the scripts and the icons as a browser gets them.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct ServedFiles {
    /// The files that the first page of a new browser loads, with the greatest compressed size of each kind
    /// in bytes.
    private static let limits = [".css": 7_900, ".js": 4_700, ".svg": 3_000]

    @Test func whatABrowserLoadsStaysSmall() throws {
        let running = try Running()
        let visitor = running.visitor()
        let page = try visitor.get("/onboarding/welcome").html
        let attributes = ["href", "src"].flatMap { name in page.elements.compactMap { $0[name] } }
        let addresses = attributes.compactMap { $0.split(separator: "#").first.map(String.init) }
        let files = Set(addresses.filter { $0.hasPrefix("/static/") })
        for (fileExtension, limitBytes) in Self.limits {
            let wanted = files.filter { $0.hasSuffix(fileExtension) }
            try #require(!wanted.isEmpty, "\(fileExtension) in \(files)")
            for address in wanted {
                let reply = try visitor.get(address, headers: [("Accept-Encoding", "gzip")])
                #expect(reply.status == 200 && reply.header("content-encoding") == "gzip")
                #expect(reply.header("cache-control")?.contains("immutable") == true)
                #expect(reply.body.count < limitBytes, "\(reply.body.count) bytes of \(address)")
            }
        }
    }

    /// The greatest compressed sizes in bytes of the scripts that pages load besides.
    private static let furtherLimits = [
        "drafts.js": 2_600, "list.js": 2_400, "receipts.js": 5_200, "follow.js": 1_300, "silence.js": 1_200,
        "sheet.js": 3_800, "order.js": 1_500, "arrived.js": 400,
    ]

    @Test func furtherScriptsStaySmallAsWell() throws {
        let running = try Running()
        let anna = try running.guest()
        try anna.signUp()
        let paths = ["/transactions", "/transactions/new", "/attachments", "/accounts/order"]
        let pages = try paths.map { try anna.get($0).html }
        let addresses = Set(pages.flatMap { $0.all("script") }.compactMap { $0["src"] })
        for (name, limitBytes) in Self.furtherLimits {
            let start = "/static/\(name.prefix { $0 != "." })"
            let address = try #require(addresses.first { $0.hasPrefix(start) }, "\(name) in \(addresses)")
            let reply = try anna.get(address, headers: [("Accept-Encoding", "gzip")])
            #expect(reply.status == 200 && reply.header("content-encoding") == "gzip")
            #expect(reply.body.count < limitBytes, "\(reply.body.count) bytes of \(address)")
        }
    }

    /// The script loads the other one when the form of a new transaction is asked for above a page.
    @Test func eachPageNamesTheScriptAndTheFormThatOpensAboveIt() throws {
        let running = try Running()
        let guest = try running.guest()
        let page = try guest.get("/").html
        let (address, sheet) = (try #require(page.body("data-new")), try #require(page.body("data-sheet")))
        let form = try guest.get(address).html
        #expect(form.all("script").contains { $0["src"] == sheet })
        let parts = form.all("div").filter { $0.attributes.keys.contains("data-entry") }
        #expect(parts.count == 1)
        let buttons = form.all("button").filter { $0.attributes.keys.contains("data-closes") }
        #expect(buttons.map(\.text) == [""])
        #expect(buttons.allSatisfy { $0.attributes.keys.contains("hidden") })
    }

    /// A guest's page promises no backup that could end meanwhile.
    @Test func onlyPagesOfUsersSayThatTheirServerDoesNotAnswer() throws {
        let running = try Running()
        let guest = try running.guest()
        func has(_ page: HTMLReader) -> [Bool] {
            [
                page.all("script").contains { $0["src"]?.contains("/silence") == true },
                page.all("template").contains { $0.attributes.keys.contains("data-silence") },
            ]
        }
        for path in ["/", "/sign-in"] { #expect(has(try guest.get(path).html) == [false, false], "\(path)") }
        try guest.signUp()
        for path in ["/", "/transactions/new", "/sign-out"] {
            #expect(has(try guest.get(path).html) == [true, true], "\(path)")
        }
    }

    @Test func noScriptIsServedWithItsComments() throws {
        let scripts = try Resources(folder: repository).publicFiles().filter { $0.key.hasSuffix(".js") }
        #expect(Set(scripts.keys) == Set(Self.furtherLimits.keys).union(["app.js"]))
        for (name, bytes) in scripts {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            #expect(!lines.isEmpty && !lines.contains { $0.drop { $0 == " " }.hasPrefix("//") }, "\(name)")
        }
    }

    @Test func onlyABrowserWithABookLoadsTheScriptThatKeepsWhatIsTyped() throws {
        let running = try Running()
        func scripts(_ page: HTMLReader) -> [String] {
            page.all("script").compactMap { $0["src"] }.filter { $0.contains("/drafts") }
        }
        #expect(scripts(try running.visitor().get("/onboarding/welcome").html) == [])
        let guest = try running.guest()
        for path in ["/", "/transactions/new", "/sign-in"] {
            let found = scripts(try guest.get(path).html)
            #expect(found.count == 1, "\(path)")
            #expect(try guest.get(try #require(found.first)).status == 200)
        }
    }

    @Test func stylesAndScriptsAreServedAsOneFileEachInTheOrderOfTheirNames() throws {
        let files = try Resources(folder: repository).publicFiles()
        #expect(
            Set(files.keys) == [
                "app.css", "app.js", "arrived.js", "drafts.js", "favicon.svg", "follow.js", "icons.svg",
                "list.js",
                "order.js", "receipts.js", "sheet.js", "silence.js",
            ]
        )
        let style = String(decoding: try #require(files["app.css"]), as: UTF8.self)
        let places = [":root {", "body {", ".bar {", "@media print"].map {
            style.firstRange(of: $0)?.lowerBound
        }
        #expect(
            places.compactMap { $0 }.count == 4
                && places.compactMap { $0 } == places.compactMap { $0 }.sorted()
        )
        #expect(!style.contains("/*"))
    }

    @Test(arguments: [
        ("a\n// b\n  // c\nd // e\n", "a\nd // e\n"), ("/* a\n\n   b */\nc\n\n", "c\n"),
        ("  /** a */\nb", "b\n"),
        ("/* a */ b\n/* c\n d */ e\n", " b\n e\n"), ("a /*\nb", "a /*\nb\n"), ("", ""),
        ("const a = \"/*\";\n/* b */\nc\n", "const a = \"/*\";\nc\n"),
    ])
    func onlyCommentsThatBeginALineAreLeftOut(text: String, served: String) {
        #expect(Resources.withoutCommentLines(text) == served)
    }

    @Test func aFolderWithoutWhatBrowsersLoadIsNamed() {
        let error = #expect(throws: AppError.self) { try Resources(folder: "/nowhere").publicFiles() }
        #expect("\(String(describing: error))".contains("/nowhere/public"))
    }
}
