// The history of a book: what is listed, and that each change can be undone by another one.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheHistoryOfABook {
    private let folder = Scratch()

    private func begun(_ name: String = "book.sqlite") throws -> Book {
        let book = try Book.scratch(folder, name)
        let categories = [11, 12].map { Ledger.Category.sample($0) }
        try book.seed(categories: categories, accounts: [.sample(1), .sample(2)], for: .number(900))
        return book
    }

    private func latest(_ book: Book) throws -> HistoryChange {
        try #require(try book.history(limit: 1).first)
    }

    private func rows(_ change: HistoryChange) -> [HistoryRow] {
        if case .rows(let rows, _) = change.content { return rows }
        return []
    }

    @discardableResult
    private func undoLatest(_ book: Book, overriding: Bool = false) throws -> Undone {
        try book.undo(try latest(book).id, overriding: overriding)
    }

    private func transaction(_ book: Book, _ number: Int = 50) throws -> Transaction? {
        try book.transaction(.number(number))
    }

    // MARK: - What is listed

    @Test func whatABookBeginsWithIsOneLineThatStays() throws {
        let book = try begun()
        let changes = try book.history(limit: 10)
        #expect(changes.map(\.content) == [.begun(["category": 2, "account": 2])])
        #expect(changes.first?.at == noon && changes.first?.device == nil)
        #expect(throws: BookError.unknownChange) { try undoLatest(book) }
        #expect(throws: BookError.unknownChange) { try book.undo(12_345, overriding: true) }
        try book.seed(categories: [.sample(11)], accounts: [], for: .number(900))
        #expect(try book.history(limit: 10).count == 1, "what was there already is no change")
    }

    @Test func eachChangeIsListedAsItWasAlsoAfterARestart() throws {
        var book = try begun()
        try book.record(Transaction.sample(50, category: 11, payee: "Lidl"))
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 1_300, category: 11, payee: "Lidl"))
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 1_400, category: 11, payee: "Spar"))
        try book.deleteTransaction(.number(50))
        book.close()
        book = try Book.scratch(folder)
        let changes = try book.history(limit: 4)
        #expect(changes.flatMap(rows).map(\.action) == [.delete, .patch, .patch, .create])
        #expect(changes.flatMap(rows).map { $0.row.text("payee") } == ["Spar", "Spar", "Lidl", "Lidl"])
        #expect(changes.flatMap(rows).map { $0.row.integer("amount") } == [1_400, 1_400, 1_300, 1_250])
        #expect(rows(changes[2])[0].before == ["amount": 1_250, "accountAmount": 1_250])
        #expect(rows(changes[2])[0].after == ["amount": 1_300, "accountAmount": 1_300])
        // Further back, page by page.
        #expect(try book.history(before: changes[1].id, limit: 2).map(\.id) == changes[2...].map(\.id))
        #expect(try book.history(before: changes[3].id, limit: 9).count == 1)
        #expect(try book.historyChange(changes[0].id)?.content == changes[0].content)
        #expect(try book.historyChange(9_999) == nil)
    }

    @Test func whatFailsOrChangesNothingIsNotListed() throws {
        let book = try begun()
        try book.record(Transaction.sample(50))
        let before = try book.history(limit: 10)
        try book.record(Transaction.sample(50))
        try book.change(Transaction.sample(50))
        #expect(throws: BookError.self) { try book.change(Transaction.sample(50, account: 77)) }
        #expect(throws: BookError.self) { try book.deleteAccount(.number(1)) }
        #expect(try book.history(limit: 10) == before)
    }

    @Test func whatIsDoneTogetherIsOneChange() throws {
        let book = try begun()
        try book.record(all: (50..<75).map { Transaction.sample($0, category: 11) })
        try book.move(transactionsOf: .number(11), to: .number(12))
        let change = try latest(book)
        guard case .rows(let rows, let more) = change.content else {
            Issue.record("no rows")
            return
        }
        #expect(rows.count == 10 && more == 15)
        #expect(try book.historyChange(change.id).map(self.rows)?.count == 25)
        #expect(try book.undo(change.id, overriding: false) == .done(by: change.id + 1))
        let uses = try book.categoryUses()
        #expect(uses.first { $0.category.id == .number(11) }?.transactionCount == 25)
        #expect(try book.history(limit: 1).first?.id == change.id + 1)
    }

    // MARK: - Undo

    @Test func eachKindOfChangeIsUndoneAndDoneAgain() throws {
        let book = try begun()
        try book.record(Transaction.sample(50, category: 11))
        #expect(try undoLatest(book) == .done(by: try latest(book).id))
        #expect(try transaction(book) == nil)
        try undoLatest(book)
        #expect(try transaction(book) == Transaction.sample(50, category: 11))
        try book.change(
            Transaction.sample(50, .income, "2025-11-20", 99, category: nil, payee: "Lidl", tags: ["a"])
        )
        try undoLatest(book)
        #expect(try transaction(book) == Transaction.sample(50, category: 11))
        try undoLatest(book)
        #expect(try transaction(book)?.payee == "Lidl")
        try book.deleteTransaction(.number(50))
        try undoLatest(book)
        #expect(try transaction(book)?.payee == "Lidl")

        try book.add(Account.sample(3))
        try undoLatest(book)
        #expect(try book.account(.number(3)) == nil)
        try book.change(Account.sample(2, .usd, opening: 7))
        try undoLatest(book)
        #expect(try book.account(.number(2))?.account == Account.sample(2))
        try book.deleteCategory(.number(12))
        try undoLatest(book)
        #expect(try book.category(.number(12)) == Ledger.Category.sample(12))
        try book.add(Budget.sample(70, category: 11, limit: 500, from: "2025-01"))
        try book.change(Budget.sample(70, category: 11, limit: 600, from: "2025-01"))
        try undoLatest(book)
        #expect(try book.budget(.number(70))?.limit.minor == 500)
        try book.deleteBudget(.number(70))
        try undoLatest(book)
        #expect(try book.budget(.number(70)) != nil)

        var preferences = Preferences()
        preferences.baseCurrency = .usd
        try book.set(preferences)
        preferences.theme = .dark
        try book.set(preferences)
        try undoLatest(book)
        #expect(try book.preferences().theme == nil && book.preferences().baseCurrency == .usd)
        #expect(try book.verifySums() == [])
    }

    @Test func aLaterChangeIsNotOverwrittenUnasked() throws {
        let book = try begun()
        try book.record(Transaction.sample(50))
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 1_300))
        let first = try latest(book).id
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 1_400, payee: "Lidl"))
        #expect(try book.wasChangedSince(first))
        #expect(try book.undo(first, overriding: false) == .changedSince)
        #expect(try transaction(book)?.amount.minor == 1_400)
        guard case .done(let undone) = try book.undo(first, overriding: true) else {
            Issue.record("not undone")
            return
        }
        #expect(try transaction(book)?.amount.minor == 1_250)
        #expect(try transaction(book)?.payee == "Lidl", "what it had not changed stays")
        #expect(try book.undo(undone, overriding: false) != .already)
        #expect(try transaction(book)?.amount.minor == 1_400)
    }

    @Test func anUndoneChangeIsNotUndoneTwice() throws {
        let book = try begun()
        try book.record(Transaction.sample(50))
        let id = try latest(book).id
        #expect(try book.undo(id, overriding: false) != .already)
        #expect(try book.undo(id, overriding: false) == .already)
        #expect(try book.history(limit: 10).count == 3)
    }

    @Test func whatNoLongerFitsIsRefusedWhole() throws {
        let book = try begun()
        try book.add(Account.sample(3))
        let account = try latest(book).id
        try book.record(Transaction.sample(50, account: 3))
        #expect(throws: BookError.accountInUse(transactions: 1)) {
            try book.undo(account, overriding: false)
        }
        try book.change(Transaction.sample(50, account: 3, payee: "Lidl"))
        let patch = try latest(book).id
        try book.deleteTransaction(.number(50))
        #expect(throws: BookError.deletedSince(.number(50))) { try book.undo(patch, overriding: false) }
        let deletion = try latest(book).id
        try book.deleteAccount(.number(3))
        #expect(throws: BookError.unknownAccount(.number(3))) { try book.undo(deletion, overriding: false) }
        try book.add(Budget.sample(70, category: nil, limit: 500, from: "2025-01"))
        try book.deleteBudget(.number(70))
        let budget = try latest(book).id
        try book.add(Budget.sample(71, category: nil, limit: 500, from: "2025-01"))
        #expect(throws: BookError.budgetExists(.number(71))) { try book.undo(budget, overriding: false) }
        try book.record(Transaction.sample(51, category: 11))
        try book.change(Transaction.sample(51))
        let uncategorized = try latest(book).id
        try book.deleteCategory(.number(11))
        #expect(throws: BookError.unknownCategory(.number(11))) {
            try book.undo(uncategorized, overriding: false)
        }
        #expect(try transaction(book, 51)?.category == nil)
    }

    @Test func anAccountsCurrencyStaysWhereSomethingIsOnIt() throws {
        let book = try begun()
        try book.change(Account.sample(2, .usd))
        let change = try latest(book).id
        try book.record(Transaction.sample(50, .expense, "2025-11-15", 5, .usd, account: 2))
        #expect(throws: BookError.accountInUse(transactions: 1)) { try book.undo(change, overriding: false) }
    }

    // MARK: - Sync

    private func attached(_ name: String = "book.sqlite") throws -> Book {
        let book = try begun(name)
        try book.record(Transaction.sample(50, category: 11, payee: "Lidl"))
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        try sendAll(book)
        try book.apply(snapshot: page([], at: 5))
        return book
    }

    private func sendAll(_ book: Book) throws {
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
    }

    private func page(_ rows: [RowChange], at cursor: Int64, hasMore: Bool = false) -> ChangesPage {
        ChangesPage(
            epoch: 1,
            head: cursor,
            cursor: cursor,
            hasMore: hasMore,
            remaining: 0,
            lastN: 0,
            rows: rows
        )
    }

    private func arrived(_ book: Book, _ seq: Int64, _ writers: RowChange.Writers, _ fields: Fields) throws
        -> RowChange
    {
        var row = RowChange(seq: seq, kind: "transaction", id: .number(50), fields: [:], writers: writers)
        row.fields = try book.synced("transaction", .number(50))
        for field in fields.all { row.fields[field.name] = field.value }
        return row
    }

    @Test func whatOthersDidIsListedUnderTheirNames() throws {
        let book = try attached()
        let both = RowChange.Writers(at: noon - 60, last: "Phone", fields: ["note": "Laptop"])
        let fields: Fields = ["amount": 1_300, "accountAmount": 1_300, "note": "weekly"]
        // The page is staged until the last one is there.
        try book.apply(changes: page([arrived(book, 6, both, fields)], at: 6, hasMore: true))
        let before = try book.history(limit: 9).count
        let created = RowChange(
            seq: 7,
            kind: "transaction",
            id: .number(60),
            fields: [
                "kind": "expense", "date": 20_000, "amount": 5, "currency": "EUR",
                "account": .text("\(EntityID.number(1))"), "accountAmount": 5,
            ],
            writers: RowChange.Writers(at: noon + 600, last: "Phone", creator: "Laptop")
        )
        try book.apply(changes: page([created], at: 7))
        let changes = try book.history(limit: 9)
        #expect(changes.count == before + 3)
        let news = changes.prefix(3)
        #expect(Set(news.map(\.device)) == ["Laptop", "Phone"])
        let note = try #require(news.first { rows($0)[0].after["note"] != nil })
        #expect(note.device == "Laptop" && note.at == noon - 60 && rows(note)[0].after == ["note": "weekly"])
        let creation = try #require(news.first { rows($0)[0].action == .create })
        #expect(creation.device == "Laptop" && creation.at == noon, "no later than now")
        // Another device's change is undone here, as a change of this one.
        #expect(try book.undo(note.id, overriding: false) == .done(by: try latest(book).id))
        #expect(try latest(book).device == nil)
        #expect(try book.pendingChanges().map(\.fields) == [["note": ""]])
        // A deletion.
        let gone = RowChange(
            seq: 8,
            kind: "transaction",
            id: .number(60),
            isDeleted: true,
            fields: [:],
            writers: .init(at: noon, last: "Phone")
        )
        try book.apply(changes: page([gone], at: 8))
        #expect(try latest(book).device == "Phone" && rows(latest(book))[0].action == .delete)
        try undoLatest(book)
        #expect(try book.transaction(EntityID.number(60).copy)?.amount.minor == 5)
    }

    @Test func aDownloadIsOneLine() throws {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        let account = RowChange(
            seq: 1,
            kind: "account",
            id: .number(1),
            fields: ["name": "Bank", "type": "bank", "currency": "EUR", "opening": 0]
        )
        try book.apply(snapshot: page([account], at: 1))
        #expect(try book.history(limit: 9).map(\.content) == [.loaded(["account": 1])])
        let own = try attached("own.sqlite")
        #expect(try own.history(limit: 1).flatMap(rows).map(\.action) == [.create], "nothing came")
    }

    @Test func aDeletionThatTheCloudKnowsIsUndoneByACopyAndSoIsWhatCameBefore() throws {
        let book = try attached()
        try book.change(Transaction.sample(50, category: 11, payee: "Spar"))
        let patch = try latest(book).id
        try book.deleteTransaction(.number(50))
        try sendAll(book)
        try book.apply(changes: page([], at: 99))
        #expect(throws: BookError.deletedSince(.number(50))) { try book.undo(patch, overriding: false) }
        try undoLatest(book)
        let copy = EntityID.number(50).copy
        #expect(try book.transaction(copy)?.payee == "Spar")
        #expect(try book.pendingChanges().map(\.action) == [.create])
        // The copy replaces the row in its earlier history.
        #expect(try book.undo(patch, overriding: false) == .done(by: try latest(book).id))
        #expect(try book.transaction(copy)?.payee == "Lidl")
    }

    @Test func aRestoredScheduleRecordsTheSameTransactions() throws {
        let book = try attached()
        let schedule = Schedule(transaction: .sample(51, .expense, "2026-09-30", payee: "Netflix"))
        try book.add(schedule)
        try sendAll(book)
        try book.deleteSchedule(schedule.id)
        try sendAll(book)
        let copy = try book.restoreSchedule(schedule.id)
        let restored = try #require(try book.schedule(copy))
        let next = try #require(restored.next)
        #expect(copy != schedule.id && restored.series == schedule.id)
        #expect(restored.transaction(of: next).id == schedule.transaction(of: next).id)
        try book.deleteSchedule(copy)
        try undoLatest(book)
        #expect(try book.schedules().map(\.series) == [schedule.id])
    }

    @Test func revertingIsAChangeToo() throws {
        let book = try attached()
        try book.change(Transaction.sample(50, category: 11, payee: "Spar"))
        let change = try #require(try book.pendingChanges().first)
        try book.revert(change: change.id)
        #expect(rows(try latest(book))[0].after == ["payee": "Lidl"])
    }
}
