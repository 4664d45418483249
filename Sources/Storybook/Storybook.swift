// Each page in each of its states, the index of them, and one of them at the widths of a phone and a desktop.

package import Ledger
package import Links
package import Templates
import Texts
package import Web

/// The storybook of a server: it renders its pages with the server's templates and static files.
package struct Storybook: Sendable {
    private static let byID = Dictionary(
        Story.all.map { ($0.id, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// A page of the storybook.
    package enum Leaf: Hashable, Sendable {
        /// The list of the stories that have some words in their title or name.
        case index(search: String)
        /// A story in frames of several widths and themes.
        case view(id: String)
        /// The page of a story, in a theme.
        case story(id: String, theme: Theme)
    }

    private let pages: PageLibrary
    private let index: PageTemplate<StorybookPage>
    private let view: PageTemplate<StoryPage>
    private let assets: Assets
    private let style: any WritingStyle

    /// - Parameters:
    ///   - pages: the pages of the server.
    ///   - sources: the templates, UTF-8 by name.
    ///   - base: the base path of the server.
    ///   - assets: the static files of the server, with the base path.
    ///   - style: how the stories write amounts and days; nil for a style without tables.
    /// - Throws: `TemplateError` for a template of the storybook that does not fit its page.
    package init(
        pages: PageLibrary,
        sources: [String: [UInt8]],
        base: BasePath = .root,
        assets: Assets,
        style: (any WritingStyle)? = nil
    ) throws(TemplateError) {
        let links = PageLibrary.links(below: base)
        let library = try TemplateLibrary(sources: sources, links: links, texts: pages.texts)
        index = try library.page(StorybookPage.template, for: StorybookPage.self)
        view = try library.page(StoryPage.template, for: StoryPage.self)
        self.pages = pages
        self.assets = assets
        self.style = style ?? PlainStyle()
    }

    /// Renders a page of the storybook.
    /// - Parameter out: the page's HTML is appended to it, in UTF-8.
    /// - Returns: false for a story that does not exist; nothing is rendered then.
    package func render(_ leaf: Leaf, into out: ByteBuffer) -> Bool {
        switch leaf {
        case .index(let search):
            index.render(StorybookPage(chrome: chrome, search: search), into: out)
        case .view(let id):
            guard let place = Story.all.firstIndex(where: { $0.id == id }) else { return false }
            view.render(StoryPage(chrome: chrome, place: place), into: out)
        case .story(let id, let theme):
            guard let story = Self.byID[id] else { return false }
            story.render(Sample(assets: assets, theme: theme, style: style), with: pages, into: out)
        }
        return true
    }

    /// The frame of the index, which belongs to no device.
    private var chrome: Chrome {
        Chrome(assets: assets, csrf: "", state: "uninitialized", tier: .guest, cloud: .guest)
    }
}
