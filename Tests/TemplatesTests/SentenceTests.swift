// Sentences of the catalogue in templates, with and without elements of the template.

import TestKit
import Testing
import Texts

@testable import Templates

private struct Greeting: TemplateModel {
    var name = ""
    var text = Text("sum", ["count": 2])
    var hint: Text?
    var lines: [Text] = []

    static let keys = Keys<Greeting>()
        .text("name") { $0.name }
        .message("text") { $0.text }
        .optionalMessage("hint") { $0.hint }
        .messages("lines") { $0.lines }
        .address("href", head: "/of/") { $0.name }
}

private let catalogue = """
    hello = Hello, <b>{name}</b> & "all": it's
        <i class="x">
    nested = {text} here
    sum = {count, plural, one {# change} other {# changes}}
    plain = Nothing < something
    """

private func greeted(
    _ template: String,
    _ greeting: Greeting,
    sentence: String = "None"
) throws -> String {
    let lines = catalogue + "\nsentence = " + sentence
    let texts = try TextCatalogue(language: "en", files: ["a.txt": Array(lines.utf8)])
    let library = try TemplateLibrary(sources: ["page": Array(template.utf8)], texts: texts)
    let out = ByteBuffer()
    try library.page("page", for: Greeting.self).render(greeting, into: out)
    return out.text
}

@Test func aTextIsPrintedWithNamesOfItsContext() throws {
    let expected =
        "<p>Hello, <b>&lt;Ann&gt;</b> &amp; &quot;all&quot;: it's &lt;i class=&quot;x&quot;&gt;</p>"
    #expect(try greeted("<p>{{text hello}}</p>", Greeting(name: "<Ann>")) == expected)
    #expect(try greeted("{{text nested}}", Greeting()) == "2 changes here")
}

@Test func aTextWithoutPlaceholdersIsTextOfTheTemplate() throws {
    let texts = try TextCatalogue(language: "en", files: ["a.txt": Array(catalogue.utf8)])
    let library = try TemplateLibrary(sources: ["page": Array("<p>{{text plain}}</p>".utf8)], texts: texts)
    let program = try library.page("page", for: Greeting.self).program
    #expect(program.steps.count == 1 && program.pool == Array("<p>Nothing &lt; something</p>".utf8))
}

@Test func textsOfTheModelAreInTheLanguageOfTheLibrary() throws {
    let template =
        "{{text}}{{#hint}}, {{.}}, {{hint}}{{/hint}}{{^hint}}, none{{/hint}}{{#lines}}; {{.}}{{/lines}}"
    #expect(try greeted(template, Greeting()) == "2 changes, none")
    let full = Greeting(
        text: Text("sum", ["count": 1]),
        hint: Text("plain"),
        lines: [.verbatim("<a>"), Text("sum", ["count": 0])]
    )
    #expect(
        try greeted(template, full)
            == "1 change, Nothing &lt; something, Nothing &lt; something; &lt;a&gt;; 0 changes"
    )
}

@Test(arguments: [
    ("\n{{text nothing}}", "page:2:1: There is no text 'nothing' in the catalogue."),
    ("{{text sum}}", "page:1:1: 'count' chooses a plural form: a text with a count is printed by code."),
    ("{{{text plain}}}", "page:1:1: The page has no 'text plain' here."),
    ("{{#text nothing}}{{/text}}", "page:1:1: There is no text 'nothing' in the catalogue."),
    ("{{#text plain}}{{/text plain}}", "page:1:16: {{/text plain}} closes nothing that is open here."),
    ("{{#text plain}}", "page:1:1: The section 'text' is never closed: write {{/text}}."),
    ("{{^text plain}}{{/text}}", "page:1:1: The page has no 'text plain' here."),
    (
        "{{#text sum}}{{/text}}",
        "page:1:1: 'count' chooses a plural form: a text with a count is printed by code."
    ),
])
func whatIsNoTextStopsTheStart(template: String, message: String) {
    #expect {
        try greeted(template, Greeting())
    } throws: { error in
        "\(error)" == message
    }
}

@Test func aTemplateWithDataOfAnyShapePrintsTextsToo() throws {
    let texts = try TextCatalogue(language: "en", files: ["a.txt": Array(catalogue.utf8)])
    let template = try DynamicTemplate(name: "page", source: Array("{{text hello}}".utf8), texts: texts)
    let text = try template.render(.object(["name": .text("A&B")])).text
    #expect(text == "Hello, <b>A&amp;B</b> &amp; &quot;all&quot;: it's &lt;i class=&quot;x&quot;&gt;")
}

// MARK: Elements

@Test(arguments: [
    ("Read <a>this</a> first.", #"<a href="x">"#, #"Read <a href="x">this</a> first."#),
    ("<a>{name}</a>", #"<a href="{{href}}">"#, #"<a href="/of/&lt;&quot;&gt;">&lt;&quot;&gt;</a>"#),
    ("<a.two>2</a.two>, <a.one>1</a.one>", "<a.one id=1> <a.two id=2>", "<a id=2>2</a>, <a id=1>1</a>"),
    ("<h2><a>1</a></h2>, <a.two>2</a.two>", "<h2><a><a.two id=2>", "<h2><a>1</a></h2>, <a id=2>2</a>"),
    ("<p>a <b>b</b> <em>c</em></p>", "<p id=x><b id=y>", "<p id=x>a <b id=y>b</b> <em>c</em></p>"),
    ("<a>1</a> > 0", #"<a title="1 > 0"{{#hint}} id="{{.}}"{{/hint}}>"#, #"<a title="1 > 0">1</a> &gt; 0"#),
    ("<a>1</a>", #"<a title="{{text plain}}">"#, #"<a title="Nothing &lt; something">1</a>"#),
    ("<a>1</a> <b>2</b>", "\n<a\nid=x>\n", "<a\nid=x>1</a> <b>2</b>"),
    ("<b>{name}</b>", "", "<b>&lt;&quot;&gt;</b>"),
    ("<br-x>1</br-x>", "<br-x>", "<br-x>1</br-x>"),
])
func anElementOfASentenceHasTheTagOfTheTemplate(sentence: String, tags: String, expected: String) throws {
    let template = "<p>{{#text sentence}}\(tags){{/text}}</p>"
    let greeting = Greeting(name: "<\">")
    #expect(try greeted(template, greeting, sentence: sentence) == "<p>\(expected)</p>")
}

@Test func tagsMayHaveLinesOfTheirOwn() throws {
    let template = "<p>\n{{#text sentence}}\n<a.x href=\"y\">\n<b id=\"z\">\n{{/text}}\n</p>"
    let printed = try greeted(template, Greeting(), sentence: "<b>1</b> <a.x>2</a.x>")
    #expect(printed == "<p>\n<b id=\"z\">1</b> <a href=\"y\">2</a></p>")
}

@Test func tagsHaveTheNamesOfTheirPlace() throws {
    let template = "{{#lines}}{{#text sentence}}<i title=\"{{.}}\">{{/text}};{{/lines}}"
    let greeting = Greeting(name: "Ann", lines: [.verbatim("a"), .verbatim("&")])
    let printed = try greeted(template, greeting, sentence: "<i>{name}</i>")
    #expect(printed == "<i title=\"a\">Ann</i>;<i title=\"&amp;\">Ann</i>;")
}

@Test(arguments: [
    ("<a>1</a>", "{{text sentence}}", "has <a>, for which the template gives no tag."),
    ("<script>1</script>", "{{text sentence}}", "has <script>, for which the template gives no tag."),
    ("<a>1</a>", "{{#text sentence}}<a.x>{{/text}}", "has <a>, for which the template gives no tag."),
    ("1", "{{#text sentence}}<a>{{/text}}", "has no <a>, which the template gives it."),
    ("<a>1</a><a>2</a>", "{{#text sentence}}<a>{{/text}}", "has <a> twice."),
    ("<a>1", "{{#text sentence}}<a>{{/text}}", "has <a> without </a>."),
    ("<b>1", "{{text sentence}}", "has <b> without </b>."),
    ("1</a>", "{{#text sentence}}<a>{{/text}}", "has </a> where <a> is not the innermost open element."),
    (
        "<b><em>1</b></em>",
        "{{text sentence}}",
        "has </b> where <b> is not the innermost open element."
    ),
    (
        "<a.x>1</a.y>",
        "{{#text sentence}}<a.x><a.y>{{/text}}",
        "has </a.y> where <a.y> is not the innermost open element."
    ),
])
func tagsOfSentenceAndTemplateThatDoNotMatchStopTheStart(
    sentence: String,
    template: String,
    message: String
) throws {
    #expect {
        try greeted("\n " + template, Greeting(), sentence: sentence)
    } throws: { error in
        "\(error)" == "page:2:2: The text 'sentence' " + message
    }
}

private let onlyTags = "Between {{#text KEY}} and {{/text}} are opening tags only."

@Test(arguments: [
    ("x<a>", onlyTags), ("<a>x", onlyTags), ("<a></a>", onlyTags), ("< a>", onlyTags), ("<A>", onlyTags),
    ("<a.>", onlyTags), ("<!-- x --><a>", onlyTags), ("{{name}}<a>", onlyTags),
    ("{{#hint}}<a>{{/hint}}", onlyTags), ("{{>page}}", onlyTags),
    ("<a><a id=x>", "<a> is given twice: name one of them <a.NAME>."),
    ("<a><br>", "<br> has no end tag, so that it is no element of a sentence."),
    ("<img.x src=y>", "<img> has no end tag, so that it is no element of a sentence."),
    ("<a href=\"x>", "The tag <a between {{#text KEY}} and {{/text}} has no '>'."),
    ("<a.x ", "The tag <a.x between {{#text KEY}} and {{/text}} has no '>'."),
])
func anythingButOpeningTagsStopsTheStart(body: String, message: String) throws {
    #expect {
        try greeted("{{#text sentence}}\(body){{/text}}", Greeting(), sentence: "<a>1</a>")
    } throws: { error in
        "\(error)" == "page:1:1: " + message
    }
}

@Test func aSentenceCostsWhatItsValuesCost() throws {
    let texts = try TextCatalogue(language: "en", files: ["a.txt": Array("s = Read <a>this</a>.".utf8)])
    func program(_ tag: String) throws -> Program {
        let sources = ["page": Array("<p>{{#text s}}\(tag){{/text}}</p>".utf8)]
        return try TemplateLibrary(sources: sources, texts: texts).page("page", for: Greeting.self).program
    }
    let fixed = try program("<a href=\"x\">")
    #expect(fixed.steps.count == 1 && fixed.pool == Array("<p>Read <a href=\"x\">this</a>.</p>".utf8))
    #expect(try program("<a href=\"{{name}}\">").steps.count == 2)
}

@Test func aTemplateWithDataOfAnyShapePrintsElementsToo() throws {
    let texts = try TextCatalogue(language: "en", files: ["a.txt": Array("s = <b>{x}</b> <a>1</a>".utf8)])
    func printed(_ source: String) throws -> String {
        let template = try DynamicTemplate(name: "page", source: Array(source.utf8), texts: texts)
        return try template.render(.object(["x": .text("&")])).text
    }
    #expect(try printed("{{#text s}}<a id=\"{{x}}\">{{/text}}") == "<b>&amp;</b> <a id=\"&amp;\">1</a>")
    #expect(throws: TemplateError.self) { try printed("{{text s}}") }
}

@Test func aSentenceBringsInNothingButItsElements() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let parts = [
        "<", ">", "/", "</", "b", "em", "script", " ", "=", "\"", "'", "&", "<b>", "</b>", "é", "\u{308}",
        ".",
        "{name}", "<a href=\"x\">", "<b ", "javascript:",
    ]
    for _ in 0..<5_000 {
        let sentence = (0..<Int.random(in: 1...12, using: &generator))
            .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        let printed = try? greeted(
            "{{#text sentence}}<a id=1>{{/text}}",
            Greeting(name: "<i>"),
            sentence: "<a>1</a>" + sentence
        )
        guard let printed else { continue }
        var rest = Array(printed.utf8)
        for tag in ["<a id=1>", "</a>", "<b>", "</b>", "<em>", "</em>"] {
            rest = rest.replacing(Array(tag.utf8), with: [UInt8]())
        }
        let isPlain = !rest.contains { "<>\"".utf8.contains($0) }
        #expect(isPlain, "seed \(seed): \(sentence): \(printed)")
    }
}
