// Every address of every page is below the path that the server is below, and the names of links are checked ahead.
import Links
import Templates
import TestKit
import Testing

@testable import Web

private let attributes = [
    "href", "action", "src", "formaction", "data-events", "data-health", "data-new", "data-search",
    "data-help",
]

/// The addresses in a page, but for those of its own elements and of static files, which are not links.
private func addresses(_ html: HTMLReader) -> [String] {
    html.elements.flatMap { element in
        (element["data-places"].map(places) ?? []) + attributes.compactMap { element[$0] }
    }
    .filter { !$0.hasPrefix("#") && !$0.hasPrefix("/static/") }
}

/// The addresses in `o=/ t=/transactions`.
private func places(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0.dropFirst(2)) }
}

@Test(arguments: Story.all) func everyLinkOfAPageIsBelowTheBasePath(story: Story) throws {
    let atRoot = HTMLReader(try Renderer().render(story))
    let below = HTMLReader(try Renderer.below().render(story))
    // An address without its first slash is that of a chart: below the path as the page itself.
    let expected = addresses(atRoot).map { $0.hasPrefix("/") ? "/home/breadly" + $0 : $0 }
    #expect(!expected.isEmpty && addresses(below) == expected)
}

@Test func aMisspelledLinkStopsTheStart() throws {
    var sources = try Repository.templates().mapValues { Array($0.utf8) }
    sources["help/index"] = Array("<p>\n<a href=\"{{link transactionz}}\">".utf8)
    #expect {
        try PageLibrary(sources: sources, texts: try Repository.texts())
    } throws: { error in
        "\(error)" == "help/index:2:10: There is no link 'transactionz'."
    }
}

@Test func everyNamedLinkIsAnotherAddressAndIsUsed() throws {
    let declared = Link.named.count + Feature.all.map(\.links.count).reduce(0, +)
    #expect(PageLibrary.namedLinks.count == declared)
    #expect(Set(PageLibrary.namedLinks.values).count == PageLibrary.namedLinks.count)
    let text = try Repository.templates().values.joined()
    for name in PageLibrary.namedLinks.keys { #expect(text.contains("{{link \(name)}}"), "\(name)") }
}
