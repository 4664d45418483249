// Files of every schema of the device store that was ever released, as they were on a disk: each is brought to the newest one
// with all that is in it, and a new file passes through the very same schemas.
import Foundation
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import DeviceStore

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
        let wanted = Migration.deviceStore.map { "device-store-\($0.number).sqlite" }
        let there = Set(DatabaseFile.names(in: Self.schemas.path))
        #expect(
            wanted.allSatisfy { there.contains($0) },
            "commit a file of the newest schema with rows in its new tables"
        )
        #expect(Migration.deviceStore.map(\.number) == Array(1...Migration.deviceStore.count))
    }

    @Test(arguments: Migration.deviceStore.map(\.number))
    func aStoreOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try copy("device-store-\(schema).sqlite")
        let before = try counts(path)
        let store = try DeviceStore.open(at: path)
        #expect((store.upgrade == nil) == (schema == Migration.deviceStore.count))
        #expect(try store.count() == 3)
        let signedIn = try #require(EntityID(String(repeating: "0", count: 25) + "3"))
        #expect(try store.session(of: signedIn)?.isLocked == (schema < 2 ? nil : schema >= 3))
        let entries = try DeviceStore.entries(at: path, isInUse: true, now: .max)
        #expect(entries.map(\.hasBook) == [true, false, true])
        store.close()
        #expect(try DeviceStore.checkIntegrity(at: path) == [])
        let after = try counts(path)
        for (table, count) in before { #expect(after[table] == count, "\(table)") }
    }

    @Test(arguments: Migration.deviceStore.map(\.number))
    func aStoreOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        try compare(
            "device-store-\(schema).sqlite",
            Array(Migration.deviceStore.prefix(schema)),
            DeviceStore.applicationID
        )
    }

    /// Every table with the number of its rows.
    private func counts(_ path: String) throws -> [String: Int] {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let tables = try db.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'needed_program'"
            ) { $0.text(0) }
            return Dictionary(
                uniqueKeysWithValues: try tables.map { ($0, try db.number("SELECT count(*) FROM \"\($0)\"")) }
            )
        }
    }

    /// A migration must not be edited once it was used for a file.
    private func compare(_ name: String, _ migrations: [Migration], _ applicationID: Int32) throws {
        let fresh = try Store<DeviceStoreError>.open(
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
