// Texts that an earlier version has stored in another form: brought into the one form in steps, told once, and not sent.
import Encoding
import Foundation
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

/// A text that has one letter in another form, and the same text in the form in which texts are stored.
private let old = "Cafe\u{301} \u{1112}\u{1161}\u{11AB}"
private let new = "Caf\u{E9} \u{D55C}"

@Suite struct TextsOfEarlierVersions {
    private let folder = Scratch()
    private let query = ChangesQuery(
        replica: .number(900),
        epoch: 1,
        range: .since(0),
        limit: 100,
        lastN: 0
    )

    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.apply(snapshot: .last([], head: 0))
        return book
    }

    private func account(_ name: String, seq: Int64 = 1, unseen: Set<String> = []) -> RowChange {
        var row = RowChange(
            seq: seq,
            kind: "account",
            id: .number(1),
            fields: ["name": .text(name), "type": "cash", "currency": "EUR", "opening": 5]
        )
        row.writers = RowChange.Writers(at: noon, last: "Phone", unseen: unseen)
        return row
    }

    /// Closes the book and opens it as the first version does that stores texts in one form.
    private func reopened(_ book: Book) throws -> Book {
        try book.updateLocalState { db in try db.change("UPDATE sync SET known = 'of an earlier version'") }
        book.close()
        return try Book.scratch(folder)
    }

    private func finish(_ book: Book) throws {
        while try book.normaliseTexts() {}
        #expect(try !book.awaitsTextForm() && book.verifySums() == [])
    }

    /// An earlier version has stored the names of accounts in another form.
    private func age(_ book: Book) throws {
        _ = try book.applyRemoteRows { db in try db.change("UPDATE accounts SET name = ?", [old]) }
    }

    /// A change in an earlier version, whose user typed a text in another form.
    private func typed(_ sql: String, _ arguments: StatementArguments, _ book: Book) throws {
        try book.changeAsUser { db in _ = try db.change(sql, arguments) }
    }

    private func isSame(_ text: String?, _ other: String) -> Bool {
        text?.utf8.elementsEqual(other.utf8) ?? false
    }

    private func texts(_ book: Book) throws -> [String] {
        try book.reading { db in
            try BookSchema.breadly.tables.flatMap { table in
                let texts = table.fields.filter { !$0.form.isInteger }
                return try texts.flatMap { field in
                    try db.all("SELECT \(field.column) FROM \(table.name) WHERE \(field.column) IS NOT NULL")
                    {
                        $0.text(0)
                    }
                }
            }
        }
    }

    @Test func haveOneFormInEachTextOfEachKindLiveOrDeleted() throws {
        let book = try attached()
        for entity in SyncedSchema.breadly.entities {
            for number in entity.hasTombstones ? [1, 2] : [0] {
                var fields: Fields = [:]
                for field in entity.fields {
                    switch field.form {
                    case .reference(let kind):
                        fields[field.name] = kind == "account" ? .text("\(EntityID.number(1))") : .null
                    case .id: fields[field.name] = .text("\(EntityID.number(1))")
                    case .currency: fields[field.name] = "EUR"
                    case .money: fields[field.name] = 5
                    case .month: fields[field.name] = 24_000
                    default: break
                    }
                }
                for (name, value) in [("unit", "month"), ("every", 1), ("toAccount", nil), ("toAmount", nil)]
                    as [(String, FieldValue)]
                where entity.field(name) != nil { fields[name] = value }
                let id = number == 0 ? EntityID(high: 0, low: 0) : EntityID.number(number)
                try book.apply(
                    changes: .last([RowChange(seq: 1, kind: entity.kind, id: id, fields: fields)], head: 1)
                )
            }
        }
        try #require(try book.unreadableRows().isEmpty)
        var aged = 0
        try book.applyRemoteRows { db in
            for table in db.schema.tables {
                for field in table.fields where field.form == .text || field.form == .tags {
                    guard field.bounds.upperBound >= 100, field.name != "choice" else { continue }
                    aged += try db.change("UPDATE \(table.name) SET \(field.column) = ?", [old])
                }
                if table.hasTombstones {
                    try db.change(
                        "UPDATE \(table.name) SET deleted_at = 7 WHERE id = ?",
                        [EntityID.number(2).column]
                    )
                }
            }
            try db.change("INSERT INTO dismissed_schedules (payee, kind) VALUES (?, 'expense')", [old])
            try db.change("INSERT INTO dismissed_schedules (payee, kind) VALUES (?, 'expense')", [new])
        }
        try #require(aged > 30)
        let reopened = try reopened(book)
        let before = try reopened.history(limit: 9).count
        #expect(try reopened.awaitsTextForm())
        #expect(
            try texts(reopened).count { !$0.isInNormalForm } == aged,
            "the first page does not wait for it"
        )
        try finish(reopened)
        let after = try texts(reopened)
        #expect(after.allSatisfy(\.isInNormalForm) && after.count { isSame($0, new) } == aged)
        let history = try reopened.history(limit: 9)
        #expect(history.count == before + 1 && history.first?.content == .normalisedTexts)
        #expect(history.first?.device == nil && history.first?.at == noon)
        #expect(throws: BookError.unknownChange) {
            try reopened.undo(history.first?.id ?? 0, overriding: true)
        }
        #expect(try reopened.pendingChanges().isEmpty && reopened.losses().isEmpty)
        #expect(try reopened.nextBatch(operations: 9, bytes: 9_999).isEmpty, "nothing is sent")
        let dismissed = try reopened.reading { db in
            try db.all("SELECT payee FROM dismissed_schedules") { $0.text(0) }
        }
        #expect(dismissed.count == 1 && isSame(dismissed.first, new))
        // Opened once more, it has nothing to do.
        reopened.close()
        let again = try Book.scratch(folder)
        #expect(try !again.awaitsTextForm() && again.history(limit: 9).count == before + 1)
    }

    @Test func areChangedInStepsThatARestartContinues() throws {
        let count = 1_100
        var book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.applyRemoteRows { db in
            for number in 1...count {
                try db.change(
                    """
                    INSERT INTO transactions (id, kind, date, amount_minor, currency, account, account_minor, payee, note, tags)
                    VALUES (?, 'expense', 20000, 5, 'EUR', ?, 5, ?, '', '')
                    """,
                    [EntityID.number(1_000 + number).column, EntityID.number(1).column, old]
                )
            }
        }
        func left() throws -> Int {
            try book.reading { db in try db.number("SELECT count(*) FROM transactions WHERE payee = ?", [old])
            }
        }
        book = try reopened(book)
        #expect(try left() == count, "the opening changes nothing")
        var steps = 0
        while case let before = try left(), try book.normaliseTexts() {
            steps += 1
            #expect((0...Book.textStep.changes).contains(try before - left()))
            guard [7, 15].contains(steps) else { continue }
            // The process dies between two steps.
            book.close()
            book = try Book.scratch(folder)
            #expect(try book.awaitsTextForm())
        }
        #expect(try left() == 0 && steps > count / Book.textStep.changes)
        #expect(try book.history(limit: 9).count { $0.content == .normalisedTexts } == 1, "told once")
        #expect(try book.verifySums() == [])
        let payees = try book.reading { db in
            try db.all("SELECT DISTINCT payee FROM payee_years WHERE year = 0 AND count > 0") { $0.text(0) }
        }
        #expect(payees.count == 1 && isSame(payees.first, new))
    }

    @Test func areLookedForInABookOfMoreRowsThanAStep() throws {
        var book = try Book.scratch(folder)
        try book.applyRemoteRows { db in
            for number in 1...(Book.textStep.looks * 2 + 1) {
                try db.change(
                    """
                    INSERT INTO categories (id, name, kind, icon, color) VALUES (?, ?, 'expense', '', '')
                    """,
                    [EntityID.number(number).column, "Caf\u{E9} \(number)"]
                )
            }
        }
        book = try reopened(book)
        try finish(book)
        #expect(try book.history(limit: 9).isEmpty, "nothing has changed, so nothing is told")
    }

    @Test func ofASmallBookInTheOneFormAreDoneWhenItIsOpened() throws {
        let book = try Book.scratch(folder)
        #expect(try !book.awaitsTextForm())
        try book.add(Account.sample(1))
        #expect(try !reopened(book).awaitsTextForm())
    }

    // MARK: - The cloud

    @Test func areNotComparedBeforeAndEqualThoseOfTheCloudAfter() throws {
        var book = try attached()
        try book.apply(changes: .last([account(new)], head: 1))
        try age(book)
        var hash = RowsHash()
        hash.replace(0, by: RowsHash.of("account", .number(1), account(new).fields))
        let page = ChangesPage.last([], head: 1, hash: hash)
        book = try reopened(book)
        #expect(try book.compare(page, to: query) == nil && book.replicaState().download == nil)
        try finish(book)
        #expect(try book.compare(page, to: query) == nil && book.replicaState().download == nil)
        let other = ChangesPage.last([], head: 1, hash: RowsHash())
        #expect(try book.compare(other, to: query)?.finding == .mending, "it is compared now")
    }

    /// A row that the cloud has otherwise than this book can store it.
    @Test func ofARowThatDeviatesCountAsBefore() throws {
        var book = try attached()
        try book.apply(changes: .last([account(new)], head: 1))
        let unfit = RowChange(seq: 2, kind: "account", id: .number(1), fields: ["name": "", "opening": 7])
        try age(book)
        try book.apply(changes: .last([unfit], head: 2))
        var hash = RowsHash()
        hash.replace(0, by: RowsHash.of("account", .number(1), unfit.fields))
        book = try reopened(book)
        try finish(book)
        #expect(isSame(try book.account(.number(1))?.account.name, new))
        #expect(try book.compare(.last([], head: 2, hash: hash), to: query) == nil)
        #expect(try book.replicaState().download == nil)
    }

    /// Before or after this book's own steps.
    @Test(arguments: [false, true]) func thatTheCloudSendsInTheOneFormAreNoChangeOfADevice(isLate: Bool)
        throws
    {
        let book = try attached()
        try book.apply(changes: .last([account("First")], head: 1))
        try typed("UPDATE accounts SET name = ?", [old], book)
        let batch = try book.nextBatch(operations: 9, bytes: 9_999)
        try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: 2, status: .applied) })
        try book.apply(changes: .last([], head: 2))
        let aged = try reopened(book)
        if isLate { try finish(aged) }
        let before = try aged.history(limit: 9).map(\.id)
        try aged.apply(changes: .last([account(new, seq: 3, unseen: ["name"])], head: 3))
        #expect(isSame(try aged.account(.number(1))?.account.name, new))
        #expect(try aged.history(limit: 9).map(\.id) == before && aged.losses().isEmpty)
        if !isLate { try finish(aged) }
        // Another device's text is its change, and the text that it has overwritten unseen is a loss.
        try aged.apply(changes: .last([account("Bar", seq: 4, unseen: ["name"])], head: 4))
        #expect(try aged.history(limit: 1).first?.device == "Phone")
        #expect(try aged.losses().count == 1)
    }

    @Test func thatWaitToBeSentAreRevertedAndSentAgainAsOthers() throws {
        let book = try attached()
        try book.apply(changes: .last([account("First")], head: 1))
        try typed("UPDATE accounts SET name = ?", [old], book)
        let aged = try reopened(book)
        try finish(aged)
        let waiting = try #require(try aged.pendingChanges().first)
        #expect(try aged.pendingChanges().count == 1 && isSame(waiting.fields.text("name"), new))
        // It is refused, and sent again in the one form.
        let sent = try aged.nextBatch(operations: 9, bytes: 9_999)
        try aged.acknowledge(
            sent.map { OperationResult(n: $0.n, seq: 2, status: .rejected, code: .rowTooLarge) }
        )
        try aged.retry(change: waiting.id)
        let again = try aged.nextBatch(operations: 9, bytes: 9_999)
        #expect(again.map(\.fields) == [["name": .text(new)]])
        try aged.acknowledge(
            again.map { OperationResult(n: $0.n, seq: 2, status: .rejected, code: .rowTooLarge) }
        )
        try aged.revert(change: try #require(try aged.pendingChanges().first?.id))
        #expect(try aged.account(.number(1))?.account.name == "First" && aged.pendingChanges().isEmpty)
    }

    /// The cloud, which has refused a change, holds the former value, whose form was another one when the change was made.
    @Test func beforeARefusedChangeCountAsTheCloudHasThem() throws {
        var book = try attached()
        try book.apply(changes: .last([account(new)], head: 1))
        try age(book)
        try typed("UPDATE accounts SET name = 'Long'", [], book)
        let sent = try book.nextBatch(operations: 9, bytes: 9_999)
        try book.acknowledge(
            sent.map { OperationResult(n: $0.n, seq: 2, status: .rejected, code: .rowTooLarge) }
        )
        try book.apply(changes: .last([], head: 2))
        book = try reopened(book)
        try finish(book)
        var hash = RowsHash()
        hash.replace(0, by: RowsHash.of("account", .number(1), account(new).fields))
        #expect(try book.compare(.last([], head: 2, hash: hash), to: query) == nil)
        #expect(try book.replicaState().download == nil)
    }

    // MARK: - What the user does with them

    /// Before or after the steps.
    @Test(arguments: [false, true]) func ofAnOlderChangeAreUndone(isLate: Bool) throws {
        var book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try typed("UPDATE accounts SET name = ?", [old], book)
        let first = try #require(try book.history(limit: 1).first?.id)
        try typed("UPDATE accounts SET name = 'Bar'", [], book)
        let second = try #require(try book.history(limit: 1).first?.id)
        book = try reopened(book)
        if isLate { try finish(book) }
        guard case .done = try book.undo(second, overriding: false) else {
            Issue.record("the second change is not undone")
            return
        }
        #expect(isSame(try book.account(.number(1))?.account.name, new), "in the one form")
        #expect(try !book.wasChangedSince(first))
        guard case .done = try book.undo(first, overriding: false) else {
            Issue.record("the first change is not undone")
            return
        }
        #expect(try book.account(.number(1))?.account.name == "Account 1")
    }

    /// A form that was opened before the steps.
    @Test(arguments: [false, true]) func inAnOpenFormWereNotChangedElsewhere(isLate: Bool) throws {
        var book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.record(.sample(50))
        try typed("UPDATE transactions SET payee = ?, note = ?", [old, old], book)
        book = try reopened(book)
        let shown = try #require(try book.transaction(.number(50)))
        let version = try book.versions(of: Transaction.self, shown.id)(shown)
        if isLate { try finish(book) }
        var sent = shown
        (sent.payee, sent.note, sent.tags) = (new, "Bar", ["x"])
        let edit = try book.change(sent, shown: EntityVersion(version.text))
        #expect(edit.meanwhile.isEmpty)
        let change = try #require(try book.history(limit: 1).first)
        guard case .rows(let rows, _) = change.content else {
            Issue.record("no rows")
            return
        }
        #expect(rows.first?.after.all.map(\.name) == ["note", "tags"], "only what the user has changed")
    }

    @Test func thatAreBackAreNotLost() throws {
        var book = try attached()
        try book.apply(changes: .last([account("First")], head: 1))
        try typed("UPDATE accounts SET name = ?", [old], book)
        let sent = try book.nextBatch(operations: 9, bytes: 9_999)
        try book.acknowledge(sent.map { OperationResult(n: $0.n, seq: 2, status: .applied) })
        try book.apply(changes: .last([account("Bar", seq: 3, unseen: ["name"])], head: 3))
        try #require(try book.losses().count == 1)
        book = try reopened(book)
        try finish(book)
        try book.apply(changes: .last([account(new, seq: 4)], head: 4))
        #expect(try book.losses().isEmpty)
    }
}
