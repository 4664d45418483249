// The index of the storybook.

import Links
import Templates
import Texts
import Web

/// All stories, grouped by the part of the app.
struct StorybookPage: Page {
    static let template = "lab/pages"
    let chrome: Chrome
    /// The words that the shown titles have.
    let search: String
    let groups: [StoryGroupLine]

    init(chrome: Chrome, search: String) {
        self.chrome = chrome
        self.search = search
        let words = search.lowercased().split(separator: " ")
        let found = Story.all.filter { story in
            let text = "\(story.title) \(story.id) \(story.template)".lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        groups = StoryGroup.allCases.compactMap { group in
            let stories = found.filter { $0.group == group }
            return stories.isEmpty ? nil : StoryGroupLine(group: group, stories: stories)
        }
    }

    static let keys = Keys<StorybookPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("search") { $0.search }
        .flag("has_groups") { !$0.groups.isEmpty }
        .list("groups", of: StoryGroupLine.self) { $0.groups }
}

struct StoryGroupLine: TemplateModel {
    let group: StoryGroup
    let stories: [Story]

    static let keys = Keys<StoryGroupLine>()
        .message("label") { $0.group.label }
        .text("part") { "\($0.group)" }
        .list("stories", of: StoryLine.self) { $0.stories.map { StoryLine(story: $0) } }
}

/// A story as a link.
struct StoryLine: TemplateModel {
    let story: Story

    static let keys = Keys<StoryLine>()
        .text("title") { $0.story.title }
        .text("id") { $0.story.id }
        .address("href") { Link.labStoryView($0.story.id).text }
}

extension StoryGroup {
    var label: Text {
        switch self {
        case .onboarding: Text("lab-pages.onboarding")
        case .overview: Text("chrome.overview")
        case .messages: Text("lab-pages.messages")
        case .transactions: Text("common.transactions")
        case .accounts: Text("common.accounts")
        case .categories: Text("common.categories")
        case .budgets: Text("common.budgets")
        case .schedules: Text("schedules.schedules")
        case .reports: Text("reports.reports")
        case .rates: Text("rates.exchange-rates")
        case .settings: Text("common.settings")
        case .banks: Text("banks.banks")
        case .userAccount: Text("lab-pages.user-account")
        case .sync: Text("sync.sync")
        case .history: Text("common.history")
        case .help: Text("lab-pages.help-and-status")
        case .errors: Text("lab-pages.errors")
        }
    }
}
