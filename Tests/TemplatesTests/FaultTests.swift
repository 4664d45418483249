// Faults in templates and data: each with its place, none of them a crash.
import TestKit
import Testing

@testable import Templates

@Test(arguments: [
    ("a\n  {{b", "page:2:3: This tag is never closed: write its closing delimiter."),
    ("{{ }}", "page:1:1: This tag has no name in it."),
    ("{{=a=}}", "page:1:1: New delimiters are two words without '=' in them, such as {{=<% %>=}}."),
    ("x{{#a}}", "page:1:2: The section 'a' is never closed: write {{/a}}."),
    ("{{#a}}\n{{/b}}", "page:2:1: {{/b}} closes nothing that is open here."),
    ("{{/a}}", "page:1:1: {{/a}} closes nothing that is open here."),
    ("{{<p}}{{#a}}{{/p}}{{/a}}", "page:1:13: {{/p}} closes nothing that is open here."),
])
func aFaultIsNamedWithItsPlace(template: String, message: String) {
    let error = #expect(throws: TemplateError.self) {
        try DynamicTemplate(name: "page", source: Array(template.utf8))
    }
    #expect(error?.description == message)
}

@Test(arguments: [
    "", "{", "[1,]", "{\"a\":}", "01", "1.", "\"\\x\"", "\"\\ud800\"", "nul", "1 2", "\"\u{1}\"",
])
func whatIsNotJSONIsRefused(text: String) {
    #expect(throws: TemplateError.self) { try TemplateValue(json: Array(text.utf8), file: "d") }
}

@Test func jsonIsReadAsItWasWritten() throws {
    let value = try TemplateValue(json: Array(#"{"a": [1e5, "\u00e9\ud83d\ude00\n", true]}"#.utf8), file: "d")
    #expect(value == .object(["a": .list([.number("1e5"), .text("é😀\n"), .bool(true)])]))
}

@Test func hostileTemplatesAndDataEndInAnError() throws {
    let deepTemplate =
        String(repeating: "{{#a}}", count: 100_000) + String(repeating: "{{/a}}", count: 100_000)
    #expect(throws: TemplateError.self) {
        try DynamicTemplate(name: "deep", source: Array(deepTemplate.utf8))
    }
    let deepData = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(throws: TemplateError.self) { try TemplateValue(json: Array(deepData.utf8), file: "deep") }
    let endless = try DynamicTemplate(name: "p", source: Array("{{>p}}".utf8)) { _ in Array("{{>p}}".utf8) }
    #expect(throws: TemplateError.self) { try endless.render(.null) }
    let itself = try DynamicTemplate(name: "p", source: Array("{{<l}}{{$a}}{{$a}}{{/a}}{{/a}}{{/l}}".utf8)) {
        _ in
        Array("{{$a}}{{/a}}".utf8)
    }
    #expect(throws: TemplateError.self) { try itself.render(.null) }
}

@Test func aBombStopsAtTheLimits() throws {
    var limits = TemplateLimits()
    limits.outputBytes = 100_000
    let loop = String(repeating: "{{#a}}", count: 9) + "0123456789" + String(repeating: "{{/a}}", count: 9)
    let data = TemplateValue.object(["a": .list(Array(repeating: .number("1"), count: 10))])
    let bomb = try DynamicTemplate(name: "bomb", source: Array(loop.utf8), limits: limits)
    #expect(#expect(throws: TemplateError.self) { try bomb.render(data) }?.reason == .tooLarge)
    limits.outputBytes = 1 << 40
    limits.steps = 10_000
    let silent = try DynamicTemplate(name: "silent", source: Array(loop.utf8), limits: limits)
    #expect(#expect(throws: TemplateError.self) { try silent.render(data) }?.reason == .tooManySteps)
}

@Test func garbageNeverCrashes() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let parts = [
        "{{", "}}", "{{{", "}}}", "#a", "/a", "^a", "$b", "/b", "<p", "/p", ">p", "=", " ", "\n", "a", ".",
        "!", "*", "\r\n",
    ]
    for _ in 0..<20_000 {
        let template = (0..<Int.random(in: 0...24, using: &generator))
            .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        let source = Array(template.utf8)
        guard let parsed = try? DynamicTemplate(name: "g", source: source, loader: { _ in source }) else {
            continue
        }
        _ = try? parsed.render(.object(["a": .list([.text("x"), .bool(true)])]))
    }
}
