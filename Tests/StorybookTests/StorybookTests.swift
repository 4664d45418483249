// Each page has a story for each of its states, and the storybook shows them.

import Foundation
import Ledger
import Links
import Templates
import TestKit
import Testing
import Texts

@testable import Storybook
@testable import Web

/// The storybook with the templates of the repository, below a base path.
private enum Printer {
    private static let book = Result {
        let sources = try shippedTemplates()
        let texts = try TextCatalogue(language: "en", files: try shippedTexts())
        let base = try BasePath("/home/breadly")
        let pages = try PageLibrary(sources: sources, texts: texts, base: base)
        return try Storybook(pages: pages, sources: sources, base: base, assets: Sample.assets)
    }

    /// The HTML of a page of the storybook; nil for a story that does not exist.
    static func html(_ leaf: Storybook.Leaf) throws -> String? {
        let out = ByteBuffer()
        return try book.get().render(leaf, into: out) ? out.text : nil
    }

    static func html(of story: Story, _ theme: Theme = .system) throws -> String {
        try #require(try html(.story(id: story.id, theme: theme)))
    }
}

@Suite struct Stories {
    @Test func everyPageHasAStory() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Web")
        var templates: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            templates.formUnion(text.matches(of: /static let template = "([^"]+)"/).map { String($0.1) })
        }
        #expect(templates.count > 35)
        #expect(templates == Set(Story.all.map(\.template)))
    }

    @Test func aStoryHasItsOwnName() {
        let ids = Story.all.map(\.id)
        #expect(
            ids.count == Set(ids).count,
            "\(Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys)"
        )
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(id)") }
        let titles = Dictionary(grouping: Story.all) { "\($0.group) \($0.template) \($0.title)" }
        #expect(titles.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test(arguments: Story.all) func aStoryIsAPage(story: Story) throws {
        let html = HTMLReader(try Printer.html(of: story, .dark))
        #expect(html.first("html")?["data-theme"] == "dark")
        #expect(html.first("h1")?.text.isEmpty == false)
        // The server refuses a form with this token.
        #expect(html.all("input", ["name": "csrf"]).allSatisfy { $0["value"] == "story" })
        for form in html.all("form") { #expect(form["action"]?.hasPrefix("/home/breadly/") != false) }
    }

    @Test func theMarkersHaveEachOfTheirValues() throws {
        var values: [String: Set<String>] = [:]
        for story in Story.all {
            let body = try #require(try Printer.html(of: story).firstMatch(of: /<body[^>]*>/)).output
            for marker in body.matches(of: /(?<name>data-(?:state|tier|sync))="(?<value>[^"]*)"/) {
                values[String(marker.name), default: []].insert(String(marker.value))
            }
        }
        #expect(values["data-tier"] == ["guest", "free", "premium"])
        let phases = ["off", "connecting", "downloading", "uploading", "idle", "offline", "failed"]
        #expect(values["data-sync"] == Set(phases))
        #expect(values["data-state"] == LifecycleDiagram.names)
    }

    /// The enumerations that list their cases.
    @Test func eachCaseOfAPageHasAStory() {
        let ids = Set(Story.all.map(\.id))
        for frame in Frame.allCases { #expect(ids.contains("overview-cloud-\(frame.rawValue)")) }
        for kind in ReportKind.allCases {
            #expect(ids.contains("reports-\(kind)") && ids.contains("reports-\(kind)-empty"))
        }
        for group in ReportGroup.allCases { #expect(ids.contains("reports-\(group)-converted")) }
        for state in Sample.RatesState.allCases { #expect(ids.contains("rates-\(state)")) }
        for group in StoryGroup.allCases { #expect(Story.all.contains { $0.group == group }) }
    }

    @Test func eachObstacleOfAScheduleIsShown() throws {
        let texts = try TextCatalogue(language: "en", files: try shippedTexts())
        let obstacles = cases(from: ScheduleObstacle.accountDeleted) { obstacle in
            switch obstacle {
            case .accountDeleted: .accountClosed
            case .accountClosed: .currencyChanged
            case .currencyChanged: .tooManyPassed
            case .tooManyPassed: nil
            }
        }
        let pages = try Story.all.filter { $0.group == .schedules }.map { try Printer.html(of: $0) }
        for obstacle in obstacles {
            let words = texts.string(obstacle.words)
            #expect(pages.contains { $0.contains(words) }, "\(obstacle)")
        }
    }
}

@Suite struct SnapshotsOfStories {
    @Test(arguments: Story.all) func thePageSaysTheSameAsBefore(story: Story) throws {
        let lines = PageText(try Printer.html(of: story)).lines
        #expect(lines.count > 3)
        let difference = try Snapshots().difference(lines.joined(separator: "\n") + "\n", "\(story.id).txt")
        #expect(difference.isEmpty, "\(difference)")
    }

    @Test func noSnapshotIsLeftOver() throws {
        let names = Set(Story.all.map { "\($0.id).txt" })
        #expect(try Snapshots().names().filter { !names.contains($0) } == [])
    }

    @Test func theTextOfAPageShowsFieldsAndLinks() {
        let html = """
            <body data-state="a" data-tier="b" data-sync="c" data-pending="0"><nav>x</nav><h1>Hi <b>you</b></h1>
            <p>One&amp;two <a href="/x">three</a>.</p><form><label>Name <input name="n" value="v"></label>
            <input type="hidden" name="csrf" value="t"><select name="s"><option value="1">A</option>
            <option value="2" selected>B</option></select><input type="radio" name="r" value="1" checked> Yes
            <textarea name="t">long</textarea><button>Go</button></form><table><tr><th>A</th><td>1</td></tr></table>
            """
        #expect(
            PageText(html).lines == [
                "a · b · c · 0", "# Hi you", "One&two [three].",
                "Name {n: v} {s: B, one of 2}{r: 1, chosen} Yes {t: long}[Go]", "A | 1",
            ]
        )
    }
}

@Suite struct TheStorybook {
    @Test func theIndexLeadsToEachStory() throws {
        let html = HTMLReader(try #require(try Printer.html(.index(search: ""))))
        let links = html.all("a", ["class": "row"])
        #expect(
            links.map { $0["href"] } == Story.all.map { "/home/breadly/lab/pages/\($0.id)/view" }
        )
        #expect(html.all("h2").map(\.text).contains("Transactions"))
        #expect(links.first?.text.contains("The first page") == true)
    }

    @Test func theIndexJumpsToAPartAndFindsByWords() throws {
        let all = HTMLReader(try #require(try Printer.html(.index(search: ""))))
        let jumps = all.all("a").compactMap { $0["href"] }.filter { $0.hasPrefix("#") && $0 != "#main" }
        #expect(jumps.count > 10)
        for jump in jumps {
            let part = jump.dropFirst()
            #expect(all.first("section", ["id": String(part)]) != nil, "\(part)")
        }
        func found(_ search: String) throws -> [String?] {
            HTMLReader(try #require(try Printer.html(.index(search: search)))).all("a", ["class": "row"]).map
            {
                $0["href"]
            }
        }
        #expect(
            try found("COMING overview") == [
                "/home/breadly/lab/pages/overview-ahead/view",
                "/home/breadly/lab/pages/overview-nothing-ahead/view",
            ]
        )
        let none = try #require(try Printer.html(.index(search: "<nothing>")))
        #expect(none.contains("No page has these words") && none.contains("value=\"&lt;nothing&gt;\""))
    }

    @Test func aStoryIsShownAsOnAPhoneAndADesktopLightAndDark() throws {
        let html = HTMLReader(try #require(try Printer.html(.view(id: "overview-empty"))))
        #expect(html.first("h1")?.text == "A new book")
        let frames = html.all("iframe")
        #expect(frames.map { $0["width"] } == ["390", "390", "1280", "1280"])
        let themes = ["light", "dark", "light", "dark"]
        #expect(
            frames.map { $0["src"] } == themes.map { "/home/breadly/lab/pages/overview-empty?theme=\($0)" }
        )
        // A form in a frame is not sent.
        #expect(frames.allSatisfy { $0["sandbox"]?.contains("allow-forms") == false })
        let neighbours = html.all("a", ["class": "btn"]).map { $0["href"] }
        #expect(
            neighbours == ["overview", "overview-empty-month"].map { "/home/breadly/lab/pages/\($0)/view" }
        )
    }

    @Test func theFirstAndTheLastStoryHaveOneNeighbour() throws {
        for story in [Story.all.first, Story.all.last] {
            let id = try #require(story).id
            let html = HTMLReader(try #require(try Printer.html(.view(id: id))))
            #expect(html.all("a", ["class": "btn"]).count == 1)
        }
    }

    @Test func aStoryThatDoesNotExistIsNotShown() throws {
        #expect(try Printer.html(.view(id: "nothing")) == nil)
        #expect(try Printer.html(.story(id: "nothing", theme: .light)) == nil)
    }
}
