// Transactions that a bank reports under other identifiers than before: each counts once, with the user's writing.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct BankSuccessorTests {
    private let folder = Scratch()
    private let key = BankAccountKey(provider: "truelayer", account: "a")

    /// A book with an account that is joined to a bank.
    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.joinSample("a", to: 1)
        return book
    }

    private func reported(
        _ id: String,
        _ day: String,
        _ minor: Int64,
        _ words: String = "BAKERY 4711",
        isPending: Bool = false
    ) throws -> BankTransaction {
        try .sample(id, day, minor, words, isPending: isPending)
    }

    private func rows(_ book: Book, _ reported: [BankTransaction]) throws -> BankRows {
        try book.bankRows(of: BankReports([key: reported]))
    }

    private func spent(_ book: Book, _ reported: [BankTransaction]) throws -> Int128? {
        try book.transactions(TransactionQuery(), beside: rows(book, reported)).page.totals.first?
            .expenseMinor
    }

    private func note(_ id: String, _ book: Book, _ payee: String) throws {
        var note = try book.bankNote(of: BankTransactionKey(key, id: id))
        note.payee = payee
        try book.write(note)
    }

    private func payee(_ id: String, _ book: Book) throws -> String {
        try book.bankNote(of: BankTransactionKey(key, id: id)).payee
    }

    /// The records of a bank that names all its transactions anew, read by a device that has no earlier report.
    @Test func recordsAreFoundByAmountAndDayIfTheirIdentifiersAreGone() throws {
        let book = try book()
        let before = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-20", -320),
            try reported("t3", "2025-11-21", -777), try reported("t4", "2025-11-18", -50),
        ]
        #expect(try book.record(try rows(book, before).all, again: true).count == 4)
        _ = try book.recordBank(of: .number(1), from: CivilDate(iso: "2025-11-01"))
        // One is a day later now. That of the 18th is too old for the report, and another one looks like it.
        let now = [
            try reported("u1", "2025-11-20", -320), try reported("u2", "2025-11-20", -320),
            try reported("u3", "2025-11-22", -777), try reported("u4", "2025-11-19", -50),
        ]
        let states = try rows(book, now).all.reduce(into: [:]) { $0[$1.reported.id] = $1.state }
        let records = try rows(book, before).all.reduce(into: [:]) { $0[$1.reported.id] = $1.transaction.id }
        let (first, second, third) = (records["t1"], records["t2"], try #require(records["t3"]))
        #expect(Set([states["u1"], states["u2"]]) == Set([first, second].map { $0.map { .recorded($0) } }))
        #expect(states["u3"] == .entered(third) && states["u4"] == .open)
        #expect(try spent(book, now) == 320 + 320 + 777 + 50 + 50)
        #expect(try book.recordAutomatically(try rows(book, now)).count == 1)
        #expect(try spent(book, now) == 320 + 320 + 777 + 50 + 50)
        // The user says that the one which is in doubt is the same.
        let row = try #require(try rows(book, now).all.first { $0.reported.id == "u3" })
        #expect(try book.connect(third, to: row) != nil)
        #expect(try rows(book, now)[row.transaction.id]?.state == .recorded(third))
        #expect(try book.transaction(third)?.bankTransaction == "truelayer:a u3")
        // As long as the bank reports both, they are two.
        let both = try rows(book, before + now).all.filter { $0.reported.id == "u1" }
        #expect(both.map(\.state) == [.open])
    }

    /// A tip, or a tank that was filled: the amount is another one as well.
    @Test func aPendingTransactionIsFoundUnderAnotherAmountIfNoOtherOneHasItsWords() throws {
        let pump = try reported("p1", "2025-11-20", -100, "PUMP 7", isPending: true)
        func successor(_ now: [BankTransaction], besides others: [BankTransaction] = []) throws -> String? {
            try BankSuccessors(of: key, before: [pump] + others, now: now).byFormerID["p1"]?.id
        }
        let booked = try reported("u1", "2025-11-22", -5_430, "PUMP 7")
        #expect(try successor([booked]) == "u1")
        #expect(try successor([try reported("u1", "2025-11-22", -5_430, "PUMP 7", isPending: true)]) == "u1")
        let isBooked = try BankSuccessors(of: key, before: [pump], now: [booked]).booked
        #expect(isBooked == [BankTransactionKey(key, id: "u1")])
        // The same amount goes before.
        let exact = try reported("u2", "2025-11-21", -100, "PUMP 7")
        #expect(try successor([booked, exact]) == "u2")
        // It is not clear which one it is, or whether it is one at all.
        let another = try reported("u3", "2025-11-22", -6_000, "PUMP 7")
        #expect(try successor([booked, another]) == nil)
        let rival = try reported("p2", "2025-11-21", -200, "PUMP 7", isPending: true)
        #expect(try successor([booked], besides: [rival]) == nil)
        #expect(try successor([try reported("u1", "2025-11-28", -5_430, "PUMP 7")]) == nil)
        #expect(try successor([try reported("u1", "2025-11-22", 5_430, "PUMP 7")]) == nil)
        #expect(try successor([try reported("u1", "2025-11-22", -5_430, "PUMP 8")]) == nil)
        #expect(try successor([booked], besides: [try reported("u1", "2025-11-22", -5_430, "PUMP 7")]) == nil)
    }

    @Test func theWritingFollowsBookedTransactionsToTheirNewNames() throws {
        let book = try book()
        let before = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-20", -320, "KIOSK"),
            try reported("t3", "2025-11-21", -777),
        ]
        let records = try book.record(try rows(book, [before[0], before[2]]).all, again: true)
        #expect(records.count == 2)
        try note("t2", book, "Kiosk at the corner")
        let deleted = try #require(try rows(book, before).all.first { $0.reported.id == "t3" })
        try book.deleteTransaction(deleted.transaction.id)
        let now = [
            try reported("u2", "2025-11-20", -320, "KIOSK"), try reported("u1", "2025-11-20", -320),
            try reported("u3", "2025-11-22", -777),
        ]
        #expect(BankSuccessors.arePossible(before: before, now: now))
        #expect(!BankSuccessors.arePossible(before: before, now: before + now))
        let successors = try book.followBank(key, before: before, now: now)
        #expect(successors.byFormerID.mapValues(\.id) == ["t1": "u1", "t2": "u2", "t3": "u3"])
        #expect(successors.booked.isEmpty)
        #expect(try payee("u2", book) == "Kiosk at the corner" && payee("t2", book).isEmpty)
        let record = try #require(try book.transactions(TransactionQuery()).page.rows.first)
        #expect(record.bankTransaction == "truelayer:a u1")
        // A record that was deleted is not recorded again by itself under its new name.
        _ = try book.recordBank(of: .number(1), from: CivilDate(iso: "2025-11-21"))
        #expect(try book.recordAutomatically(try rows(book, now)).count == 0)
        #expect(try book.followBank(key, before: before, now: now) == successors)
    }

    /// Each finds its own, and those with writing first, in whichever order they are reported.
    @Test(arguments: [false, true])
    func theNearestOfSeveralAlikeIsTheSuccessor(isReversed: Bool) throws {
        let book = try book()
        var before = [
            try reported("p1", "2025-11-20", -320, isPending: true),
            try reported("p2", "2025-11-21", -320, isPending: true),
            try reported("p3", "2025-11-21", -500, isPending: true),
            try reported("p4", "2025-11-21", -500, isPending: true),
        ]
        for id in ["p1", "p2", "p4"] { try note(id, book, "Of \(id)") }
        var now = [try reported("b2", "2025-11-21", -320), try reported("b4", "2025-11-21", -500)]
        if isReversed { (before, now) = (before.reversed(), now.reversed()) }
        let successors = try book.followBank(key, before: before, now: now)
        #expect(successors.byFormerID.mapValues(\.id) == ["p2": "b2", "p4": "b4"])
        #expect(try payee("b2", book) == "Of p2" && payee("b4", book) == "Of p4")
        #expect(successors.booked == Set(["b2", "b4"].map { BankTransactionKey(key, id: $0) }))
    }

    /// Both sides of a transfer were recorded, as spending and income, before it was entered.
    @Test func aTransferReplacesTheRecordsOfBothSides() throws {
        let book = try book()
        try book.add(Account.sample(2))
        let other = BankAccountKey(provider: "truelayer", account: "b")
        let bank = BankAccount(id: "b", name: "B", kind: .savings, currency: .eur, institution: nil)
        let joins = [BankJoin(bank, of: "truelayer", .existing(.number(2)))]
        _ = try book.join(joins, connection: .number(600), refreshedAt: noon)
        let reports = BankReports([
            key: [try reported("t1", "2025-11-20", -20_000)],
            other: [try reported("u1", "2025-11-21", 20_000)],
        ])
        #expect(try book.record(try book.bankRows(of: reports).all, again: true).count == 2)
        try book.record(.sample(50, .transfer, "2025-11-20", 20_000, account: 1, to: 2))
        var transfer: Transaction { get throws { try #require(try book.transaction(.number(50))) } }
        var changes: [Int64] = []
        for left in [1, 0] {
            let record = try #require(try book.bankRecords(like: transfer).first)
            changes.append(try #require(try book.replace(record: record.id, by: .number(50))))
            #expect(try book.bankRecords(like: transfer).count == left)
            #expect(try book.replace(record: record.id, by: .number(50)) == nil)
        }
        let rows = try book.bankRows(of: reports)
        #expect(rows.all.map(\.state) == [.recorded(.number(50)), .recorded(.number(50))])
        #expect(try book.transactions(TransactionQuery(), beside: rows).page.rows == [transfer])
        #expect(try book.accountBalances().map(\.balanceMinor).sorted() == [-20_000, 20_000])
        // Each step can be taken back.
        for change in changes.reversed() { #expect(try book.undo(change, overriding: false) != .already) }
        #expect(try book.transactions(TransactionQuery()).page.rows.count == 3)
        #expect(try transfer.bankTransaction == nil && book.verifySums() == [])
    }

    @Test func theUsersWordsStayAndTheRestComesFromTheRecord() throws {
        let book = try book()
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12))
        for (id, category) in [("t1", 11), ("t2", 11)] {
            var note = try book.bankNote(of: BankTransactionKey(key, id: id))
            (note.category, note.note, note.tags) = (.number(category), "with Ben", ["party"])
            try book.write(note)
        }
        let reports = [try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-20", -500)]
        let rows = try rows(book, reports)
        #expect(try book.record(rows.all, again: true).count == 2)
        try book.record(.sample(50, .expense, "2025-11-21", 320, payee: "Baker"))
        var own = Transaction.sample(51, .expense, "2025-11-21", 500, category: 12, payee: "Kiosk")
        (own.note, own.tags) = ("alone", ["work"])
        try book.record(own)
        for number in [50, 51] {
            let entered = try #require(try book.transaction(.number(number)))
            let record = try #require(try book.bankRecords(like: entered).first)
            #expect(try book.replace(record: record.id, by: entered.id) != nil)
        }
        let (first, second) = (try book.transaction(.number(50)), try book.transaction(.number(51)))
        #expect(first?.payee == "Baker" && first?.category == .number(11) && first?.note == "with Ben")
        #expect(first?.tags == ["party"] && first?.bankTransaction == "truelayer:a t1")
        own.bankTransaction = "truelayer:a t2"
        #expect(second == own)
        // Another amount is another purchase.
        try book.record(.sample(52, .expense, "2025-11-21", 321))
        #expect(try book.replace(record: .number(50), by: .number(52)) == nil)
    }

    @Test func anotherAccountAtTheBankIsRecordedOnlyAfterAQuestion() throws {
        let book = try book()
        _ = try book.recordBank(of: .number(1), from: CivilDate(iso: "2025-11-01"))
        try book.joinSample("a", to: 1)
        #expect(try book.account(.number(1))?.account.bank.recordsFrom != nil)
        try book.joinSample("z", to: 1)
        #expect(try book.account(.number(1))?.account.bank.recordsFrom == nil)
        let other = BankAccountKey(provider: "truelayer", account: "z")
        let reports = BankReports([other: [try reported("z1", "2025-11-20", -320)]])
        #expect(try book.recordAutomatically(try book.bankRows(of: reports)).count == 0)
    }
}
