// The parts of a world: its clock, its store and its lines.

import CloudProtocol
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Lab

@Suite struct WorldClockTests {
    @Test func aPauseEndsWhenTheClockIsMovedPastIt() async throws {
        let clock = WorldClock()
        let before = clock.milliseconds
        let pause = Task { await clock.pause(milliseconds: 3_600_000) }
        let later = Task { await clock.pause(milliseconds: 4 * 86_400_000) }
        try await eventually("both have begun") { clock.pauseCount == 2 }
        let moved = clock.advance(milliseconds: 3_600_000)
        #expect(moved && clock.milliseconds >= before + 3_600_000)
        await pause.value
        _ = clock.advance(milliseconds: 4 * 86_400_000)
        await later.value
    }

    @Test func aPauseOfMoreThanTheMoveGoesOn() async throws {
        let clock = WorldClock()
        let isOver = Mutex(false)
        let pause = Task {
            await clock.pause(milliseconds: 8 * 86_400_000)
            isOver.withLock { $0 = true }
        }
        try await eventually("it has begun") { clock.pauseCount == 1 }
        for _ in 0..<7 { _ = clock.advance(milliseconds: 86_400_000) }
        try await eventually("it was begun again") { clock.pauseCount == 1 }
        let wasOver = isOver.withLock { $0 }
        #expect(!wasOver)
        _ = clock.advance(milliseconds: 86_400_000)
        await pause.value
    }

    @Test func aCancelledPauseEnds() async {
        let clock = WorldClock()
        let pause = Task { await clock.pause(milliseconds: 3_600_000) }
        pause.cancel()
        await pause.value
    }

    @Test func itIsMovedForwardOnlyAndNotForEver() {
        let clock = WorldClock(isStill: true)
        let back = clock.advance(milliseconds: -1)
        let far = clock.advance(milliseconds: .max)
        #expect(!back && !far && clock.milliseconds == WorldClock.beginning)
        let step = clock.advance(milliseconds: WorldClock.furthest)
        let beyond = clock.advance(milliseconds: 1)
        #expect(step && !beyond)
    }
}

@Suite struct DemoStoreTests {
    private let clock = WorldClock(isStill: true)
    private let user = EntityID(high: 1, low: 1)

    private func entitlement(after actions: StoreAction..., days: Int64 = 0) -> Entitlement {
        let store = DemoStore(clock)
        for action in actions { store.perform(action, for: user) }
        _ = clock.advance(milliseconds: days * 86_400_000)
        return store.entitlement(of: user)
    }

    @Test func eachActionHasItsEntitlement() {
        #expect(entitlement().status == .none)
        #expect(entitlement(after: .subscribe).status == .active)
        #expect(entitlement(after: .subscribe).willRenew)
        #expect(entitlement(after: .approvalPending).status == .pending)
        #expect(entitlement(after: .approvalPending, .subscribe).status == .active)
        #expect(entitlement(after: .subscribe, .paymentFailing).status == .grace)
        #expect(entitlement(after: .subscribe, .cancel).status == .active)
        #expect(!entitlement(after: .subscribe, .cancel).willRenew)
        #expect(entitlement(after: .subscribe, .expire).status == .expired)
        #expect(entitlement(after: .subscribe, .refund).status == .revoked)
        #expect(entitlement(after: .subscribe, .expire, .renew).status == .active)
    }

    @Test func onlyAPurchaseIsRefunded() {
        func canRefund(after actions: StoreAction...) -> Bool {
            let store = DemoStore(clock)
            for action in actions { store.perform(action, for: user) }
            return store.canRefund(user)
        }
        #expect(!canRefund() && !canRefund(after: .approvalPending))
        #expect(canRefund(after: .subscribe) && canRefund(after: .subscribe, .paymentFailing))
        #expect(canRefund(after: .subscribe, .expire))
        #expect(!canRefund(after: .subscribe, .refund), "the money is back")
        #expect(canRefund(after: .subscribe, .refund, .subscribe))
    }

    @Test func timeEndsWhatIsNotRenewed() {
        #expect(entitlement(after: .subscribe, .cancel, days: 30).status == .expired)
        #expect(entitlement(after: .subscribe, .paymentFailing, days: 16).status == .expired)
        #expect(entitlement(after: .subscribe, days: 300).status == .active)
    }

    @Test func arenewedSubscriptionEndsInTheFuture() {
        let store = DemoStore(clock)
        store.perform(.subscribe, for: user)
        for days in [0, 1, 29, 30, 31, 59, 60, 61, 200] as [Int64] {
            let probe = WorldClock(offset: days * 86_400_000, isStill: true)
            let copy = DemoStore(probe, subscriptions: store.all)
            let end = copy.entitlement(of: user).expiresAt ?? 0
            #expect(end > probe.milliseconds / 1_000, "\(days)")
            #expect(end <= probe.milliseconds / 1_000 + DemoStore.month, "\(days)")
        }
    }

    @Test func arenewalAddsAMonthToTheOneThatIsPaid() {
        let store = DemoStore(clock)
        store.perform(.subscribe, for: user)
        let end = store.entitlement(of: user).expiresAt ?? 0
        store.perform(.renew, for: user)
        #expect(store.entitlement(of: user).expiresAt == end + DemoStore.month)
    }
}

@Suite struct LabLineTests {
    /// A cloud that counts calls, and answers those for an account only when it is let.
    private final class CountingCloud: RelayingCloud {
        let calls = Mutex(0)
        let answers = AsyncStream.makeStream(of: Void.self)

        func send<Request, Response>(
            _ endpoint: Endpoint<Request, Response>,
            _ request: Request,
            _ caller: Caller
        ) async throws(CloudError) -> Response {
            calls.withLock { $0 += 1 }
            for await _ in answers.stream { break }
            throw .accountGone
        }
    }

    private func ask(_ line: LabLine) async -> CloudError? {
        var random = SystemRandomNumberGenerator()
        do throws(CloudError) {
            _ = try await line.account(SessionToken(using: &random))
            return nil
        } catch { return error }
    }

    private var isUnreachable: (CloudError?) -> Bool {
        { if case .unreachable = $0 { true } else { false } }
    }

    @Test func anOpenLineRelays() async {
        let cloud = CountingCloud()
        cloud.answers.continuation.finish()
        let line = LabLine(to: cloud)
        for state in [LineState.on, .slow] {
            line.set(state)
            #expect(await ask(line) == .accountGone)
        }
    }

    @Test func uploadsAloneReachTheFullCloud() async {
        let (cloud, full) = (CountingCloud(), CountingCloud())
        for one in [cloud, full] { one.answers.continuation.finish() }
        let line = LabLine(to: cloud, whenFull: full)
        var random = SystemRandomNumberGenerator()
        let token = SessionToken(using: &random)
        let batch = PushBatch(replica: EntityID(high: 1, low: 1), epoch: 1, operations: [])
        func counts() -> [Int] { [cloud, full].map { one in one.calls.withLock { $0 } } }
        for state in [LineState.on, .full] {
            line.set(state)
            do throws(CloudError) { _ = try await line.push(batch, token) } catch {}
        }
        #expect(counts() == [1, 1])
        #expect(await ask(line) == .accountGone)
        #expect(counts() == [2, 1])
    }

    @Test func aClosedLineRelaysNothing() async {
        let cloud = CountingCloud()
        let line = LabLine(to: cloud)
        line.set(.off)
        #expect(isUnreachable(await ask(line)))
        #expect(cloud.calls.withLock { $0 } == 0)
    }

    @Test func aCallOnASlowLineDoesNotArriveOnceItIsClosed() async {
        let cloud = CountingCloud()
        let line = LabLine(to: cloud)
        line.set(.slow)
        let call = Task { await ask(line) }
        await pause(milliseconds: 200)
        line.set(.off)
        #expect(isUnreachable(await call.value))
        #expect(cloud.calls.withLock { $0 } == 0)
    }

    @Test func aCallThatIsGivenUpDoesNotArriveOnTheNextLine() async {
        let cloud = CountingCloud()
        let far = LabLine(to: cloud)
        let near = LabLine(to: far)
        far.set(.slow)
        let call = Task { await ask(near) }
        await pause(milliseconds: 200)
        near.set(.off)
        #expect(isUnreachable(await call.value))
        #expect(cloud.calls.withLock { $0 } == 0)
    }

    @Test func aCallUnderWayFailsWhenItsLineIsClosed() async throws {
        for state in [LineState.off, .cut] {
            let cloud = CountingCloud()
            let line = LabLine(to: cloud)
            let call = Task { await ask(line) }
            try await eventually("the call has arrived") { cloud.calls.withLock { $0 } == 1 }
            line.set(state)
            #expect(isUnreachable(await call.value))
        }
    }
}
