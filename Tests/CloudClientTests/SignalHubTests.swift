// One long poll for many devices: the requests on the line, and the result of each device.
import CloudProtocol
import Dispatch
import Foundation
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud
@testable import CloudClient

/// A cloud that supports only signals, over a line that can fail.
private final class Line: Sendable {
    let watches: Mutex<Watches>
    let heads = Mutex<[SessionToken: Int64]>([:])
    let ended = Mutex<[SessionToken: CloudError]>([:])
    let fault = Mutex<CloudError?>(nil)
    let isOld = Mutex(false)
    let sent = Mutex<[SignalsRequest]>([])
    let open = Mutex(0)
    let mostOpen = Mutex(0)
    /// The executor of each request's task; nil for Swift's shared pool.
    let executors = Mutex<[UnownedTaskExecutor?]>([])
    let clock = Mutex<Int64>(0)
    /// The pauses of the waits at the cloud. The test ends them.
    let pauses = Pauses()
    /// The pauses of a hub. They end immediately unless they are held.
    let own = Pauses()
    let isHeld = Mutex(false)

    init() {
        watches = Mutex(
            Watches(now: { 0 }, newID: { "" }, check: { _ throws(CloudError) in throw .failed("") })
        )
        restart()
    }

    /// Simulates a restart of the cloud, which has no watches afterwards.
    func restart() {
        let fresh = Watches(
            now: { 0 },
            newID: { UUID().uuidString },
            check: { [weak self] token throws(CloudError) in
                guard let self else { throw .failed("gone") }
                if let error = ended.withLock({ $0[token] }) { throw error }
                return (Self.user(token), Head(epoch: 1, seq: heads.withLock { $0[token] ?? 0 }))
            }
        )
        watches.withLock { $0 = fresh }
    }

    static func user(_ token: SessionToken) -> EntityID {
        EntityID(high: 4, low: UInt64(token.text.suffix(8)) ?? 0)
    }

    func write(_ token: SessionToken, _ seq: Int64) {
        heads.withLock { $0[token] = seq }
        watches.withLock { $0 }.moved(Self.user(token))
    }

    func end(_ token: SessionToken, _ error: CloudError) {
        ended.withLock { $0[token] = error }
        watches.withLock { $0 }.moved(Self.user(token))
    }

    func send(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer? {
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        executors.withLock { $0.append(executor) }
        sent.withLock { $0.append(request) }
        if let error = fault.withLock({ $0 }) { throw error }
        if isOld.withLock({ $0 }) { return nil }
        let now = open.withLock { open in
            open += 1
            return open
        }
        mostOpen.withLock { $0 = max($0, now) }
        defer { open.withLock { $0 -= 1 } }
        let (watches, pauses) = (watches.withLock { $0 }, pauses)
        let answer = try await watches.answer(request, pause: { await pauses.pause($0) })
        guard !Task.isCancelled else { throw .unreachable("cancelled") }
        if let error = fault.withLock({ $0 }) { throw error }
        return answer
    }

    /// A hub whose own pauses advance the clock and take no time.
    func hub(
        on executor: (any TaskExecutor)? = nil,
        mostSessions: Int = SignalsRequest.mostOfWatch
    ) -> SignalHub {
        SignalHub(
            on: executor,
            mostSessions: mostSessions,
            milliseconds: { self.clock.withLock { $0 } },
            pause: { milliseconds in
                if self.isHeld.withLock({ $0 }) { await self.own.pause(milliseconds) }
                self.clock.withLock { $0 += milliseconds }
                await Task.yield()
            },
            send: { request throws(CloudError) in try await self.send(request) }
        )
    }

    /// Pauses that last until the test ends them.
    final class Pauses: Sendable {
        private let open = Mutex<[Int: AsyncStream<Never>.Continuation]>([:])
        private let made = Mutex(0)

        /// The number of pauses that have not ended.
        var count: Int { open.withLock { $0.count } }

        func pause(_ milliseconds: Int64) async {
            let number = made.withLock { made in
                made += 1
                return made
            }
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            open.withLock { $0[number] = continuation }
            for await _ in stream {}
            open.withLock { _ = $0.removeValue(forKey: number) }
        }

        func end() {
            for continuation in open.withLock({ Array($0.values) }) { continuation.finish() }
        }
    }
}

/// An executor of a test's own.
private final class OneQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "one")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

@Suite struct AHubOfWaits {
    private let line = Line()

    private func token(_ number: Int) throws -> SessionToken {
        let digits = String(number)
        return try #require(SessionToken(String(repeating: "0", count: 64 - digits.count) + digits))
    }

    private func head(_ seq: Int64) -> Head { Head(epoch: 1, seq: seq) }

    private func told(_ outcome: SignalHub.Outcome) -> Result<Head, CloudError>? {
        guard case .answered(let result) = outcome else { return nil }
        return result
    }

    /// Starts devices that wait, by number.
    private func wait(_ hub: SignalHub, _ numbers: Range<Int>, seen: Int64 = 0, seconds: Int64 = 45) throws
        -> [Int: Task<Result<Head, CloudError>?, Never>]
    {
        var tasks: [Int: Task<Result<Head, CloudError>?, Never>] = [:]
        for number in numbers {
            let (token, seen) = (try token(number), head(seen))
            tasks[number] = Task {
                guard
                    case .answered(let result) = await hub.signal(seen: seen, waitSeconds: seconds, token)
                else { return nil }
                return result
            }
        }
        return tasks
    }

    /// Starts devices that do not wait, in the pause after a failure: the hub has them all before it asks.
    private func together(_ hub: SignalHub, _ numbers: Range<Int>) async throws
        -> [Int: Task<Result<Head, CloudError>?, Never>]
    {
        line.isHeld.withLock { $0 = true }
        let devices = try wait(hub, numbers, seconds: 0)
        try await eventuallyTrue { await hub.waiting == numbers.count }
        line.isHeld.withLock { $0 = false }
        line.own.end()
        return devices
    }

    /// Waits until the hub knows that the watch contains all devices. The cloud knows it earlier: until the last answer to
    /// an update has arrived, polls are answered at once with news of a session that the hub does not know to be watched,
    /// and hubs in these tests repeat such polls without a pause.
    private func watched(_ hub: SignalHub, _ numbers: Range<Int>) async throws {
        try await eventuallyTrue {
            line.watches.withLock { $0.count } == numbers.count && line.pauses.count == 1
        }
        for number in numbers {
            #expect(
                told(await hub.signal(seen: head(0), waitSeconds: 0, try token(number))) == .success(head(0))
            )
        }
    }

    /// The shared pool has one thread for each core: whatever blocks those would stop the sync of every device.
    @Test func nothingOfItWorksOnTheSharedPool() async throws {
        let executor = OneQueue()
        let hub = line.hub(on: executor)
        let devices = try wait(hub, 0..<3)
        try await watched(hub, 0..<3)
        line.write(try token(1), 6)
        #expect(await devices[1]?.value == .success(head(6)))
        for device in devices.values { device.cancel() }
        for device in devices.values { _ = await device.value }
        try await eventuallyTrue { line.open.withLock { $0 } == 0 }
        let own = executor.asUnownedTaskExecutor()
        #expect(line.executors.withLock { $0.count >= 2 && $0.allSatisfy { $0 == own } })
    }

    @Test func hundredsOfDevicesWaitWithOneRequest() async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<700)
        try await watched(hub, 0..<700)
        // One request waits, and beside it one adds later sessions.
        #expect(line.mostOpen.withLock { $0 } <= 2)
        #expect(line.sent.withLock { $0.allSatisfy { $0.set.count <= SignalsRequest.most } })
        let sent = line.sent.withLock { $0.count }
        line.write(try token(345), 6)
        #expect(await devices[345]?.value == .success(head(6)))
        try await eventuallyTrue { line.pauses.count == 1 }
        // The next poll acknowledges the head, and does not mention the other sessions.
        let last = try #require(line.sent.withLock { $0.last })
        #expect(last.set.map(\.seen) == [head(6)] && last.set.first?.token == nil)
        #expect(line.sent.withLock { $0.count } <= sent + 2)
        for device in devices.values { device.cancel() }
        for (number, device) in devices where number != 345 {
            guard case .failure(.unreachable)? = await device.value else {
                Issue.record("a device that gives up is told something else")
                return
            }
        }
        try await eventuallyTrue { line.open.withLock { $0 } == 0 }
    }

    @Test func aDeviceThatBeginsHearsWhereTheDataStands() async throws {
        let hub = line.hub()
        let token = try token(1)
        line.write(token, 5)
        #expect(told(await hub.signal(seen: nil, waitSeconds: 45, token)) == .success(head(5)))
        #expect(told(await hub.signal(seen: head(3), waitSeconds: 45, token)) == .success(head(5)))
        // Without a wait, the answer is immediate even if nothing has changed.
        #expect(told(await hub.signal(seen: head(5), waitSeconds: 0, token)) == .success(head(5)))
        line.heads.withLock { $0[token] = 9 }
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, token)) == .success(head(9)))
    }

    @Test func aWaitEndsWithTheSameHead() async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<30, seconds: 10)
        try await watched(hub, 0..<30)
        // The poll ends before the wait.
        line.clock.withLock { $0 += 5_000 }
        line.pauses.end()
        try await eventuallyTrue { line.pauses.count == 1 }
        line.clock.withLock { $0 += 5_000 }
        line.pauses.end()
        for device in devices.values { #expect(await device.value == .success(head(0))) }
        // Devices that wait again are still in the watch.
        let told = line.sent.withLock { $0.flatMap(\.set).count }
        let again = try wait(hub, 0..<30)
        try await eventuallyTrue { line.pauses.count == 1 }
        #expect(line.sent.withLock { $0.flatMap(\.set).count } == told)
        for device in again.values { device.cancel() }
    }

    @Test func oneDeviceThatGivesUpEndsItsOwnWaitOnly() async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<20)
        try await watched(hub, 0..<20)
        devices[7]?.cancel()
        _ = await devices[7]?.value
        #expect(line.pauses.count == 1)
        line.write(try token(8), 2)
        #expect(await devices[8]?.value == .success(head(2)))
        // A session without a waiter for `keptMilliseconds` is removed from the watch by the next poll.
        try await eventuallyTrue { line.pauses.count == 1 }
        line.clock.withLock { $0 += SignalHub.keptMilliseconds }
        line.pauses.end()
        try await eventuallyTrue { line.watches.withLock { $0.count } == 18 }
        for device in devices.values { device.cancel() }
    }

    @Test(arguments: [CloudError.sessionRevoked, .accountGone])
    func anEndedSessionIsToldToItsDeviceOnly(error: CloudError) async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<20)
        try await watched(hub, 0..<20)
        line.end(try token(3), error)
        #expect(await devices[3]?.value == .failure(error))
        try await eventuallyTrue { line.watches.withLock { $0.count } == 19 && line.pauses.count == 1 }
        // The same holds for a session that ended before the watch contained it.
        #expect(told(await hub.signal(seen: head(0), waitSeconds: 45, try token(3))) == .failure(error))
        line.write(try token(4), 1)
        #expect(await devices[4]?.value == .success(head(1)))
        for device in devices.values { device.cancel() }
    }

    @Test func devicesBeyondWhatAWatchTakesAskByThemselves() async throws {
        let hub = line.hub(mostSessions: 3)
        let devices = try wait(hub, 0..<3)
        try await watched(hub, 0..<3)
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(3))) == nil)
        // The sessions in the watch get news as before.
        line.write(try token(1), 7)
        #expect(await devices[1]?.value == .success(head(7)))
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(1))) == .success(head(7)))
        for device in devices.values { device.cancel() }
    }

    @Test func aCloudThatIsAwayIsAskedOnceForAllDevices() async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<300)
        try await watched(hub, 0..<300)
        let away = CloudError.unreachable("cut")
        line.fault.withLock { $0 = away }
        line.pauses.end()
        for device in devices.values { #expect(await device.value == .failure(away)) }
        let sent = line.sent.withLock { $0.count }
        let probes = try await together(hub, 0..<300)
        for probe in probes.values { #expect(await probe.value == .failure(away)) }
        #expect(line.sent.withLock { $0.count } == sent + 1)
        line.fault.withLock { $0 = nil }
        line.write(try token(5), 4)
        let back = try await together(hub, 0..<300)
        for (number, probe) in back {
            #expect(await probe.value == .success(head(number == 5 ? 4 : 0)))
        }
        #expect(line.sent.withLock { $0.flatMap(\.set).count { $0.token != nil } } == 300)
    }

    @Test func aCloudThatHasBegunAnewIsToldOfAllDevices() async throws {
        let hub = line.hub()
        let devices = try wait(hub, 0..<600)
        try await watched(hub, 0..<600)
        line.restart()
        let moved = try token(77)
        line.heads.withLock { $0[moved] = 3 }
        line.pauses.end()
        #expect(await devices[77]?.value == .success(head(3)))
        try await eventuallyTrue { line.watches.withLock { $0.count } == 600 && line.pauses.count == 1 }
        line.write(try token(78), 8)
        #expect(await devices[78]?.value == .success(head(8)))
        for device in devices.values { device.cancel() }
    }

    @Test func anOlderCloudIsAskedByEachDevice() async throws {
        let hub = line.hub()
        line.isOld.withLock { $0 = true }
        let devices = try wait(hub, 0..<20)
        for device in devices.values { #expect(await device.value == nil) }
        let sent = line.sent.withLock { $0.count }
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(1))) == nil)
        #expect(line.sent.withLock { $0.count } == sent)
        // A newer cloud may answer after a while, and after a failure of the line.
        line.isOld.withLock { $0 = false }
        line.clock.withLock { $0 += SignalHub.retryMilliseconds }
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(1))) == .success(head(0)))
        line.isOld.withLock { $0 = true }
        line.restart()
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(2))) == nil)
        line.isOld.withLock { $0 = false }
        await hub.lineFailed()
        #expect(told(await hub.signal(seen: nil, waitSeconds: 0, try token(2))) == .success(head(0)))
    }

    /// The state that a test of the gate shares with its tasks.
    private final class Passed: Sendable {
        let clock = Mutex<Int64>(0)
        let numbers = Mutex<[Int]>([])

        func enter(_ gate: RequestGate, _ number: Int) async -> CloudError? {
            do throws(CloudError) {
                try await gate.enter()
                numbers.withLock { $0.append(number) }
                return nil
            } catch { return error }
        }
    }

    @Test func aGateLetsSoManyThroughInTheirOrder() async throws {
        let passed = Passed()
        let gate = RequestGate(2, on: nil, milliseconds: { passed.clock.withLock { $0 } })
        try await gate.enter()
        try await gate.enter()
        var tasks: [Task<CloudError?, Never>] = []
        for number in 0..<4 {
            tasks.append(Task { await passed.enter(gate, number) })
            try await eventuallyTrue { await gate.count == number + 1 }
        }
        tasks[1].cancel()
        #expect(await tasks[1].value != nil)
        await gate.leave()
        #expect(await tasks[0].value == nil)
        // A failing connection ends the requests that have waited for long, and no others.
        passed.clock.withLock { $0 += SyncLimits.silentSeconds * 1_000 }
        let late = Task { await passed.enter(gate, 9) }
        try await eventuallyTrue { await gate.count == 3 }
        await gate.leave(.unreachable("cut"))
        #expect(await tasks[2].value == .unreachable("cut"))
        #expect(await tasks[3].value == .unreachable("cut"))
        #expect(await late.value == nil)
        #expect(passed.numbers.withLock { $0 } == [0, 9])
    }
}
