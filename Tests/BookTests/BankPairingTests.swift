// Which transaction is which row of a bank, and pairs that the user has to tell apart.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct BankPairingTests {
    private let folder = Scratch()
    private let first = BankAccountKey.sample("a")
    private let second = BankAccountKey.sample("b")

    /// A book with two accounts that are joined to a bank.
    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        for (number, id) in [(1, "a"), (2, "b")] {
            try book.add(Account.sample(number))
            try book.joinSample(id, to: number)
        }
        return book
    }

    private func row(_ id: String, _ rows: BankRows) throws -> BankRow {
        try #require(rows.all.first { $0.reported.id == id })
    }

    private func spent(_ book: Book, _ rows: BankRows) throws -> Int128? {
        try book.transactions(TransactionQuery(), beside: rows).page.totals.first?.expenseMinor
    }

    /// The bank books two days late, so that each of its rows is nearer to the entry of the other one.
    @Test func twoEntriesOfOneAmountAreTheRowsThatWereBookedLater() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-16", 3_000))
        try book.record(.sample(51, .expense, "2025-11-18", 3_000))
        let reports = BankReports([
            first: [try .sample("t1", "2025-11-18", -3_000), try .sample("t2", "2025-11-20", -3_000)]
        ])
        let rows = try book.bankRows(of: reports)
        #expect(try row("t1", rows).state == .entered(.number(50)))
        #expect(try row("t2", rows).state == .entered(.number(51)))
        #expect(try spent(book, rows) == 6_000)
        let recordable = try book.recordable(of: .number(1), among: rows)
        #expect(recordable.certain.isEmpty && recordable.undecidedCount == 2)
    }

    @Test func twoTransfersAreTheArrivalsThatWereBookedLater() throws {
        let book = try book()
        let reports = BankReports([
            first: [try .sample("out1", "2025-11-16", -10_000), try .sample("out2", "2025-11-18", -10_000)],
            second: [try .sample("in1", "2025-11-18", 10_000), try .sample("in2", "2025-11-20", 10_000)],
        ])
        for (out, arrival) in [("out1", "in1"), ("out2", "in2")] {
            let rows = try book.bankRows(of: reports)
            _ = try book.recordTransfer(row(out, rows), row(arrival, rows))
        }
        let rows = try book.bankRows(of: reports)
        #expect(rows.all.allSatisfy { if case .recorded = $0.state { true } else { false } })
        #expect(try spent(book, rows) == 0)
    }

    /// As many pairs as there can be, whatever the days are; the naive search tries all.
    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func asManyAsPossibleArePaired(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let start = day("2025-11-01")
            let rows = (0..<Int.random(in: 1...6, using: &random)).map { number in
                BankPairingRow(
                    id: .number(number),
                    date: start.adding(days: Int.random(in: 0...8, using: &random)),
                    isHidden: Bool.random(using: &random)
                )
            }
            let entries = (0..<Int.random(in: 1...6, using: &random)).map { number in
                EnteredTransaction(
                    id: .number(100 + number),
                    date: start.adding(days: Int.random(in: 0...8, using: &random)),
                    confirmation: .always
                )
            }
            let answers: Set = [BankAnswer(entered: .number(100), record: .number(0))]
            func mayBe(_ row: BankPairingRow, _ entry: EnteredTransaction) -> Bool {
                abs(row.date.dayNumber - entry.date.dayNumber) <= 3
                    && !answers.contains(BankAnswer(entered: entry.id, record: row.id))
            }
            func most(_ rows: ArraySlice<BankPairingRow>, _ left: [EnteredTransaction]) -> Int {
                guard let row = rows.first else { return 0 }
                var best = most(rows.dropFirst(), left)
                for (place, entry) in left.enumerated() where mayBe(row, entry) {
                    var others = left
                    others.remove(at: place)
                    best = max(best, 1 + most(rows.dropFirst(), others))
                }
                return best
            }
            let pairs = BankPairing(rows, entries, but: answers).pairs
            #expect(pairs.count == most(rows[...], entries), "seed \(seed)")
            #expect(Set(pairs.values.map(\.id)).count == pairs.count)
            for row in rows { if let entry = pairs[row.id] { #expect(mayBe(row, entry)) } }
        }
    }

    @Test func whatTheUserHasSaidToBeTwoIsNotAskedAgain() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-19", 4_000))
        let reports = BankReports([first: [try .sample("t1", "2025-11-20", -4_000, isPending: true)]])
        let before = try row("t1", book.bankRows(of: reports))
        #expect(before.state == .entered(.number(50)))
        try book.note(.number(50), isNot: before.transaction.id)
        #expect(try row("t1", book.bankRows(of: reports)).state == .open)
        #expect(try spent(book, book.bankRows(of: reports)) == 8_000)
        // Nor once it is booked and recorded.
        let booked = BankReports([first: [try .sample("t1", "2025-11-20", -4_000)]])
        #expect(try book.record(book.bankRows(of: booked).all, again: true).count == 1)
        let start = day("2025-11-01")
        let rows = try book.bankRows(of: booked)
        #expect(try book.bankDoubles(of: .number(1), since: start, beside: rows).isEmpty)
        let entered = try #require(try book.transaction(.number(50)))
        #expect(try book.bankRecords(like: entered).isEmpty)
    }

    /// A pending row whose amount the bank changes when it books it: a tip, or a tank that was filled.
    @Test func anEntryOfAPendingRowIsAskedAboutOnceItIsBookedWithAnotherAmount() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-19", 4_000))
        let pending = [try BankTransaction.sample("p", "2025-11-19", -4_000, "FUEL", isPending: true)]
        let booked = [try BankTransaction.sample("b", "2025-11-20", -4_321, "FUEL")]
        let before = try book.bankRows(of: BankReports([first: pending]))
        #expect(try row("p", before).state == .entered(.number(50)))
        #expect(try book.recordable(of: .number(1), among: before).undecidedCount == 1)
        let successors = try book.followBank(first, before: pending, now: booked)
        #expect(successors.byFormerID.mapValues(\.id) == ["p": "b"])
        let reports = BankReports([first: booked])
        var rows = try book.bankRows(of: reports)
        #expect(try row("b", rows).state == .entered(.number(50)))
        #expect(try spent(book, rows) == 4_000)
        _ = try book.recordBank(of: .number(1), from: day("2025-11-01"))
        #expect(try book.recordAutomatically(book.bankRows(of: reports)).count == 0)
        let change = try #require(try book.connect(.number(50), to: row("b", rows)))
        #expect(try book.transaction(.number(50))?.accountMinor == 4_321)
        #expect(try book.transaction(.number(50))?.amount.minor == 4_321)
        #expect(try row("b", book.bankRows(of: reports)).state == .recorded(.number(50)))
        #expect(try book.undo(change, overriding: false) != .already)
        #expect(try book.transaction(.number(50))?.accountMinor == 4_000)
        // The other answer.
        try book.note(.number(50), isNot: row("b", rows).transaction.id)
        rows = try book.bankRows(of: reports)
        #expect(try row("b", rows).state == .open && spent(book, rows) == 8_321)
        try book.followBank(first, before: pending, now: booked)
        #expect(try row("b", book.bankRows(of: reports)).state == .open)
    }

    /// The user has said that an entry is the pending row.
    @Test(arguments: [nil, 5_000] as [Int64?])
    func theRecordOfAPendingRowGetsTheBookedAmount(edited: Int64?) throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-19", 4_000))
        let pending = [try BankTransaction.sample("p", "2025-11-19", -4_000, "FUEL", isPending: true)]
        let booked = [try BankTransaction.sample("b", "2025-11-20", -4_321, "FUEL")]
        let before = try book.bankRows(of: BankReports([first: pending]))
        #expect(try book.connect(.number(50), to: row("p", before)) != nil)
        if let edited {
            // A change of the user stays.
            var own = try #require(try book.transaction(.number(50)))
            (own.accountMinor, own.amount.minor) = (edited, edited)
            try book.change(own)
        }
        try book.followBank(first, before: pending, now: booked)
        #expect(try book.transaction(.number(50))?.accountMinor == edited ?? 4_321)
        let rows = try book.bankRows(of: BankReports([first: booked]))
        #expect(try row("b", rows).state == .recorded(.number(50)))
    }

    /// The states in which two devices leave a transfer, after each has recorded it in another way.
    @Test(arguments: [0, 1, 2])
    func aTransferAndTheRecordsOfItsSidesAreAskedAbout(way: Int) throws {
        let book = try book()
        let reports = BankReports([
            first: [try .sample("out", "2025-11-18", -10_000, "TO SAVINGS")],
            second: [try .sample("in", "2025-11-18", 10_000, "FROM CHECKING")],
        ])
        let rows = try book.bankRows(of: reports)
        let (out, arrival) = (try row("out", rows), try row("in", rows))
        var transfer = Transaction.sample(50, .transfer, "2025-11-18", 10_000)
        (transfer.toAccount, transfer.toMinor) = (.number(2), 10_000)
        switch way {
        case 0:
            // One has the transfer of both rows, the other one has recorded the arrival.
            transfer.bankTransaction = out.transaction.bankTransaction
            #expect(try book.record([arrival], again: true).count == 1)
        case 1:
            // One has entered it by hand, the other one has recorded both sides.
            #expect(try book.record([out, arrival], again: true).count == 2)
        default:
            // Both have the transfer, each with the key of another side.
            transfer.bankTransaction = out.transaction.bankTransaction
            var other = Transaction.sample(51, .transfer, "2025-11-18", 10_000)
            (other.toAccount, other.toMinor) = (.number(2), 10_000)
            other.bankTransaction = arrival.transaction.bankTransaction
            try book.record(other)
        }
        try book.record(transfer)
        var answers = 0
        for account in [1, 2, 1, 2] {
            let merged = try book.bankRows(of: reports)
            let doubles = try book.bankDoubles(of: .number(account), since: day("2025-11-01"), beside: merged)
            for double in doubles {
                #expect(try book.replace(record: double.record.id, by: double.entered.id) != nil)
                answers += 1
            }
        }
        #expect(answers == (way == 1 ? 2 : 1))
        let all = try book.transactions(TransactionQuery(), beside: book.bankRows(of: reports)).page
        #expect(all.rows.count == 1 && all.rows.first?.kind == .transfer)
        #expect(all.totals.allSatisfy { $0.expenseMinor == 0 && $0.incomeMinor == 0 })
    }

    /// The other side of a row is a transaction that was entered by hand in place of its row.
    @Test func aSideThatWasEnteredByHandIsOfferedAsATransfer() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-18", 10_000))
        let reports = BankReports([
            first: [try .sample("out", "2025-11-19", -10_000)],
            second: [try .sample("in", "2025-11-19", 10_000)],
        ])
        let rows = try book.bankRows(of: reports)
        #expect(try row("out", rows).state == .entered(.number(50)))
        let side = try #require(try book.bankCounterparts(of: rows)[row("in", rows)])
        #expect(side.id == .number(50) && side.isRecorded)
        _ = try book.recordBank(of: .number(2), from: day("2025-11-01"))
        #expect(try book.recordAutomatically(book.bankRows(of: reports)).count == 0)
        #expect(try book.recordTransfer(row("in", rows), besideRecord: side.id) != nil)
        let after = try book.bankRows(of: reports)
        #expect(try spent(book, after) == 0)
        #expect(try book.transaction(.number(50))?.toAccount == .number(2))
    }

    /// Two pending rows of one amount, whose words the bank changes when it books them.
    @Test func writingDoesNotMoveToAnotherTransactionByAGuess() throws {
        let before = [
            try BankTransaction.sample("p1", "2025-11-20", -2_000, "AMAZON", isPending: true),
            try .sample("p2", "2025-11-20", -2_000, "UBER", isPending: true),
        ]
        func found(_ now: [BankTransaction]) throws -> [String: String] {
            try BankSuccessors(of: first, before: before, now: now).byFormerID.mapValues(\.id)
        }
        let uber = try BankTransaction.sample("u2", "2025-11-21", -2_000, "UBER *TRIP HELP.UBER")
        let amazon = try BankTransaction.sample("u1", "2025-11-20", -2_000, "AMZN Mktp US*123")
        // The first word tells the one, and then no other one is left for the other one.
        #expect(try found([amazon, uber]) == ["p2": "u2", "p1": "u1"])
        let unknown = try BankTransaction.sample("u3", "2025-11-20", -2_000, "RIDE 77")
        #expect(try found([amazon, unknown]) == [:])
        #expect(try found([unknown]) == [:])
    }
}
