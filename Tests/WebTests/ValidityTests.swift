// Every page is valid HTML, and the validator finds what it is there for.

import TestKit
import Testing

@testable import Web

@Test(arguments: Story.all) func everyPageIsValid(story: Story) throws {
    let renderer = try Renderer()
    #expect(HTMLValidity(of: renderer.render(story)).faults == [])
    let hostile = renderer.render(story, of: Sample(hostile: "<b>\"&'1')</b>"))
    #expect(HTMLValidity(of: hostile).faults == [], "with hostile text")
}

/// A page around a piece of a body.
private func page(_ piece: String) -> String {
    """
    <!doctype html><html lang="en"><head><title>Title</title></head><body><main><h1>Title</h1>\(piece)</main></body></html>
    """
}

private let invalid = [
    // The syntax.
    ("<p class=\"a\" class=\"b\"></p>", "class stands twice"), ("<p>1 < 2</p>", "a bare <"),
    ("<p>this & that</p>", "a bare &"), ("<p><b>so</p></b>", "does not close"), ("<div>", "is not closed"),
    ("<p title=a\"b>x</p>", "needs quotes"), ("<p title=\"a\"class=\"b\">x</p>", "no space"),
    ("<div/>", "closes itself"),
    // The content of elements.
    ("<p><span><form action=\"/a\"></form></span></p>", "may not stand here"),
    ("<p><div></div></p>", "may not stand here"),
    ("<ul><p>x</p></ul>", "may not stand here"), ("<ul>x<li>y</li></ul>", "has text beside"),
    ("<button><a href=\"/\">x</a></button>", "inside a link or a button"),
    ("<a href=\"/\"><div><button>x</button></div></a>", "inside a link or a button"),
    ("<form action=\"/a\"><div><form action=\"/b\"></form></div></form>", "inside <form>"),
    ("<details><p>x</p><summary>y</summary></details>", "may not stand here"),
    ("<table><p>x</p></table>", "may not stand here"),
    ("<p><a href=\"/\"><div>x</div></a></p>", "may not stand here"), ("<blink>x</blink>", "no element"),
    ("<label>x<input name=\"a\"><input name=\"b\"></label>", "second control"),
    ("<h1>Two</h1>", "not one <h1>"),
    // Attributes and their values.
    ("<label>x<input type=\"month\" placeholder=\"y\" name=\"a\"></label>", "placeholder is no attribute"),
    ("<label>x<input type=\"date\" value=\"2026-02-30\" name=\"a\"></label>", "no value of the type date"),
    ("<label>x<input type=\"email\" value=\"anna\" name=\"a\"></label>", "no value of the type email"),
    ("<p colour=\"red\">x</p>", "is no attribute"), ("<p aria-lable=\"x\">x</p>", "ARIA has no"),
    ("<button disabled=\"no\">x</button>", "is a switch"),
    ("<button type=\"send\">x</button>", "no type of a button"),
    ("<progress aria-label=\"x\" max=\"0\"></progress>", "not above zero"),
    ("<p id=\"a b\">x</p>", "is no id"),
    ("<p id=\"a\">x</p><p id=\"a\">y</p>", "stands twice"), ("<a href=\"/a b\">x</a>", "has "),
    ("<h2 role=\"status\">x</h2>", "may not have the role"), ("<p role=\"titel\">x</p>", "there is no role"),
    ("<time datetime=\"soon\">x</time>", "is no time"), ("<p aria-hidden=\"yes\">x</p>", "is none of"),
    // References and names.
    ("<label for=\"a\">x</label>", "names no element"), ("<a href=\"#a\">x</a>", "leads nowhere"),
    ("<p id=\"a\">y</p><label for=\"a\">x</label>", "is no control"), ("<input name=\"a\">", "has no name"),
    ("<button></button>", "has no name"), ("<p aria-describedby=\"a\">x</p>", "names no element"),
    ("<p autofocus>x</p><p autofocus>x</p>", "want the focus"),
]

@Test(arguments: invalid) func whatIsInvalidIsFound(piece: String, fault: String) {
    let faults = HTMLValidity(of: page(piece)).faults
    #expect(faults.contains { $0.contains(fault) }, "\(faults)")
}

private let valid = [
    "<p>1 &lt; 2 &amp; <b>x</b> &#39;</p>", "<a href=\"/\"><div>x</div></a>",
    "<dl><div><dt>x</dt><dd><p>y</p></dd></div></dl>",
    "<label>x<input type=\"hidden\" name=\"b\"><input name=\"a\"></label>",
    "<p><svg viewBox=\"0 0 1 1\"><path d=\"\"/></svg></p>",
    "<label for=\"a\">x</label><input id=\"a\" type=\"month\" value=\"2026-11\" name=\"a\">",
    "<details><summary><h2>x</h2></summary><ul><li>y</li></ul></details>", "<noscript><p>x</p></noscript>",
    "<table><caption>x</caption><tbody><tr><td>y</td></tr></tbody></table>",
    "<button aria-label=\"x\"></button>",
]

@Test(arguments: valid) func whatIsValidHasNoFault(piece: String) {
    #expect(HTMLValidity(of: page(piece)).faults == [])
}
