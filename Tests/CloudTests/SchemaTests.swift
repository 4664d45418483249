// Files of every schema of the cloud that was ever released, as they lay on a disk.
import CloudProtocol
import Foundation
import GRDB
import Ledger
import SchemaFiles
import Storage
import TestKit
import Testing

@testable import Cloud

@Suite struct SchemaTests {
    private let files = SchemaFiles("cloud", copiedTo: Scratch())

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
        let path = try files.copy(schema)
        let before = try SchemaFiles.counts(path)
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
        let after = try SchemaFiles.counts(path)
        for (table, count) in before { #expect(after[table] == count, "\(table)") }
    }

    @Test(arguments: Migration.cloud.map(\.number))
    func aCloudOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        let differences = try files.differences(
            of: schema,
            from: Migration.cloud,
            applicationID: Directory.applicationID,
            CloudFailure.self
        )
        #expect(differences == [])
        #expect(files.missing(of: Migration.cloud) == [])
        #expect(Migration.cloud.map(\.number) == Array(1...Migration.cloud.count))
    }

    /// A row that cannot be read stops neither the upgrade nor a download: it comes last.
    @Test func theUpgradeSortsTransactionsByTheirDays() throws {
        let path = try files.copy(15)
        let fields = [
            #"{"date":19000}"#, #"{"date":-5}"#, #"{"date":"soon"}"#, #"{"date":99999999999999999999}"#,
            #"{"date":1"#,
            #"{"date":20000}"#,
        ]
        let store = try Store<CloudFailure>.open(
            at: path,
            applicationID: Directory.applicationID,
            migrations: Array(Migration.cloud.prefix(15)),
            fingerprint: { _ in [:] }
        )
        try store.changing { db in
            try db.change("DELETE FROM entities", [])
            for (index, text) in fields.enumerated() {
                let sql = """
                    INSERT INTO entities (
                      account, kind, id, seq, is_deleted, fields, created_seq, created_by, versions, author, changed_at,
                      last_writer
                    ) VALUES (1, 'transaction', ?, ?, 0, ?, 1, 1, '', 1, 0, 1)
                    """
                try db.change(sql, [EntityID(high: 1, low: UInt64(index)).column, index + 1, text])
            }
        }
        store.close()
        let directory = try open(path)
        let days = try directory.reading { db in
            try db.all("SELECT day FROM entities ORDER BY id") { $0.int64(0) }
        }
        #expect(days == [19_000, -5, 0, 0, 0, 20_000])
        directory.close()
    }
}
