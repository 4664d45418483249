// The rules of the Mustache specification 1.4, one line a case: template, data, partials, what is printed.
import Testing

@testable import Templates

struct Case: Sendable, CustomTestStringConvertible {
    let template: String
    let data: String
    let partials: [String: String]
    let expected: String

    init(_ template: String, _ data: String = "{}", _ partials: [String: String] = [:], _ expected: String) {
        self.template = template
        self.data = data
        self.partials = partials
        self.expected = expected
    }

    var testDescription: String { template }

    func rendered() throws -> String {
        let value = try TemplateValue(json: Array(data.utf8), file: "data.json")
        let partials = partials
        let template = try DynamicTemplate(name: "page", source: Array(template.utf8)) {
            partials[$0].map { Array($0.utf8) }
        }
        return try template.render(value).text
    }
}

private let interpolation = [
    Case("Hello, {{name}}!", #"{"name": "A & \"B\" <C>"}"#, [:], "Hello, A &amp; &quot;B&quot; &lt;C&gt;!"),
    Case("{{{a}}} {{&a}} {{& a }}", #"{"a": "<&>"}"#, [:], "<&> <&> <&>"),
    Case(
        "{{n}} {{f}} {{z}}|{{nothing}}|{{missing}}",
        #"{"n": 85, "f": 1.210, "z": 0, "nothing": null}"#,
        [:],
        "85 1.210 0||"
    ),
    Case("{{a.b.c}}|{{a.x.c}}|{{#a}}{{b.c}}{{/a}}", #"{"a": {"b": {"c": "deep"}}}"#, [:], "deep||deep"),
    Case("{{#a}}{{b.c.d}}{{/a}}", #"{"a": {"b": {}}, "b": {"c": {"d": "outer"}}}"#, [:], ""),
    Case("{{.}}", #""<itself>""#, [:], "&lt;itself&gt;"),
    Case("  {{a}}\n", #"{"a": "x"}"#, [:], "  x\n"),
]

private let sections = [
    Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", #"{"a": true}"#, [:], "yes"),
    Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", #"{"a": []}"#, [:], "no"),
    Case("{{#a}}yes{{/a}}{{^a}}no{{/a}}", #"{"a": null}"#, [:], "no"),
    Case("{{#a}}({{.}}){{/a}}", #"{"a": [1, "b", 2.50]}"#, [:], "(1)(b)(2.50)"),
    Case("{{#a}}{{#.}}{{.}}{{/.}};{{/a}}", #"{"a": [[1, 2], [3]]}"#, [:], "12;3;"),
    Case("{{#a}}{{one}}{{#b}}{{one}}{{two}}{{/b}}{{/a}}", #"{"a": {"one": 1}, "b": {"two": 2}}"#, [:], "112"),
    Case("{{#a.b}}x{{/a.b}}{{^a.c}}y{{/a.c}}", #"{"a": {"b": true}}"#, [:], "xy"),
    Case("a\n{{#t}}\nb\n{{/t}}\nc\n", #"{"t": true}"#, [:], "a\nb\nc\n"),
    Case("a\n  {{#t}}\nb\n  {{/t}}\nc", #"{"t": true}"#, [:], "a\nb\nc"),
    Case("|\r\n{{#t}}\r\n{{/t}}\r\n|", #"{"t": true}"#, [:], "|\r\n|"),
    Case("  {{#t}}\n#{{/t}}\n/", #"{"t": true}"#, [:], "#\n/"),
    Case("#{{#t}}\n/\n  {{/t}}", #"{"t": true}"#, [:], "#\n/\n"),
    Case(" {{#t}}YES{{/t}}\n {{#t}}GOOD{{/t}}\n", #"{"t": true}"#, [:], " YES\n GOOD\n"),
    Case(" | {{^f}} \n |\n {{/f}}| \n", #"{"f": false}"#, [:], " |  \n |\n | \n"),
    Case("{{ # t }}={{ / t }}", #"{"t": true}"#, [:], "="),
]

private let commentsAndDelimiters = [
    Case("12{{! a\ncomment }}34", "{}", [:], "1234"),
    Case("a\n  {{! alone\n  over lines }}\nb", "{}", [:], "a\nb"),
    Case("a {{! not alone }}\nb", "{}", [:], "a \nb"),
    Case("  {{! alone at the end }}", "{}", [:], ""),
    Case("{{=<% %>=}}(<% a %>)", #"{"a": "x"}"#, [:], "(x)"),
    Case("({{a}} {{=[ ]=}}[a])", #"{"a": "x"}"#, [:], "(x x)"),
    Case("a\n  {{=@ @=}}\nb", "{}", [:], "a\nb"),
    Case("{{>p}}{{= | | =}}|>p|", #"{"v": 1}"#, ["p": ".{{v}}."], ".1..1."),
    Case("{{#s}}{{v}}{{= | | =}}|v||/s|", #"{"s": {"v": 1}}"#, [:], "11"),
]

private let partials = [
    Case("\"{{>p}}\"", "{}", ["p": "text"], "\"text\""),
    Case("\"{{>missing}}\"", "{}", [:], "\"\""),
    Case(
        "{{>node}}",
        #"{"c": "X", "n": [{"c": "Y", "n": []}]}"#,
        ["node": "{{c}}<{{#n}}{{>node}}{{/n}}>"],
        "X<Y<>>"
    ),
    Case("  {{v}}  {{> p}}\n", #"{"v": "|"}"#, ["p": ">\n>"], "  |  >\n>\n"),
    Case("\\\n {{>p}}\n/\n", #"{"v": "<\n->"}"#, ["p": "|\n{{{v}}}\n|\n"], "\\\n |\n <\n->\n |\n/\n"),
    Case("|\r\n{{>p}}\r\n|", "{}", ["p": ">"], "|\r\n>|"),
    Case("  {{>p}}\n>", "{}", ["p": ">\n>"], "  >\n  >>"),
    Case(">\n  {{>p}}", "{}", ["p": ">\n>"], ">\n  >\n  >"),
    Case(" {{>a}}\n", "{}", ["a": "1\n {{>b}}\n2\n", "b": "x\ny\n"], " 1\n  x\n  y\n 2\n"),
    Case("|{{> p }}|", #"{"b": true}"#, ["p": "[]"], "|[]|"),
    Case("\"{{>*which}}\"", #"{"which": "p", "t": "x"}"#, ["p": "*{{t}}*"], "\"*x*\""),
    Case("\"{{> * a.b }}\"", #"{"a": {"b": "p"}}"#, ["p": "found"], "\"found\""),
    Case("\"{{>*missing}}\"", "{}", ["p": "x"], "\"\""),
    Case("{{<*which}}{{$b}}mine{{/b}}{{/*which}}", #"{"which": "p"}"#, ["p": "<{{$b}}own{{/b}}>"], "<mine>"),
]

private let inheritance = [
    Case("{{$t}}default {{v}}{{/t}}\n", #"{"v": 1}"#, [:], "default 1\n"),
    Case("{{<p}}{{/p}}\n", "{}", ["p": "{{$f}}own{{/f}}"], "own"),
    Case("{{<p}}{{$t}}mine{{/t}}{{/p}}", #"{"t": "data"}"#, ["p": "...{{$t}}own{{/t}}..."], "...mine..."),
    Case("{{<p}}{{/p}}", #"{"t": "data"}"#, ["p": "{{$t}}own{{/t}}"], "own"),
    Case(
        "test {{<p}}{{$s}}1{{/s}}{{/p}} {{<p}}{{$s}}2{{/s}}{{/p}}\n",
        "{}",
        ["p": "|{{$s}}.{{/s}}{{$d}} d{{/d}}|"],
        "test |1 d| |2 d|\n"
    ),
    Case("{{<p}}{{$b}}\nup\n\n:(\n{{/b}}{{/p}}", "{}", ["p": "{{$b}}own{{/b}}"], "up\n\n:(\n"),
    Case("{{<p}}{{$n}}time{{/n}}{{/p}}", "{}", ["p": "stop:\n  {{$n}}own{{/n}}\n"], "stop:\n  time\n"),
    Case("{{>p}}|{{<p}}{{/p}}", "{}", ["p": "{{$f}}own{{/f}}"], "own|own"),
    Case(
        "{{<p}}{{$f}}over{{/f}}{{/p}}",
        "{}",
        [
            "p": "{{$f}}own{{/f}} {{$b}}{{<q}}{{/q}}{{/b}}",
            "q": "{{$f}}q own{{/f}} {{<p}}{{$b}}no more{{/b}}{{/p}}",
        ],
        "over over over no more"
    ),
    Case(
        "{{<p}}{{$a}}c{{/a}}{{/p}}",
        "{}",
        ["p": "{{<o}}{{$a}}p{{/a}}{{/o}}", "o": "{{<g}}{{$a}}o{{/a}}{{/g}}", "g": "{{$a}}g{{/a}}"],
        "c"
    ),
    Case(
        "{{<p}}{{/p}}",
        "{}",
        ["p": "{{<o}}{{$a}}p{{/a}}{{/o}}", "o": "{{<g}}{{$a}}o{{/a}}{{/g}}", "g": "{{$a}}g{{/a}}"],
        "p"
    ),
    Case("{{<p}} left out {{$f}}hmm{{/f}} too {{/p}}", "{}", ["p": "{{$f}}own{{/f}}"], "hmm"),
    Case(
        "{{<p}}{{$b}}I say {{f}}.{{/b}}{{/p}}",
        #"{"f": "apples", "n": {"f": "bananas"}}"#,
        ["p": "{{#n}}{{$b}}You say {{f}}.{{/b}}{{/n}}"],
        "I say bananas."
    ),
    Case("Hi,\n  {{<p}}{{/p}}\n", "{}", ["p": "one\ntwo\n"], "Hi,\n  one\n  two\n"),
    Case(
        "{{<p}}{{$b}}\none\ntwo{{/b}}\n{{/p}}\n",
        "{}",
        ["p": "Hi,\n  {{$b}}{{/b}}\n"],
        "Hi,\n  one\n  two\n"
    ),
    Case(
        "{{<p}}{{$b}}\n    one\n    two\n{{/b}}{{/p}}\n",
        "{}",
        ["p": "Hi,\n  {{$b}}\n  {{/b}}\n"],
        "Hi,\n  one\n  two\n"
    ),
    Case(
        "{{<p}}{{$b}}\none\ntwo\n{{/b}}{{/p}}\n",
        "{}",
        ["p": "Hi,\n{{$b}}\n  default\n{{/b}}\n"],
        "Hi,\n  one\n  two\n"
    ),
]

@Test(arguments: interpolation + sections) func valuesAndSections(one: Case) throws {
    #expect(try one.rendered() == one.expected)
}

@Test(arguments: commentsAndDelimiters) func commentsAndDelimitersLeaveNoTrace(one: Case) throws {
    #expect(try one.rendered() == one.expected)
}

@Test(arguments: partials) func partialsAreInjectedWithTheirIndentation(one: Case) throws {
    #expect(try one.rendered() == one.expected)
}

@Test(arguments: inheritance) func childrenReplaceBlocksOfTheirParents(one: Case) throws {
    #expect(try one.rendered() == one.expected)
}
