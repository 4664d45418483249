// One story in frames: as wide as a phone and a desktop, in the light and the dark theme.

import Ledger
import Links
import Templates
import Texts
import Web

/// A story with the links to its neighbours.
struct StoryPage: Page {
    static let template = "lab/story"
    let chrome: Chrome
    let story: Story
    let previous: Story?
    let next: Story?

    /// - Parameter place: the index of the story.
    init(chrome: Chrome, place: Int) {
        self.chrome = chrome
        let stories = Story.all
        story = stories[place]
        previous = place > 0 ? stories[place - 1] : nil
        next = place + 1 < stories.count ? stories[place + 1] : nil
    }

    static let keys = Keys<StoryPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("title") { $0.story.title }
        .message("group") { $0.story.group.label }
        .text("template") { $0.story.template }
        .list("previous", of: StoryLine.self) { $0.previous.map { [StoryLine(story: $0)] } ?? [] }
        .list("next", of: StoryLine.self) { $0.next.map { [StoryLine(story: $0)] } ?? [] }
        .list("sizes", of: StorySize.self) { page in
            [390, 1_280].map { StorySize(id: page.story.id, width: $0) }
        }
}

/// A story at one width, in both themes: phones stand side by side where they fit.
struct StorySize: TemplateModel {
    let id: String
    let width: Int64

    static let keys = Keys<StorySize>()
        .message("label") { size in
            size.width < 1_000 ? Text("lab-pages.phone") : Text("lab-pages.desktop")
        }
        .list("frames", of: StoryFrame.self) { size in
            [Theme.light, .dark].map { StoryFrame(id: size.id, theme: $0, width: size.width) }
        }
}

/// A story at one width, in one theme.
struct StoryFrame: TemplateModel {
    let id: String
    let theme: Theme
    let width: Int64

    static let keys = Keys<StoryFrame>()
        .message("label") { frame in
            switch (frame.theme, frame.width < 1_000) {
            case (.dark, true): Text("lab-pages.phone-dark")
            case (.dark, false): Text("lab-pages.desktop-dark")
            case (.light, true), (.system, true): Text("lab-pages.phone-light")
            case (.light, false), (.system, false): Text("lab-pages.desktop-light")
            }
        }
        .address("src") { Link.labStory($0.id).adding(query: [("theme", $0.theme.rawValue)]).text }
        .integer("width") { $0.width }
}
