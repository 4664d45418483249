// The limits of an account.
import CloudProtocol
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Cloud

/// The stored usage of an account, and the usage counted from its rows.
private func usages(_ cloud: CloudUnderTest) throws -> (kept: StoredUsage, counted: StoredUsage) {
    try cloud.directory.reading { db in
        let kept = try db.first("SELECT \(StoredUsage.columns) FROM sync_accounts") {
            StoredUsage($0, from: 0)
        }
        var counted = StoredUsage()
        try db.forEach("SELECT is_deleted, fields, versions FROM entities") { row in
            let bytes = Int64(row.text(1).utf8.count + row.text(2).utf8.count)
            if row.int(0) == 1 {
                counted.deadRows += 1
                counted.deadBytes += bytes
            } else {
                counted.rows += 1
                counted.bytes += bytes
            }
        }
        counted.buriedRows = Int64(try db.number("SELECT count(*) FROM dead_ids"))
        return (kept ?? StoredUsage(), counted)
    }
}

@Suite struct TheLimitsOfAnAccount: TalksToACloud {
    private static let day: Int64 = 86_400

    @Test(arguments: Transport.allCases) func aRowGrowsNoFurtherThanItMay(_ transport: Transport) async throws
    {
        let cloud = try CloudUnderTest(transport, limits: UserAccountLimits(fields: 3, rowBytes: 200))
        let token = try await premium(cloud)
        let half = FieldValue.text(String(repeating: "x", count: 80))
        let answer = try await cloud.api.push(
            batch(
                1,
                [
                    create(1, 11, ["a": half]), operation(2, .patch, 11, ["b": half]),
                    operation(3, .patch, 11, ["c": half]), operation(4, .patch, 11, ["c": 1]),
                    operation(5, .patch, 11, ["d": 1]), operation(6, .patch, 11, ["a": ""]),
                    create(7, 12, ["a": 1, "b": 1, "c": 1, "d": 1]), create(8, 13),
                ]
            ),
            token
        )
        #expect(
            answer.results.map(\.code) == [nil, nil, .rowTooLarge, nil, .rowTooLarge, nil, .rowTooLarge, nil]
        )
        #expect(answer.results.map(\.status).filter { $0 == .rejected }.count == 3)
        let rows = try await cloud.api.changes(since(0), token).rows
        #expect(rows.map(\.fields) == [["a": "", "b": half, "c": 1], ["name": "A"]])
    }

    @Test(arguments: Transport.allCases) func anAccountHoldsNoMoreRowsThanItMay(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport, limits: UserAccountLimits(rows: 2))
        let token = try await premium(cloud)
        let first = try await cloud.api.push(
            batch(
                1,
                [create(1, 11), create(2, 12), create(3, 13), operation(4, .patch, 11, ["name": "B"])]
            ),
            token
        )
        #expect(first.results.map(\.code) == [nil, nil, .tooManyRows, nil])
        let again = try await cloud.api.push(
            batch(1, [operation(5, .delete, 11), create(6, 13, op: 60), create(7, 14)]),
            token
        )
        #expect(again.results.map(\.code) == [nil, nil, .tooManyRows], "what is deleted makes room")
        let churn = try await cloud.api.push(
            batch(
                1,
                [
                    operation(8, .delete, 12), operation(9, .delete, 99), operation(10, .delete, 98),
                    create(11, 15),
                ]
            ),
            token
        )
        #expect(
            churn.results.map(\.code) == [nil, nil, .tooManyRows, .tooManyRows],
            "deleted rows are kept for a while, and not without end"
        )
    }

    /// Deletions of rows that never existed leave ids for as long as the account exists.
    @Test func collectedRowsCountForAsLongAsTheirIDsAreKept() async throws {
        let cloud = try CloudUnderTest(.inProcess, limits: UserAccountLimits(rows: 2))
        let token = try await premium(cloud)
        let service = SyncService(cloud.directory)
        var number: Int64 = 0
        func delete() async throws -> OperationResult.Code? {
            number += 1
            let answer = try await cloud.api.push(
                batch(1, [operation(number, .delete, UInt64(100 + number))]),
                token
            )
            return try #require(answer.results.first).code
        }
        var codes: [OperationResult.Code?] = []
        for _ in 0..<3 {
            for _ in 0..<4 { codes.append(try await delete()) }
            cloud.clock.advance(by: 100 * 86_400)
            try service.collect()
        }
        #expect(codes.prefix(8).allSatisfy { $0 == nil }, "twice as many as live rows at once: \(codes)")
        #expect(codes.suffix(4).allSatisfy { $0 == .tooManyRows }, "and four times as many in all: \(codes)")
        let counted = try usages(cloud)
        #expect(counted.kept == counted.counted && counted.kept.buriedRows == 8)
        // The account itself still works.
        number += 1
        let answer = try await cloud.api.push(batch(1, [operation(number, .delete, 101)]), token)
        #expect(answer.results.first?.code == nil, "a deletion of a row that is gone")
    }

    @Test func resultsOfOneReplicaAreBoundedBetweenTwoCollections() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        func kept() throws -> Int {
            try cloud.directory.reading { db in try db.number("SELECT count(*) FROM op_results") }
        }
        var most = 0
        // Operations that are refused leave results as well.
        for first in stride(from: Int64(1), to: 25_000, by: 500) {
            let refused = (first..<first + 500).map { operation($0, .patch, 11, ["name": "B"]) }
            _ = try await cloud.api.push(batch(1, refused), token)
            most = max(most, try kept())
        }
        #expect(most <= 2 * Int(SyncService.retainedResults) + 500, "\(most)")
    }

    @Test func resultsOfReplicasThatCameAndWentAreBounded() async throws {
        let cloud = try CloudUnderTest(.inProcess, limits: UserAccountLimits(replicas: 3))
        let token = try await premium(cloud)
        for replica in UInt64(1)...20 {
            for first in stride(from: Int64(1), to: 1_000, by: 500) {
                let refused = (first..<first + 500).map {
                    operation($0, .patch, 11, ["name": "B"], op: Int64(replica) * 10_000 + $0)
                }
                _ = try await cloud.api.push(batch(replica, refused), token)
            }
        }
        let (results, senders) = try cloud.directory.reading { db in
            (
                try db.number("SELECT count(*) FROM op_results"),
                try db.number("SELECT count(DISTINCT replica) FROM op_results")
            )
        }
        #expect(senders == 6, "three that are there, and as many that were removed")
        #expect(results == 3 * 1_000 + 3 * SyncLimits.operations)
    }

    @Test(arguments: Transport.allCases) func aSessionPushesNoFasterThanAnyDevice(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport, pushesPerSecond: 1)
        let (token, other) = (try await premium(cloud), try await premium(cloud, "bob"))
        var number: Int64 = 0
        func push() async throws {
            _ = try await cloud.api.push(batch(1, [create(number + 1, UInt64(100 + number))]), token)
            number += 1
        }
        for _ in 0..<100 { try await push() }
        await #expect(throws: CloudError.busy(retryAfterSeconds: 5)) { try await push() }
        #expect(
            try await cloud.api.push(batch(2, [create(1, 11)]), other).lastN == 1,
            "another one is not concerned"
        )
        cloud.clock.advance(by: 5)
        for _ in 0..<5 { try await push() }
        await #expect(throws: CloudError.busy(retryAfterSeconds: 5)) { try await push() }
    }

    @Test func anAccountHoldsNoMoreBytesThanItMay() async throws {
        let cloud = try CloudUnderTest(.inProcess, limits: UserAccountLimits(bytes: 300))
        let token = try await premium(cloud)
        let long = FieldValue.text(String(repeating: "x", count: 200))
        let answer = try await cloud.api.push(
            batch(
                1,
                [
                    create(1, 11, ["name": long]), create(2, 12, ["name": long]), create(3, 13),
                    operation(4, .patch, 13, ["name": long]), operation(5, .patch, 11, ["name": "A"]),
                    operation(6, .patch, 13, ["name": "B"]),
                ]
            ),
            token
        )
        #expect(answer.results.map(\.code) == [nil, .accountFull, nil, .accountFull, nil, nil])
    }

    @Test func aRecordOfTwoValuesTakesRoomToo() async throws {
        let cloud = try CloudUnderTest(.inProcess, limits: UserAccountLimits(rows: 2))
        let token = try await premium(cloud)
        func amount(_ n: Int64, _ value: Int64, op: Int64) -> SyncCore.Operation {
            operation(n, .patch, 11, ["opening": .integer(value)], base: ["opening": 0], op: op)
        }
        _ = try await cloud.api.push(batch(1, [create(1, 11, ["opening": 1])]), token)
        let answer = try await cloud.api.push(
            batch(2, [amount(1, 2, op: 50)]),
            token
        )
        #expect(answer.results.first?.conflict != nil)
        let full = try await cloud.api.push(batch(1, [amount(2, 3, op: 60)]), token)
        #expect(full.results.map(\.code) == [.tooManyRows], "neither the value nor a record of it")
        let rows = try await cloud.api.changes(since(0), token).rows
        #expect(rows.first { $0.kind == "account" }?.fields == ["opening": 2])
    }

    @Test func whatIsHeldIsCountedByEachChange() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        func expectExact(_ rows: Int64, _ deadRows: Int64) throws {
            let (kept, counted) = try usages(cloud)
            #expect(kept == counted && kept.rows == rows && kept.deadRows == deadRows)
        }
        _ = try await cloud.api.push(
            batch(1, [create(1, 11, ["name": "Zoë"]), create(2, 12), operation(3, .patch, 12, ["x": 5])]),
            token
        )
        try expectExact(2, 0)
        _ = try await cloud.api.push(
            batch(1, [operation(4, .delete, 11), operation(5, .delete, 13), operation(6, .patch, 99)]),
            token
        )
        try expectExact(1, 2)
        // Sent before: told again, with another sequence.
        _ = try await cloud.api.push(batch(1, [create(1, 11, ["name": "Zoë"])]), token)
        try expectExact(1, 2)
        let report = try await cloud.api.account(token)
        let bytes = try usages(cloud).kept.bytes
        #expect(report.usage == UserAccountUsage(rows: 1, bytes: bytes, replicas: 1, others: 0))
        #expect(report.limits == UserAccountLimits())
        cloud.clock.advance(by: 100 * Self.day)
        #expect(try SyncService(cloud.directory).collect() == 2)
        try expectExact(1, 0)
        try await cloud.api.deleteData(token)
        try expectExact(0, 0)
    }

    // MARK: - Replicas

    @Test(arguments: Transport.allCases) func devicesInUseAreNoMoreThanMayBe(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport, limits: UserAccountLimits(replicas: 2))
        let first = try await premium(cloud, on: "A")
        let second = try await premium(cloud, on: "B")
        let third = try await premium(cloud, on: "C")
        _ = try await cloud.api.push(batch(1, [create(1, 11, op: 1)]), first)
        _ = try await cloud.api.push(batch(2, [create(1, 12, op: 2)]), second)
        await #expect(throws: CloudError.sync(.tooManyReplicas(max: 2))) {
            try await cloud.api.push(batch(3, [create(1, 13, op: 3)]), third)
        }
        await #expect(throws: CloudError.sync(.tooManyReplicas(max: 2))) {
            try await cloud.api.changes(since(0, replica: 3), third)
        }
        #expect(try await cloud.api.push(batch(1, [create(2, 14, op: 4)]), first).lastN == 2)
        // A device that syncs counts for the others, until it is signed out.
        #expect(try await cloud.api.account(first).usage?.others == 1)
        #expect(try await cloud.api.account(third).usage?.others == 2)
        let devices = try await cloud.api.devices(third)
        try await cloud.api.signOut(
            device: try #require(devices.first { $0.name == "B" }).id,
            erases: false,
            third
        )
        #expect(try await cloud.api.push(batch(3, [create(1, 13, op: 3)]), third).lastN == 1)
        let usage = try await cloud.api.account(third).usage
        #expect(usage?.replicas == 2 && usage?.others == 1)
    }

    @Test func replicasThatAreNotInUseMakeRoom() async throws {
        let cloud = try CloudUnderTest(.inProcess, limits: UserAccountLimits(replicas: 2))
        let first = try await premium(cloud, on: "A")
        let second = try await premium(cloud, on: "B")
        let third = try await premium(cloud, on: "C")
        func known() throws -> [EntityID] {
            try cloud.directory.reading { db in
                try db.all("SELECT id FROM replicas ORDER BY number", []) { try $0.id(0) }
            }
        }
        _ = try await cloud.api.push(batch(1, [create(1, 11, op: 1)]), first)
        _ = try await cloud.api.push(batch(2, [create(1, 12, op: 2)]), second)
        try await cloud.api.detach(number(1), lastN: 1, first)
        _ = try await cloud.api.push(batch(3, [create(1, 13, op: 3)]), third)
        #expect(try known() == [number(2), number(3)], "one that was let go")
        cloud.clock.advance(by: 91 * Self.day)
        _ = try await cloud.api.push(batch(3, [create(2, 14, op: 4)]), third)
        _ = try await cloud.api.push(batch(4, [create(1, 15, op: 5)]), first)
        #expect(try known() == [number(3), number(4)], "one that was not seen for long")
        // The same device by one name after the other, as it does where it is given back an older book.
        for replica in UInt64(5)..<300 {
            let one = create(1, replica + 100, op: Int64(replica) + 100)
            _ = try await cloud.api.push(batch(replica, [one]), first)
        }
        #expect(try known() == [number(3), number(299)], "earlier names of the one that asks")
        // It sends and loads anew.
        await #expect(throws: CloudError.sync(.opGap(expected: 1))) {
            try await cloud.api.push(batch(4, [create(2, 16, op: 6)]), first)
        }
    }
}
