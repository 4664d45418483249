// One payment answers for one occurrence of one schedule, whatever was entered, recorded, moved, deleted or restored.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

/// Schedules that are due on one day or near it, of which one is paid by hand.
struct PaidOnce: Sendable, CustomTestStringConvertible {
    let title: String
    let schedules: [Schedule]
    /// The amounts that the book has in the end.
    let minors: [Int64]

    var testDescription: String { title }
}

@Suite struct PaymentsOfSchedules {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in [3, 4] { try book.add(Account.sample(number)) }
        try book.add(Ledger.Category.sample(11))
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }

    private static func schedule(
        _ number: Int,
        _ start: String = "2026-11-21",
        _ minor: Int64 = 1_000,
        _ change: (inout Schedule) -> Void = { _ in }
    ) -> Schedule {
        var schedule = Schedule(transaction: .sample(number, .expense, start, minor, payee: "Telco"))
        change(&schedule)
        return schedule
    }

    private func pay(
        _ number: Int,
        _ date: String = "2026-11-21",
        _ minor: Int64 = 1_000,
        _ payee: String = "Telco"
    )
        throws
    { try book.record(.sample(number, .expense, date, minor, payee: payee)) }

    private func all() throws -> [Transaction] { try book.transactions(TransactionQuery()).page.rows }

    private func occurrence(_ number: Int) throws -> OccurrenceKey? {
        try book.transaction(.number(number))?.occurrence.flatMap { OccurrenceKey(text: $0) }
    }

    /// Makes what schedules have recorded rows of an earlier version.
    private func forgetOccurrences() throws {
        _ = try book.changeAsUser { db in try db.change("UPDATE transactions SET occurrence = NULL") }
    }

    private func sendAll() throws {
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
    }

    private static let cases = [
        PaidOnce(title: "one", schedules: [schedule(51)], minors: [1_000]),
        PaidOnce(title: "two", schedules: [schedule(51), schedule(52)], minors: [1_000, 1_000]),
        PaidOnce(
            title: "three",
            schedules: [51, 52, 53].map { schedule($0) },
            minors: [1_000, 1_000, 1_000]
        ),
        PaidOnce(
            title: "another amount within a tenth",
            schedules: [schedule(51, "2026-11-21", 950), schedule(52)],
            minors: [950, 1_000]
        ),
        PaidOnce(
            title: "another day",
            schedules: [schedule(51, "2026-11-19"), schedule(52)],
            minors: [1_000, 1_000]
        ),
        PaidOnce(
            title: "monthly and yearly",
            schedules: [schedule(51) { $0.unit = .year }, schedule(52)],
            minors: [1_000, 1_000]
        ),
    ]

    @Test(arguments: cases) func answerForOneOccurrence(one: PaidOnce) throws {
        try pay(31)
        for schedule in one.schedules { try book.add(schedule) }
        let recorded = try book.recordDue(on: day("2026-11-21"))
        #expect(recorded.matched == 1 && recorded.count == one.schedules.count - 1)
        #expect(recorded.match?.payment.id == .number(31) && recorded.change != nil)
        #expect(try all().map(\.amount.minor).sorted() == one.minors)
        // The key of each is another one, and none is without.
        let keys = try all().map(\.occurrence)
        #expect(!keys.contains(nil) && Set(keys).count == keys.count)
        #expect(try book.recordDue(on: day("2026-11-21")) == ScheduledTransactions())
    }

    @Test func whereTwoAreEquallyNearTheUserDecides() throws {
        try pay(31)
        try book.add(Self.schedule(51) { $0.transaction.note = "Home" })
        try book.add(Self.schedule(52) { $0.transaction.note = "Work" })
        let recorded = try book.recordDue(on: day("2026-11-21"))
        let match = try #require(recorded.match)
        #expect(
            recorded.count == 1 && match.schedule.id == .number(51) && match.other?.schedule.id == .number(52)
        )
        let today = try day("2026-11-21")
        let change = try #require(
            try book.note(.number(31), isPaymentOf: today, of: .number(52), insteadOf: match.key)
        )
        #expect(try occurrence(31)?.series == .number(52))
        #expect(try all().map(\.note).sorted() == ["", "Home"])
        // A second press does nothing.
        #expect(try book.note(.number(31), isPaymentOf: today, of: .number(52), insteadOf: match.key) == nil)
        #expect(try book.recordDue(on: today).count == 0)
        _ = try book.undo(change, overriding: false)
        #expect(try occurrence(31)?.series == .number(51))
        #expect(try all().map(\.note).sorted() == ["", "Work"])
        #expect(try book.verifySums() == [])
    }

    @Test func whereBothWouldRecordTheSameThereIsNoQuestion() throws {
        try pay(31)
        for number in [51, 52] { try book.add(Self.schedule(number)) }
        #expect(try book.recordDue(on: day("2026-11-21")).match?.other == nil)
    }

    @Test func alsoOneThatAsks() throws {
        try pay(31)
        try book.add(Self.schedule(51))
        try book.add(Self.schedule(52) { $0.isAutomatic = false })
        #expect(try book.recordDue(on: day("2026-11-21")).count == 0)
        let recorded = try book.recordDue(on: day("2026-11-21"), isConfirmed: true)
        #expect(recorded.count == 1 && recorded.matched == 0)
        #expect(try all().count == 2)
    }

    @Test func aPaymentWaitsForTheNearerOccurrence() throws {
        // The payment of the one that asks is not taken for that of the other one.
        try pay(31, "2026-11-21", 1_050)
        try book.add(Self.schedule(51))
        let asking = Self.schedule(52, "2026-11-21", 1_050) { $0.isAutomatic = false }
        try book.add(asking)
        #expect(try book.recordDue(on: day("2026-11-21")).count == 1)
        #expect(try book.payment(ofNext: asking.id, on: day("2026-11-21"))?.id == .number(31))
    }

    @Test func alsoOverSeveralDays() throws {
        // A Monday, and the Wednesday after it.
        try book.add(Self.schedule(51, "2026-11-02") { $0.unit = .week })
        try book.add(Self.schedule(52, "2026-11-04") { $0.unit = .week })
        try pay(31, "2026-11-03")
        #expect(try book.recordDue(on: day("2026-11-03")).matched == 1)
        #expect(try book.recordDue(on: day("2026-11-04")).count == 1)
        #expect(try all().count == 2)
    }

    @Test func whatAScheduleHasRecordedAnswersForNoOtherOneWhereverItIsMoved() throws {
        try book.add(Self.schedule(51, "2026-11-01"))
        #expect(try book.recordDue(on: day("2026-11-01")).count == 1)
        var row = try #require(try all().first)
        row.date = try day("2026-11-10")
        try book.change(row)
        try forgetOccurrences()
        try book.add(Self.schedule(52, "2026-11-10"))
        #expect(try book.recordDue(on: day("2026-11-10")).count == 1)
        #expect(try all().count == 2)
    }

    @Test(arguments: [false, true]) func alsoAfterItWasRestored(isOfEarlierVersion: Bool) throws {
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.add(Self.schedule(51, "2026-11-01"))
        #expect(try book.recordDue(on: day("2026-11-01")).count == 1)
        if isOfEarlierVersion { try forgetOccurrences() }
        try sendAll()
        var id = try #require(try all().first?.id)
        for _ in 1...2 {
            try book.deleteTransaction(id)
            try sendAll()
            let copy = try book.restoreTransaction(id)
            #expect(copy != id)
            id = copy
        }
        try book.add(Self.schedule(52, "2026-11-02"))
        #expect(try book.recordDue(on: day("2026-11-02")).count == 1)
        #expect(try all().count == 2)
    }

    @Test func transfersWithoutAPayee() throws {
        func transfer(_ number: Int, to account: Int) -> Transaction {
            .sample(number, .transfer, "2026-11-21", 20_000, to: account)
        }
        try book.record(transfer(31, to: 3))
        try book.add(Schedule(transaction: transfer(51, to: 4)))
        try book.add(Schedule(transaction: transfer(52, to: 3)))
        let recorded = try book.recordDue(on: day("2026-11-21"))
        #expect(recorded.count == 1 && recorded.matched == 1)
        #expect(try occurrence(31)?.series == .number(52))
        #expect(
            try all().map(\.toAccount).sorted { $0 ?? .number(0) < $1 ?? .number(0) } == [
                .number(3), .number(4),
            ]
        )
    }

    @Test(arguments: [
        ("Ärzte", "ÄRZTE"), ("Café", "Cafe\u{301}"), (#"Joe's "Diner" \ Bar"#, #"JOE'S "DINER" \ BAR"#),
    ])
    func aPayeeInAnySpelling(spellings: (schedule: String, entry: String)) throws {
        try pay(31, "2026-11-21", 1_000, spellings.entry)
        try book.add(Self.schedule(51) { $0.transaction.payee = spellings.schedule })
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        #expect(try all().count == 1)
    }

    @Test func whatIsUndoneIsRecorded() throws {
        try pay(31)
        try book.add(Self.schedule(51))
        let change = try #require(try book.recordDue(on: day("2026-11-21")).change)
        guard case .done(let undoing) = try book.undo(change, overriding: false) else {
            Issue.record("it was not undone")
            return
        }
        #expect(try occurrence(31) == nil && book.schedule(.number(51))?.done == nil)
        // The user has said that it is not that payment.
        let again = try book.recordDue(on: day("2026-11-21"))
        #expect(again.count == 1 && again.matched == 0)
        #expect(try all().count == 2)
        _ = try book.undo(undoing, overriding: true)
        #expect(try occurrence(31)?.series == .number(51))
    }

    @Test func anOccurrenceThatAsksIsDoneByItsPayment() throws {
        let schedule = Self.schedule(51) { $0.isAutomatic = false }
        try book.add(schedule)
        let (today, other) = (try day("2026-11-22"), try day("2026-12-21"))
        #expect(try book.payment(ofNext: schedule.id, on: today) == nil)
        try pay(31, "2026-11-20")
        #expect(try book.payment(ofNext: schedule.id, on: today)?.id == .number(31))
        #expect(try book.payment(ofNext: schedule.id, planned: other, on: today) == nil)
        #expect(try book.note(.number(31), isPaymentOfNext: schedule.id, planned: other) == nil)
        let change = try #require(try book.note(.number(31), isPaymentOfNext: schedule.id))
        #expect(try book.schedule(schedule.id)?.next?.planned == other && all().count == 1)
        #expect(try book.note(.number(31), isPaymentOfNext: schedule.id) == nil, "it has an occurrence")
        #expect(throws: BookError.unknownSchedule(.number(99))) {
            try book.note(.number(31), isPaymentOfNext: .number(99))
        }
        _ = try book.undo(change, overriding: false)
        #expect(try book.schedule(schedule.id)?.next?.planned == day("2026-11-21"))
        #expect(try occurrence(31) == nil)
    }

    @Test func anotherAmountOfAnOccurrenceHasAnotherPayment() throws {
        let schedule = Self.schedule(51) { $0.isAutomatic = false }
        try book.add(schedule)
        try pay(31, "2026-11-21", 1_500)
        let today = try day("2026-11-21")
        #expect(try book.payment(ofNext: schedule.id, on: today) == nil)
        #expect(try book.payment(ofNext: schedule.id, minor: 1_500, on: today)?.id == .number(31))
    }

    @Test func whatIsPaidIsNotToComeAnyMore() throws {
        try book.add(Self.schedule(51, "2026-11-28"))
        try book.add(Self.schedule(52, "2026-11-15") { $0.isAutomatic = false })
        try pay(31, "2026-11-26")
        try pay(32, "2026-11-16")
        let today = try day("2026-11-26")
        let view = try book.schedules(on: today, base: .eur)
        let keys = [
            OccurrenceKey(series: .number(51), planned: try day("2026-11-28")),
            OccurrenceKey(series: .number(52), planned: try day("2026-11-15")),
        ]
        #expect(view.payments.answered == Set(keys))
        #expect(keys.map { view.payments.transactions[$0]?.id } == [.number(31), .number(32)])
        #expect(try book.overview(month: today.yearMonth, today: today, base: .eur).answered == Set(keys))
        let ahead = MonthAhead(
            view.schedules,
            but: view.payments.answered,
            in: today.yearMonth,
            base: .eur,
            accounts: view.choices.accounts
        )
        #expect(ahead.obligations.isEmpty)
    }

    @Test func aRecordOfABankThatIsNotInTheBookYetIsAPaymentAsWell() throws {
        try book.joinSample("a", to: 1)
        try book.add(Self.schedule(51, "2026-11-28"))
        let reports = BankReports([.sample("a"): [try .sample("t1", "2026-11-27", -1_000, "DD 4711")]])
        let view = try book.schedules(
            on: day("2026-11-27"),
            base: .eur,
            beside: try book.bankRows(of: reports)
        )
        #expect(view.payments.answered.count == 1 && view.payments.transactions.isEmpty)
    }

    @Test func thePaymentOfADeletedScheduleIsFree() throws {
        try pay(31)
        try book.add(Self.schedule(51))
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        try book.deleteSchedule(.number(51))
        try book.add(Self.schedule(52))
        let recorded = try book.recordDue(on: day("2026-11-21"))
        #expect(recorded.count == 0 && recorded.matched == 1)
        #expect(try occurrence(31)?.series == .number(52))
    }

    @Test func aPaymentIsFreeWhereAnotherDeviceHasRecordedTheOccurrence() throws {
        let schedule = Self.schedule(51)
        try pay(31)
        try book.add(schedule)
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        // The other device did not have the payment.
        try book.record(schedule.transaction(of: try #require(schedule.next)))
        try book.add(Self.schedule(52))
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        #expect(try occurrence(31)?.series == .number(52) && all().count == 2)
    }

    @Test func whatAnotherDeviceHasMatchedIsNotRecorded() throws {
        let schedule = Self.schedule(51)
        try pay(31)
        try book.add(schedule)
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        // As on a device that has not seen that the day is done.
        var older = try #require(try book.schedule(schedule.id))
        older.done = nil
        try book.change(older)
        #expect(try book.recordNext(of: schedule.id) == nil && all().count == 1)
        try book.change(older)
        #expect(try book.recordDue(on: day("2026-11-21")).count == 0)
        #expect(try all().count == 1)
    }

    @Test func aFormThatIsSentTwiceIsOneEntryAlsoAfterItsPaymentWasFound() throws {
        try pay(31)
        try book.add(Self.schedule(51))
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        #expect(try book.record(.sample(31, .expense, "2026-11-21", 1_000, payee: "Telco")) == .already)
    }

    @Test func aReplacedRecordOfABankPassesItsOccurrenceOn() throws {
        try book.record(
            {
                var record = Transaction.sample(31, .expense, "2026-11-21", 1_000, payee: "DD 4711")
                record.bankTransaction = "truelayer:a t1"
                return record
            }()
        )
        try book.add(Self.schedule(51))
        #expect(try book.recordDue(on: day("2026-11-21")).matched == 1)
        try pay(32, "2026-11-20", 1_000, "Phone")
        #expect(try book.replace(record: .number(31), by: .number(32)) != nil)
        #expect(try occurrence(32)?.series == .number(51) && all().count == 1)
    }
}
