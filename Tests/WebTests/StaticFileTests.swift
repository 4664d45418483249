// The files for browsers: small, and complete.

import Foundation
import Ledger
import Testing

@testable import Web

@Suite struct StaticFileTests {
    /// A keypad with digits only has neither a minus nor the signs of sums. The script asks for it where it shows buttons
    /// for them, which it does at fields with this mark; without the script there is the whole keyboard.
    @Test func aFieldForAnAmountIsMarkedAndAsksForNoKeypadByItself() throws {
        var count = 0
        for (name, text) in try Repository.templates() {
            #expect(!text.contains(#"inputmode="decimal""#), "\(name)")
            // The filter of a list takes words such as >100, and no sums.
            let fields = text.replacing(#"id="f-amount" name="amount""#, with: "").matches(
                of: #/name="(?:amount|to_amount|split_amount|limit|opening)" value="[^"]*"( data-sum)?/#
            )
            #expect(fields.allSatisfy { $0.1 != nil }, "\(name)")
            count += fields.count
        }
        #expect(count == 8)
    }

    @Test func theSpriteHoldsEveryIconThatPagesName() throws {
        let symbols = Set(
            try Repository.text("public/icons.svg").matches(of: #/id="([a-z-]+)"/#).map { String($0.1) }
        )
        var named = Set(CategoryForm.icons)
        named.formUnion(["cloud-slash", "cloud-check", "cloud-sync", "cloud-alert"])
        for (_, text) in try Repository.templates() {
            named.formUnion(text.matches(of: #/sprite}}#([a-z-]+)"/#).map { String($0.1) })
            named.formUnion(text.matches(of: #/\{\{\$icon}}([a-z-]+)\{\{\/icon}}/#).map { String($0.1) })
        }
        #expect(named.subtracting(symbols).isEmpty)
    }

    @Test func theStyleSheetHasEveryColourThatCategoriesCarry() throws {
        let css = try Repository.text("public/css/10-palette.css")
        for color in CategoryForm.colors where color != "slate" {
            #expect(css.contains("[data-color=\(color)]"), "\(color)")
        }
    }

    @Test func templatesStylesAndScriptsAreReadWithoutScrolling() throws {
        var texts = try Repository.templates()
        texts.merge(try Repository.styles()) { $1 }
        texts.merge(try Repository.scripts()) { $1 }
        for (path, text) in texts {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(line.count < 120, "\(path):\(index + 1)")
            }
        }
    }

    /// Where the script is joined, a line that begins like a comment is dropped: within a text it would be missed.
    @Test func noTextOfAScriptGoesOverLines() throws {
        for (path, text) in try Repository.scripts() {
            for line in text.split(separator: "\n") {
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(path): \(line)")
            }
        }
    }

    @Test func whatIsImportantInAStyleSheetSaysWhy() throws {
        for (path, text) in try Repository.styles() {
            let reasons = text.ranges(of: "/* Important").map(\.lowerBound)
            for place in text.ranges(of: "!important").map(\.lowerBound) {
                #expect(reasons.contains { $0 < place }, "\(path): no comment that begins with Important")
            }
        }
    }

    @Test func nothingInATemplateIsInline() throws {
        for (name, text) in try Repository.templates() {
            #expect(!text.contains("style="), "\(name) styles in place")
            #expect(!text.contains("<style"), "\(name) styles in place")
            #expect(text.firstMatch(of: #/\son[a-z]+="/#) == nil, "\(name) scripts in place")
            #expect(text.firstMatch(of: #/<script(?![^>]*\ssrc=)/#) == nil, "\(name) scripts in place")
        }
    }

    @Test func onlyPicturesOfOursAreUnescaped() throws {
        var places: [String] = []
        for (name, text) in try Repository.templates() {
            places += text.matches(of: #/\{\{\{\s*([a-z_.]+)\s*\}\}\}|\{\{&\s*([a-z_.]+)/#).map { match in
                "\(name): \(match.1 ?? match.2 ?? "")"
            }
        }
        #expect(places.sorted() == ["reports/index: chart", "status/index: diagram"])
    }

    @Test func everyPostingFormCarriesItsToken() throws {
        for (name, text) in try Repository.templates() {
            for form in text.components(separatedBy: "<form").dropFirst() where form.hasPrefix(" ") {
                let body = form.components(separatedBy: "</form>").first ?? ""
                guard body.contains("method=\"post\"") else { continue }
                let isGuarded =
                    body.contains("{{>forms/hidden}}") || body.contains("{{>forms/once}}")
                    || body.contains("name=\"csrf\"")
                #expect(isGuarded, "a form of \(name)")
            }
        }
    }
}
