// A page in one of its states, made from canned values.

package import Templates

/// A page in one of its states.
package struct Story: Sendable, CustomStringConvertible {
    /// The name in its address, such as `overview-empty`.
    package let id: String
    /// The state in plain English, for a reviewer.
    package let title: String
    package let group: StoryGroup
    /// The name of the page's template, for people who design pages.
    package let template: String
    private let print: @Sendable (Sample, PageLibrary, ByteBuffer) -> Void

    /// - Parameter page: makes the page of a sample, each time that the story is rendered.
    init<Shown: Page>(
        _ id: String,
        _ group: StoryGroup,
        _ title: String,
        _ page: @escaping @Sendable (Sample) -> Shown
    ) {
        self.id = id
        self.group = group
        self.title = title
        template = Shown.template
        print = { sample, pages, out in pages.render(page(sample), into: out) }
    }

    /// Renders the page with the values of a sample.
    /// - Parameter out: the page's HTML is appended to it, in UTF-8.
    package func render(_ sample: Sample, with pages: PageLibrary, into out: ByteBuffer) {
        print(sample, pages, out)
    }

    /// The name in its address, for lists of tests.
    package var description: String { id }
}

extension Story {
    /// All stories, in the order of the index.
    package static let all: [Story] = [
        OnboardingStories.all, OverviewStories.all, MessageStories.all, TransactionStories.all,
        OpeningStories.ofTransactions, BulkStories.all, RowEditingStories.all, UncategorizedStories.all,
        PayeeStories.all, ViewStories.all,
        RuleStories.all, ReceiptStories.all, FileStateStories.all, AccountStories.all, OpeningStories.all,
        OrderStories.all, CategoryStories.all, BudgetStories.all, ScheduleStories.all, ReportStories.all,
        RateStories.all, SettingsStories.all, BankStories.all, UserAccountStories.all, SignOutStories.all,
        SyncStories.all, FileStateStories.sync,
        HistoryStories.all, HelpStories.all, ErrorStories.all,
    ].flatMap(\.self)
}

/// The part of the app that a story belongs to, in the order of the index.
package enum StoryGroup: CaseIterable {
    case onboarding, overview, messages, transactions, accounts, categories, budgets, schedules, reports,
        rates
    case settings, banks, userAccount, sync, history, help, errors
}

/// The values of an enumeration that cannot list its cases itself.
/// - Parameter next: the value after another one; a `switch` without `default` reminds of a new case.
func cases<Value>(from first: Value, _ next: @escaping (Value) -> Value?) -> [Value] {
    Array(sequence(first: first, next: next))
}
