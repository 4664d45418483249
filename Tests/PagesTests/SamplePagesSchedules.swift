// The pages of schedules: empty, full, and of each schedule.

import Ledger
import Links
import Pages
import Texts

extension Sample {
    /// A rent to come, a subscription to confirm, a transfer that has ended, and a bill on a deleted account.
    var schedules: [Schedule] {
        func schedule(_ number: UInt64, like index: Int, _ change: (inout Schedule) -> Void) -> Schedule {
            var transaction = transactions[index]
            transaction.id = Self.id(number)
            var schedule = Schedule(transaction: transaction)
            change(&schedule)
            return schedule
        }
        return [
            schedule(301, like: 8) { $0.done = Self.date(2026, 11, 15) },
            schedule(302, like: 1) { ($0.isAutomatic, $0.every, $0.unit) = (false, 1, .week) },
            schedule(303, like: 2) { ($0.end, $0.done) = ($0.transaction.date, $0.transaction.date) },
            schedule(304, like: 0) {
                $0.transaction.account = Self.id(99)
                $0.unit = .day
            },
            schedule(305, like: 3) { ($0.transaction.date, $0.shift) = (Self.date(2026, 11, 28), .after) },
        ]
    }

    var schedulePages: [SamplePage] {
        func form(_ schedule: Schedule?) -> ScheduleForm {
            let values = schedule.map { ScheduleForm.values(of: $0, catalog: catalog, formats: formats) }
            return ScheduleForm(
                state: values ?? ScheduleForm.blank(account: nil, catalog: catalog, formats: formats),
                editing: schedule?.id,
                once: Self.once,
                catalog: catalog,
                formats: formats
            )
        }
        func page(_ schedules: [Schedule], _ suggestions: [ScheduleSuggestion]) -> SchedulesPage {
            SchedulesPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                view: SchedulesView(
                    schedules: schedules,
                    month: MonthSoFar(totals: totals, repaid: [Money(minor: 60_000, currency: Self.eur)]),
                    suggestions: suggestions,
                    choices: catalog.source
                ),
                form: form(nil)
            )
        }
        let suggestion = ScheduleSuggestion(
            latest: transactions[6],
            recurrence: Recurrence(start: transactions[6].date, every: 1, unit: .month)
        )
        let overview = OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            totals: totals,
            budgets: budgets,
            categories: byCategory,
            accounts: balances,
            latest: Array(transactions.prefix(5)),
            schedules: schedules
        )
        return [
            SamplePage("schedules", page(schedules, [suggestion])),
            SamplePage("schedules-empty", page([], [])),
            SamplePage("overview-ahead", overview),
        ]
            + schedules.map { schedule in
                SamplePage(
                    "schedule-\(schedule.id.low)",
                    ScheduleEditPage(
                        chrome: chrome,
                        schedule: schedule,
                        catalog: catalog,
                        formats: formats,
                        form: form(schedule)
                    )
                )
            }
    }
}
