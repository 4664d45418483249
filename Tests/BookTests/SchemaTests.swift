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
        #expect(Migration.book.map(\.number) == Array(1...Migration.book.count))
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try files.copy(schema)
        let before = try SchemaFiles.counts(path)
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

        var after = try SchemaFiles.counts(path)
        after["accounts"]? -= 1
        // Rows of newer versions are kept in short, or have come to life; hashes were counted.
        for (table, count) in before where !["foreign_rows", "due_hashes"].contains(table) {
            #expect((after[table] ?? 0) >= count, "\(table): \(count) became \(after[table] ?? 0)")
        }
    }

    @Test(arguments: Migration.book.map(\.number))
    func aBookOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        let differences = try files.differences(
            of: schema,
            from: Migration.book,
            applicationID: Book.applicationID,
            BookError.self
        )
        #expect(differences == [])
    }

    @Test func anUpgradeLeavesACopyOfTheFileBefore() throws {
        let path = try files.copy(1)
        try Book.open(at: path, clock: { noon }).close()
        #expect(DatabaseFile.size(of: SchemaCopies.path(of: path, schema: 1)) > 0)
    }
}
