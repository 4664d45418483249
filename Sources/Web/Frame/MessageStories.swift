// The messages on pages: toasts, notices and warnings.

import Links
import Texts

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
                    chrome.notices = noticeTexts.map { NoticeLine(key: key(of: $0.name), text: $0.text) }
                    chrome.notices.append(reminder)
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
            another: Link? = nil,
            hide: Link? = nil
        ) {
            line = ToastLine(key: key, text: text, undo: undo, same: same, another: another, hide: hide)
            self.title = title
        }
    }

    private static let payment: [String: Text.Argument] = [
        "name": .text(.verbatim("Green Market")), "amount": .string("€12.50"), "day": .string("21 Nov"),
    ]

    private static let messages = [
        Message(
            "transaction-added",
            "a transaction was added",
            Text("transactions.payee-added", ["amount": "€4.10", "payee": "Brotzeit"]),
            undo: Link.transactionDelete(Sample.id(110))
        ),
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
            "schedule-perhaps-paid",
            "a payment of a schedule was perhaps entered already",
            Text("schedules.perhaps-entered", payment),
            same: SchedulePayment.link(Sample.id(110), of: Sample.id(302), on: Sample.today),
            another: Link.scheduleRecord(Sample.id(302)).adding(query: [("confirmed", "on")])
        ),
        Message(
            "schedules-recorded",
            "a payment was entered already",
            Text("schedules.was-entered", payment),
            undo: Link.historyUndo(7)
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

    private static let noticeTexts: [(name: String, text: Text)] = [
        ("your-account-gone", Text("notices.your-account-gone")),
        ("book-erased", Text("notices.book-erased")),
        ("changes-not-uploaded", Text("notices.changes-not-uploaded", ["count": .count(3)])),
        ("no-cloud-backup", Text("notices.no-cloud-backup")), ("account-gone", Text("notices.account-gone")),
        ("data-deleted", Text("notices.data-deleted")),
        ("own-data-deleted", Text("notices.own-data-deleted")),
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

    private static let notices = noticeTexts.map { name, text in
        Story("messages-notice-\(name)", .messages, "A notice until it is dismissed: \(name)") {
            $0.framed(endedKeys.contains(key(of: name)) ? .ended : .free)
                .with { $0.notices = [NoticeLine(key: key(of: name), text: text)] }.overview()
        }
    }

    /// The key of a notice, which can have several texts.
    private static func key(of name: String) -> String {
        switch name {
        case "your-account-gone", "book-erased": "account-gone"
        case "changes-and-files-not-uploaded": "changes-not-uploaded"
        case "files-not-fetched": "subscription-ended"
        default: name
        }
    }

    /// The notices of a user whose subscription has ended.
    private static let endedKeys: Set<String> = [
        "subscription-ended", "changes-not-uploaded", "files-not-uploaded",
    ]
}
