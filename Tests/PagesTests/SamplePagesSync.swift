// The pages of sync and of the history, each in its forms.

import Ledger
import Links
import Pages
import Texts

extension Sample {
    private var name: String { hostile ?? "Groceries" }
    private var words: Text { .verbatim(name) }

    var syncPages: [SamplePage] {
        func sync(_ changes: [ChangeLine], error: Text?, stopped: Bool = false) -> SyncPage {
            SyncPage(
                chrome: chrome,
                last: words,
                error: error,
                isStopped: stopped,
                canRetry: error != nil && !stopped,
                changes: changes,
                more: changes.count
            )
        }
        let waits = ChangeLine(
            id: 1,
            title: words,
            detail: words,
            waiting: .verbatim("waiting 3 min"),
            refusal: nil,
            canRevert: true
        )
        let refused = ChangeLine(
            id: 2,
            title: words,
            detail: words,
            waiting: .verbatim("waiting 1 day"),
            refusal: words,
            canRevert: true
        )
        func side(_ stands: Bool) -> ReviewLine.Side { .init(value: words, device: words, stands: stands) }
        let lines = [true, false].map { mine in
            ReviewLine(
                id: Self.id(mine ? 1 : 2),
                title: words,
                field: words,
                mine: side(mine),
                theirs: side(!mine),
                when: words
            )
        }
        let losses = [true, false].map { isDeleted in
            LossLine(
                number: isDeleted ? 1 : 2,
                title: words,
                device: isDeleted ? "" : name,
                when: words,
                fields: [LossLine.Value(field: words, mine: words, theirs: isDeleted ? nil : words)],
                isDeleted: isDeleted
            )
        }
        return [
            SamplePage("sync", sync([waits, refused], error: words)),
            SamplePage("sync-idle", sync([], error: nil)),
            SamplePage("sync-stopped", sync([waits], error: words, stopped: true)),
            SamplePage("review", ReviewPage(chrome: chrome, lines: lines, losses: losses)),
            SamplePage("review-empty", ReviewPage(chrome: chrome, lines: [])),
            SamplePage("download", DownloadPage(chrome: chrome, done: 3, total: 9, isOffline: true)),
            SamplePage("download-begun", DownloadPage(chrome: chrome, done: 0, total: 0, isOffline: false)),
        ]
    }

    var historyPages: [SamplePage] {
        let deeds: [HistoryLine.Deed] = [.added, .changed, .deleted, .begun, .loaded]
        let lines = deeds.enumerated().map { number, deed in
            HistoryLine(
                id: Int64(number + 1),
                deed: deed,
                title: words,
                detail: words,
                when: "14:05",
                device: words,
                more: number,
                canUndo: number < 3
            )
        }
        func change(_ isChangedSince: Bool, _ error: Text?) -> HistoryChangePage {
            HistoryChangePage(
                chrome: chrome,
                id: 7,
                when: words,
                device: words,
                lines: lines,
                more: 4,
                canUndo: error == nil,
                isChangedSince: isChangedSince,
                error: error
            )
        }
        let day = HistoryDay(title: words, lines: lines)
        return [
            SamplePage(
                "history",
                HistoryPage(
                    chrome: chrome,
                    days: [day, day],
                    olderHref: Link.history.adding(query: [("before", "3")])
                )
            ),
            SamplePage("history-empty", HistoryPage(chrome: chrome, days: [], olderHref: nil)),
            SamplePage("history-change", change(false, nil)),
            SamplePage("history-change-since", change(true, nil)),
            SamplePage(
                "history-change-refused",
                change(false, UndoRefusal.accountInUse(transactions: 2).words)
            ),
        ]
    }
}
