// The contract of every cloud about rows, over each transport.
import CloudClient
import CloudProtocol
import CloudSamples
import Compression
import Foundation
import Ledger
import Outbound
import SyncCore
import TestKit
import Testing

@testable import Cloud

@Suite struct SyncOfACloud: TalksToACloud {
    @Test(arguments: Transport.allCases) func whatGoesUpComesDown(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let head = try await cloud.api.signal(seen: nil, waitSeconds: 0, token)
        #expect(head == Head(epoch: 1, seq: 0))
        let answer = try await cloud.api.push(
            batch(
                1,
                [
                    create(1, 11, ["name": "Café", "opening": -5, "future": .other("{\"x\":[1.5]}")]),
                    operation(2, .delete, 12),
                ]
            ),
            token
        )
        #expect(answer.head == 2 && answer.lastN == 2)
        #expect(answer.results.map(\.status) == [.applied, .applied])
        let page = try await cloud.api.changes(since(0), token)
        #expect(page.cursor == 2 && !page.hasMore)
        #expect(page.rows.map(\.isDeleted) == [false, true])
        #expect(
            page.rows[0].fields == ["name": "Café", "opening": -5, "future": .other("{\"x\":[1.5]}")],
            "unknown fields stay"
        )
        #expect(try cloud.directory.holdings(of: try cloud.directory.user(token).id).accounts == 1)
    }

    /// Devices of an earlier version may send another form.
    @Test(arguments: Transport.allCases) func aTextIsStoredInOneForm(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let sent = batch(1, [create(1, 11, ["name": "Cafe\u{301}", "opening": -5])])
        let first = try await cloud.api.push(sent, token)
        let again = try await cloud.api.push(sent, token)
        #expect(first.results.map(\.status) == [.applied] && again.results == first.results)
        let page = try await cloud.api.changes(since(0), token)
        #expect(page.rows.map(\.fields) == [["name": "Caf\u{E9}", "opening": -5]])
    }

    @Test(arguments: Transport.allCases) func aValueThatAFieldCannotHaveIsRefusedWithItsName(
        _ transport: Transport
    )
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        var operations: [SyncCore.Operation] = []
        var fields: [SyncedField] = []
        for entity in SyncedSchema.breadly.entities where entity.hasTombstones {
            for field in entity.fields {
                for value in FieldValue.odd where !field.accepts(value) && value != .null {
                    let n = Int64(operations.count + 1)
                    operations.append(
                        operation(n, .create, UInt64(n), [field.name: value], kind: entity.kind)
                    )
                    fields.append(field)
                }
            }
        }
        try #require(operations.count > 500)
        // All that is asked for is the fault that is there: the other fields have no value.
        var results: [OperationResult] = []
        for start in stride(from: 0, to: operations.count, by: 100) {
            let part = Array(operations[start..<min(start + 100, operations.count)])
            results += try await cloud.api.push(batch(1, part), token).results
        }
        for (result, field) in zip(results, fields) {
            #expect(result.status == .rejected && result.code == .invalid)
            #expect(result.field == field.name)
        }
        // A repeated operation has the same result.
        let again = try await cloud.api.push(batch(1, [operations[0]]), token)
        #expect(again.results == [results[0]])
        #expect(try await cloud.api.changes(since(0), token).rows.isEmpty)
    }

    @Test(arguments: Transport.allCases) func aReferenceLeadsToARowOfItsKindOrToNoneYet(
        _ transport: Transport
    )
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let category = FieldValue.text("\(number(12))")
        let answer = try await cloud.api.push(
            batch(
                1,
                [
                    create(1, 11), operation(2, .create, 21, ["parent": category], kind: "category"),
                    operation(3, .create, 12, ["name": "C"], kind: "category"),
                    operation(4, .patch, 21, ["parent": .text("\(number(11))")], kind: "category"),
                    operation(5, .create, 22, ["parent": .text("\(number(22))")], kind: "category"),
                    operation(6, .create, 31, ["category": category], kind: "budget"),
                    operation(7, .create, 32, ["category": .text("\(number(31))")], kind: "budget"),
                ]
            ),
            token
        )
        #expect(
            answer.results.map(\.field) == [nil, nil, nil, "parent", nil, nil, "category"],
            "\(answer.results)"
        )
    }

    @Test(arguments: Transport.allCases) func aPushHearsWhatOthersHaveChanged(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12)]), token)
        var batch = batch(2, [create(1, 13)])
        #expect(try await cloud.api.push(batch, token).changes == nil, "it has not asked")
        batch.operations = [create(2, 14)]
        batch.cursor = 1
        let page = try #require(try await cloud.api.push(batch, token).changes)
        // Its own rows are left out, as from any page.
        #expect(page.rows.map(\.id) == [number(12)] && page.cursor == 4 && !page.hasMore && page.lastN == 2)
        batch.operations = [create(3, 15)]
        batch.cursor = 900
        let answer = try await cloud.api.push(batch, token)
        #expect(
            answer.changes == nil && answer.results.map(\.status) == [.applied],
            "the operations are taken"
        )
    }

    @Test(arguments: Transport.allCases, [0, 2, 999])
    func anotherSchemaIsRefusedWithTheOnesThatAreTaken(_ transport: Transport, schema: Int64) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        var batch = batch(1, [create(1, 11)])
        batch.schema = schema
        await #expect(throws: CloudError.sync(.upgradeRequired(oldest: 1, newest: 1))) {
            try await cloud.api.push(batch, token)
        }
        #expect(try await cloud.api.signal(seen: nil, waitSeconds: 0, token).seq == 0, "nothing was taken")
    }

    @Test(arguments: Transport.allCases) func whatIsSentAgainHasTheSameResult(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let operations = [create(1, 11), operation(2, .patch, 11, ["name": "B"])]
        let first = try await cloud.api.push(batch(1, operations), token)
        let again = try await cloud.api.push(batch(1, operations), token)
        #expect(again == first)
        #expect(try await cloud.api.changes(since(0), token).head == 2)
    }

    @Test(arguments: Transport.allCases) func gapsAndReusedNumbersAreRefused(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        await #expect(throws: CloudError.sync(.opGap(expected: 2))) {
            try await cloud.api.push(batch(1, [create(3, 13)]), token)
        }
        await #expect(throws: CloudError.sync(.opReused), "another operation under the same number") {
            try await cloud.api.push(batch(1, [create(1, 14, op: 77)]), token)
        }
        await #expect(throws: CloudError.sync(.opReused), "the same operation with another body") {
            try await cloud.api.push(batch(1, [create(1, 11, ["name": "Other"])]), token)
        }
        await #expect(throws: CloudError.sync(.opReused), "the same id under a new number") {
            try await cloud.api.push(batch(1, [create(2, 15, op: 1)]), token)
        }
        #expect(try await cloud.api.changes(since(0), token).rows.count == 1, "nothing of it was kept")
    }

    @Test(arguments: Transport.allCases) func aBatchIsAllOrNothing(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        await #expect(throws: CloudError.sync(.opGap(expected: 2))) {
            try await cloud.api.push(batch(1, [create(1, 11), create(3, 12)]), token)
        }
        #expect(try await cloud.api.changes(since(0), token).rows.isEmpty)
    }

    @Test(arguments: Transport.allCases) func tooMuchAtOnceIsRefused(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let many = (1...501).map { create(Int64($0), UInt64(1_000 + $0)) }
        await #expect(throws: CloudError.sync(.tooLarge(max: 500))) {
            try await cloud.api.push(batch(1, many), token)
        }
        _ = try await cloud.api.push(batch(1, Array(many.prefix(500))), token)
    }

    @Test(arguments: Transport.allCases) func aRejectedOperationBlocksNothing(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        var bad = create(2, 12)
        bad.kind = "no such kind!"
        let answer = try await cloud.api.push(
            batch(1, [create(1, 11), bad, operation(3, .patch, 99, ["name": "x"]), create(4, 14)]),
            token
        )
        #expect(answer.results.map(\.status) == [.applied, .rejected, .rejected, .applied])
        #expect(answer.results.map(\.code) == [nil, .invalid, .unknownRow, nil])
    }

    @Test(arguments: Transport.allCases) func pagesAndSnapshotsHoldEachRowOnce(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        var operations: [SyncCore.Operation] = []
        for (index, kind) in [
            "transaction", "zebra", "account", "transaction", "budget", "category", "ant", "transaction",
        ].enumerated() {
            operations.append(
                operation(Int64(index + 1), .create, UInt64(index + 1), ["name": "x"], kind: kind)
            )
        }
        _ = try await cloud.api.push(batch(1, operations), token)
        var cursor: Int64 = 0
        var seen: [EntityID] = []
        var page: ChangesPage
        repeat {
            page = try await cloud.api.changes(since(cursor, limit: 3), token)
            seen += page.rows.map(\.id)
            cursor = page.cursor
        } while page.hasMore
        #expect(seen == (1...8).map { number($0) } && cursor == 8)
        var kinds: [String] = []
        var ids: [EntityID] = []
        var next = ""
        var total = 0
        repeat {
            page = try await cloud.api.changes(
                ChangesQuery(replica: number(99), epoch: 1, range: .snapshot(from: next), limit: 3, lastN: 0),
                token
            )
            if next.isEmpty { total = page.rows.count + page.remaining }
            kinds += page.rows.map(\.kind)
            ids += page.rows.map(\.id)
            next = page.next
        } while page.hasMore
        #expect(total == 8)
        #expect(
            kinds == [
                "account", "category", "budget", "ant", "zebra", "transaction", "transaction",
                "transaction",
            ]
        )
        #expect(Array(ids.suffix(3)) == [number(8), number(4), number(1)], "the newest first")
    }

    /// The order in which they were entered does not count: an import brings years at once.
    @Test(arguments: Transport.allCases) func aDownloadBringsTheNewestDaysFirst(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let days: [Int64?] = [20_000, 19_000, 20_001, nil, 20_000, -40, 20_002, 19_500]
        var operations: [SyncCore.Operation] = []
        for (index, day) in days.enumerated() {
            let fields: Fields = day.map { ["date": .integer($0)] } ?? [:]
            operations.append(
                operation(Int64(index) + 1, .create, UInt64(index) + 1, fields, kind: "transaction")
            )
        }
        // One moves to another day, one to the first day of all, and one is gone.
        operations.append(operation(9, .patch, 2, ["date": 20_003], kind: "transaction"))
        operations.append(operation(10, .patch, 5, ["date": 0], kind: "transaction"))
        operations.append(operation(11, .delete, 3, kind: "transaction"))
        operations.append(create(12, 12))
        let sent = try await cloud.api.push(batch(1, operations), token)
        #expect(sent.results.allSatisfy { $0.status == .applied })
        let expected = [12, 2, 7, 1, 8, 5, 4, 6].map { number($0) }
        for limit in [1, 2, 3, 8, 100] {
            var query = since(0, limit: limit)
            query.range = .snapshot(from: "")
            var ids: [EntityID] = []
            for _ in 0...expected.count {
                let page = try await cloud.api.changes(query, token)
                ids += page.rows.map(\.id)
                guard page.hasMore else { break }
                query.range = .snapshot(from: page.next)
            }
            #expect(ids == expected, "pages of \(limit)")
        }
        // A place that this cloud has not given leaves no row out.
        for place in [
            "transaction/", "transaction/\(number(1))", "transaction/x/\(number(1))", "transaction/1/2/3",
        ] {
            var query = since(0)
            query.range = .snapshot(from: place)
            #expect(
                try await cloud.api.changes(query, token).rows.map(\.id) == Array(expected.dropFirst()),
                "\(place)"
            )
        }
    }

    @Test(arguments: Transport.allCases) func whatOneWroteAloneDoesNotComeBackToIt(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12)]), token)
        _ = try await cloud.api.push(batch(2, [operation(1, .patch, 12, ["name": "B"], op: 100)]), token)
        let own = try await cloud.api.changes(since(0, replica: 1, lastN: 2), token)
        #expect(own.rows.map(\.id) == [number(12)] && own.cursor == 3 && own.lastN == 2)
        let older = try await cloud.api.changes(since(0, replica: 1, lastN: 1), token)
        #expect(older.rows.count == 2, "a book that knows less than was sent in its name gets all")
    }

    @Test(arguments: Transport.allCases) func whoDidWhatIsToldByName(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud, on: "Phone")
        let other = try await premium(cloud, on: "Laptop")
        _ = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12), create(3, 13)]), token)
        _ = try await cloud.api.push(batch(2, [operation(1, .patch, 11, ["name": "B"], op: 100)]), other)
        _ = try await cloud.api.push(
            batch(1, [operation(4, .patch, 11, ["type": "card"]), operation(5, .delete, 12)]),
            token
        )
        let all = try await cloud.api.changes(since(0), token).rows
        #expect(all.map(\.id) == [number(13), number(11), number(12)])
        #expect(all.map { $0.writers?.last } == ["Phone", "Phone", "Phone"])
        #expect(all.map { $0.writers?.fields } == [[:], ["name": "Laptop"], [:]])
        #expect(all.map { $0.writers?.creator } == [nil, nil, nil])
        #expect(all.allSatisfy { $0.writers?.at == cloud.directory.now })
        let later = try await cloud.api.changes(since(4), token).rows
        #expect(later.map { $0.writers?.fields } == [[:], [:]], "what is known already is not told again")
        _ = try await cloud.api.push(batch(2, [operation(2, .delete, 13, op: 101)]), other)
        let gone = try #require(try await cloud.api.changes(since(0), token).rows.last)
        #expect(gone.isDeleted && gone.writers?.last == "Laptop" && gone.writers?.creator == "Phone")
    }

    /// The numbers of changes are those of each replica.
    @Test(arguments: Transport.allCases)
    func rowsThatWereChangedTogetherHaveOneStep(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud, on: "Phone")
        let other = try await premium(cloud, on: "Laptop")
        var together = [create(1, 11), create(2, 12), create(3, 13)]
        for index in together.indices { together[index].tx = 7 }
        _ = try await cloud.api.push(batch(1, together), token)
        var theirs = operation(1, .patch, 13, ["name": "B"], op: 100)
        theirs.tx = 7
        _ = try await cloud.api.push(batch(2, [theirs]), other)
        let steps = try await cloud.api.changes(since(0), token).rows.map { $0.writers?.step }
        #expect(steps.count == 3 && steps[0] != nil && steps[0] == steps[1])
        #expect(steps.last != nil && steps.last != steps.first)
    }

    @Test(arguments: Transport.allCases) func whoseValueWasOverwrittenUnseenIsToldSo(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud, on: "Phone")
        let other = try await premium(cloud, on: "Laptop")
        _ = try await cloud.api.push(batch(1, [create(1, 11, ["name": "A", "type": "cash"])]), token)
        let rename = operation(
            1,
            .patch,
            11,
            ["name": "B", "type": "card"],
            base: ["name": 0, "type": 1],
            op: 50
        )
        _ = try await cloud.api.push(batch(2, [rename]), other)
        let mine = try await cloud.api.changes(since(1, replica: 1, lastN: 1), token).rows
        #expect(mine.map { $0.writers?.unseen } == [["name"]])
        let others = try await cloud.api.changes(since(0, replica: 99), token).rows
        #expect(others.map { $0.writers?.unseen } == [[]], "nobody else's value")
        let again = operation(2, .patch, 11, ["name": "C"], base: ["name": 2])
        _ = try await cloud.api.push(batch(1, [again]), token)
        let seen = try await cloud.api.changes(since(1, replica: 2, lastN: 1), other).rows
        #expect(seen.map { $0.writers?.unseen } == [[]], "that was seen")
        let gone = operation(2, .delete, 11, base: [SyncCore.Operation.allFields: 2], op: 51)
        _ = try await cloud.api.push(batch(2, [gone]), other)
        // Its cursor is past its own change by now.
        let lost = try await cloud.api.changes(since(3, replica: 1, lastN: 2), token).rows
        #expect(lost.map { $0.writers?.unseen } == [["name"]] && lost.first?.isDeleted == true)
    }

    @Test(arguments: Transport.allCases) func theSignalComesWithTheNextChange(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let head = try await cloud.api.signal(seen: nil, waitSeconds: 0, token)
        async let waiting = cloud.api.signal(seen: head, waitSeconds: 30, token)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        #expect(try await waiting == Head(epoch: 1, seq: 1))
        #expect(
            try await cloud.api.signal(seen: head, waitSeconds: 30, token).seq == 1,
            "what was missed is told at once"
        )
    }

    @Test(arguments: Transport.allCases) func withoutPremiumNothingComesDown(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await cloud.signIn("anna").token
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.push(batch(1, [create(1, 11)]), token)
        }
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.changes(since(0), token)
        }
    }

    @Test(arguments: Transport.allCases) func whoDrainsMayStillSend(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        _ = try cloud.directory.revoke(try cloud.directory.user(token).id)
        _ = try await cloud.api.push(batch(1, [create(2, 12)]), token)
        await #expect(throws: CloudError.sync(.opGap(expected: 3))) {
            try await cloud.api.detach(number(1), lastN: 1, token)
        }
        try await cloud.api.detach(number(1), lastN: 2, token)
        try await cloud.api.detach(number(50), lastN: 0, token)
        let until = cloud.clock.now + SyncLimits.drainSeconds
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: until)) {
            try await cloud.api.changes(since(0, replica: 1), token)
        }
    }

    @Test(arguments: Transport.allCases) func theLargestNumbersAreCounted(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let signedIn = try await cloud.signIn("anna")
        let token = signedIn.token
        try cloud.directory.grant(signedIn.user.id, until: .max)
        #expect(try await cloud.api.push(batch(1, [create(1, 11)]), token).lastN == 1)
        await #expect(throws: CloudError.sync(.opGap(expected: 2))) {
            try await cloud.api.push(batch(1, [create(.max, 12)]), token)
        }
        await #expect(throws: CloudError.sync(.cursorAhead)) {
            try await cloud.api.changes(since(.max, lastN: .min, limit: .min), token)
        }
        _ = try cloud.directory.revoke(signedIn.user.id)
        #expect(try await cloud.api.push(batch(1, [create(2, 12)]), token).lastN == 2)
    }

    @Test(arguments: Transport.allCases) func deletedDataBeginsAnEpoch(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        try await cloud.api.deleteData(token)
        #expect(try cloud.directory.holdings(of: try cloud.directory.user(token).id).accounts == 0)
        await #expect(throws: CloudError.sync(.epochChanged(2))) {
            try await cloud.api.push(batch(1, [create(2, 12)]), token)
        }
        await #expect(throws: CloudError.sync(.epochChanged(2))) {
            try await cloud.api.changes(since(1), token)
        }
        #expect(try await cloud.api.signal(seen: nil, waitSeconds: 0, token).epoch == 2)
        #expect(try await cloud.api.changes(since(0, epoch: 2), token).rows.isEmpty)
    }

    @Test(arguments: Transport.allCases) func aCursorThatIsNoneIsTold(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        await #expect(throws: CloudError.sync(.cursorAhead)) { try await cloud.api.changes(since(9), token) }
    }

    @Test(arguments: Transport.allCases) func whatARestoredCloudHasLostIsAskedForAgain(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12)]), token)
        try cloud.directory.noteRestored()
        let head = try await cloud.api.signal(seen: nil, waitSeconds: 0, token).seq
        #expect(head > 1_000_000, "no sequence is given out twice")
        // A replica that has seen no more than the backup continues; one that has seen more gets
        // `cursorAhead`, independent of the account's present sequence.
        _ = try await cloud.api.push(batch(2, [create(1, 13, op: 100)]), token)
        #expect(try await cloud.api.changes(since(2), token).rows.map(\.id) == [number(13)])
        #expect(try await cloud.api.changes(since(head), token).rows.count == 1)
        await #expect(throws: CloudError.sync(.cursorAhead)) { try await cloud.api.changes(since(3), token) }
        var query = since(1)
        query.seen = 3
        let asked = query
        await #expect(throws: CloudError.sync(.cursorAhead)) { try await cloud.api.changes(asked, token) }
        // Also where it loads all there is: the newer rows would hide what it has seen.
        query.range = .snapshot(from: "")
        let loading = query
        await #expect(throws: CloudError.sync(.cursorAhead)) { try await cloud.api.changes(loading, token) }
        var sent = batch(3, [create(1, 14, op: 200)])
        sent.seen = 3
        let answer = try await cloud.api.push(sent, token)
        #expect(answer.isOlder && answer.results.map(\.status) == [.applied])
        sent = batch(3, [create(2, 15, op: 201)])
        sent.seen = answer.head
        #expect(try await cloud.api.push(sent, token).isOlder == false)
        // The same backup once more: another sequence, another epoch.
        cloud.clock.advance(by: 10)
        try cloud.directory.noteRestored()
        #expect(try await cloud.api.signal(seen: nil, waitSeconds: 0, token).seq > head + 3)
        try await cloud.api.deleteData(token)
        #expect(try await cloud.api.signal(seen: nil, waitSeconds: 0, token).epoch > 2)
    }

    /// A device refuses an answer that is too large, and asks for the same one again.
    @Test(arguments: Transport.allCases) func aPageOfLargeRowsEndsBeforeItIsTooLarge(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        // Of a later version, and almost as large as a row may be.
        let long = FieldValue.text(String(repeating: "x", count: 60_000))
        let fields: Fields = ["name": "A", "a": long, "b": long, "c": long, "d": long]
        let all = 3 + SyncLimits.answerBytes / 240_000
        for first in stride(from: 0, to: all, by: 3) {
            let numbers = (first..<min(first + 3, all)).map { Int64($0) + 1 }
            let operations = numbers.map { create($0, UInt64($0), fields) }
            let sent = try await cloud.api.push(batch(1, operations), token)
            #expect(sent.results.allSatisfy { $0.status == .applied })
        }
        for range in [ChangesQuery.Range.since(0), .snapshot(from: "")] {
            var query = since(0, limit: SyncLimits.rows)
            query.range = range
            var pages: [ChangesPage] = []
            repeat {
                pages.append(try await cloud.api.changes(query, token))
                guard let page = pages.last else { return }
                query.range = range == .since(0) ? .since(page.cursor) : .snapshot(from: page.next)
            } while pages.last?.hasMore == true && pages.count < 5
            #expect(pages.map(\.rows.count).reduce(0, +) == all && pages.count == 2, "\(range)")
            #expect(Set(pages.flatMap(\.rows).map(\.id)).count == all, "each once")
        }
    }

    /// Entries need it, also where the first page is a small one and there are more accounts than it has rows.
    @Test(arguments: Transport.allCases) func aDownloadBeginsWithTheCurrency(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        var currency = operation(3, .create, 0, ["baseCurrency": "CHF"], kind: "preferences")
        currency.id = EntityID(high: 0, low: 0)
        let sent = try await cloud.api.push(batch(1, [create(1, 11), create(2, 12), currency]), token)
        #expect(sent.results.map(\.status) == [.applied, .applied, .applied])
        var query = since(0, limit: 1)
        query.range = .snapshot(from: "")
        var kinds: [String] = []
        while kinds.count < 5 {
            let page = try await cloud.api.changes(query, token)
            kinds += page.rows.map(\.kind)
            guard page.hasMore else { break }
            query.range = .snapshot(from: page.next)
        }
        #expect(kinds == ["preferences", "account", "account"])
    }

    @Test(arguments: Transport.allCases) func nobodySeesOrTouchesWhatIsAnothers(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let (anna, bob) = (try await premium(cloud, "anna"), try await premium(cloud, "bob"))
        _ = try await cloud.api.push(batch(1, [create(1, 11, ["name": "Anna's"])]), anna)
        // The same replica, the same row, the same cursor: another account.
        #expect(try await cloud.api.changes(since(0, replica: 1), bob).rows.isEmpty)
        let patch = try await cloud.api.push(batch(1, [operation(1, .patch, 11, ["name": "Bob's"])]), bob)
        #expect(patch.results.map(\.code) == [.unknownRow])
        try await cloud.api.detach(number(1), lastN: 1, bob)
        let page = try await cloud.api.changes(since(0), anna)
        #expect(page.rows.map { $0.fields["name"] } == ["Anna's"])
    }

    @Test(arguments: Transport.allCases) func afterTheAccountIsDeletedNothingIsAnswered(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        try await cloud.api.deleteAccount(token)
        await #expect(throws: CloudError.accountGone) {
            try await cloud.api.push(batch(1, [create(2, 12)]), token)
        }
        await #expect(throws: CloudError.accountGone) { try await cloud.api.changes(since(0), token) }
        await #expect(throws: CloudError.accountGone) {
            try await cloud.api.signal(seen: nil, waitSeconds: 0, token)
        }
        await #expect(throws: CloudError.accountGone) {
            try await cloud.api.detach(number(1), lastN: 1, token)
        }
    }

    @Test(arguments: Transport.allCases) func deletionsAreForgottenOnceAllHaveSeenThem(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let service = SyncService(cloud.directory)
        _ = try await cloud.api.push(batch(1, [create(1, 11), operation(2, .delete, 11)]), token)
        _ = try await cloud.api.changes(since(0, replica: 2), token)
        cloud.clock.advance(by: 80 * 86_400)
        _ = try await cloud.api.changes(since(0, replica: 2), token)
        cloud.clock.advance(by: 20 * 86_400)
        _ = try await cloud.api.changes(since(2, replica: 1), token)
        #expect(try service.collect() == 0, "replica 2 has not seen it, though replica 1 has")
        _ = try await cloud.api.changes(since(2, replica: 2), token)
        #expect(try service.collect() == 1)
        await #expect(throws: CloudError.sync(.cursorExpired)) {
            try await cloud.api.changes(since(0, replica: 3), token)
        }
        let late = try await cloud.api.push(batch(4, [create(1, 11, op: 50)]), token)
        #expect(late.results.map(\.code) == [.dead], "dead for as long as its data lives")
        try await cloud.api.deleteData(token)
        let again = try await cloud.api.push(batch(4, [create(1, 11, op: 51)], epoch: 2), token)
        #expect(again.results.map(\.status) == [.applied], "with all data, what is dead is forgotten too")
    }

    @Test(arguments: Transport.allCases) func aDeviceThatWasAwayForLongIsToldWhatItNeverHeard(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let service = SyncService(cloud.directory)
        let sent = [create(1, 11), operation(2, .patch, 11, ["name": "B"])]
        let lost = try await cloud.api.push(batch(1, sent), token)
        _ = try await cloud.api.push(batch(2, [operation(1, .patch, 11, ["name": "C"], op: 50)]), token)
        cloud.clock.advance(by: 400 * 86_400)
        try service.collect()
        #expect(try await cloud.api.push(batch(1, sent), token).results == lost.results)
        let rows = try await cloud.api.changes(since(0), token).rows
        #expect(rows.map { $0.fields["name"] } == ["C"], "nothing is applied twice")
    }

    @Test(arguments: Transport.allCases) func aCopyThatRepeatsAChangeHearsThatTheRowIsGone(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let patch = operation(2, .patch, 11, ["name": "B"], op: 50)
        _ = try await cloud.api.push(batch(1, [create(1, 11), patch]), token)
        let gone = try await cloud.api.push(batch(2, [operation(1, .delete, 11, op: 60)]), token)
        // A copy of the first book, which has seen everything up to here but for the deletion.
        let copy = operation(1, .patch, 11, ["name": "B"], op: 50)
        _ = try await cloud.api.push(batch(3, [copy]), token)
        let rows = try await cloud.api.changes(since(gone.head), token).rows
        #expect(rows.map(\.id) == [number(11)] && rows.allSatisfy(\.isDeleted))
    }

    @Test func resultsThatWereAcknowledgedAreForgottenInTheEnd() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let service = SyncService(cloud.directory)
        func kept() throws -> Int {
            try cloud.directory.reading { db in try db.number("SELECT count(*) FROM op_results") }
        }
        func send(_ numbers: ClosedRange<Int64>) async throws {
            let patches = numbers.map { operation($0, .patch, 11, ["name": .integer($0)]) }
            _ = try await cloud.api.push(batch(1, patches), token)
        }
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        try await send(2...400)
        try await send(401...800)
        try service.collect()
        #expect(try kept() == 800, "a copy of the book may still ask for them")
        cloud.clock.advance(by: 100 * 86_400)
        try service.collect()
        #expect(try kept() == 500, "it may not have heard of these")
        for first in stride(from: Int64(801), to: 11_000, by: 500) { try await send(first...first + 499) }
        try service.collect()
        #expect(try kept() == Int(SyncService.retainedResults))
        try cloud.directory.changing { db in try db.execute(sql: "DELETE FROM replicas") }
        cloud.clock.advance(by: 100 * 86_400)
        try service.collect()
        #expect(try kept() == 0, "nor is anything kept of a replica that was given up")
    }

    @Test func hostileBodiesAreRefused() async throws {
        let cloud = try CloudUnderTest(.http)
        let token = try await premium(cloud)
        let client = HTTPClient()
        func send(_ body: [UInt8], _ headers: [(String, String)] = []) async throws -> Int {
            var request = HTTPRequest("POST", cloud.address + Endpoints.push.path, body: body)
            request.headers =
                [("Authorization", "Bearer \(token.text)"), ("Content-Type", "application/json")] + headers
            return try await client.send(request).status
        }
        let gzip = [("Content-Encoding", "gzip")]
        let bomb = Gzip.compress([UInt8](repeating: 32, count: 50 << 20))
        #expect(bomb.count < 64 << 10)
        #expect(try await send(bomb, gzip) == 413)
        #expect(try await send(Array(bomb.prefix(1_000)), gzip) == 400, "cut off")
        #expect(try await send(Array("no gzip".utf8), gzip) == 400)
        #expect(try await send(Array("{}".utf8), [("Content-Encoding", "br")]) == 400)
        #expect(try await send([UInt8](repeating: 91, count: 100_000)) == 400)
        #expect(try await send(Array("{\"device\":".utf8)) == 400)
        #expect(try await cloud.api.changes(since(0), token).rows.isEmpty)
    }
}

@Suite struct WaitingForNews {
    private let anna = EntityID(high: 1, low: 1)
    private let bob = EntityID(high: 2, low: 2)

    @Test func aMoveBeforeAnybodyLooksIsNotMissed() async {
        let heads = Heads()
        let moves = heads.moves(of: anna)
        heads.moved(bob)
        for _ in 0..<3 { heads.moved(anna) }
        var seen = 0
        for await _ in moves {
            seen += 1
            break
        }
        #expect(seen == 1)
    }

    @Test func nothingIsRememberedOfThoseWhoAreDone() async {
        let heads = Heads()
        do {
            let moves = heads.moves(of: anna)
            #expect(heads.count == 1)
            withExtendedLifetime(moves) {}
        }
        #expect(heads.count == 0, "let go of")
        let moves = heads.moves(of: anna)
        let waiting = Task { for await _ in moves {} }
        waiting.cancel()
        await waiting.value
        #expect(heads.count == 0, "cancelled")
        heads.moved(anna)
    }

    @Test func allDevicesOfAnAccountHearOfIt() async {
        let heads = Heads()
        let streams = (0..<10).map { _ in heads.moves(of: anna) }
        heads.moved(anna)
        await withTaskGroup(of: Void.self) { group in
            for stream in streams { group.addTask { for await _ in stream { return } } }
        }
    }
}
