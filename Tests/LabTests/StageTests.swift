// The stages of journeys, and the sentences that a walk waits for.

import Book
import CloudProtocol
import Devices
import Ledger
import Lifecycle
import SyncCore
import Templates
import Testing
import Texts

@testable import Lab

@Suite struct StageTests {
    private func world(_ kind: WorldKind, starts: Bool = true) async throws -> World {
        let parts = try labParts()
        let blueprint = try await Blueprints(parts).blueprint(of: kind)
        let world = try World(blueprint, in: "\(parts.folder)/world", parts)
        if starts { try await world.start() }
        return world
    }

    @Test func aStageBeginsWithDevicesAtRest() async throws {
        let world = try await world(.premium)
        for number in 1...2 {
            let device = try #require(world.device(number)?.device)
            #expect(device.isIdle && device.state.name == "synced", "device \(number)")
            // Its subscription was asked about, which is written down with the time of the world.
            #expect((device.session?.entitlement?.verifiedAt ?? 0) >= WorldClock.beginning / 1_000)
        }
        await world.wipe()
    }

    @Test(arguments: [("scenario-5", "synced"), ("scenario-6", "local_only"), ("scenario-8", "local_only")])
    func aProcessThatWasStartedAgainTrustsAYoungCacheOnly(_ id: String, _ state: String) async throws {
        let journey = try #require(allJourneys.all.first { $0.id == id })
        let world = try await world(journey.world)
        for step in journey.stage { try await world.perform(step) }
        let device = try #require(world.device(1)?.device)
        try await device.waitUntilIdle(withinMilliseconds: 120_000)
        #expect(device.state.name == state)
        await world.wipe()
    }

    /// With premium, the book of the account takes the place of the present one while sync is attached.
    @Test func aKillAtTheClearingComesInEachSignInThatReplacesABook() throws {
        let anna = try #require(UserID("anna"))
        let effects: [(effect: Effect?, points: [KillPoint])] = [
            (.clearBook, [.clearBook]), (.attachSync(anna, .download), [.clearBook, .attachSync]),
            (.attachSync(anna, .upload), [.attachSync]), (.attachSync(anna, .resume), [.attachSync]),
            (.seedDefaults, [.seedDefaults]), (.runSync(anna), []), (nil, [.askCloud]),
        ]
        for (effect, points) in effects {
            #expect(KillPoint.allCases.filter { $0.isAt(effect) } == points, "\(String(describing: effect))")
        }
    }

    @Test func theEndOfAJourneyTakesBackWhatItsStageHasArmedAndNothingElse() async throws {
        let world = try await world(.guest)
        let device = try #require(world.device(1))
        let stage = [StageStep.kill(1, .moveToAccount), .fail(1, .clearBook)]
        for step in stage { try await world.perform(step) }
        #expect(device.deadlyEffect == .moveToAccount)
        world.disarm(stage)
        #expect(device.deadlyEffect == nil)
        try await world.perform(.kill(1, .signOut))
        world.disarm(stage)
        #expect(device.deadlyEffect == .signOut)
        try await world.perform(.kill(1, .never))
        #expect(device.deadlyEffect == nil)
        await world.wipe()
    }

    @Test func aSessionExpiresWithoutALock() async throws {
        let world = try await world(.premium)
        try await world.perform(.expireSession(1))
        let device = try #require(world.device(1)?.device)
        try await eventually("the device learns it") { device.session?.isRevoked == true }
        #expect(device.session?.isLocked == false && device.state.name == "synced")
        #expect(world.device(2)?.device?.session?.isRevoked == false)
        for number in [1, 3] {
            do throws(LabError) {
                try await world.perform(.expireSession(number))
                Issue.record("device \(number) has a session")
            } catch {
                guard case .notPossible(.session) = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        await world.wipe()
    }

    /// The button is there as soon as the page of the lab is, and the frames may still be empty.
    @Test func aSessionExpiresBeforeItsDeviceHasStarted() async throws {
        let world = try await world(.premium, starts: false)
        try await world.perform(.expireSession(2))
        let device = try #require(world.device(2)?.device)
        try await eventually("the device learns it") { device.session?.isRevoked == true }
        await world.wipe()
    }

    @Test func aFullCloudRefusesWhatAddsSomethingUntilItHasRoom() async throws {
        let world = try await world(.premium)
        let device = try #require(world.device(1)?.device)
        func pending() async throws -> [PendingChange] {
            let lease = try await device.lease()
            defer { lease.giveBack() }
            return try lease.book.pendingChanges()
        }
        try await world.perform(.cloud(.full))
        let lease = try await device.lease()
        var transaction = try #require(try lease.book.transactions(TransactionQuery()).page.rows.first)
        transaction.note = "More than there is room for"
        try lease.book.change(transaction)
        try await eventually("the change is refused") { try await pending().first?.refusal == .accountFull }
        try await world.perform(.cloud(.on))
        let refused = try #require(try await pending().first)
        try lease.book.retry(change: refused.id)
        try await eventually("the change is in the cloud") { try await pending().isEmpty }
        lease.giveBack()
        await world.wipe()
    }

    @Test func aSentenceIsCountedByPage() async throws {
        let world = try await world(.empty)
        let (on, ended) = (Text("notices.premium-activated"), Text("notices.subscription-ended"))
        let journey = Journey(
            "test",
            [],
            on,
            on,
            in: .empty,
            steps: [],
            expecting: [.reads(1, on), .readsOnce(1, on), .readsNever(1, ended)],
            at: [1, 1, 1]
        )
        let texts = try labParts().texts
        func reached(_ pages: [(device: Int, texts: [Text])]) -> Int {
            var walk = Walk(journey, texts)
            for page in pages {
                let printed = ByteBuffer(capacity: 256)
                for text in page.texts { printed.appendEscaped(texts.string(text)) }
                walk.note(walk.found(in: printed, of: page.device))
            }
            walk.check(world)
            return walk.reached
        }
        #expect(reached([]) == 0)
        #expect(reached([(2, [on])]) == 0, "another device says it")
        #expect(reached([(1, [on]), (1, [])]) == 3)
        #expect(reached([(1, [on]), (1, [on])]) == 1, "it is said twice")
        #expect(reached([(1, [on, ended])]) == 2)
        await world.wipe()
    }

    @Test func aLaterSignIsNotThatOfAnEarlierPage() async throws {
        let world = try await world(.empty)
        let (down, works) = (Text("banks.why-unreachable"), Text("banks.refreshed"))
        let journey = Journey(
            "test",
            [],
            down,
            down,
            in: .empty,
            steps: [],
            expecting: [.reads(1, down), .readsNext(1, works), .readsNext(1, works)],
            at: [1, 1, 1]
        )
        var walk = Walk(journey, try labParts().texts)
        func show(_ text: Text) throws {
            let printed = ByteBuffer(capacity: 256)
            printed.appendEscaped(try labParts().texts.string(text))
            walk.note(walk.found(in: printed, of: 1))
            walk.check(world)
        }
        try show(works)
        try show(down)
        #expect(walk.reached == 1, "it was refreshed before the bank was down")
        try show(works)
        #expect(walk.reached == 2, "one page is one sign")
        walk.check(world)
        #expect(walk.reached == 2)
        try show(works)
        #expect(walk.reached == 3)
        await world.wipe()
    }
}
