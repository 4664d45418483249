// The prepared worlds: they are what their names say, and the same each time.

import Book
import Devices
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Lab

@Suite struct BlueprintTests {
    private func world(_ kind: WorldKind, _ parts: LabParts, _ name: String) async throws -> World {
        let blueprint = try await Blueprints(parts).blueprint(of: kind)
        let world = try World(blueprint, in: "\(parts.folder)/\(name)", parts)
        try await world.start()
        return world
    }

    private func summary(_ world: World) async throws -> [String] {
        var lines: [String] = []
        for part in world.devices {
            guard let device = part.device else { continue }
            try await device.waitUntilIdle(withinMilliseconds: 120_000)
            try await eventually("device \(part.number) has no work left") {
                ["local_only", "synced"].contains(device.state.name)
            }
            let lease = try await device.lease()
            defer { lease.giveBack() }
            let counts = try lease.book.counts()
            lines.append("\(part.number) \(device.state.name) \(device.tier) \(counts.transactions)")
        }
        return lines
    }

    @Test(arguments: [
        (WorldKind.empty, [String]()),
        (.newGuest, ["1 local_only guest 0"]),
        (.guest, ["1 local_only guest 12"]),
        (.free, ["1 local_only free YEAR"]),
        (.premium, ["1 synced premium YEAR", "2 synced premium YEAR"]),
        (.exPremium, ["1 local_only free YEAR"]),
        (.threeCurrencies, ["1 synced premium TRAVEL", "2 synced premium TRAVEL"]),
        (.conflict, ["1 synced premium YEAR", "2 synced premium YEAR"]),
    ])
    func eachWorldIsWhatItsNameSays(_ kind: WorldKind, _ expected: [String]) async throws {
        let parts = try labParts()
        let sample = MadeUpBook(owner: EntityID(high: 1, low: 1), today: CivilDate(dayNumber: 20_778))
        let numbers = [
            "YEAR": sample.year().transactions.count, "TRAVEL": sample.threeCurrencies().transactions.count,
        ]
        let world = try await world(kind, parts, "world")
        let wanted = expected.map { line in
            numbers.reduce(line) { $0.replacing($1.key, with: "\($1.value)") }
        }
        #expect(try await summary(world) == wanted)
        if kind == .conflict {
            var open = 0
            for number in [1, 2] {
                let lease = try #require(try await world.device(number)?.device?.lease())
                open += try lease.book.openConflictCount()
                lease.giveBack()
            }
            #expect(open >= 1)
        }
        await world.wipe()
    }

    @Test func theSameSeedMakesTheSameWorld() async throws {
        func rows() async throws -> [String] {
            let parts = try labParts()
            let world = try await world(.premium, parts, "world")
            defer { Task { await world.wipe() } }
            let device = try #require(world.device(2)?.device)
            try await device.waitUntilIdle(withinMilliseconds: 120_000)
            let lease = try await device.lease()
            defer { lease.giveBack() }
            var query = TransactionQuery()
            query.limit = 500
            return try lease.book.transactions(query).page.rows.map { "\($0)" }
        }
        let (one, other) = (try await rows(), try await rows())
        #expect(one.count > 200 && one == other)
    }

    @Test func theMadeUpBookIsMadeUpTheSameWayEachTime() {
        let sample = MadeUpBook(owner: EntityID(high: 1, low: 1), today: CivilDate(dayNumber: 20_778))
        #expect(sample.twelveTransactions().transactions.count == 12)
        #expect(sample.year().transactions == sample.year().transactions)
        let many = sample.transactions(10_000).transactions
        #expect(many.count == 10_000 && Set(many.map(\.id)).count == 10_000)
        #expect(many.allSatisfy { $0.date.dayNumber <= 20_778 })
        let known = Set(Seed.categories(of: EntityID(high: 1, low: 1)).map(\.id))
        #expect(many.allSatisfy { $0.category.map(known.contains) ?? true })
    }
}
