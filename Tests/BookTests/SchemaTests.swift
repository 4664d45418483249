// Files of every schema that was ever released, as they lay on a disk: each is brought to the newest one with all that is in
// it, and a new file passes through the very same schemas.
import Foundation
import GRDB
import Ledger
import SchemaFiles
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct SchemaTests {
    private let folder: Scratch
    private let files: SchemaFiles

    init() {
        folder = Scratch()
        files = SchemaFiles("book", copiedTo: folder)
    }

    @Test func everySchemaHasAFile() {
        #expect(
            files.missing(of: Migration.book) == [],
            "commit a file of the newest schema with rows in its new tables"
        )
        #expect(SchemaFiles.areConsecutive(Migration.book))
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try files.copy(schema)
        let before = try SchemaFiles.counts(path)
        let newest = try #require(Migration.book.last?.number)
        let book = try Book.open(at: path, clock: { noon })
        #expect(book.upgrade == (schema < newest ? SchemaUpgrade(from: schema, to: newest) : nil))
        #expect(try book.verifySums() == [])
        #expect(try book.counts().transactions == 3)
        let first = try #require(EntityID(String(repeating: "0", count: 25) + "1"))
        let second = try #require(EntityID(String(repeating: "0", count: 25) + "2"))
        #expect(try book.account(first)?.account.name == "Purse")
        #expect(try book.account(first)?.balanceMinor == 4_650)
        #expect(try book.account(second)?.balanceMinor == 244_750)
        // A schema from 27 on has a part below zero: 18.50 and -5.00 of 13.50.
        let food = try #require(EntityID(String(repeating: "0", count: 24) + "11"))
        let spent = try book.report(from: month("2025-11"), to: month("2025-11"), group: .category)
        let line = spent.first { $0.key == .category(food) }
        #expect(line?.total.expenseMinor == (schema < 27 ? 350 : 1_850))
        #expect(try book.owner() == EntityID(String(repeating: "0", count: 25) + "7"))
        // The book works as before.
        try book.add(Account.sample(900, opening: 5))
        #expect(try book.verifySums() == [])
        book.close()
        #expect(try Book.checkIntegrity(at: path) == [])

        var after = try SchemaFiles.counts(path)
        after["accounts"]? -= 1
        // Rows of newer versions may have come to life, hashes were counted, and sums of nothing may be gone.
        let derived: Set = ["foreign_rows", "due_hashes", "category_months"]
        for (table, count) in before where !derived.contains(table) {
            #expect((after[table] ?? 0) >= count, "\(table): \(count) became \(after[table] ?? 0)")
        }
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        let differences = try files.differences(
            of: schema,
            from: Migration.book,
            applicationID: Book.applicationID,
            functions: BookSchema.functions,
            BookError.self
        )
        #expect(differences == [])
    }

    /// The sums are rebuilt with queries of their own, which must stay those of the triggers.
    @Test func rebuildingComputesTheSharesAsTheTriggersDo() throws {
        func words(_ sql: String) -> String {
            // Lines may be broken beside parentheses.
            sql.replacing("(", with: " ( ").replacing(")", with: " ) ")
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let columns = ["seq", "id", "date", "category", "amount_minor", "account_minor", "split"]
        let row = "(SELECT \(columns.map { "NEW.\($0) AS \($0)" }.joined(separator: ", ")))"
        let triggers = try Book.scratch(folder).store.reading { db in
            let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
            return try Dictionary(uniqueKeysWithValues: db.all(sql) { ($0.text(0), words($0.text(1))) })
        }
        for name in ["transactions_split_insert", "transactions_split_update_in"] {
            #expect(triggers[name]?.contains(words(SplitSQL.shares(of: row))) == true, "\(name)")
        }
    }

    @Test func aNewBookIsWhatTheMigrationsMake() throws {
        func content(_ store: Store<BookError>) throws -> [String] {
            try store.reading { db in
                let schema = "SELECT type, name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name"
                let state = "SELECT 'sync', json_array(only_row, tx, now, cursor, seen, known), '' FROM sync"
                return try [schema, state].flatMap { sql in
                    try db.all(sql) { row in (0...2).map { row.text($0) }.joined(separator: " | ") }
                }
            }
        }
        let migrated = try Store<BookError>.open(
            at: folder("migrated.sqlite"),
            applicationID: Book.applicationID,
            migrations: Migration.book,
            functions: BookSchema.functions,
            fingerprint: { _ in [:] }
        )
        let new = try Store<BookError>.open(
            at: folder("new.sqlite"),
            applicationID: Book.applicationID,
            migrations: Migration.book,
            template: BookSchema.breadly.template,
            functions: BookSchema.functions,
            fingerprint: { _ in [:] }
        )
        #expect(try content(new).count > 100)
        #expect(try content(new) == content(migrated))
    }
}
