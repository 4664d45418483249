// The downloads of receipts' files from the cloud: equal downloads are joined, and few run at once.

import CloudProtocol
import FileStore
import Ledger
import Synchronization

/// The downloads of files of all devices of a server. Safe to use from any thread.
///
/// Requests for the same file wait for one download, which does not end with the request that began it. Few downloads
/// run at once, because each needs room on the disk and requests of the cloud. The others wait in the order of their
/// arrival, except for the downloads of a device that is at its limit.
///
/// | wait | ended by | at the latest |
/// | --- | --- | --- |
/// | of a request for its download | the end of the download | after `patienceMilliseconds`; the download continues |
/// | of a download for its turn | the end of another one | when no request waits for it any more |
final class DownloadQueue: Sendable {
    /// A file as a device asks for it. Another session of the device has downloads of its own.
    struct Key: Hashable {
        let device: EntityID
        let token: SessionToken
        let hash: ContentHash
        /// The size that the receipt states, which another device may have made up.
        let size: Int64
    }

    typealias Outcome = Result<StoredFile, FileFetchError>

    struct Limits: Hashable {
        /// The downloads that run at once.
        var running = 8
        /// The downloads of one device that run at once.
        var runningOfDevice = 2
        /// The downloads of one device that wait for their turn. A page with all of its receipts has no more.
        var waitingOfDevice = 32
        /// The longest time that a request waits, in milliseconds. Proxies do not wait longer either.
        var patienceMilliseconds: Int64 = 55_000
    }

    private struct Download {
        let fetch: @Sendable () async -> Outcome
        var isRunning = false
        /// The requests that wait for it, by their numbers.
        var requests: [Int: AsyncStream<Outcome>.Continuation] = [:]
    }

    private struct State {
        var downloads: [Key: Download] = [:]
        /// The downloads that do not run, in the order of their arrival.
        var waiting: [Key] = []
        var requests = 0
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let tasks: TaskScope
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void

    /// - Parameters:
    ///   - tasks: the scope of the downloads, which end with it.
    ///   - pause: suspends for a number of milliseconds.
    init(_ limits: Limits, _ tasks: TaskScope, pause: @escaping @Sendable (Int64) async -> Void) {
        (self.limits, self.tasks, self.pause) = (limits, tasks, pause)
    }

    /// The number of requests that wait for a download.
    func requests(for key: Key) -> Int { state.withLock { $0.downloads[key]?.requests.count ?? 0 } }

    /// Waits for the download of a file, which begins if there is none of it.
    /// - Returns: `busy` if too many wait already, or if it takes too long.
    func file(_ key: Key, _ fetch: @escaping @Sendable () async -> Outcome) async -> Outcome {
        let (outcomes, outcome) = AsyncStream.makeStream(
            of: Outcome.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        guard let number = enter(key, fetch, outcome) else { return .failure(.busy) }
        startWaiting()
        let patience = Background.run { [pause, limits] in
            await pause(limits.patienceMilliseconds)
            outcome.yield(.failure(.busy))
        }
        defer {
            patience.cancel()
            leave(key, number)
        }
        for await found in outcomes { return found }
        return .failure(.busy)
    }

    /// - Returns: the number of the request; nil if its device has too many downloads that wait.
    private func enter(
        _ key: Key,
        _ fetch: @escaping @Sendable () async -> Outcome,
        _ outcome: AsyncStream<Outcome>.Continuation
    ) -> Int? {
        state.withLock { state in
            if state.downloads[key] == nil {
                guard state.waiting.count(where: { $0.device == key.device }) < limits.waitingOfDevice else {
                    return nil
                }
                state.downloads[key] = Download(fetch: fetch)
                state.waiting.append(key)
            }
            state.requests += 1
            state.downloads[key]?.requests[state.requests] = outcome
            return state.requests
        }
    }

    /// Ends the wait of a request. A download without requests does not begin; a running download continues, because it
    /// stores the file for the next request.
    private func leave(_ key: Key, _ number: Int) {
        state.withLock { state in
            // After its end there may be another download of the file, without this request.
            guard state.downloads[key]?.requests.removeValue(forKey: number) != nil,
                let download = state.downloads[key], download.requests.isEmpty, !download.isRunning
            else { return }
            state.downloads[key] = nil
            state.waiting.removeAll { $0 == key }
        }
    }

    /// Starts downloads as far as there is room for them.
    private func startWaiting() {
        while let (key, fetch) = state.withLock({ state in next(&state) }) {
            let task = tasks.run { [self] in
                finish(key, await fetch())
                startWaiting()
            }
            // The server is stopping.
            if task == nil { finish(key, .failure(.busy)) }
        }
    }

    private func next(_ state: inout State) -> (Key, @Sendable () async -> Outcome)? {
        var running: [EntityID: Int] = [:]
        for (key, download) in state.downloads where download.isRunning {
            running[key.device, default: 0] += 1
        }
        guard running.values.reduce(0, +) < limits.running,
            let place = state.waiting.firstIndex(where: {
                running[$0.device, default: 0] < limits.runningOfDevice
            })
        else { return nil }
        let key = state.waiting.remove(at: place)
        state.downloads[key]?.isRunning = true
        return state.downloads[key].map { (key, $0.fetch) }
    }

    /// Ends a download, and passes its result on.
    private func finish(_ key: Key, _ outcome: Outcome) {
        let requests = state.withLock { $0.downloads.removeValue(forKey: key)?.requests ?? [:] }
        for request in requests.values { request.yield(outcome) }
    }
}
