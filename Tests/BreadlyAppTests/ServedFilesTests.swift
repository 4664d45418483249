// The style sheet, the script and the icons as a browser gets them.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct ServedFiles {
    /// The files that the first page of a new browser loads, with the greatest compressed size of each kind
    /// in bytes.
    private static let limits = [".css": 7_500, ".js": 4_400, ".svg": 3_000]

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

    @Test func stylesAndScriptsAreServedAsOneFileEachInTheOrderOfTheirNames() throws {
        let files = try Resources(folder: repository).publicFiles()
        #expect(
            Set(files.keys) == ["app.css", "app.js", "favicon.svg", "files.js", "icons.svg", "receipts.js"]
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
