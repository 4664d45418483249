// Files of every schema that was ever released, as they lay on a disk: each is brought to the newest one with all that is in
// it, and a new file passes through the very same schemas.
import Foundation
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct SchemaTests {
    private let folder = Scratch()

    static let schemas = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Schemas"
    )

    private func copy(_ name: String) throws -> String {
        let path = folder(name)
        try FileManager.default.copyItem(atPath: Self.schemas.appendingPathComponent(name).path, toPath: path)
        return path
    }

    @Test func everySchemaHasAFile() {
        let wanted = Migration.book.map { "book-\($0.number).sqlite" }
        let there = Set(DatabaseFile.names(in: Self.schemas.path))
        #expect(
            wanted.allSatisfy { there.contains($0) },
            "commit a file of the newest schema with rows in its new tables"
        )
        #expect(Migration.book.map(\.number) == Array(1...Migration.book.count))
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try copy("book-\(schema).sqlite")
        let before = try counts(path)
        let book = try Book.open(at: path, clock: { noon })
        #expect(
            book.upgrade
                == (schema < Migration.book.count
                    ? SchemaUpgrade(from: schema, to: Migration.book.count) : nil)
        )
        #expect(try book.verifySums() == [])
        #expect(try book.counts().transactions == (schema < 4 ? 4 : 3))
        let first = try #require(EntityID(String(repeating: "0", count: 25) + "1"))
        let second = try #require(EntityID(String(repeating: "0", count: 25) + "2"))
        #expect(try book.account(first)?.account.name == (schema < 4 ? "Wallet" : "Purse"))
        #expect(try book.account(first)?.balanceMinor == (schema < 3 ? 4_100 : schema < 4 ? 4_000 : 4_650))
        #expect(try book.account(second)?.balanceMinor == 244_750)
        #expect(try book.owner() == (schema < 2 ? nil : EntityID(String(repeating: "0", count: 25) + "7")))
        // The book works as before.
        try book.add(Account.sample(900, opening: 5))
        #expect(try book.verifySums() == [])
        book.close()
        #expect(try Book.checkIntegrity(at: path) == [])

        var after = try counts(path)
        after["accounts"]? -= 1
        // Rows of newer versions are kept in short, or have come to life; hashes were counted.
        for (table, count) in before where !["foreign_rows", "due_hashes"].contains(table) {
            #expect((after[table] ?? 0) >= count, "\(table): \(count) became \(after[table] ?? 0)")
        }
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        try compare("book-\(schema).sqlite", Array(Migration.book.prefix(schema)), Book.applicationID)
    }

    @Test func anUpgradeLeavesACopyOfTheFileBefore() throws {
        let path = try copy("book-1.sqlite")
        try Book.open(at: path, clock: { noon }).close()
        #expect(DatabaseFile.size(of: SchemaCopies.path(of: path, schema: 1)) > 0)
    }

    /// Every table with the number of its rows.
    private func counts(_ path: String) throws -> [String: Int] {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let tables = try db.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'transactions_search%' AND name <> 'needed_program'"
            ) { $0.text(0) }
            return Dictionary(
                uniqueKeysWithValues: try tables.map { ($0, try db.number("SELECT count(*) FROM \"\($0)\"")) }
            )
        }
    }

    /// A migration must not be edited once it was used for a file.
    private func compare(_ name: String, _ migrations: [Migration], _ applicationID: Int32) throws {
        let fresh = try Store<BookError>.open(
            at: folder("fresh.sqlite"),
            applicationID: applicationID,
            migrations: migrations,
            fingerprint: { _ in [:] }
        )
        fresh.close()
        let (old, new) = (try schema(try copy(name)), try schema(folder("fresh.sqlite")))
        #expect(
            old == new,
            "\(name) was made by other statements than those of today: \(old.symmetricDifference(new))"
        )
    }

    private func schema(_ path: String) throws -> Set<String> {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let sql =
                "SELECT type || ' ' || name || ': ' || ifnull(sql, '') FROM sqlite_schema WHERE name <> 'needed_program'"
            return Set(try db.all(sql) { $0.text(0) })
        }
    }
}
