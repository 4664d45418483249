// The providers of a server, the refreshes that are running, and the devices whose connections may be due.

import BankFeeds
import Ledger
import SyncCore
import Synchronization

/// The state of bank connections that all devices of a server share. Safe to use from any thread.
final class BankServices: Sendable {
    let feeds: [any BankFeed]
    let counts = BankCounts()
    /// The connections that are being refreshed, each with whether it has to be refreshed once more.
    let refreshing = Mutex<[EntityID: Bool]>([:])
    let planned = Mutex(Planned())
    /// The refreshes that users have asked for: a provider counts each of them.
    private let asked = Mutex(TokenBuckets<EntityID>(TokenBucket.Limit(perSecond: 1.0 / 60, burst: 10)))
    private let joined = Mutex<[EntityID: EntityID]>([:])
    /// The connections whose setup tokens are being claimed.
    private let claiming = Mutex<[EntityID: Int]>([:])
    /// The greatest number of joined connections that are remembered.
    private static let mostJoined = 1_000

    struct Planned {
        var schedule = BankSchedule()
        var devices: [EntityID: Device] = [:]
    }

    init(_ feeds: [any BankFeed]) { self.feeds = feeds }

    /// The feed of a provider; nil if the operator has not set it up.
    func feed(_ provider: String) -> (any BankFeed)? { feeds.first { $0.provider.key == provider } }

    /// Counts a refresh that a user asks for.
    /// - Parameter now: in milliseconds.
    /// - Returns: false if there were too many: ten at once, one a minute on average.
    func mayRefresh(_ connection: EntityID, at now: Int64) -> Bool {
        asked.withLock { $0.count(connection, at: now) }
    }

    /// Records the beginning of a refresh.
    /// - Returns: false if one is running for this connection.
    func begin(_ connection: EntityID) -> Bool {
        refreshing.withLock { refreshing in
            guard refreshing[connection] == nil else { return false }
            refreshing[connection] = false
            return true
        }
    }

    /// The same for a refresh that must not be dropped: another refresh follows a running refresh.
    func beginAfterPresent(_ connection: EntityID) -> Bool {
        refreshing.withLock { refreshing in
            let isFirst = refreshing[connection] == nil
            refreshing[connection] = !isFirst
            return isFirst
        }
    }

    /// Records the end of a refresh.
    /// - Returns: false if the caller has to begin another one, whose beginning is recorded already.
    func end(_ connection: EntityID) -> Bool {
        refreshing.withLock { refreshing in
            let isLast = refreshing[connection] != true
            refreshing[connection] = isLast ? nil : false
            return isLast
        }
    }

    /// Records that a refresh did not begin, because the server stops.
    func drop(_ connection: EntityID) { refreshing.withLock { $0[connection] = nil } }

    /// Whether a connection is being refreshed, also by a refresh that has begun with a connection that was joined to it
    /// since: the book does not have yet what was read.
    func isRefreshing(_ connection: EntityID) -> Bool {
        let running = refreshing.withLock { Array($0.keys) }
        return running.contains { $0 == connection || present($0) == connection }
    }

    /// Whether a setup token is being claimed for a connection.
    func isClaiming(_ connection: EntityID) -> Bool { claiming.withLock { $0[connection] != nil } }

    func beginClaim(for connection: EntityID) { claiming.withLock { $0[connection, default: 0] += 1 } }

    func endClaim(for connection: EntityID) {
        claiming.withLock { claiming in
            let left = (claiming[connection] ?? 1) - 1
            claiming[connection] = left > 0 ? left : nil
        }
    }

    /// Remembers that a connection was joined to another one, for tabs that still show the first.
    func noteJoined(_ connection: EntityID, to other: EntityID) {
        joined.withLock { joined in
            if joined.count >= Self.mostJoined { joined = [:] }
            joined[connection] = other
        }
    }

    /// The connection that one was joined to; itself if it was not.
    func present(_ connection: EntityID) -> EntityID {
        joined.withLock { joined in
            var present = connection
            while let next = joined[present], next != present { present = next }
            return present
        }
    }

    // MARK: - Automatic refreshes

    /// Adds a device whose connections may be due.
    /// - Parameter dueAt: UTC milliseconds.
    func plan(_ device: Device, on occasion: BankOccasion, at dueAt: Int64) {
        planned.withLock { planned in
            planned.schedule.add(device.id, on: occasion, at: dueAt)
            planned.devices[device.id] = device
        }
    }

    /// Begins the next turn.
    /// - Parameter now: UTC milliseconds.
    func nextTurn(at now: Int64) -> (turn: BankSchedule.Turn, device: Device)? {
        planned.withLock { planned in
            guard let turn = planned.schedule.next(at: now), let device = planned.devices[turn.device] else {
                return nil
            }
            return (turn, device)
        }
    }

    /// - Parameter now: UTC milliseconds.
    func end(_ turn: BankSchedule.Turn, _ outcome: BankSchedule.Outcome, at now: Int64) {
        planned.withLock { planned in
            planned.schedule.end(turn, outcome, at: now)
            if !planned.schedule.contains(turn.device) { planned.devices[turn.device] = nil }
        }
    }
}
