// Files of every schema of the cloud that was ever released, as they lay on a disk.
import CloudProtocol
import Foundation
import GRDB
import Ledger
import Storage
import Testing

@testable import Cloud

@Suite final class SchemaTests {
    private let folder = NSTemporaryDirectory() + "/breadly-schemas-\(UUID().uuidString)"
    private static let schemas = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent(
            "Schemas"
        )

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func copy(_ schema: Int) throws -> String {
        let (name, path) = ("cloud-\(schema).sqlite", folder + "/cloud.sqlite")
        try FileManager.default.copyItem(atPath: Self.schemas.appendingPathComponent(name).path, toPath: path)
        return path
    }

    private func open(_ path: String) throws -> Directory {
        try Directory(
            at: path,
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: { 1_700_000_100 },
                newID: { EntityID(high: 1, low: 1) },
                newToken: {
                    var generator = SystemRandomNumberGenerator()
                    return SessionToken(using: &generator)
                }
            )
        )
    }

    @Test(arguments: Migration.cloud.map(\.number))
    func aCloudOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try copy(schema)
        let before = try counts(path)
        let directory = try open(path)
        let newest = Migration.cloud.count
        #expect(directory.upgrade == (schema < newest ? SchemaUpgrade(from: schema, to: newest) : nil))
        let users = try directory.users()
        #expect(users.map(\.name) == ["Ada", schema < 8 ? "Bob" : "Bob B."])
        #expect(users.map(\.hasPassword) == [true, false])
        let accounts = try directory.reading { db in
            try db.all("SELECT epoch, seq, rows, dead_rows FROM sync_accounts ORDER BY number") {
                [$0.int(0), $0.int(1), $0.int(2), $0.int(3)]
            }
        }
        #expect(accounts == (schema < 2 ? [] : schema < 7 ? [[1, 9, 2, 1], [2, 3, 0, 0]] : accounts))
        let dead = try directory.reading { db in
            Set(try db.all("SELECT account || ' ' || hex(id) FROM dead_ids") { $0.text(0) })
        }
        // Read once, by hand: Crockford's base 32, 26 digits, the first two of 130 bits unused.
        let expected: Set = [
            "1 019284B1B08D2B8CF3C1114CA74ADAF8", "1 FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            "2 00000000000000000000000000000000", "2 0110C8531D0952D8D73E1194E95B5F19",
        ]
        #expect(dead == (schema < 2 ? [] : expected))
        directory.close()
        #expect(try Directory.checkIntegrity(at: path, isInUse: false, now: .max) == [])
        let after = try counts(path)
        for (table, count) in before { #expect(after[table] == count, "\(table)") }
    }

    @Test(arguments: Migration.cloud.map(\.number))
    func aCloudOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        try Store<CloudFailure>.open(
            at: folder + "/fresh.sqlite",
            applicationID: Directory.applicationID,
            migrations: Array(Migration.cloud.prefix(schema)),
            fingerprint: { _ in [:] }
        ).close()
        let (old, new) = (try self.schema(try copy(schema)), try self.schema(folder + "/fresh.sqlite"))
        #expect(old == new, "made by other statements than those of today: \(old.symmetricDifference(new))")
        #expect(Migration.cloud.map(\.number) == Array(1...Migration.cloud.count))
    }

    /// Every table with the number of its rows.
    private func counts(_ path: String) throws -> [String: Int] {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let sql =
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'needed_program'"
            let tables = try db.all(sql) { $0.text(0) }
            return Dictionary(
                uniqueKeysWithValues: try tables.map { ($0, try db.number("SELECT count(*) FROM \"\($0)\"")) }
            )
        }
    }

    private func schema(_ path: String) throws -> Set<String> {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let sql =
                "SELECT type || ' ' || name || ': ' || ifnull(sql, '') FROM sqlite_schema WHERE name <> 'needed_program'"
            return Set(try db.all(sql) { $0.text(0) })
        }
    }
}
