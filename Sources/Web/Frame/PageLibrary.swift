// Every page's template, bound to its type when the application starts.

package import Links
package import Templates
package import Texts

/// The templates of all pages, prepared for rendering.
package struct PageLibrary: Sendable {
    /// The sentences of the pages' language.
    package let texts: TextCatalogue
    private let templates: [ObjectIdentifier: any Sendable]

    /// The addresses that templates print with `{{link NAME}}`, by that name.
    static let namedLinks: [String: Link] = Feature.all.reduce(into: Link.named) { links, feature in
        links.merge(feature.links) { first, _ in first }
    }

    /// The same for templates of a server that is below a path.
    package static func links(below base: BasePath = .root) -> TemplateLinks {
        TemplateLinks(base: base.text, named: namedLinks.mapValues(\.text))
    }

    /// Reads and binds the template of every page.
    /// - Parameters:
    ///   - sources: UTF-8 by name, such as `transactions/index`.
    ///   - texts: the sentences of one language.
    ///   - base: the base path of the server.
    /// - Throws: `TemplateError` for the first template that does not fit its page.
    package init(sources: [String: [UInt8]], texts: TextCatalogue, base: BasePath = .root)
        throws(TemplateError)
    {
        self.texts = texts
        let library = try TemplateLibrary(sources: sources, links: Self.links(below: base), texts: texts)
        var binding = Binding(library: library)
        for page in Feature.all.flatMap(\.pages) { try binding.add(page) }
        templates = binding.templates
    }

    /// Renders a page.
    /// - Parameter out: the page's HTML is appended to it, in UTF-8.
    func render<Shown: Page>(_ page: Shown, into out: ByteBuffer) {
        // A page that no feature lists renders nothing, which its own test detects.
        (templates[ObjectIdentifier(Shown.self)] as? PageTemplate<Shown>)?.render(page, into: out)
    }
}

private struct Binding {
    let library: TemplateLibrary
    var templates: [ObjectIdentifier: any Sendable] = [:]

    mutating func add<Shown: Page>(_ type: Shown.Type) throws(TemplateError) {
        templates[ObjectIdentifier(type)] = try library.page(Shown.template, for: type)
    }
}
