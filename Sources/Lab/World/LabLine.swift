// The network between a device and the cloud, or before the cloud itself: on, slow, off, or cut in the middle of
// an answer.

import CloudProtocol
import SyncCore
import Synchronization

/// How calls pass a line.
enum LineState: String, Sendable {
    /// Every call is relayed at once.
    case on
    /// Every call takes some seconds more, and an upload a quarter of a minute: time to watch what waits for it.
    case slow
    /// No call arrives, and calls under way fail.
    case off
    /// Every call arrives, and its answer is lost.
    case cut
    /// The questions about an account are lost: a sign-in works, and its verification does not.
    case noChecks = "no-checks"
    /// Every call is relayed, except for files: the cloud has no room for them.
    case noRoom = "no-room"
    /// Every call is relayed, and the cloud refuses each change that adds something: the account is full.
    case full

    /// The states that each line has a button for. The stage of a journey sets the others.
    static let usual: [LineState] = [.on, .slow, .off, .cut]
    /// The states that the line before the cloud has a button for.
    static let ofCloud: [LineState] = usual + [.noRoom]
}

/// A line that relays the calls to a cloud as its state allows.
final class LabLine: RelayingCloud {
    private struct Present {
        var state = LineState.on
        var last = 0
        var watchers: [Int: AsyncStream<LineState>.Continuation] = [:]
    }

    private let present = Mutex(Present())
    private let cloud: any CloudAPI
    /// Gets the uploads in the state `full`.
    private let fullCloud: any CloudAPI
    /// The delay of a slow line, in real milliseconds.
    private static let delay: Int64 = 2_000
    private static let uploadDelay: Int64 = 15_000

    /// - Parameter fullCloud: the same cloud with accounts that are full; nil if the line is never in that state.
    init(to cloud: any CloudAPI, whenFull fullCloud: (any CloudAPI)? = nil) {
        self.cloud = cloud
        self.fullCloud = fullCloud ?? cloud
    }

    var state: LineState { present.withLock { $0.state } }

    func set(_ state: LineState) {
        let watchers = present.withLock { present in
            present.state = state
            return Array(present.watchers.values)
        }
        for watcher in watchers { watcher.yield(state) }
    }

    /// As `RelayingCloud`.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        let (changes, number) = watch()
        defer { present.withLock { _ = $0.watchers.removeValue(forKey: number) } }
        let isUpload = endpoint.name == Endpoints.push.name
        if state == .slow {
            await waitWhileSlow(milliseconds: isUpload ? Self.uploadDelay : Self.delay)
            // A call that was given up meanwhile, because the line in front of this one was closed, does not arrive.
            guard !Task.isCancelled else { throw Self.broken }
        }
        // The state after the delay counts.
        switch state {
        case .off: throw Self.broken
        case .noChecks where endpoint.name == Endpoints.account.name: throw Self.broken
        case .noRoom where endpoint.name == Endpoints.putFile.name: throw Self.noRoom
        case .full where isUpload: return try await endpoint.call(fullCloud, request, caller)
        // A poll for news on a line that loses every answer would keep the device waiting for a minute.
        case .cut where endpoint.delivery == .news: throw Self.broken
        case .cut:
            _ = try await endpoint.call(cloud, request, caller)
            throw Self.broken
        case .slow, .on, .noChecks, .noRoom, .full: break
        }
        let cloud = cloud
        let result = await withTaskGroup(of: Result<Response, CloudError>?.self) { group in
            group.addTask {
                do throws(CloudError) {
                    return .success(try await endpoint.call(cloud, request, caller))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await state in changes where state == .off || state == .cut {
                    return .failure(Self.broken)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let next = await group.next() { if let next { return next } }
            return .failure(Self.broken)
        }
        return try result.get()
    }

    /// Suspends for the time of a slow line, or until the line is no longer slow.
    private func waitWhileSlow(milliseconds: Int64) async {
        let (changes, number) = watch()
        defer { present.withLock { _ = $0.watchers.removeValue(forKey: number) } }
        guard state == .slow else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pause(milliseconds: milliseconds) }
            group.addTask { for await state in changes where state != .slow { return } }
            await group.next()
            group.cancelAll()
        }
    }

    /// The changes of the state from now on, and the number under which they are watched.
    private func watch() -> (AsyncStream<LineState>, Int) {
        let (changes, watcher) = AsyncStream.makeStream(of: LineState.self)
        let number = present.withLock { present in
            present.last += 1
            present.watchers[present.last] = watcher
            return present.last
        }
        return (changes, number)
    }

    private static let broken = CloudError.unreachable("the lab has cut the line")
    private static let quota = FileLimits().accountBytes
    /// The answer to a file that does not fit beside the others of its account.
    private static let noRoom = CloudError.file(.quotaExceeded(used: quota - 1, quota: quota))
}
