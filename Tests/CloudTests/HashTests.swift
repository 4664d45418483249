// The hash of an account's rows: updated by each push, and computed again after other changes.
import CloudProtocol
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Cloud

@Suite struct TheHashOfAnAccount: TalksToACloud {
    /// The hash that the last page says, and the one of its rows.
    private func hashes(_ cloud: CloudUnderTest, _ token: SessionToken, epoch: Int64 = 1) async throws -> (
        kept: RowsHash?, counted: RowsHash
    ) {
        let page = try await cloud.api.changes(since(0, limit: 1_000, epoch: epoch), token)
        var hash = RowsHash()
        for row in page.rows where !row.isDeleted {
            hash.replace(0, by: RowsHash.of(row.kind, row.id, row.fields))
        }
        return (page.hash, hash)
    }

    @Test(arguments: Transport.allCases) func isKeptByEachPush(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        #expect(try await cloud.api.changes(since(0), token).hash == RowsHash())
        let pushes: [(UInt64, [SyncCore.Operation])] = [
            (1, [create(1, 11), create(2, 12, ["name": "Zoë", "opening": 5, "note": nil])]),
            (1, [operation(3, .patch, 11, ["name": "B", "newer": .other("[1,2]")])]),
            // Another device: a second creation, a guarded value and its record, a deletion, a refusal.
            (2, [create(1, 11, ["name": "C", "opening": 7], op: 50)]),
            (2, [operation(2, .patch, 12, ["opening": 9], base: ["opening": 0], op: 51)]),
            (2, [operation(3, .delete, 11, op: 52), operation(4, .patch, 99, ["name": "D"], op: 53)]),
            (1, [operation(4, .patch, 11, ["name": "late"], op: 54)]),
        ]
        var seen: Set<RowsHash> = []
        for (replica, operations) in pushes {
            _ = try await cloud.api.push(batch(replica, operations), token)
            let (kept, counted) = try await hashes(cloud, token)
            #expect(kept == counted)
            seen.insert(counted)
        }
        #expect(seen.count == 5, "each push but the last has changed a row")
        #expect(try await cloud.api.changes(since(0, limit: 1), token).hash == nil, "only with the last page")
        try await cloud.api.deleteData(token)
        let (kept, counted) = try await hashes(cloud, token, epoch: 2)
        #expect(kept == RowsHash() && counted == RowsHash())
    }

    @Test(
        arguments: [
            "UPDATE entities SET fields = '{\"name\":\"X\"}' WHERE seq = 1",
            "UPDATE entities SET is_deleted = 1 WHERE seq = 1", "DELETE FROM entities WHERE seq = 1",
            """
            INSERT INTO entities SELECT account, kind, '00000000000000000000000009', 9, 0, fields, created_seq,
              created_by, versions, author, changed_at, last_writer, NULL, day, last_tx FROM entities WHERE seq = 1
            """,
            "UPDATE sync_accounts SET rows_hash = NULL",
        ]
    )
    func isCountedWhereAHandHasChangedTheRows(_ sql: String) async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12)]), token)
        try cloud.directory.changing { db in try db.execute(sql: sql) }
        let (kept, counted) = try await hashes(cloud, token)
        #expect(kept == counted)
    }

    @Test func isVerifiedWhereADeviceLoadsAnew() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        try cloud.directory.changing { db in try db.execute(sql: "UPDATE sync_accounts SET rows_hash = 5") }
        #expect(try await cloud.api.changes(since(0), token).hash == RowsHash(column: 5))
        var query = since(0, lastN: -1)
        query.range = .snapshot(from: "")
        _ = try await cloud.api.changes(query, token)
        let (kept, counted) = try await hashes(cloud, token)
        #expect(kept == counted)
        #expect(try cloud.directory.figures().recounts == 1)
    }

    @Test func countsValuesAndNotTheirPlaces() {
        let id = number(1)
        let whole = RowsHash.of("account", id, ["name": "A", "note": nil])
        #expect(whole == RowsHash.of("account", id, ["name": "A"]))
        #expect(RowsHash.of("account", id, ["note": nil]) == 0)
        // Part of the wire: other versions count the same.
        #expect(
            RowsHash.of("account", id, ["name": "Zoë", "opening": 1_200])
                == RowsHash.of("account", id, ["opening": 1_200, "name": "Zoë"])
        )
        let others: [Int64] = [
            RowsHash.of("category", id, ["name": "A"]), RowsHash.of("account", number(2), ["name": "A"]),
            RowsHash.of("account", id, ["name": "B"]), RowsHash.of("account", id, ["nam": "eA"]),
            RowsHash.of("account", id, ["name": ""]), RowsHash.of("account", id, ["name": 65]),
            RowsHash.of("account", id, ["name": .other("A")]),
            RowsHash.of("account", id, ["name": "A", "other": ""]),
            RowsHash.of("account", id, ["name": "AAAAAAAA"]),
            RowsHash.of("account", id, ["name": "\u{0}A"]),
        ]
        #expect(Set(others + [whole]).count == others.count + 1)
        var (one, two) = (RowsHash(), RowsHash())
        for hash in others { one.replace(0, by: hash) }
        for hash in others.reversed() { two.replace(0, by: hash) }
        #expect(one == two && RowsHash(one.text) == one && RowsHash(column: one.column) == one)
        for hash in others { one.replace(hash, by: 0) }
        #expect(one == RowsHash() && one.text == "0000000000000000")
        #expect(RowsHash("5") == nil && RowsHash("000000000000000g") == nil)
    }
}
