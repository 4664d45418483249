// The payments that come again, and the form of one.

import Ledger
import Texts

enum ScheduleStories {
    static let all = lists + forms

    private static let lists: [Story] = [
        Story("schedules", .schedules, "To come, due, ended, unable to be recorded, and a suggestion") {
            $0.schedules($0.schedules, suggests: true)
        },
        Story("schedules-empty", .schedules, "None yet") { $0.schedules([]) },
        Story("schedules-arriving", .schedules, "None, and not all data is here yet") {
            $0.framed(.incomplete).schedules([])
        },
        Story("schedules-suggested", .schedules, "None yet, with a suggestion") {
            $0.schedules([], suggests: true)
        },
        Story("schedules-due", .schedules, "One payment waits for a confirmation") { $0.schedules([$0.due]) },
        Story("schedules-paid", .schedules, "A payment that waits for a confirmation was perhaps entered") {
            $0.schedules([$0.due], paidBy: $0.transactions[0])
        },
        Story("schedules-budget", .schedules, "What is left of the budget for all spending") {
            $0.schedules($0.schedules, overall: $0.budgets[0])
        },
        Story("schedules-to-come", .schedules, "Income and expenses were entered for later days") {
            $0.schedules($0.schedules, toCome: [.toCome])
        },
        Story("schedules-budget-to-come", .schedules, "Expenses of the budget were entered for later days") {
            $0.schedules($0.schedules, overall: $0.budgets[0].toCome)
        },
        Story("schedules-currencies", .schedules, "Amounts in other currencies are not in what is left") {
            $0.schedules($0.schedules + [$0.foreign])
        },
        Story("schedules-refused", .schedules, "Refused: an error beside each field of the rhythm") {
            var state = ScheduleForm.blank(account: nil, catalog: $0.catalog, formats: $0.formats)
            state.values.merge(["amount": "", "start": "tomorrow", "every": "0", "end": "2020-01-01"]) { $1 }
            state.errors = [
                "amount": Text("amounts.empty"), "start": Text("transactions.enter-a-day"),
                "every": Text("schedules.every-is-out-of-range", ["limit": .count(1_000)]),
                "unit": Text("schedules.choose-a-unit"), "end": Text("schedules.last-before-first"),
                "shift": Text("schedules.choose-a-shift"), "record": Text("schedules.choose-a-way"),
            ]
            return $0.schedules($0.schedules, state: state)
        },
        Story("schedules-passed", .schedules, "Payments of days that have passed: record them, or not") {
            var state = ScheduleForm.blank(account: nil, catalog: $0.catalog, formats: $0.formats)
            state.values.merge(["amount": "9.99", "start": "2026-09-01", "passed": "next"]) { $1 }
            var later = $0.schedules[0]
            later.done = Sample.date(2026, 11, 15)
            state.choices["passed"] = [ScheduleForm.all(3), ScheduleForm.next(later, $0.formats)]
            let words: [String: Text.Argument] = [
                "count": .count(3), "day": .string($0.formats.style.shortDay(Sample.date(2026, 9, 1))),
            ]
            state.errors = ["passed": Text("schedules.record-what-has-passed", words)]
            return $0.schedules($0.schedules, state: state)
        },
        Story("schedules-from-suggestion", .schedules, "The form, filled in from a suggestion") {
            let state = ScheduleForm.values(of: $0.suggestion, catalog: $0.catalog, formats: $0.formats)
            return $0.schedules([], suggests: true, state: state)
        },
        Story("schedules-long", .schedules, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.schedules(sample.schedules, suggests: true)
        },
    ]

    private static let forms: [Story] = [
        Story("schedule-automatic", .schedules, "It is recorded by itself") { $0.edit($0.schedules[0]) },
        Story("schedule-asking", .schedules, "It waits for the user") { $0.edit($0.due) },
        Story("schedule-ended", .schedules, "A transfer that has ended") { $0.edit($0.schedules[2]) },
        Story("schedule-weekend", .schedules, "A day that moves away from the weekend") {
            $0.edit($0.schedules[4])
        },
        Story("schedule-month-end", .schedules, "The last day of each month") {
            var schedule = $0.schedules[0]
            schedule.unit = .monthEnd
            return $0.edit(schedule)
        },
        Story("schedule-account-deleted", .schedules, "Its account was deleted") { $0.edit($0.schedules[3]) },
        Story("schedule-account-closed", .schedules, "Its account is closed") {
            $0.edit($0.due, catalog: $0.closedCatalog)
        },
        Story("schedule-currency-changed", .schedules, "The currency of its account has changed") {
            var schedule = $0.due
            schedule.accountCurrency = Sample.usd
            return $0.edit(schedule)
        },
        Story("schedule-too-many", .schedules, "Too many days have passed") {
            var schedule = $0.due
            (schedule.transaction.date, schedule.unit) = (Sample.date(2020, 1, 1), .day)
            return $0.edit(schedule)
        },
        Story("schedule-amount-refused", .schedules, "Another amount of the next payment was refused") {
            let refused = OccurrenceEntry(amount: "ten", errors: ["amount": Text("amounts.unreadable")])
            return $0.edit($0.due, refused: refused)
        },
        Story("schedule-day-refused", .schedules, "Another day of the next payment was refused") {
            let refused = OccurrenceEntry(
                amount: "4.20",
                day: "yesterday",
                errors: ["on": Text("transactions.enter-a-day")]
            )
            return $0.edit($0.due, refused: refused)
        },
        Story("schedule-refused", .schedules, "Refused: it ends before it begins") {
            var state = ScheduleForm.values(of: $0.due, catalog: $0.catalog, formats: $0.formats)
            state.values["end"] = "2020-01-01"
            state.errors = ["end": Text("schedules.last-before-first")]
            return $0.edit($0.due, state: state)
        },
        Story("schedule-asked", .schedules, "Years that are perhaps wrong") {
            var state = ScheduleForm.values(of: $0.due, catalog: $0.catalog, formats: $0.formats)
            state.values.merge(["start": "0026-11-21", "end": "9999-12-31"]) { $1 }
            state.ask(aboutYear: 26, of: "start")
            state.confirmations["start"] = FieldConfirmation(name: "unusual_date", value: state["start"])
            state.ask(aboutYear: 9999, of: "end")
            return $0.edit($0.due, state: state)
        },
        Story("schedule-meanwhile", .schedules, "It was changed while its page was open") {
            var state = ScheduleForm.values(of: $0.due, catalog: $0.catalog, formats: $0.formats)
            (state.seen, state.notice) = ("3", Text("forms.changed-meanwhile"))
            return $0.edit($0.due, state: state)
        },
    ]
}

extension Sample {
    /// A rent to come, a subscription to confirm, a transfer that has ended, a bill on a deleted account, and a salary
    /// of a day that is moved away from a weekend.
    var schedules: [Schedule] {
        [
            schedule(301, like: 8) { $0.done = Self.date(2026, 11, 15) }, due,
            schedule(303, like: 2) { ($0.end, $0.done) = ($0.transaction.date, $0.transaction.date) },
            schedule(304, like: 0) {
                $0.transaction.account = Self.id(99)
                $0.unit = .day
            },
            schedule(305, like: 9) { ($0.transaction.date, $0.shift) = (Self.date(2026, 11, 28), .after) },
        ]
    }

    /// A payment that first comes in the next month.
    var ofNextMonth: Schedule { schedule(307, like: 8) { $0.transaction.date = Self.date(2026, 12, 5) } }

    /// A coffee of each week that waits for a confirmation.
    fileprivate var due: Schedule {
        schedule(302, like: 1) { ($0.isAutomatic, $0.every, $0.unit) = (false, 1, .week) }
    }

    /// A payment in dollars that is still to come.
    fileprivate var foreign: Schedule {
        schedule(306, like: 3) {
            ($0.transaction.date, $0.transaction.account) = (Self.date(2026, 11, 28), Self.id(4))
        }
    }

    private func schedule(_ number: UInt64, like index: Int, _ change: (inout Schedule) -> Void) -> Schedule {
        var transaction = transactions[index]
        transaction.id = Self.id(number)
        var schedule = Schedule(transaction: transaction)
        change(&schedule)
        return schedule
    }

    fileprivate var suggestion: ScheduleSuggestion {
        ScheduleSuggestion(
            latest: transactions[6],
            recurrence: Recurrence(start: transactions[6].date, every: 1, unit: .month)
        )
    }

    private func form(_ state: FormState?, _ id: EntityID? = nil, catalog: Catalog? = nil) -> ScheduleForm {
        ScheduleForm(
            state: state ?? ScheduleForm.blank(account: nil, catalog: self.catalog, formats: formats),
            editing: id,
            once: Self.once,
            catalog: catalog ?? self.catalog,
            formats: formats,
            payees: payees
        )
    }

    fileprivate func schedules(
        _ schedules: [Schedule],
        suggests: Bool = false,
        overall: BudgetStatus? = nil,
        toCome: [CurrencyTotal] = [],
        paidBy payment: Transaction? = nil,
        state: FormState? = nil
    ) -> SchedulesPage {
        let keys = schedules.compactMap { schedule in schedule.next.map(schedule.key(of:)) }
        let paid = payment.map { payment in keys.map { ($0, payment) } } ?? []
        return SchedulesPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            view: SchedulesView(
                schedules: schedules,
                month: MonthSoFar(
                    totals: totals,
                    toCome: toCome,
                    repaid: Repaid(soFar: [Money(minor: 60_000, currency: Self.eur)])
                ),
                suggestions: suggests ? [suggestion] : [],
                payments: SchedulePayments(
                    answered: Set(paid.map(\.0)),
                    transactions: Dictionary(paid, uniquingKeysWith: { first, _ in first })
                ),
                overall: overall,
                choices: catalog.source
            ),
            form: form(state)
        )
    }

    fileprivate func edit(
        _ schedule: Schedule,
        catalog: Catalog? = nil,
        state: FormState? = nil,
        refused: OccurrenceEntry? = nil
    ) -> ScheduleEditPage {
        let catalog = catalog ?? self.catalog
        let state = state ?? ScheduleForm.values(of: schedule, catalog: catalog, formats: formats)
        return ScheduleEditPage(
            chrome: chrome,
            schedule: schedule,
            catalog: catalog,
            formats: formats,
            form: form(state, schedule.id, catalog: catalog),
            refused: refused
        )
    }
}
