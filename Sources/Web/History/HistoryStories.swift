// The history of changes, and a change that is undone.

import Ledger
import Texts

enum HistoryStories {
    static let all = lists + changes + refusals

    private static let lists: [Story] = [
        Story("history", .history, "Changes of two days, with older ones") {
            $0.history([$0.day("Today"), $0.day("Yesterday")], hasOlder: true)
        },
        Story("history-end", .history, "The first changes of a book") { $0.history([$0.day("Today")]) },
        Story("history-shortened", .history, "The oldest changes that are kept") {
            $0.history([$0.day("Today")], isShortened: true)
        },
        Story("history-empty", .history, "Nothing was changed yet") { $0.history([]) },
        Story("history-found", .history, "Filters, and a search that is continued") {
            var query = HistoryQuery()
            (query.text, query.kind) = ($0.typed("Shell"), "transaction")
            (query.device, query.days) = (.this, Sample.date(2026, 1, 1)...Sample.today)
            return $0.history([$0.day("Today")], query: query, hasOlder: true)
        },
        Story("history-nothing-found", .history, "No change matches") {
            var query = HistoryQuery()
            query.text = $0.typed("nobody")
            return $0.history([], query: query)
        },
        Story("history-long", .history, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.history([sample.day("Today")])
        },
    ]

    private static let changes: [Story] = [
        Story("history-removed", .history, "A change that is not kept") {
            RemovedChangePage(chrome: $0.chrome)
        },
        Story("history-change", .history, "A change that can be undone") { $0.change() },
        Story("history-change-since", .history, "A change with values that were changed again") {
            $0.change(isChangedSince: true)
        },
        Story("history-change-first", .history, "A change that cannot be undone") {
            $0.change(canUndo: false)
        },
    ]

    private static let refusals = cases(from: UndoRefusal.deleted, next).map { refusal in
        Story("history-refused-\(name(refusal))", .history, "A change cannot be undone now: \(name(refusal))")
        {
            $0.change(canUndo: false, error: refusal.words)
        }
    }

    private static func name(_ refusal: UndoRefusal) -> String {
        switch refusal {
        case .deleted: "deleted"
        case .accountInUse: "account-in-use"
        case .accountScheduled: "account-scheduled"
        case .categoryInUse: "category-in-use"
        case .accountGone: "account-gone"
        case .categoryGone: "category-gone"
        case .budgetExists: "budget-exists"
        case .other: "other"
        }
    }

    private static func next(_ refusal: UndoRefusal) -> UndoRefusal? {
        switch refusal {
        case .deleted: .accountInUse(transactions: 2)
        case .accountInUse: .accountScheduled(schedules: 1)
        case .accountScheduled: .categoryInUse
        case .categoryInUse: .accountGone
        case .accountGone: .categoryGone
        case .categoryGone: .budgetExists
        case .budgetExists: .other
        case .other: nil
        }
    }

    /// The actions of a list, each with its own icon.
    fileprivate static let deeds = cases(from: HistoryLine.Deed.added) { deed in
        switch deed {
        case .added: .changed
        case .changed: .deleted
        case .deleted: .begun
        case .begun: .loaded
        case .loaded: nil
        }
    }
}

extension Sample {
    private var lines: [HistoryLine] {
        HistoryStories.deeds.enumerated().map { number, deed in
            HistoryLine(
                id: Int64(number + 1),
                deed: deed,
                title: words(number % 2 == 0 ? "Green Market" : "Groceries"),
                detail: change,
                when: "14:05",
                device: number == 0 ? Text("changes.this-device") : device,
                more: number,
                canUndo: number < 3,
                target: number < 3 ? .transactions : nil
            )
        }
    }

    fileprivate func day(_ title: String) -> HistoryDay { HistoryDay(title: words(title), lines: lines) }

    fileprivate func history(
        _ days: [HistoryDay],
        query: HistoryQuery = HistoryQuery(),
        hasOlder: Bool = false,
        isShortened: Bool = false
    ) -> HistoryPage {
        HistoryPage(
            chrome: chrome,
            days: days,
            query: query,
            kinds: ["transaction", "account"],
            devices: [typed("Anna's phone"), ""],
            next: hasOlder ? 3 : nil,
            endsEarly: hasOlder && query.text != nil,
            isShortened: isShortened
        )
    }

    fileprivate func change(canUndo: Bool = true, isChangedSince: Bool = false, error: Text? = nil)
        -> HistoryChangePage
    {
        HistoryChangePage(
            chrome: chrome,
            id: 7,
            when: words("Saturday 21 November 2026, 14:05"),
            device: device,
            count: nil,
            lines: lines,
            more: 4,
            next: .history,
            canUndo: canUndo,
            isChangedSince: isChangedSince,
            error: error
        )
    }
}
