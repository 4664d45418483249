// Edits with a base: what a form showed long ago takes nothing back that others did since.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct AnEditWithABase {
    private let folder = Scratch()

    private func begun() throws -> Book {
        let book = try Book.scratch(folder)
        let categories = [11, 12].map { Ledger.Category.sample($0) }
        try book.seed(categories: categories, accounts: [.sample(1), .sample(2)], for: .number(900))
        try book.add(Account.sample(3, .usd))
        try book.record(.sample(50, category: 11, payee: "Lidl"))
        return book
    }

    private func version<E: Entity>(of entity: E, in book: Book) throws -> EntityVersion {
        let version = try book.versions(of: E.self, entity.id)(entity)
        // As through a form.
        return try #require(EntityVersion(version.text))
    }

    private func transaction(_ book: Book) throws -> Transaction {
        try #require(try book.transaction(.number(50)))
    }

    @Test func onlyWhatItsSenderChangedIsWritten() throws {
        let book = try begun()
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 9_999, category: 12, payee: "Lidl"))
        var sent = shown
        sent.note = "for Sunday"
        let edit = try book.change(sent, shown: version)
        let now = try transaction(book)
        #expect(now.amount.minor == 9_999 && now.accountMinor == 9_999 && now.category == .number(12))
        #expect(now.note == "for Sunday")
        #expect(edit.meanwhile.map(\.field) == ["accountAmount", "amount", "category"])
        #expect(edit.meanwhile.allSatisfy { !$0.isOverwritten && $0.device == nil })
        let undone = try book.undo(try #require(edit.change), overriding: false)
        #expect(undone != .changedSince)
        let back = try transaction(book)
        #expect(back.note.isEmpty && back.amount.minor == 9_999, "the other's change is no part of it")
    }

    @Test func ofTwoChangesOfOneFieldTheLaterSaveCountsAndSaysSo() throws {
        let book = try begun()
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 9_999, category: 11, payee: "Lidl"))
        let edit = try book.change(
            Transaction.sample(50, .expense, "2025-11-15", 700, category: 11),
            shown: version
        )
        #expect(try transaction(book).amount.minor == 700)
        let amount = try #require(edit.meanwhile.first { $0.field == "amount" })
        #expect(amount.value == 9_999 && amount.isOverwritten)
        _ = try book.undo(try #require(edit.change), overriding: false)
        #expect(try transaction(book).amount.minor == 9_999)
    }

    @Test func whatBothChangedAlikeIsNoNews() throws {
        let book = try begun()
        let version = try version(of: try transaction(book), in: book)
        let same = Transaction.sample(50, .expense, "2025-11-15", 9_999, category: 11, payee: "Lidl")
        try book.change(same)
        #expect(try book.change(same, shown: version) == Edit())
    }

    @Test func anUntouchedFormChangesNothing() throws {
        let book = try begun()
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        try book.change(Transaction.sample(50, .income, "2025-11-16", 9_999, payee: "Refund", tags: ["a"]))
        let count = try book.history(limit: 50).count
        let edit = try book.change(shown, shown: version)
        #expect(edit.change == nil)
        #expect(try transaction(book).payee == "Refund")
        #expect(try book.history(limit: 50).count == count)
    }

    /// Each field of each kind: another device changes one of them, an older form all others.
    @Test func everyFieldOfEveryKindIsMerged() throws {
        let book = try begun()
        try book.add(Budget.sample(70, category: 11, limit: 500, from: "2025-01"))
        try book.set(Preferences())
        try merge(Account.sample(2), others: ["name": "Purse"], mine: ["opening": 7, "type": "cash"], book)
        try merge(
            Ledger.Category.sample(12),
            others: ["color": "plum"],
            mine: ["name": "Food", "parent": .text(EntityID.number(11).description)],
            book
        )
        try merge(
            Budget.sample(70, category: 11, limit: 500, from: "2025-01"),
            others: ["limit": 900],
            mine: ["rollover": 1],
            book
        )
        try merge(try transaction(book), others: ["date": 20_001], mine: ["tags": "a,b", "payee": "P"], book)
        var preferences = Preferences()
        let version = try version(of: preferences, in: book)
        preferences.theme = .dark
        try book.set(preferences)
        var sent = Preferences()
        sent.weekStart = .sunday
        let edit = try book.set(sent, shown: version)
        preferences.weekStart = .sunday
        #expect(try book.preferences() == preferences)
        #expect(edit.meanwhile.map(\.field) == ["theme"])
    }

    private func merge<E: Entity>(_ shown: E, others: Fields, mine: Fields, _ book: Book) throws {
        let version = try version(of: shown, in: book)
        _ = try book.change(Sent<E>(id: shown.id, of: shown.fields, others))
        let edit = try book.change(Sent<E>(id: shown.id, of: shown.fields, mine), shown: version)
        let now = try book.synced(E.entityKind, shown.id)
        for field in shown.fields.all {
            let wanted = mine[field.name] ?? others[field.name] ?? field.value
            #expect(now[field.name] == wanted, "\(E.entityKind) \(field.name)")
        }
        #expect(edit.meanwhile.map(\.field) == others.all.map(\.name))
    }

    /// An entity that is sent with other values.
    private struct Sent<E: Entity>: Entity {
        static var entityKind: String { E.entityKind }
        let id: EntityID
        var fields: Fields
        init(id: EntityID, of shown: Fields, _ changes: Fields) {
            self.id = id
            fields = shown
            for field in changes.all { fields[field.name] = field.value }
        }
        func checkShape() {}
    }

    @Test func whatDoesNotFitTogetherIsRefusedAndCanBeExplained() throws {
        let book = try begun()
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        try book.change(Transaction.sample(50, .transfer, to: 2, payee: "Lidl"))
        var sent = shown
        sent.category = .number(12)
        #expect(throws: BookError.self) { try book.change(sent, shown: version) }
        #expect(try transaction(book).kind == .transfer, "nothing of it was written")
        let changes = try book.changes(of: Transaction.self, .number(50), since: version)
        #expect(changes.map(\.field).contains("kind"))
    }

    @Test func anAmountAndAnAccountThatMeetAreMadeToFit() throws {
        let book = try begun()
        // Shown: 12.50 € on an account in dollars, which lost 14.
        try book.change(Transaction.sample(50, account: 3, accountMinor: 1_400, category: 11))
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        var other = shown
        other.accountMinor = 1_450
        try book.change(other)
        var sent = shown
        sent.account = .number(2)
        sent.accountMinor = 1_250
        try book.change(sent, shown: version)
        let now = try transaction(book)
        #expect(now.account == .number(2) && now.accountMinor == now.amount.minor)
    }

    @Test func aDeletedRowTakesNoEdit() throws {
        let book = try begun()
        let shown = try transaction(book)
        let version = try version(of: shown, in: book)
        #expect(try book.deletion(of: Transaction.self, shown.id) == nil)
        try book.deleteTransaction(shown.id)
        #expect(throws: BookError.deletedTransaction(shown.id)) { try book.change(shown, shown: version) }
        #expect(try book.deletion(of: Transaction.self, shown.id) == Deletion(device: nil, copy: nil))
        #expect(try book.deletion(of: Transaction.self, .number(99)) == nil)
    }

    @Test func aVersionSurvivesTheFormAndNothingElseDoes() throws {
        let book = try begun()
        let version = try book.versions(of: Transaction.self, .number(50))(try transaction(book))
        #expect(EntityVersion(version.text) == version)
        #expect(version.text.utf8.count < 400)
        for hostile in [
            "", "x", "1", "1.x", "1.2.amount", "1.2.amount-!", "1.2.a-1-2-3", "9223372036854775808.1",
        ] {
            #expect(EntityVersion(hostile) == nil, "\(hostile)")
        }
    }
}
