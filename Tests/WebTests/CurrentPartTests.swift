// The sentences of an open page about sync follow its header: the script renews the parts that are marked for it.

import TestKit
import Testing
import Texts

@testable import Web

@Suite struct CurrentParts {
    /// Sentences that are only true for a while, beside the sentence of the header.
    private static let passing = [
        "You have unsynced data.", "is uploaded first", "are uploaded first", "Waiting for the network.",
    ]

    /// The sentences of a page that stay as they were when the page was loaded.
    private static func faults(in page: HTMLReader) -> [String] {
        guard let words = page.first(nil, ["data-cloud-text": ""])?.text,
            let main = page.elements.firstIndex(where: { $0.tag == "main" }),
            page.first("body")?["data-tier"] != "guest", !loadsItselfAnew(page)
        else { return [] }
        return page.elements.indices.compactMap { place in
            let element = page.elements[place]
            guard element.ancestors.contains(main), ["p", "span", "li"].contains(element.tag),
                ([words] + passing).contains(where: element.text.contains)
            else { return nil }
            let around = (element.ancestors + [place]).map { page.elements[$0].attributes }
            let follows = around.contains { $0["data-current"] != nil || $0["data-cloud-text"] != nil }
            return follows ? nil : element.text
        }
    }

    private static func loadsItselfAnew(_ page: HTMLReader) -> Bool {
        page.all("meta", ["http-equiv": "refresh"]).contains { meta in
            !meta.ancestors.contains { page.elements[$0].tag == "noscript" }
        }
    }

    @Test(arguments: Story.all) func aSentenceAboutSyncFollowsTheHeader(story: Story) throws {
        let page = HTMLReader(try Renderer().render(story))
        let faults = Self.faults(in: page)
        #expect(faults.isEmpty, "\(faults)")
        if let sheet = page.first(nil, ["id": "cloud-sheet"]) { #expect(sheet["data-current"] != nil) }
    }

    @Test(arguments: [
        ("<p>You have unsynced data.</p>", 1), ("<p data-current>You have unsynced data.</p>", 0),
        ("<section data-current><p>All is sent.</p></section>", 0), ("<p>All is sent.</p>", 1),
        ("<p data-cloud-text>All is sent.</p>", 0), ("<p>Groceries</p>", 0),
    ])
    func aSentenceThatStaysIsFound(html: String, count: Int) {
        let page = HTMLReader(
            "<body data-tier=\"premium\"><p data-cloud-text>All is sent.</p><main>\(html)</main></body>"
        )
        #expect(Self.faults(in: page).count == count)
    }

    /// The phrase that an open page asks for stays as it is, and the answer keeps its number.
    @Test func thePhraseOfASignOutIsInNoPartThatFollows() throws {
        let chrome = Sample().with(Frame.offline.apply).chrome
        let page = HTMLReader(try Renderer().render(SignOutPage(chrome: chrome, stake: .stuck(pending: 3))))
        let phrase = try #require(page.elements.first { $0.attributes.keys.contains("data-phrase") })
        #expect(!phrase.ancestors.contains { page.elements[$0].attributes.keys.contains("data-current") })
        let main = try #require(page.first("main"))
        #expect(main.text.contains("You have unsynced data."))
    }
}
