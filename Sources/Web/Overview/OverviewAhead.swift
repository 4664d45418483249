// The payments that are still to come in the present month, on the overview.

import Ledger
import Templates
import Texts

/// The next payments of the month, the payments that wait for the user, and what is left after all of them.
struct OverviewAhead: TemplateModel {
    let left: LeftToSpend
    let coming: ComingPayments
    let waiting: Int

    /// - Parameter answered: the occurrences that have payments already.
    init(
        _ soFar: MonthSoFar,
        overall: BudgetStatus?,
        _ schedules: [Schedule],
        but answered: Set<OccurrenceKey> = [],
        catalog: Catalog,
        formats: Formats
    ) {
        left = LeftToSpend(
            soFar,
            overall: overall,
            schedules,
            but: answered,
            catalog: catalog,
            formats: formats
        )
        coming = ComingPayments(
            schedules,
            but: answered,
            until: formats.today.yearMonth.lastDay,
            limit: 5,
            catalog: catalog,
            formats: formats
        )
        waiting = schedules.reduce(0) { count, schedule in
            count + schedule.openCount(upTo: formats.today, limit: Self.most, but: answered)
        }
    }

    private static let most = 1_000

    static let keys = Keys<OverviewAhead>()
        .model("left", of: LeftToSpend.self) { $0.left }
        .flag("has_coming") { !$0.coming.isEmpty }
        .message("nothing_more") { Text("schedules.nothing-more", ["month": .string($0.left.month)]) }
        .list("weeks", of: ComingWeek.self) { $0.coming.weeks }
        .optionalMessage("more") { $0.coming.moreText }
        .optionalMessage("waiting") { ahead in
            ahead.waiting > 0 ? Text("schedules.wait-for-you", ["count": .count(ahead.waiting)]) : nil
        }
}
