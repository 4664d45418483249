// Rows that an earlier version has stored with texts in another form: brought into the one form once, in steps, and sent to
// each device.
import CloudProtocol
import Encoding
import Foundation
import GRDB
import Ledger
import SchemaFiles
import Storage
import SyncCore
import TestKit
import Testing

@testable import Cloud

@Suite struct TextsOfEarlierVersions: TalksToACloud {
    private struct Stored: Equatable {
        var seq, created, changedAt, author, lastWriter: Int64
        var fields: String
        var versions: String
        var hash: Int64?
    }

    private func stored(_ cloud: CloudUnderTest) throws -> [String: Stored] {
        let sql = """
            SELECT kind || ' ' || id, seq, created_seq, changed_at, author, last_writer, fields, versions, hash
            FROM entities WHERE is_deleted = 0
            """
        return try cloud.directory.reading { db in
            let rows = try db.all(sql) { row in
                (
                    row.text(0),
                    Stored(
                        seq: row.int64(1),
                        created: row.int64(2),
                        changedAt: row.int64(3),
                        author: row.int64(4),
                        lastWriter: row.int64(5),
                        fields: row.text(6),
                        versions: row.text(7),
                        hash: row.optionalInt64(8)
                    )
                )
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// The cloud's file as an earlier version has left it: the texts of some rows are decomposed.
    /// - Returns: the number of these rows.
    private func age(_ cloud: CloudUnderTest, _ random: inout SplitMix) throws -> Int {
        var aged = 0
        for (key, row) in try stored(cloud).sorted(by: { $0.key < $1.key })
        where Bool.random(using: &random) {
            let fields = row.fields.decomposedStringWithCanonicalMapping
            guard !fields.isInNormalForm else { continue }
            aged += 1
            try cloud.directory.changing { db in
                let sql = "UPDATE entities SET fields = ?, hash = NULL WHERE kind || ' ' || id = ?"
                try db.change(sql, [fields, key])
            }
        }
        try cloud.directory.changing { db in
            try db.execute(
                sql: """
                    UPDATE sync_accounts SET text_form = 0, rows_hash = NULL,
                      bytes = (SELECT sum(length(CAST(fields AS BLOB)) + length(CAST(versions AS BLOB)))
                               FROM entities WHERE is_deleted = 0)
                    """
            )
        }
        return aged
    }

    private static let words = ["Café", "한국", "A\u{30A}", "plain", "Łódź", "\u{915}\u{93C}", "が", "東京", "Ω"]

    private func fill(_ cloud: CloudUnderTest, _ token: SessionToken, _ count: Int, _ random: inout SplitMix)
        async throws
    {
        func text() -> FieldValue {
            .text((0..<3).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " "))
        }
        var operations: [SyncCore.Operation] = []
        for index in 1...count {
            let n = Int64(operations.count + 1)
            let kind = ["account", "category", "envelope"].randomElement(using: &random) ?? "account"
            operations.append(
                operation(n, .create, UInt64(index), ["name": text()], kind: kind)
            )
            if Int.random(in: 0..<4, using: &random) == 0 {
                operations.append(operation(n + 1, .patch, UInt64(index), ["name": text()], kind: kind))
            }
        }
        for start in stride(from: 0, to: operations.count, by: 500) {
            let part = Array(operations[start..<min(start + 500, operations.count)])
            _ = try await cloud.api.push(batch(1, part), token)
        }
    }

    private func run(_ service: SyncService, _ place: inout TextPlace?) throws -> Bool {
        guard let step = try service.normaliseTexts(after: place) else { return false }
        place = step.next
        return true
    }

    @Test(arguments: 1...20) func haveOneFormAfterTheStepsAndEachDeviceReceivesThem(seed: UInt64) async throws
    {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        try await fill(cloud, token, 40, &random)
        let normal = try stored(cloud)
        let aged = try age(cloud, &random)
        try #require(aged > 0)
        let before = try stored(cloud)
        let head = try await cloud.api.signal(seen: nil, waitSeconds: 0, token).seq
        #expect(
            try await cloud.api.changes(since(head), token).hash == nil,
            "its hash is not that of a device"
        )

        let service = SyncService(cloud.directory)
        var place: TextPlace?
        while try run(service, &place) {}
        let after = try stored(cloud)
        var moved: Set<Int64> = []
        for (key, row) in before {
            let known = key.hasPrefix("envelope") || row.fields.isInNormalForm
            let new = try #require(after[key])
            if known {
                #expect(new == row, "seed \(seed): \(key) is untouched")
                continue
            }
            #expect(Array(new.fields.utf8) == Array((normal[key]?.fields ?? "").utf8), "seed \(seed)")
            #expect(new.versions == row.versions && new.created == row.created)
            #expect(new.changedAt == row.changedAt && new.lastWriter == row.lastWriter)
            #expect(new.seq > head && new.author == 0, "each device receives it")
            moved.insert(new.seq)
        }
        let newHead = head + Int64(moved.count)
        #expect(try await cloud.api.signal(seen: nil, waitSeconds: 0, token).seq == newHead)
        // The device that has written all of them, and has seen all.
        let last = try await cloud.api.changes(since(head, replica: 1, limit: 1_000), token)
        let lastN = last.lastN
        let page = try await cloud.api.changes(since(head, replica: 1, lastN: lastN, limit: 1_000), token)
        #expect(Set(page.rows.map(\.seq)) == moved)
        #expect(page.rows.allSatisfy { $0.writers?.unseen.isEmpty ?? true })
        let whole = try await cloud.api.changes(since(0, limit: 1_000), token)
        var hash = RowsHash()
        for row in whole.rows { hash.replace(0, by: RowsHash.of(row.kind, row.id, row.fields)) }
        #expect(whole.hash == hash)
        let usage = try service.usage(of: try cloud.directory.user(token).id)
        let bytes = after.values.reduce(0) { $0 + $1.fields.utf8.count + $1.versions.utf8.count }
        #expect(usage.rows == after.count && usage.bytes == Int64(bytes))
        place = nil
        #expect(try run(service, &place) == false, "once")
    }

    @Test func areChangedInStepsThatARestartBeginsAnew() async throws {
        var random = SplitMix(seed: 7)
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        try await fill(cloud, token, 700, &random)
        try cloud.directory.changing { db in
            try db.execute(sql: "UPDATE entities SET kind = 'account'")
            try db.execute(sql: "UPDATE entities SET fields = '{\"name\":\"Cafe\u{301}\"}', hash = NULL")
        }
        _ = try age(cloud, &random)
        func left() throws -> Int {
            try stored(cloud).values.count { !$0.fields.isInNormalForm }
        }
        let service = SyncService(cloud.directory)
        var place: TextPlace?
        var steps = 0
        while case let before = try left(), try run(service, &place) {
            steps += 1
            let changed = try before - left()
            #expect((0...SyncService.textStep.changes).contains(changed))
            // The process ends: nothing of the place is stored.
            if steps.isMultiple(of: 2) { place = nil }
            // Others write meanwhile.
            _ = try await cloud.api.push(
                batch(
                    2,
                    [
                        create(
                            Int64(steps),
                            UInt64(10_000 + steps),
                            ["name": "Cafe\u{301}"],
                            op: Int64(99_000 + steps)
                        )
                    ]
                ),
                token
            )
        }
        #expect(try left() == 0 && steps >= 4)
        let page = try await cloud.api.changes(since(0, limit: 2_000), token)
        var hash = RowsHash()
        for row in page.rows { hash.replace(0, by: RowsHash.of(row.kind, row.id, row.fields)) }
        #expect(page.hash == hash)
    }

    @Test func ofADeviceThatHadNotSeenThemMakeNoConflict() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let parts = FieldValue.text(#"[["00000000000000000000000001",5,"Café"]]"#)
        let row = operation(1, .create, 11, ["split": parts, "note": "Café"], kind: "transaction")
        _ = try await cloud.api.push(batch(1, [row]), token)
        try cloud.directory.changing { db in
            let fields = try db.first("SELECT fields FROM entities") { $0.text(0) } ?? ""
            try db.change(
                "UPDATE entities SET fields = ?, hash = NULL",
                [fields.decomposedStringWithCanonicalMapping]
            )
            try db.change("UPDATE sync_accounts SET text_form = 0")
        }
        // The same content, sent by a device that has seen nothing, before and after the steps.
        let same = operation(
            1,
            .patch,
            11,
            ["split": parts, "note": "Café"],
            base: ["split": 0, "note": 0],
            kind: "transaction",
            op: 50
        )
        #expect(try await cloud.api.push(batch(2, [same]), token).results.map(\.conflict) == [nil])
        let service = SyncService(cloud.directory)
        var place: TextPlace?
        while try run(service, &place) {}
        var again = same
        (again.n, again.opID) = (1, String(repeating: "0", count: 30) + "77")
        #expect(try await cloud.api.push(batch(3, [again]), token).results.map(\.conflict) == [nil])
        let page = try await cloud.api.changes(since(0), token)
        #expect(page.rows.map(\.kind) == ["transaction"], "no record of a conflict")
        #expect(page.rows.allSatisfy { $0.writers?.unseen.isEmpty ?? true })
    }

    @Test func ofAFileOfTheFirstSchemaAwaitTheirForm() throws {
        let files = SchemaFiles("cloud", copiedTo: Scratch())
        let path = try files.copy(17)
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: "UPDATE entities SET fields = '{\"name\":\"Cafe\u{301}\"}' WHERE kind = 'account'"
            )
        }
        try queue.close()
        let directory = try Directory(
            at: path,
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: { 1_700_000_100 },
                newID: { number(1) },
                newToken: {
                    var generator = SystemRandomNumberGenerator()
                    return SessionToken(using: &generator)
                }
            )
        )
        defer { directory.close() }
        func forms() throws -> [Int64] {
            try directory.reading { db in
                try db.all("SELECT text_form FROM sync_accounts ORDER BY number") { $0.int64(0) }
            }
        }
        #expect(try forms() == [0, 1], "the second account has no rows")
        var place: TextPlace?
        while try run(SyncService(directory), &place) {}
        #expect(try forms() == [1, 1])
        let fields = try directory.reading { db in
            try db.first("SELECT fields FROM entities WHERE kind = 'account'") { $0.text(0) }
        }
        #expect(Array((fields ?? "").utf8) == Array("{\"name\":\"Caf\u{E9}\"}".utf8))
    }
}
