// The network between a device and the cloud, or before the cloud itself: on, slow, off, or cut in the middle of
// an answer.

import CloudProtocol
import SyncCore
import Synchronization

/// How calls pass a line.
enum LineState: String, CaseIterable, Sendable {
    /// Every call is relayed at once.
    case on
    /// Every call takes some seconds more, and an upload a quarter of a minute: time to watch what waits for it.
    case slow
    /// No call arrives, and those under way fail.
    case off
    /// Every call arrives, and its answer is lost.
    case cut
}

/// A line that relays the calls to a cloud as its state allows.
final class LabLine: RelayingCloud {
    private struct Present {
        var state = LineState.on
        /// Whether the questions about the account are lost until the state is set again.
        var losesAccounts = false
        var last = 0
        var watchers: [Int: AsyncStream<LineState>.Continuation] = [:]
    }

    private let present = Mutex(Present())
    private let cloud: any CloudAPI
    /// The delay of a slow line, in real milliseconds.
    private static let delay: Int64 = 2_000
    private static let uploadDelay: Int64 = 15_000

    init(to cloud: any CloudAPI) { self.cloud = cloud }

    var state: LineState { present.withLock { $0.state } }

    func set(_ state: LineState) {
        let watchers = present.withLock { present in
            (present.state, present.losesAccounts) = (state, false)
            return Array(present.watchers.values)
        }
        for watcher in watchers { watcher.yield(state) }
    }

    /// Loses the questions about the account until the state is set again: a sign-in works, its verification does not.
    func loseAccounts() { present.withLock { $0.losesAccounts = true } }

    /// As `RelayingCloud`.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        let (state, losesAccounts, changes, number) = watch()
        defer { present.withLock { _ = $0.watchers.removeValue(forKey: number) } }
        if losesAccounts, endpoint.name == Endpoints.account.name { throw Self.broken }
        switch state {
        case .off: throw Self.broken
        // A poll for news on a line that loses every answer would keep the device waiting for a minute.
        case .cut where endpoint.delivery == .news: throw Self.broken
        case .cut:
            _ = try await endpoint.call(cloud, request, caller)
            throw Self.broken
        case .slow:
            let isUpload = endpoint.name == Endpoints.push.name
            await pause(milliseconds: isUpload ? Self.uploadDelay : Self.delay)
        case .on: break
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

    private func watch() -> (LineState, losesAccounts: Bool, AsyncStream<LineState>, Int) {
        let (changes, watcher) = AsyncStream.makeStream(of: LineState.self)
        return present.withLock { present in
            present.last += 1
            present.watchers[present.last] = watcher
            return (present.state, present.losesAccounts, changes, present.last)
        }
    }

    private static let broken = CloudError.unreachable("the lab has cut the line")
}
