// A sentence that names a place has the way to it beside it, on each page in each state.
import Devices
import Lifecycle
import Links
import TestKit
import Testing
import Texts

@testable import Web

/// Sentences that name places, and the links beside them.
private enum PlacesOfSentences {
    /// The words of a sentence that sends the user to a page, and the addresses that lead there.
    private static let places: [(words: [String], links: [String])] = [
        (
            [
                "Sign in again", "Sign in first", "syncs again once you sign in", "you can sign in",
                "sign in again",
            ],
            ["/sign-in"]
        ),
        (["needs Premium", "subscribe again", "Renew your subscription"], ["/subscription"]),
        (["under Settings", "in the settings"], ["/settings", "/banks"]), (["under Banks"], ["/banks"]),
        (["under Signed-in devices"], ["/settings/devices"]), (["under Sync"], ["/sync"]),
    ]
    private static let pages = ["user-account/subscription": "/subscription", "settings/index": "/settings"]
    private static let blocks: Set = ["section", "aside", "form", "figure", "li"]
    private static let classes: Set = ["note", "calm", "panel", "empty", "toast", "stack", "hero"]

    /// The sentences without a link to their place within the same part of the page. The frame of the app does not count.
    /// - Parameter template: that of the page, which may be the place itself.
    static func faults(in page: HTMLReader, of template: String = "") -> [String] {
        let own = pages[template].map { [$0] } ?? []
        return page.elements.filter { ["p", "dd", "span", "figcaption"].contains($0.tag) }.flatMap {
            element in
            let around = element.ancestors.map { page.elements[$0] }
            guard !around.contains(where: { ["nav", "header", "dialog"].contains($0.tag) }) else {
                return [String]()
            }
            // The row of a list leads to the page that has the way.
            let row = element.ancestors.last { page.elements[$0].tag == "li" }
            if let row, !links(inside: row, page).isEmpty { return [] }
            let parts = element.ancestors.filter { isBlock(page.elements[$0]) }.suffix(2)
            let here = parts.flatMap { place in
                // An alert is a part of the section that is around it.
                place == parts.last || page.elements[place].tag == "section"
                    ? links(inside: place, page) : []
            }
            return places.compactMap { words, addresses in
                guard words.contains(where: element.text.contains), !parts.isEmpty,
                    !(here + own).contains(where: addresses.contains)
                else { return nil }
                return element.text
            }
        }
    }

    /// The paths of the links and forms inside an element, or the element's own.
    private static func links(inside place: Int, _ page: HTMLReader) -> [String] {
        page.elements.enumerated().filter { $0.offset == place || $0.element.ancestors.contains(place) }
            .compactMap { $0.element["href"] ?? $0.element["action"] }
            .map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    }

    private static func isBlock(_ element: HTMLElement) -> Bool {
        blocks.contains(element.tag)
            || element["class"]?.split(separator: " ").contains { classes.contains(String($0)) } == true
    }
}

@Suite struct WaysOfSentences {
    @Test(arguments: Story.all) func aSentenceHasTheWayToItsPlace(story: Story) throws {
        let faults = PlacesOfSentences.faults(
            in: HTMLReader(try Renderer().render(story)),
            of: story.template
        )
        #expect(faults.isEmpty, "\(faults)")
    }

    @Test(arguments: [
        (#"<section><p>Sync needs Premium.</p></section>"#, 1),
        (#"<section><p>Sync needs Premium.</p><a href="/subscription">See Premium</a></section>"#, 0),
        (#"<section><p>Sync needs Premium.</p><a href="/settings">Settings</a></section>"#, 1),
        (#"<section><p>Sync needs Premium.</p></section><a href="/subscription">Premium</a>"#, 1),
        (#"<section><p class="note">Sign in again.</p><a href="/sign-in">Sign in</a></section>"#, 0),
        (#"<nav class="calm"><p>Sign in again.</p></nav>"#, 0),
        (#"<ul><li><a href="/attachments/1"><span>sign in again to fetch it</span></a></li></ul>"#, 0),
        (#"<ul><li><span>sign in again to fetch it</span></li></ul>"#, 1),
    ])
    func aSentenceWithoutItIsFound(html: String, count: Int) {
        #expect(PlacesOfSentences.faults(in: HTMLReader(html)).count == count)
    }

    /// The notices of a device, and what is to be done about each.
    @Test(
        arguments: [
            ("bank-consent-ended", "/banks"), ("bank-consent-ends-soon", "/banks"),
            ("changes-not-uploaded", "/subscription"), ("data-deleted", "/sync"),
            ("files-damaged", "/attachments"), ("files-not-uploaded", "/attachments"),
            ("guest-count", "/sign-in"), ("no-cloud-backup", "/subscription"),
            ("purchase-waits", "/subscription"), ("subscription-ended", "/subscription"),
            ("account-gone", nil), ("own-data-deleted", nil),
        ] as [(String, String?)]
    )
    func aNoticeHasAWay(key: String, path: String?) throws {
        #expect(NoticeLine(key: key, text: Text("notices.account-gone")).way?.href.path == path)
        let sample = Sample().with { $0.notices = [NoticeLine(key: key, text: Text("notices.account-gone"))] }
        let page = HTMLReader(try Renderer().render(sample.overview()))
        let notice = try #require(page.elements.firstIndex { $0["data-notice"] == key })
        let links = page.elements.filter { $0.tag == "a" && $0.ancestors.contains(notice) }
        #expect(links.map { $0["href"]?.prefix { $0 != "?" } } == [path.map { $0[...] }].filter { $0 != nil })
    }

    /// A new kind of notice has to be thought of.
    @Test func noNoticeIsForgotten() {
        let keys = Device.NoticeKind.allCases.map(\.rawValue) + Announcement.allCases.map(\.rawValue)
        let without = keys.filter { NoticeLine(key: $0, text: Text("notices.account-gone")).way == nil }
        // There is nothing to do after what is gone, and the last is a toast.
        #expect(Set(without) == ["account-gone", "own-data-deleted", "premium-activated"])
    }
}
