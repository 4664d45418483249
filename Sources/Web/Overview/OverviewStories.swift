// The overview, and the messages that any page can show.

import Ledger
import Links
import Texts

enum OverviewStories {
    static let all = ofMonth + ofClouds + ofRates

    private static let ofMonth: [Story] = [
        Story("overview", .overview, "A month in the middle, with a budget for all spending") {
            $0.overview()
        },
        Story("overview-empty", .overview, "A new book") {
            $0.overview(totals: [], budgets: [], categories: [], latest: [])
        },
        Story("overview-empty-month", .overview, "A month without entries in a book that has some") {
            $0.overview(totals: [], budgets: [], categories: [], latest: [], bookIsEmpty: false)
        },
        Story("overview-income", .overview, "Without budgets: what is left of the income") {
            $0.overview(budgets: [])
        },
        Story("overview-more-spent", .overview, "Without budgets: more went out than came in") {
            $0.overview(totals: [$0.total(income: 100_000)], budgets: [])
        },
        Story("overview-no-income", .overview, "Without budgets and without income") {
            $0.overview(totals: [$0.total(income: 0)], budgets: [])
        },
        Story("overview-over", .overview, "The budget for all spending is overspent") {
            $0.overview(budgets: $0.budgets(spent: 241_000))
        },
        Story("overview-owed", .overview, "Over the budget only because of earlier months") {
            $0.overview(budgets: $0.budgets(spent: 20_000, carried: -260_000))
        },
        Story("overview-past", .overview, "An earlier month") {
            $0.mixedOverview(.fresh, month: $0.lastMonth, budgets: $0.budgets)
        },
        Story("overview-past-over", .overview, "An earlier month that was overspent") {
            $0.overview(month: $0.lastMonth, budgets: $0.budgets(spent: 241_000))
        },
        Story("overview-past-empty", .overview, "An earlier month without anything") {
            $0.overview(
                month: $0.lastMonth,
                totals: [],
                budgets: [],
                categories: [],
                latest: [],
                bookIsEmpty: false
            )
        },
        Story("overview-ahead", .overview, "With schedules: coming payments, and some that wait") {
            $0.overview(schedules: $0.schedules)
        },
        Story("overview-nothing-ahead", .overview, "With schedules: nothing more is coming in this month") {
            $0.overview(schedules: [$0.ofNextMonth])
        },
        Story("overview-review", .overview, "Conflicts and losses wait for a decision") { sample in
            sample.framed(.idle).with { $0.toReview = ToReview(conflicts: 2, losses: 1) }.overview()
        },
        Story("overview-long", .overview, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.overview(schedules: sample.schedules)
        },
    ]

    private static let ofClouds = Frame.allCases.map { frame in
        Story("overview-cloud-\(frame.rawValue)", .overview, "The cloud icon: \(frame.title)") {
            $0.framed(frame).overview()
        }
    }

    private static let ofRates = Sample.RatesState.allCases.map { state in
        Story("overview-rates-\(state)", .overview, "Several currencies: \(state.title)") {
            $0.mixedOverview(state)
        }
    }
}

enum MessageStories {
    static let all: [Story] =
        toasts + notices + [
            Story("messages-reminder", .messages, "The reminder after every fifth transaction of a guest") {
                $0.with { $0.notices = [reminder] }.overview()
            },
            Story("messages-left-out", .messages, "A currency that budgets leave out") {
                $0.with { $0.warning = $0.warning ?? Chrome.leftOutWarning(currency: Sample.chf) }.overview()
            },
            Story("messages-no-rate", .messages, "A currency without a rate, with Premium") {
                $0.framed(.idle).with {
                    $0.warning = $0.warning ?? Chrome.noRateWarning(currency: Sample.rub)
                }.overview()
            },
            Story("messages-all", .messages, "Everything at once: notices, banners and five toasts") {
                $0.framed(.stalled).with { chrome in
                    chrome.toasts += messages.prefix(5).map(\.line)
                    chrome.notices = noticeTexts.map { NoticeLine(key: $0.key, text: $0.text) } + [reminder]
                    chrome.warning = chrome.warning ?? Chrome.leftOutWarning(currency: Sample.chf)
                    chrome.toReview = ToReview(conflicts: 1)
                }.overview()
            },
        ]

    private static let reminder = NoticeLine(key: "guest-count", text: Chrome.guestReminder(40))

    /// The message after an action.
    private struct Message: Sendable {
        let line: ToastLine
        let title: String

        init(
            _ key: String,
            _ title: String,
            _ text: Text,
            undo: Link? = nil,
            same: Link? = nil,
            hide: Link? = nil
        ) {
            line = ToastLine(key: key, text: text, undo: undo, same: same, hide: hide)
            self.title = title
        }
    }

    private static let messages = [
        Message("transaction-added", "a transaction was added", Text("transactions.added")),
        Message(
            "transaction-deleted",
            "a transaction was deleted, which can be undone",
            Text("transactions.deleted"),
            undo: Link.transactionRestore(Sample.id(110))
        ),
        Message(
            "transaction-not-restored",
            "a deletion cannot be undone",
            Text("transactions.cannot-come-back")
        ),
        Message(
            "account-closed",
            "an account was closed",
            Text("accounts.closed"),
            undo: Link.accountReopen(Sample.id(5))
        ),
        Message("settings-saved", "the settings were saved", Text("settings.saved")),
        Message(
            "change-undone",
            "a change was undone",
            Text("history.change-undone"),
            undo: Link.historyUndo(7)
        ),
        Message("conflict-resolved", "a conflict was decided", Text("sync.decided")),
        Message("premium-activated", "Premium begins", Text("notices.premium-activated")),
        Message(
            "password-changed",
            "the password was changed",
            Text("user-account.password-changed-and-signed-out")
        ),
        Message(
            "signed-out-elsewhere",
            "the session was ended elsewhere",
            Text("notices.signed-out-elsewhere")
        ),
        Message("sign-out-later", "a sign-out has to wait", Text("user-account.sign-out-later")),
        Message(
            "bank-perhaps-recorded",
            "a transaction was entered that was perhaps recorded from a bank already",
            Text(
                "bankrows.perhaps-recorded",
                [
                    "payee": .string("Green Market"), "day": .string("21 Nov"),
                    "amount": .string("€12.50"),
                ]
            ),
            same: Link.transactionBankRecord(Sample.id(110)).adding(query: [("record", "\(Sample.id(111))")])
        ),
        Message(
            "bank-row-listed-again",
            "the record of a bank's transaction was deleted",
            Text("transactions.deleted-and-listed"),
            undo: Link.transactionRestore(Sample.id(110)),
            hide: Link.bankRow(Sample.id(110))
        ),
    ]

    private static let toasts = messages.map { message in
        Story("messages-toast-\(message.line.key)", .messages, "A toast: \(message.title)") {
            $0.with { $0.toasts.append(message.line) }.overview()
        }
    }

    private static let endedWithoutFiles: Text = {
        let files = Text("notices.files-not-fetched", ["count": .count(2)])
        return Text(
            "common.two-sentences",
            ["first": .text(Text("notices.subscription-ended")), "second": .text(files)]
        )
    }()

    private static let noticeTexts: [(key: String, text: Text)] = [
        ("your-account-gone", Text("notices.your-account-gone")),
        ("book-erased", Text("notices.book-erased")),
        ("changes-not-uploaded", Text("notices.changes-not-uploaded", ["count": .count(3)])),
        ("no-cloud-backup", Text("notices.no-cloud-backup")), ("account-gone", Text("notices.account-gone")),
        ("data-deleted", Text("notices.data-deleted")),
        ("subscription-ended", Text("notices.subscription-ended")),
        (
            "changes-and-files-not-uploaded",
            Text(
                "notices.changes-and-files-not-uploaded",
                ["count": .count(3), "files": .count(2), "total": .count(5)]
            )
        ),
        ("files-not-fetched", endedWithoutFiles),
        ("files-not-uploaded", Text("notices.files-not-uploaded", ["count": .count(2)])),
        ("files-damaged", Text("notices.files-damaged", ["count": .count(2)])),
        ("purchase-waits", Text("notices.purchase-waits")),
        ("bank-consent-ended", Text("notices.bank-consent-ended")),
        ("bank-consent-ends-soon", Text("notices.bank-consent-ends-soon")),
        ("of-a-newer-version", Text("notices.of-a-newer-version")),
    ]

    private static let notices = noticeTexts.map { key, text in
        Story("messages-notice-\(key)", .messages, "A notice until it is dismissed: \(key)") {
            $0.framed(endedKeys.contains(key) ? .ended : .free)
                .with { $0.notices = [NoticeLine(key: key, text: text)] }.overview()
        }
    }

    /// The notices of a user whose subscription has ended.
    private static let endedKeys: Set<String> = [
        "subscription-ended", "files-not-fetched", "changes-not-uploaded", "changes-and-files-not-uploaded",
        "files-not-uploaded",
    ]
}

extension Sample {
    var lastMonth: YearMonth { formats.today.yearMonth.previous }

    /// The total of the month in the base currency, with another income.
    fileprivate func total(income: Int64) -> CurrencyTotal {
        var total = totals[0]
        total.incomeMinor = income
        return total
    }

    /// The budgets, with another use of that for all spending.
    fileprivate func budgets(spent: Int64, carried: Int64 = 0) -> [BudgetStatus] {
        var budgets = budgets
        (budgets[0].spentMinor, budgets[0].carriedMinor) = (spent, carried)
        return budgets
    }

    /// - Parameters: the values that differ from the sample.
    func overview(
        month: YearMonth? = nil,
        totals: [CurrencyTotal]? = nil,
        budgets: [BudgetStatus]? = nil,
        categories: [ReportRow]? = nil,
        latest: [Transaction]? = nil,
        schedules: [Schedule] = [],
        bookIsEmpty: Bool? = nil
    ) -> OverviewPage {
        OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            month: month,
            totals: totals ?? self.totals,
            budgets: budgets ?? self.budgets,
            categories: categories ?? byCategory,
            accounts: balances,
            latest: latest ?? Array(transactions.prefix(5)),
            withReceipts: [transactions[0].id],
            schedules: schedules,
            bookIsEmpty: bookIsEmpty
        )
    }
}
