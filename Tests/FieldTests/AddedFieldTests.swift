// A field and a kind of row that only these tests declare, in books of their own: what the declaration carries without a
// line of the program.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing
import Texts

@testable import Book
@testable import Web

@Suite struct AFieldAndAKindThatAreOnlyDeclared {
    private let folder = Folder()
    private let cloud = SmallCloud()
    private let bicycle: Fields = [
        "name": "Bicycle", "target": 50_000, "currency": "EUR", "account": .text("\(id(1))"), "due": 20_500,
        "urgency": "high", "reached": 0,
    ]

    /// Two devices of one user, with a goal, a nickname and a place that the first of them entered.
    private func devices() throws -> (phone: Book, laptop: Book) {
        let schema = try BookSchema.later(folder)
        let phone = try Book.open(at: folder("phone.sqlite"), clock: { noon }, schema: schema)
        let laptop = try Book.open(at: folder("laptop.sqlite"), clock: { noon }, schema: schema)
        try cloud.attach(phone, as: id(901))
        try cloud.attach(laptop, as: id(902))
        try phone.add(Account(id: id(1), name: "Savings", type: .savings, currency: .eur, openingMinor: 0))
        try phone.record(
            Transaction(
                id: id(31),
                kind: .expense,
                date: CivilDate(dayNumber: 20_400),
                amount: Money(minor: 1_250, currency: .eur),
                account: id(1),
                accountMinor: 1_250,
                payee: "Bakery"
            )
        )
        try phone.insert(bicycle, "goal", id(41))
        try cloud.sync(phone, writer: 1)
        try phone.patch(["nickname": "Piggy"], "account", id(1))
        try phone.patch(["place": "Sofia"], "transaction", id(31))
        return (phone, laptop)
    }

    private func inStep() throws -> (phone: Book, laptop: Book) {
        let (phone, laptop) = try devices()
        try cloud.sync(phone, writer: 1)
        try cloud.sync(laptop, writer: 2)
        return (phone, laptop)
    }

    @Test func areCapturedAndSent() throws {
        let (phone, _) = try devices()
        let operations = try phone.nextBatch(operations: 9, bytes: 1 << 20)
        #expect(operations.map(\.fields) == [["nickname": "Piggy"], ["place": "Sofia"]])
        #expect(operations.first?.base.integer("nickname") != nil, "others are told of what they lose")
    }

    @Test func arriveOnTheOtherDeviceAndHashAlike() throws {
        let (phone, laptop) = try inStep()
        #expect(try laptop.synced("goal", id(41)) == bicycle)
        #expect(try laptop.synced("account", id(1))["nickname"] == "Piggy")
        #expect(try laptop.synced("transaction", id(31))["place"] == "Sofia")
        #expect(try cloud.agrees(with: phone, as: id(901)) && cloud.agrees(with: laptop, as: id(902)))
        #expect(try laptop.pendingChanges().isEmpty, "rows that arrive are not captured")
    }

    @Test func ofANewerVersionComeToLifeWithTheirDeclaration() throws {
        let (phone, _) = try devices()
        try cloud.sync(phone, writer: 1)
        let older = try Book.open(at: folder("older.sqlite"), clock: { noon }, schema: .breadly)
        try cloud.attach(older, as: id(903))
        #expect(try older.synced("goal", id(41)).isEmpty)
        older.close()
        let later = try Book.open(at: older.path, clock: { noon }, schema: BookSchema.later(folder))
        try later.adoptForeignRows()
        #expect(try later.synced("goal", id(41)) == bicycle)
        #expect(try later.synced("account", id(1))["nickname"] == "Piggy")
        #expect(try cloud.agrees(with: later, as: id(903)))
    }

    @Test func mergeFieldByFieldAndAreGuardedAsDeclared() throws {
        let (phone, laptop) = try inStep()
        try phone.patch(["target": 60_000], "goal", id(41))
        try laptop.patch(["target": 70_000, "reached": 1], "goal", id(41))
        try phone.patch(["nickname": "Jar"], "account", id(1))
        for (book, writer) in [(phone, Int64(1)), (laptop, 2), (phone, 1)] {
            try cloud.sync(book, writer: writer)
        }
        for book in [phone, laptop] {
            let goal = try book.synced("goal", id(41))
            #expect(goal["target"] == 70_000 && goal["reached"] == 1)
            #expect(try book.synced("account", id(1))["nickname"] == "Jar")
        }
        #expect(cloud.overwritings.map(\.field) == ["target"])
        #expect(cloud.overwritings.first?.lost == 60_000)
    }

    @Test func aFormsEditsAreMergedIntoWhatOthersDid() throws {
        let (phone, laptop) = try inStep()
        let goal = Goal(id: id(41), fields: bicycle)
        let version = try phone.versions(of: Goal.self, goal.id)(goal)
        try laptop.patch(["due": 20_600], "goal", id(41))
        try cloud.sync(laptop, writer: 2)
        try cloud.sync(phone, writer: 1)
        var edited = goal
        edited.fields["name"] = "E-bike"
        let edit = try phone.change(edited, shown: version)
        #expect(edit.change != nil && edit.meanwhile.map(\.field) == ["due"])
        #expect(try phone.synced("goal", id(41))["due"] == 20_600)
        // A number means something else in another currency.
        var dollars = goal
        dollars.fields["currency"] = "USD"
        try laptop.patch(["target": 1], "goal", id(41))
        try cloud.sync(laptop, writer: 2)
        try cloud.sync(phone, writer: 1)
        #expect(throws: BookError.self) { try phone.change(dollars, shown: version) }
    }

    @Test func areUndone() throws {
        let (phone, _) = try inStep()
        func undoLatest() throws {
            _ = try phone.undo(try #require(try phone.history(limit: 1).first).id, overriding: false)
        }
        try phone.patch(["urgency": "low", "due": nil], "goal", id(41))
        try undoLatest()
        #expect(try phone.synced("goal", id(41)) == bicycle)
        let made = try #require(
            try phone.history(limit: 9).first {
                $0.rows.contains { $0.kind == "goal" && $0.action == .create }
            }
        )
        #expect(try phone.undo(made.id, overriding: false) != .already)
        #expect(try phone.live("goal") == [])
        try cloud.sync(phone, writer: 1)
        try undoLatest()
        let living = try phone.live("goal")
        #expect(
            living.count == 1 && living != ["\(id(41))"],
            "the cloud knows of the deletion: a copy lives on"
        )
        let named = try #require(
            try phone.history(limit: 9).first { $0.rows.contains { $0.after["nickname"] != nil } }
        )
        _ = try phone.undo(named.id, overriding: false)
        #expect(try phone.synced("account", id(1))["nickname"] == .null)
    }

    @Test func areSaidInTheHistoryAndWhereValuesMet() throws {
        let (phone, laptop) = try inStep()
        try phone.patch(["target": 60_000, "urgency": "low", "due": 20_600], "goal", id(41))
        try phone.patch(["account": nil, "reached": 1], "goal", id(41))
        let (words, texts) = (try words(phone), try TextCatalogue(language: "en", files: shippedTexts()))
        let lines = try phone.history(limit: 9).flatMap(\.rows).map { row in
            let title = words.title(row.kind, row.row)
            let detail = words.detail(row.action, row.kind, row.row, row.after, before: row.before)
            return "\(texts.string(title)): \(texts.string(detail))"
        }
        #expect(
            lines.prefix(5).map(\.withoutIsolation) == [
                "Bicycle: account Savings → nothing, reached off → on",
                "Bicycle: due 2026-02-16 → 2026-05-27, 500.00\u{a0}EUR → "
                    + "600.00\u{a0}EUR, urgency High → Low",
                "Bakery: place nothing → Sofia", "Savings: nickname nothing → Piggy",
                "Bicycle: 500.00\u{a0}EUR added",
            ]
        )
        #expect(texts.string(words.label("nickname", "account")) == "nickname")
        let gone = words.value("account", .text("\(id(9))"), "goal", bicycle)
        #expect(texts.string(gone) == "a deleted account")
        #expect(words.plainValue("target", 60_000, "goal", bicycle) == .verbatim("600.00"))
        // On the other device, with the name of the one that made the change.
        try cloud.sync(phone, writer: 1)
        try cloud.sync(laptop, writer: 2)
        let arrived = try #require(try laptop.history(limit: 1).first)
        #expect(arrived.device == "Phone" && arrived.rows.first?.after["urgency"] == "low")
    }

    @Test func areInBothExports() throws {
        let (phone, _) = try devices()
        let book = try written { try BookExport.write(ExportedBook(phone), $0) }
        #expect(
            book.contains(
                """
                "goals":[
                {"id":"\(id(41))","name":"Bicycle","targetMinor":50000,"currency":"EUR","account":"\(id(1))",\
                "due":"2026-02-16","urgency":"high","reached":false}
                ]}

                """
            ),
            "\(book)"
        )
        #expect(book.contains(#""openingDay":null,"position":null,"nickname":"Piggy"}"#))
        #expect(book.contains(#""occurrence":null,"starred":false,"rule":null,"place":"Sofia"}"#))
        let sheet = try written { try SpreadsheetExport.write(phone, Sheet(.comma, TestStyle()), $0) }
        #expect(
            sheet.contains("note,tags,part,part_note,place,attachments\r\n")
                && sheet.contains(",Bakery,,,,,Sofia,\r\n"),
            "\(sheet)"
        )
    }

    @Test func areMissedWhereTheirMigrationIs() throws {
        let bare = BookSchema(.later, migrations: Migration.book)
        let book = try Book.open(at: folder("bare.sqlite"), clock: { noon }, schema: bare)
        let text = try CaptureSQL.missing(in: book)
        for line in [
            "ALTER TABLE accounts ADD COLUMN nickname TEXT;", "DROP TRIGGER accounts_record_update;",
            "CREATE TABLE goals (", "CREATE TRIGGER goals_record_insert", "CREATE TRIGGER goals_due_delete",
            "WHEN 'transaction' THEN 5 WHEN 'goal' THEN 6\n",
        ] { #expect(text.contains(line)) }
        #expect(!text.contains("budgets_record"), "only what has to be made anew")
    }

    private func words(_ book: Book) throws -> ChangeWords {
        ChangeWords(
            declaration: book.declaration,
            formats: Formats(
                base: .eur,
                secondary: [],
                today: CivilDate(dayNumber: 20_400),
                style: TestStyle()
            ),
            catalog: Catalog(try book.choices()),
            now: noon,
            day: { CivilDate(dayNumber: Int32($0 / 86_400)) }
        )
    }
}

/// A goal as a form would edit it.
private struct Goal: Entity {
    static let entityKind = "goal"
    var id: EntityID
    var fields: Fields

    func checkShape() {}
}

extension HistoryChange {
    fileprivate var rows: [HistoryRow] {
        if case .rows(let rows, _) = content { rows } else { [] }
    }
}

extension String {
    /// Without the marks that keep the direction of names apart.
    fileprivate var withoutIsolation: String {
        String(unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) })
    }
}

extension Book {
    /// Stores a row, as the verb of its kind would.
    fileprivate func insert(_ fields: Fields, _ kind: String, _ id: EntityID) throws {
        try changeAsUser { db in
            let table = try #require(db.schema.table(kind))
            let values = table.fields.map { (fields[$0.name] ?? .null).column }
            try db.change(table.insert, StatementArguments([id.column] + values + [.null]))
        }
    }

    /// Gives fields of a row other values, as an edit would.
    func patch(_ fields: Fields, _ kind: String, _ id: EntityID) throws {
        try changeAsUser { db in try db.patch(fields, kind, id) }
    }

    /// The ids of the live rows of a kind.
    fileprivate func live(_ kind: String) throws -> [String] {
        try reading { db in
            let table = try #require(db.schema.table(kind))
            return try db.all("SELECT id FROM \(table.name) WHERE NOT (\(table.isDeleted))") { $0.text(0) }
        }
    }
}
