// Runs a device's sync engine beside the requests: one task that talks, and one that waits for news.

import Ledger
import SyncCore
import SyncEngine
import Synchronization

/// The running engine of one device.
final class SyncRunner: Sendable {
    typealias Engine = SyncEngine<DeviceReplica>

    /// No upload for so long while the queue is to be emptied, in milliseconds: the state says that it waits.
    private static let stallMilliseconds: Int64 = 30_000
    /// How soon a cloud that did not answer is asked again whether it is there, in milliseconds.
    private static let probeMilliseconds: Int64 = 4_000

    private let device: Device
    private let mode: Engine.Mode
    private let engine: Mutex<Engine>
    private let bell = Bell()
    private let isHurried = Atomic(false)
    private let tasks = Mutex<[Task<Void, Never>]>([])
    /// How it went last.
    private let last: Mutex<SyncStatus>

    init(_ device: Device, mode: Engine.Mode) {
        self.device = device
        self.mode = mode
        let surroundings = device.house.surroundings
        engine = Mutex(
            Engine(
                DeviceReplica(device: device),
                mode: mode,
                random: SystemRandomNumberGenerator(),
                newReplica: { surroundings.newID() }
            )
        )
        last = Mutex(SyncStatus(phase: .connecting))
    }

    /// Begins to talk and to listen.
    func start() {
        tasks.withLock {
            $0 = [Background.run { await self.talk() }, Background.run { await self.listen() }]
        }
    }

    /// Ends; what is under way with the network may still come back, and is not taken.
    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        bell.ring()
    }

    /// Goes on at once. Nobody waits for what the engine is at.
    func hurry() {
        isHurried.store(true, ordering: .releasing)
        bell.ring()
    }

    /// How it goes.
    var status: SyncStatus { last.withLock { $0 } }

    // MARK: - Talking

    private func talk() async {
        var progress = (pending: Int.max, at: device.house.surroundings.milliseconds())
        while !Task.isCancelled {
            switch next() {
            case .over(let end):
                publish()
                return device.syncEnded(end)
            case .rest(let until):
                publish()
                noteStall(&progress)
                await bell.wait(pause(until), device.house.surroundings.pause)
            case .ask(let request):
                guard let session = device.session, let token = session.token, !session.isRevoked else {
                    return device.syncEnded(.sessionRevoked)
                }
                let answer = await request.ask(device.house.cloud, token)
                guard !Task.isCancelled else { return }
                take(answer, request)
                publish()
                noteStall(&progress)
                if case .refused(.subscriptionRequired) = answer, mode == .run { device.beginVerifying() }
            }
        }
    }

    private func next() -> SyncStep {
        let now = device.house.surroundings.milliseconds()
        return engine.withLock { engine in
            if isHurried.exchange(false, ordering: .acquiring) { engine.hurry() }
            do { return try engine.next(at: now) } catch {
                device.house.surroundings.log("sync: the book cannot be used: \(error) (device \(device.id))")
                engine.storeFailed(at: now)
                return .rest(until: now + 1_000)
            }
        }
    }

    private func take(_ answer: SyncAnswer, _ request: SyncRequest) {
        let now = device.house.surroundings.milliseconds()
        if case .refused(let error) = answer {
            device.house.surroundings.log("sync: \(error) (device \(device.id))")
        }
        engine.withLock { engine in
            do { try engine.take(answer, to: request, at: now) } catch {
                device.house.surroundings.log(
                    "sync: the book cannot be changed: \(error) (device \(device.id))"
                )
                engine.storeFailed(at: now)
            }
        }
    }

    private func pause(_ until: Int64?) -> Int64 {
        let most = mode == .drain ? Self.stallMilliseconds : 3_600_000
        return min(most, max(1, until.map { $0 - device.house.surroundings.milliseconds() } ?? most))
    }

    /// A queue that is to be emptied and does not get shorter is said to wait.
    private func noteStall(_ progress: inout (pending: Int, at: Int64)) {
        guard mode == .drain else { return }
        let now = device.house.surroundings.milliseconds()
        let pending = status.pending
        if pending < progress.pending { progress = (pending, now) }
        guard now - progress.at >= Self.stallMilliseconds else { return }
        progress.at = now
        device.queueStalls()
    }

    private func publish() {
        let status = engine.withLock { engine in try? engine.status() }
        guard let status else { return }
        let before = last.withLock { last in
            defer { last = status }
            return last
        }
        guard before != status else { return }
        device.syncMoved(status)
    }

    // MARK: - Listening

    /// Waits for news of the cloud. Where it cannot be reached, it is asked every few seconds whether it is back.
    private func listen() async {
        var seen: Head?
        var wasAway = false
        while !Task.isCancelled {
            guard let token = device.session?.token else { return }
            do throws(CloudError) {
                let head = try await device.house.cloud.signal(
                    seen: seen,
                    waitSeconds: SyncLimits.waitSeconds,
                    token
                )
                guard !Task.isCancelled else { return }
                let isNews = engine.withLock { $0.note(head) }
                if wasAway { hurry() } else if isNews { bell.ring() }
                (seen, wasAway) = (head, false)
            } catch {
                switch error {
                case .sessionRevoked, .accountGone:
                    // The talking hears the same, and acts on it.
                    hurry()
                    return
                default: break
                }
                wasAway = true
                await device.house.surroundings.pause(Self.probeMilliseconds)
            }
        }
    }
}

/// Lets one wait until it is rung, or a time is over. A ring that nobody waits for is kept.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Lets who waits go on.
    func ring() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let waiting = state.waiting else {
                state.isRung = true
                return nil
            }
            state.waiting = nil
            return waiting
        }?.resume()
    }

    /// Waits.
    func wait(_ milliseconds: Int64, _ pause: @escaping @Sendable (Int64) async -> Void) async {
        let limit = Background.run {
            await pause(milliseconds)
            if !Task.isCancelled { self.ring() }
        }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                guard !state.isRung else {
                    state.isRung = false
                    return true
                }
                state.waiting = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
        limit.cancel()
    }
}

/// The runners of all devices.
final class Runners: Sendable {
    private let all = Mutex<[EntityID: SyncRunner]>([:])

    /// Lets a runner take the place of the one before.
    func start(_ runner: SyncRunner, for device: EntityID) {
        all.withLock { all in
            defer { all[device] = runner }
            return all[device]
        }?.stop()
        runner.start()
    }

    /// Ends a device's runner.
    func stop(_ device: EntityID) { all.withLock { $0.removeValue(forKey: device) }?.stop() }

    /// Ends all.
    func stopAll() {
        let runners = all.withLock { all in
            defer { all = [:] }
            return all.values.map { $0 }
        }
        for runner in runners { runner.stop() }
    }

    /// A device's runner.
    subscript(device: EntityID) -> SyncRunner? { all.withLock { $0[device] } }
}
