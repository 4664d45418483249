// Pages bound to their types: every use is checked before the first page is shown.
import TestKit
import Testing
import Texts

@testable import Templates

private struct Label: TemplateModel {
    var name: String
    static let keys = Keys<Label>().text("name") { $0.name }
}

private struct Row: TemplateModel {
    var payee: String
    var note: String?
    var minor: Int64
    var isIncome: Bool
    var tags: [Label]
    static let keys = Keys<Row>()
        .text("payee") { $0.payee }.optional("note") { $0.note }.integer("minor") { $0.minor }
        .flag("is_income") { $0.isIncome }.list("tags", of: Label.self) { $0.tags }
}

private struct Whole: TemplateModel {
    var title: String
    var first: Row?
    var rows: [Row]
    var names: [String]
    var chart: Markup?
    static let keys = Keys<Whole>()
        .text("title") { $0.title }.model("first", of: Row.self) { $0.first }.list("rows", of: Row.self) {
            $0.rows
        }
        .messages("names") { $0.names.map { .verbatim($0) } }.markup("chart") { $0.chart }
}

private let rows = [
    Row(
        payee: "A & B",
        note: "<n>",
        minor: -1250,
        isIncome: false,
        tags: [Label(name: "x"), Label(name: "y")]
    ),
    Row(payee: "", note: nil, minor: .min, isIncome: true, tags: []),
]
private let page = Whole(
    title: "T",
    first: rows[0],
    rows: rows,
    names: ["a", "<b>"],
    chart: Markup(trusted: "<svg/>")
)

@Test(
    arguments: [("", .tooManySteps), ("{{title}}", .tooManySteps), ("text", .tooLarge)]
        as [(String, TemplateError.Reason)]
)
func aPageOfPartialsThatDoubleStopsAtTheLimits(last: String, reason: TemplateError.Reason) throws {
    var sources = ["page": "{{>p0}}", "p60": last == "text" ? String(repeating: "x", count: 100_000) : last]
    for number in 0..<60 { sources["p\(number)"] = "{{>p\(number + 1)}}{{>p\(number + 1)}}" }
    let library = try TemplateLibrary(sources: sources.mapValues { Array($0.utf8) })
    let error = #expect(throws: TemplateError.self) { try library.page("page", for: Whole.self) }
    #expect(error?.reason == reason)
}

private func rendered(_ template: String, _ more: [String: String] = [:]) throws -> String {
    let sources = more.merging(["page": template]) { $1 }.mapValues { Array($0.utf8) }
    let out = ByteBuffer(capacity: 1)
    try TemplateLibrary(sources: sources).page("page", for: Whole.self).render(page, into: out)
    return out.text
}

@Test(arguments: [
    ("{{title}}|{{first.payee}}|{{first.minor}}", "T|A &amp; B|-1250"),
    (
        "{{#rows}}{{payee}}{{#note}}({{.}}={{note}}){{/note}}{{^note}}-{{/note}}{{/rows}}",
        "A &amp; B(&lt;n&gt;=&lt;n&gt;)-"
    ),
    ("{{#rows}}{{#tags}}{{title}}{{payee}}{{name}} {{/tags}}{{/rows}}", "TA &amp; Bx TA &amp; By "),
    (
        "{{#rows}}{{#is_income}}+{{/is_income}}{{^is_income}}-{{/is_income}}{{minor}};{{/rows}}",
        "--1250;+-9223372036854775808;"
    ),
    (
        "{{#names}}[{{.}}]{{/names}}{{{chart}}}{{#first.tags}}{{name}}{{/first.tags}}",
        "[a][&lt;b&gt;]<svg/>xy"
    ),
    ("{{#first}}{{minor}}{{/first}}{{#first.note}}!{{/first.note}}", "-1250!"),
])
func aTypedPagePrints(template: String, expected: String) throws {
    #expect(try rendered(template) == expected)
}

@Test func aLayoutWithBlocksAndPartialsIsOneProgram() throws {
    let page =
        "{{<layout}}{{$title}}{{title}}{{/title}}\n{{$content}}\n<ul>\n  {{>row}}\n</ul>\n{{/content}}{{/layout}}"
    let layout = "<h1>{{$title}}?{{/title}}</h1>\n<main>\n  {{$content}}\n  {{/content}}\n</main>\n"
    let row = "{{#rows}}\n<li>{{minor}}\n{{/rows}}\n"
    #expect(
        try rendered(page, ["layout": layout, "row": row])
            == "<h1>T</h1>\n<main>\n  <ul>\n    <li>-1250\n    <li>-9223372036854775808\n  </ul>\n</main>\n"
    )
}

@Test(arguments: [
    ("a\n {{rowz}}", "page:2:2: The page has no 'rowz' here."),
    ("{{#rows}}{{name}}{{/rows}}", "page:1:10: The page has no 'name' here."),
    ("{{first.nothing}}", "page:1:1: The page has no 'first.nothing' here."),
    ("{{rows}}", "page:1:1: 'rows' is not text: a section shows it, or {{{rows}}} if it is markup."),
    ("{{chart}}", "page:1:1: 'chart' is not text: a section shows it, or {{{chart}}} if it is markup."),
    ("{{{title}}}", "page:1:1: 'title' is not markup: print it with {{title}}."),
    ("{{.}}", "page:1:1: '.' prints the texts of a list, escaped; here is none."),
    ("{{>missing}}", "page:1:1: There is no template 'missing'."),
    ("{{>page}}", "page:1:1: Templates or sections stand in one another too deeply, or for ever."),
    ("{{>*title}}", "page:1:1: A page cannot choose a partial by a name in its data."),
])
func aWrongUseIsFoundBeforeAnythingIsShown(template: String, message: String) {
    let error = #expect(throws: TemplateError.self) { try rendered(template) }
    #expect(error?.description == message)
}

@Test func placesThatDoNotEscapeAreListed() throws {
    let library = try TemplateLibrary(sources: ["a": Array("{{x}}\n{{#s}} {{{y}}}{{/s}}{{&z}}".utf8)])
    #expect(library.unescaped().map(\.description) == ["a:2:8", "a:2:21"])
}

@Test func numbersAreWrittenAsSwiftWritesThem() {
    for number in [0, 1, -1, 9, 10, 99, 100, 12_345, Int64.max, Int64.min, 1_000_000_000_000_000_000] {
        let out = ByteBuffer(capacity: 1)
        out.append(number)
        #expect(out.text == String(number))
    }
}

@Test func typedAndDynamicRenderingAgree() throws {
    let data =
        #"{"title": "T", "rows": [{"payee": "A & B", "note": "<n>", "minor": -1250, "is_income": false, "tags": [{"name": "x"}, {"name": "y"}]}, {"payee": "", "note": "", "minor": -9223372036854775808, "is_income": true, "tags": []}]}"#
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let lines = [
        "{{title}}", "  {{minor}}\n", "\n", "x {{payee}}\n", "{{#tags}}\n {{name}}\n{{/tags}}\n", "{{>p}}",
        " {{>p}}\n", "{{#is_income}}\n +\n{{/is_income}}\n",
    ]
    for _ in 0..<2_000 {
        let body = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            lines.randomElement(using: &generator) ?? ""
        }.joined()
        let sources = ["page": "{{#rows}}\n\(body){{/rows}}\n", "p": " ({{payee}}\n{{title}})\n"].mapValues {
            Array($0.utf8)
        }
        let out = ByteBuffer()
        try TemplateLibrary(sources: sources).page("page", for: Whole.self).render(page, into: out)
        let value = try TemplateValue(json: Array(data.utf8), file: "d")
        let dynamic = try DynamicTemplate(
            name: "page",
            source: sources["page"] ?? [],
            loader: { sources[$0] }
        )
        #expect(try dynamic.render(value).text == out.text, "seed \(seed), body \(body)")
    }
}

@Test func everySpecialCharacterIsEscapedWhereverItStands() {
    let references: [Character: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]
    var random = SplitMix(seed: 1_121)
    let others = Array("ab=;?!#%:§é€😀 \n0")
    for length in 0..<60 {
        for _ in 0..<40 {
            let text = String(
                (0..<length).map { _ in
                    Int.random(in: 0..<9, using: &random) == 0
                        ? Array(references.keys.sorted())[Int.random(in: 0..<5, using: &random)]
                        : others[Int.random(in: 0..<others.count, using: &random)]
                }
            )
            let out = ByteBuffer(capacity: 1)
            out.appendEscaped(text)
            #expect(out.text == text.map { references[$0] ?? String($0) }.joined())
        }
    }
}

private struct Linked: TemplateModel {
    var id: String
    var next: String?
    static let keys = Keys<Linked>()
        .address("href", head: "/things/", tail: "/a&b") { $0.id }
        .address("whole") { "/whole/\($0.id)" }
        .optionalAddress("next") { $0.next }
}

private func linked(_ template: String, _ model: Linked, base: String = "/base") throws -> String {
    let library = try TemplateLibrary(
        sources: ["page": Array(template.utf8)],
        links: TemplateLinks(base: base, named: ["home": "/", "search": "/find?a=1&b=2"])
    )
    let out = ByteBuffer()
    try library.page("page", for: Linked.self).render(model, into: out)
    return out.text
}

@Test(arguments: [
    ("{{link home}} {{ link  search }}", "/base/ /base/find?a=1&amp;b=2"),
    ("{{href}}|{{whole}}", "/base/things/&lt;1&gt;/a&amp;b|/base/whole/&lt;1&gt;"),
    ("{{#next}}{{.}} {{next}}{{/next}}{{^next}}none{{/next}}", "/base/n /base/n"),
])
func anAddressIsPrintedAfterTheBase(template: String, expected: String) throws {
    #expect(try linked(template, Linked(id: "<1>", next: "/n")) == expected)
    let bare = expected.replacing("/base", with: "")
    #expect(try linked(template, Linked(id: "<1>", next: "/n"), base: "") == bare)
}

@Test func anAddressThatIsMissingPrintsNothing() throws {
    let template = "{{#next}}{{.}}{{/next}}{{^next}}none{{/next}}"
    #expect(try linked(template, Linked(id: "", next: nil)) == "none")
}

@Test func constantAddressesAreTextOfTheTemplate() throws {
    let library = try TemplateLibrary(
        sources: ["page": Array("<a href=\"{{link home}}\">".utf8)],
        links: TemplateLinks(base: "/base", named: ["home": "/"])
    )
    let program = try library.page("page", for: Linked.self).program
    #expect(program.steps.count == 1 && program.pool == Array("<a href=\"/base/\">".utf8))
}

@Test(arguments: ["{{link nowhere}}", "{{{link home}}}", "{{#link home}}{{/link home}}", "{{link}}"])
func whatIsNoLinkStopsTheStart(template: String) {
    #expect(throws: TemplateError.self) { try linked(template, Linked(id: "", next: nil)) }
}

@Test func aTemplateWithDataOfAnyShapePrintsLinksToo() throws {
    let links = TemplateLinks(base: "/base", named: ["home": "/"])
    func text(_ source: String) throws -> String {
        let template = try DynamicTemplate(name: "page", source: Array(source.utf8), links: links)
        return try template.render(.object(["link home": .text("no")])).text
    }
    #expect(try text("{{link home}}") == "/base/")
    #expect(throws: TemplateError.self) { try text("{{link nowhere}}") }
}
