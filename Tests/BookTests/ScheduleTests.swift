// Schedules in a book: each occurrence is recorded once, whatever happens.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

extension Schedule {
    /// A monthly expense from a day on.
    fileprivate static func sample(
        _ number: Int,
        _ start: String,
        _ change: (inout Schedule) -> Void = { _ in }
    )
        -> Schedule
    {
        var schedule = Schedule(transaction: .sample(number, .expense, start, 1_299, payee: "Netflix"))
        change(&schedule)
        return schedule
    }
}

extension Transaction {
    fileprivate func later(by days: Int) -> Transaction {
        var copy = self
        copy.date = date.adding(days: days)
        return copy
    }
}

@Suite struct SchedulesOfABook {
    private let folder: Scratch
    private let book: Book

    init() throws {
        folder = Scratch()
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(19, .income))
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }

    private func dates(_ payee: String = "Netflix") throws -> [String] {
        try book.transactions(TransactionQuery { $0.payee = payee }).page.rows.map { "\($0.date)" }
    }

    @Test func aScheduleIsReadBackTheSame() throws {
        let schedule = Schedule.sample(51, "2026-01-31") {
            $0.transaction.category = .number(11)
            $0.transaction.note = "family"
            $0.transaction.tags = ["tv"]
            ($0.end, $0.every, $0.unit, $0.shift) = (CivilDate(iso: "2027-01-01"), 2, .week, .after)
            $0.isAutomatic = false
            $0.done = CivilDate(iso: "2026-02-14")
        }
        #expect(try book.add(schedule) == .new && book.add(schedule) == .already)
        #expect(try book.schedules() == [schedule] && book.schedule(schedule.id) == schedule)
    }

    @Test func theLastDayOfMonthsIsKeptBesideTheUnit() throws {
        let schedule = Schedule.sample(51, "2026-04-30") { $0.unit = .monthEnd }
        #expect(try book.add(schedule) == .new && book.add(schedule) == .already)
        #expect(try book.schedule(schedule.id) == schedule)
        #expect(try book.recordDue(on: day("2026-06-30")).count == 3)
        #expect(try dates() == ["2026-06-30", "2026-05-31", "2026-04-30"])
        func fields() throws -> [FieldValue?] {
            let stored = try book.synced(Schedule.entityKind, schedule.id)
            return [stored["unit"], stored["monthEnd"]]
        }
        #expect(try fields() == [.text("month"), .integer(1)])
        let units: [(RecurrenceUnit, FieldValue?)] = [(.month, nil), (.monthEnd, .integer(1)), (.week, nil)]
        for (unit, mark) in units {
            var changed = try #require(try book.schedule(schedule.id))
            changed.unit = unit
            let change = try book.change(changed).change
            #expect((change == nil) == (unit == .monthEnd), "\(unit)")
            #expect(try book.schedule(schedule.id)?.unit == unit)
            #expect(try fields()[1] ?? .null == mark ?? .null, "\(unit)")
            if let change { _ = try book.undo(change, overriding: false) }
            #expect(try book.schedule(schedule.id)?.unit == .monthEnd)
        }
    }

    @Test func whatIsDueIsRecordedOnceAlsoAfterALongTime() throws {
        try book.add(Schedule.sample(51, "2026-09-30"))
        #expect(try book.recordDue(on: day("2026-09-29")).count == 0)
        #expect(try book.recordDue(on: day("2026-11-30")).count == 3)
        #expect(try dates() == ["2026-11-30", "2026-10-30", "2026-09-30"])
        #expect(try book.recordDue(on: day("2026-11-30")).count == 0)
        #expect(try book.recordDue(on: day("2026-12-30")).count == 1)
    }

    @Test func piecesGoOnAlsoWhereAllWasEnteredAlready() throws {
        let schedule = Schedule.sample(51, "2026-09-30")
        try book.add(schedule)
        #expect(try book.recordDue(on: day("2026-11-30")).count == 3)
        // As on a device that has not seen that the days were recorded.
        var older = try #require(try book.schedule(schedule.id))
        older.done = nil
        try book.change(older)
        let first = try book.recordDue(on: day("2026-12-30"), most: 3)
        #expect(first.count == 0 && first.hasMore)
        let second = try book.recordDue(on: day("2026-12-30"), most: 3)
        #expect(second.count == 1 && !second.hasMore)
    }

    @Test func whetherAnythingMayBeRecordedIsAskedOnlyIfSomethingIsDue() throws {
        try book.add(Schedule.sample(51, "2026-09-30"))
        var asked = 0
        let refuse = {
            asked += 1
            return false
        }
        #expect(try book.recordDue(on: day("2026-09-29"), ifAllowed: refuse).count == 0)
        #expect(asked == 0)
        #expect(try book.recordDue(on: day("2026-09-30"), ifAllowed: refuse).count == 0)
        #expect(asked == 1)
        #expect(try book.recordDue(on: day("2026-09-30")).count == 1)
    }

    @Test func whatWasDeletedOrChangedIsNotRecordedAgain() throws {
        let schedule = Schedule.sample(51, "2026-09-30")
        try book.add(schedule)
        _ = try book.recordDue(on: day("2026-10-30"))
        let rows = try book.transactions(TransactionQuery { $0.payee = "Netflix" }).page.rows
        try book.deleteTransaction(rows[0].id)
        var changed = rows[1]
        changed.payee = "Hulu"
        try book.change(changed)
        // As on a device that has not seen that the days were recorded.
        var older = try #require(try book.schedule(schedule.id))
        older.done = nil
        try book.change(older)
        #expect(try book.recordDue(on: day("2026-10-30")).count == 0)
        #expect(try dates().isEmpty && dates("Hulu") == ["2026-09-30"])
        #expect(try book.schedule(schedule.id)?.done == day("2026-10-30"))
    }

    @Test func whatAsksWaitsAndIsRecordedOrSkippedInOrder() throws {
        let schedule = Schedule.sample(51, "2026-09-30") { $0.isAutomatic = false }
        try book.add(schedule)
        #expect(try book.recordDue(on: day("2026-11-30")).count == 0)
        #expect(try book.recordNext(of: schedule.id) != nil)
        #expect(try book.skipNext(of: schedule.id) != nil)
        #expect(try dates() == ["2026-09-30"])
        #expect(try book.schedule(schedule.id)?.next?.day == day("2026-11-30"))
        let change = try #require(try book.recordNext(of: schedule.id))
        #expect(try dates() == ["2026-11-30", "2026-09-30"])
        _ = try book.undo(change, overriding: false)
        #expect(try dates() == ["2026-09-30"])
        #expect(try book.schedule(schedule.id)?.next?.day == day("2026-11-30"))
        // A transaction that the user records again comes back, with the present amount.
        var dearer = try #require(try book.schedule(schedule.id))
        dearer.transaction.amount.minor = 1_399
        dearer.transaction.accountMinor = 1_399
        try book.change(dearer)
        #expect(try book.recordNext(of: schedule.id) != nil)
        #expect(try dates() == ["2026-11-30", "2026-09-30"])
        let rows = try book.transactions(TransactionQuery { $0.payee = "Netflix" }).page.rows
        #expect(rows.map(\.amount.minor) == [1_399, 1_299])
    }

    /// A bill of the 30th: paid as planned, before and after its day, and in another month.
    @Test func anOccurrenceIsRecordedOnTheDayOfItsPayment() throws {
        let cases: [(paid: String?, date: String)] = [
            (nil, "2026-09-30"), ("2026-09-30", "2026-09-30"), ("2026-09-21", "2026-09-21"),
            ("2026-10-02", "2026-10-02"), ("2026-08-31", "2026-08-31"), ("2027-01-04", "2027-01-04"),
        ]
        for (number, sample) in cases.enumerated() {
            let payee = "Bill \(number)"
            let schedule = Schedule.sample(51 + number, "2026-09-30") { $0.transaction.payee = payee }
            try book.add(schedule)
            let paid = try sample.paid.map(day)
            let change = try #require(
                try book.recordNext(of: schedule.id, planned: day("2026-09-30"), on: paid)
            )
            #expect(try dates(payee) == [sample.date])
            // The occurrence is done, whatever the day of its payment.
            #expect(try book.schedule(schedule.id)?.next?.day == day("2026-10-30"))
            #expect(try book.recordDue(on: day("2026-09-30")).count == 0)
            _ = try book.undo(change, overriding: false)
            #expect(try dates(payee).isEmpty)
            // It comes back on the day that is chosen then.
            #expect(try book.recordNext(of: schedule.id, on: day("2026-09-25")) != nil)
            #expect(try dates(payee) == ["2026-09-25"])
        }
    }

    @Test func aButtonOfAnOldPageDoesNothing() throws {
        let schedule = Schedule.sample(51, "2026-09-30") { $0.isAutomatic = false }
        try book.add(schedule)
        let first = try day("2026-09-30")
        #expect(try book.recordNext(of: schedule.id, planned: first) != nil)
        #expect(try book.recordNext(of: schedule.id, planned: first) == nil)
        #expect(try book.skipNext(of: schedule.id, planned: first) == nil)
        #expect(try dates() == ["2026-09-30"])
    }

    @Test func aPaymentThatWasEnteredByHandIsNotRecordedOnceMore() throws {
        try book.record(.sample(31, .expense, "2026-09-28", 1_350, payee: "NETFLIX"))
        try book.record(.sample(32, .expense, "2026-10-28", 2_000, payee: "Netflix"))
        try book.add(Schedule.sample(51, "2026-09-30"))
        try book.add(Schedule.sample(52, "2026-09-30"))
        // The second schedule is another subscription: neither the payment by hand nor what the first one records is its own.
        let recorded = try book.recordDue(on: day("2026-10-30"))
        #expect(recorded.count == 3 && recorded.matched == 1)
        #expect(try dates() == ["2026-10-30", "2026-10-30", "2026-10-28", "2026-09-30", "2026-09-28"])
    }

    @Test func whatEndedRecordsNothing() throws {
        let schedule = Schedule.sample(51, "2026-09-30") { $0.end = $0.transaction.date }
        try book.add(schedule)
        #expect(try book.recordDue(on: day("2026-11-30")).count == 1)
        #expect(try book.recordNext(of: schedule.id) == nil && book.skipNext(of: schedule.id) == nil)
    }

    @Test func aScheduleThatCannotBeRecordedStaysDueAndHoldsUpNoOther() throws {
        try book.add(Schedule.sample(51, "2026-09-30") { $0.transaction.account = .number(1) })
        try book.add(
            Schedule.sample(52, "2026-09-30") {
                $0.transaction = .sample(52, .expense, "2026-09-30", 500, .usd, account: 2, payee: "Hulu")
            }
        )
        _ = try book.closeAccount(.number(1))
        #expect(try book.recordDue(on: day("2026-09-30")).count == 1)
        #expect(try dates("Hulu").count == 1 && dates().isEmpty)
        #expect(throws: BookError.accountClosed(.account)) { try book.recordNext(of: .number(51)) }
        _ = try book.reopenAccount(.number(1))
        #expect(try book.recordDue(on: day("2026-09-30")).count == 1)
    }

    @Test func anAmountThatDoesNotFitStopsNoPage() throws {
        try book.record(.sample(31, .income, "2026-01-01", .max - 1))
        try book.add(
            Schedule.sample(51, "2026-09-30") {
                $0.transaction = .sample(51, .income, "2026-09-30", 1_000, payee: "Salary")
            }
        )
        try book.add(
            Schedule.sample(52, "2026-09-30") {
                $0.transaction = .sample(52, .expense, "2026-09-30", 500, .usd, account: 2, payee: "Hulu")
            }
        )
        #expect(try book.recordDue(on: day("2026-09-30")).count == 1)
        #expect(try dates("Salary").isEmpty && dates("Hulu").count == 1)
        #expect(throws: BookError.overflow) { try book.recordNext(of: .number(51)) }
    }

    @Test func aDeletedCategoryIsLeftOut() throws {
        try book.add(Schedule.sample(51, "2026-09-30") { $0.transaction.category = .number(11) })
        #expect(throws: BookError.categoryInUse(transactions: 1, budgets: 0, children: 0)) {
            try book.deleteCategory(.number(11))
        }
        _ = try book.deleteCategoryOfTransactions(.number(11))
        #expect(try book.schedule(.number(51))?.transaction.category == nil)
        #expect(try book.recordDue(on: day("2026-09-30")).count == 1)
        #expect(
            try book.transactions(TransactionQuery { $0.payee = "Netflix" }).page.rows.map(\.category) == [
                nil
            ]
        )
    }

    @Test func whatCannotBeIsRefused() throws {
        for (change, error) in [
            ({ $0.every = 0 }, .invalid(.every)), ({ $0.every = 1_000 }, .invalid(.every)),
            ({ $0.end = $0.transaction.date.adding(days: -1) }, .invalid(.end)),
            ({ $0.transaction.account = .number(9) }, .unknownAccount(.number(9))),
            ({ $0.transaction.category = .number(19) }, .categoryKind),
            ({ $0.transaction.amount.minor = 0 }, .invalid(.amount)),
            ({ $0.transaction.split = .parts([]) }, .invalid(.split)),
        ] as [((inout Schedule) -> Void, BookError)] {
            #expect(throws: error) { try book.add(Schedule.sample(51, "2026-09-30", change)) }
        }
        #expect(throws: BookError.unknownSchedule(.number(51))) { try book.deleteSchedule(.number(51)) }
        #expect(throws: BookError.unknownSchedule(.number(51))) { try book.recordNext(of: .number(51)) }
        #expect(try book.schedules().isEmpty)
    }

    @Test func anAccountInUseStaysAndKeepsItsCurrency() throws {
        try book.add(Schedule.sample(51, "2026-09-30"))
        #expect(throws: BookError.accountScheduled(schedules: 1)) { try book.deleteAccount(.number(1)) }
        #expect(throws: BookError.accountScheduled(schedules: 1)) { try book.change(Account.sample(1, .usd)) }
        try book.deleteSchedule(.number(51))
        try book.deleteAccount(.number(1))
    }

    @Test func aDeletedScheduleComesBack() throws {
        try book.add(Schedule.sample(51, "2026-09-30"))
        _ = try book.recordDue(on: day("2026-09-30"))
        try book.deleteSchedule(.number(51))
        #expect(try book.schedules().isEmpty && dates().count == 1)
        #expect(try book.recordDue(on: day("2026-10-30")).count == 0)
        #expect(try book.restoreSchedule(.number(51)) == .number(51))
        #expect(try book.recordDue(on: day("2026-10-30")).count == 1)
    }

    @Test func regularPaymentsAreSuggestedUntilTheyAreScheduledOrDismissed() throws {
        for (number, date) in ["2026-09-14", "2026-10-15", "2026-11-15"].enumerated() {
            try book.record(.sample(31 + number, .expense, date, 1_299 + Int64(number), payee: "Netflix"))
            try book.record(.sample(41 + number, .expense, date, 1_000 * Int64(number + 1), payee: "Shop"))
        }
        func suggested() throws -> [String] {
            try book.schedules(on: day("2026-11-20"), base: .eur).suggestions
                .map { "\($0.latest.payee) \($0.latest.amount.minor) \($0.next)" }
        }
        #expect(try suggested() == ["Netflix 1301 2026-12-15"])
        try book.add(Schedule.sample(51, "2026-12-15") { $0.transaction.payee = "NETFLIX" })
        #expect(try suggested().isEmpty)
        try book.deleteSchedule(.number(51))
        #expect(try suggested().isEmpty)
        for (number, date) in ["2026-09-14", "2026-10-15", "2026-11-15"].enumerated() {
            try book.record(.sample(61 + number, .expense, date, 999, payee: "Hulu"))
            try book.record(.sample(71 + number, .expense, date, 999, payee: "Gone").later(by: -34))
        }
        #expect(try suggested().count == 1)
        try book.dismissScheduleSuggestion(try #require(try book.transaction(.number(63))))
        #expect(try suggested().isEmpty)
    }

    @Test func whatWentToALoanCounts() throws {
        var loan = Account.sample(3, opening: -100_000)
        loan.type = .loan
        try book.add(loan)
        try book.record(.sample(31, .transfer, "2026-11-02", 600, to: 3, toMinor: 600))
        try book.record(.sample(32, .transfer, "2026-10-02", 500, to: 3, toMinor: 500))
        try book.record(.sample(33, .transfer, "2026-11-28", 700, to: 3, toMinor: 700))
        let view = try book.schedules(on: day("2026-11-20"), base: .eur)
        #expect(view.month.repaid.soFar == [Money(minor: 600, currency: .eur)])
        #expect(view.month.repaid.toCome == [Money(minor: 700, currency: .eur)])
    }
}

@Suite struct MergingSchedules {
    @Test func theLaterDayThatIsDoneStays() {
        func apply(
            _ day: Int64,
            base: Int64,
            isCreation: Bool = false,
            to row: MergedRow?,
            seq: Int64,
            writer: Int64
        ) -> MergedRow? {
            let operation = Operation(
                n: seq,
                opID: "\(String(repeating: "0", count: 31))\(seq)",
                tx: seq,
                action: row == nil || isCreation ? .create : .patch,
                kind: "schedule",
                id: .number(51),
                fields: ["done": .integer(day)],
                base: ["done": .integer(base)]
            )
            return Merge.apply(operation, to: row, isDead: false, seq: seq, writer: writer, holds: false).row
        }
        let created = apply(10, base: 0, to: nil, seq: 1, writer: 1)
        let ahead = apply(40, base: 1, to: created, seq: 2, writer: 1)
        // Another device that has not seen the 40 yet.
        #expect(apply(20, base: 1, to: ahead, seq: 3, writer: 2)?.fields["done"] == .integer(40))
        #expect(apply(50, base: 1, to: ahead, seq: 3, writer: 2)?.fields["done"] == .integer(50))
        // One that has seen it takes it back, as an undo does.
        #expect(apply(20, base: 2, to: ahead, seq: 3, writer: 2)?.fields["done"] == .integer(20))
        // A second creation, as of devices that join a new copy of the cloud.
        for (day, stays) in [(20, 40), (50, 50)] as [(Int64, Int64)] {
            let row = apply(day, base: 0, isCreation: true, to: ahead, seq: 3, writer: 2)
            #expect(row?.fields["done"] == .integer(stays))
        }
    }
}
