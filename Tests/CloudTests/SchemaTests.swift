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
        let newest = try #require(Migration.cloud.last?.number)
        #expect(directory.upgrade == (schema < newest ? SchemaUpgrade(from: schema, to: newest) : nil))
        let users = try directory.users()
        #expect(users.map(\.name) == ["Ada", "Bob B."])
        #expect(users.map(\.hasPassword) == [true, false])
        let accounts = try directory.reading { db in
            try db.all("SELECT epoch, seq, rows, dead_rows FROM sync_accounts ORDER BY number") {
                [$0.int(0), $0.int(1), $0.int(2), $0.int(3)]
            }
        }
        #expect(accounts == [[1, 9, 2, 1], [2, 3, 0, 0]])
        let dead = try directory.reading { db in
            Set(try db.all("SELECT account || ' ' || hex(id) FROM dead_ids") { $0.text(0) })
        }
        // Read once, by hand: Crockford's base 32, 26 digits, the first two of 130 bits unused.
        let expected: Set = [
            "1 019284B1B08D2B8CF3C1114CA74ADAF8", "1 FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            "2 00000000000000000000000000000000", "2 0110C8531D0952D8D73E1194E95B5F19",
        ]
        #expect(dead == expected)
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
        #expect(SchemaFiles.areConsecutive(Migration.cloud))
    }
}
