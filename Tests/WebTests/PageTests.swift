// Every page prints through the real engine, also with hostile text in every field.

import Links
import Templates
import TestKit
import Testing

@testable import Web

/// Prints pages with the templates of the repository.
struct Renderer: Sendable {
    /// Compiled once: each of some hundred test cases has a renderer.
    private static let atRoot = Result { try compile(.root) }
    private static let belowPath = Result { try compile(BasePath("/home/breadly")) }

    private let library: PageLibrary

    /// Prints links for the root of a host.
    init() throws { library = try Self.atRoot.get() }

    private init(_ library: PageLibrary) { self.library = library }

    /// Prints links below `/home/breadly`.
    static func below() throws -> Renderer { Renderer(try belowPath.get()) }

    private static func compile(_ base: BasePath) throws -> PageLibrary {
        let sources = try Repository.templates().mapValues { Array($0.utf8) }
        return try PageLibrary(sources: sources, texts: try Repository.texts(), base: base)
    }

    func render<P: Page>(_ page: P) throws -> String {
        let out = ByteBuffer()
        library.render(page, into: out)
        return out.text
    }

    func render(_ story: Story, of sample: Sample = Sample()) -> String {
        let out = ByteBuffer()
        story.render(sample, with: library, into: out)
        return out.text
    }
}

/// The text of the page itself, with simple spaces.
func mainText(_ html: HTMLReader) -> String {
    (html.first("main")?.text ?? "").replacing("\u{a0}", with: " ")
}

private let hostile = "<script>alert(\"&'1')</script>"

/// It would be too low: neither the list nor the form of a budget offers it.
@Test func noAverageIsOfferedBeforeAllMonthsAreHere() throws {
    func suggests(_ name: String) throws -> Bool {
        let found = Story.all.first { $0.id == name }
        let story = try #require(found)
        return try Renderer().render(story).contains("data-suggestion")
    }
    #expect(try suggests("budgets-empty"))
    #expect(try !suggests("budgets-arriving"))
}

/// Until then, what was spent in months that are missing counts as carried over.
@Test func aBudgetSaysThatItCarriesOverOnlyWhatIsHere() throws {
    let found = Story.all.first { $0.id == "budgets" }
    let story = try #require(found)
    func count(_ sample: Sample) throws -> Int {
        mainText(HTMLReader(try Renderer().render(story, of: sample)))
            .ranges(of: "What is carried over counts only what is here so far.").count
    }
    #expect(try count(Sample().framed(.incomplete)) == 2, "of the two that carry over")
    #expect(try count(Sample().framed(.idle)) == 0)
}

/// It may well be paid for.
@Test func anAccountWhoseSubscriptionIsNotVerifiedIsNotCalledFree() throws {
    func settings(_ name: String) throws -> String {
        let found = Story.all.first { $0.id == name }
        let story = try #require(found)
        return mainText(HTMLReader(try Renderer().render(story)))
    }
    #expect(try settings("settings-free").contains("Free account"))
    let unverified = try settings("settings-verifying")
    #expect(unverified.contains("Verifying subscription...") && !unverified.contains("Free account"))
}

@Test(arguments: Story.all) func everyPageIsOneWholeDocument(story: Story) throws {
    let text = try Renderer().render(story)
    let html = HTMLReader(text)
    #expect(text.hasPrefix("<!doctype html>"))
    #expect(html.all("h1").count == 1)
    #expect(html.first("html")?["lang"]?.isEmpty == false)
    for marker in ["data-state", "data-tier", "data-sync", "data-pending"] {
        #expect(html.body(marker) != nil, "\(marker) is missing")
    }
    let identities = html.elements.compactMap { $0["id"] }
    #expect(identities.count == Set(identities).count, "an id stands twice")
}

@Test(arguments: Story.all) func nothingInAPageNeedsInlineStyleOrScript(story: Story) throws {
    let html = HTMLReader(try Renderer().render(story))
    for element in html.elements {
        #expect(element["style"] == nil)
        #expect(!element.attributes.keys.contains { $0.hasPrefix("on") })
        if element.tag == "script" { #expect(element["src"] != nil) }
    }
}

@Test(arguments: Story.all) func everyPostedFormCarriesItsToken(story: Story) throws {
    let html = HTMLReader(try Renderer().render(story))
    #expect(html.all("form", ["method": "post"]).count <= html.all("input", ["name": "csrf"]).count)
}

@Test(arguments: Story.all) func hostileTextStaysText(story: Story) throws {
    let text = try Renderer().render(story, of: Sample(hostile: hostile))
    #expect(!text.contains("<script>alert"))
}
