// The index of the storybook.

import Links
import Pages
import Templates
import Texts

/// All stories, grouped by the part of the app.
struct StorybookPage: Page {
    static let template = "lab/pages"
    let chrome: Chrome
    let groups: [StoryGroupLine]

    init(chrome: Chrome) {
        self.chrome = chrome
        groups = StoryGroup.allCases.map { group in
            StoryGroupLine(group: group, stories: Storybook.stories.filter { $0.group == group })
        }
    }

    static let keys = Keys<StorybookPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("groups", of: StoryGroupLine.self) { $0.groups }
}

struct StoryGroupLine: TemplateModel {
    let group: StoryGroup
    let stories: [Story]

    static let keys = Keys<StoryGroupLine>()
        .message("label") { $0.group.label }
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
