// Who is connected since when: what the deadline of a whole request is kept by.
//
// libmicrohttpd's own timeout counts only silence: who sends a byte a second would stay for ever.

import Glibc
import Synchronization

/// One connection. Its worker thread writes, the watchdog reads.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    /// What limits count it as; nil for a proxy's.
    let network: String?
    /// When the watchdog cuts the connection off, in seconds of the server's clock.
    let deadline: Atomic<Int64>
    /// Whether a request has begun that is not yet answered.
    let hasRequest = Atomic(false)
    /// Whether a whole request has arrived that is not yet answered.
    let isAnswering = Atomic(false)
    /// Who gives way first: a number that grows, with each connection below zero and with each answer above.
    let turn = Atomic(0)
    /// For whom a proxy has sent the request that is under way.
    fileprivate let client = Mutex<String?>(nil)
    private let resting = Mutex<(any Rest)?>(nil)

    init(descriptor: Int32, network: String?, deadline: Int64) {
        self.descriptor = descriptor
        self.network = network
        self.deadline = Atomic(deadline)
    }

    /// Moves the deadline.
    func allow(until deadline: Int64) {
        self.deadline.store(deadline, ordering: .relaxed)
        resting.withLock { $0 = nil }
    }

    /// Takes the deadline away, for an answer that waits or a stream of events.
    func allowForEver(_ rest: any Rest) {
        resting.withLock { $0 = rest }
        deadline.store(.max, ordering: .relaxed)
    }

    /// What its connection rests for.
    var rest: (any Rest)? { resting.withLock { $0 } }
}

/// The open connections of a server, and how many there may be.
///
/// The limits are kept here and not by the library: where one of its workers has its share, connections that others
/// could take are lost.
final class ConnectionRegister: Sendable {
    fileprivate struct Shelf {
        var records: [ObjectIdentifier: ConnectionRecord] = [:]
        var lastNumber = 0
        var byNetwork: [String: Int] = [:]
        var count = 0
        var refusals = ["address": 0, "full": 0]

        /// Counts one more of a client's, unless it has enough of them.
        mutating func take(_ network: String, limit: Int) -> Bool {
            let open = byNetwork[network, default: 0]
            guard open < limit else {
                refusals["address", default: 0] += 1
                return false
            }
            byNetwork[network] = open + 1
            return true
        }

        mutating func giveBack(_ network: String) {
            let open = byNetwork[network, default: 1] - 1
            byNetwork[network] = open > 0 ? open : nil
        }
    }

    fileprivate let shelf = Mutex(Shelf())
    private let limit: Int
    private let limitOfAddress: Int
    private let clock = Atomic(0)
    /// So many are let go at once where there is no room: the workers need a moment to notice.
    private static let letGoAtOnce = 64

    init(limit: Int, limitOfAddress: Int) {
        self.limit = limit
        self.limitOfAddress = limitOfAddress
    }

    /// How many connections are open.
    var count: Int { shelf.withLock { $0.count } }

    /// Whether what is left is for clients that the server knows.
    var isCrowded: Bool { count > limit - limit / 8 }

    var refusals: [(reason: String, count: Int)] {
        shelf.withLock { $0.refusals }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func noteRefusal(_ reason: String) { shelf.withLock { $0.refusals[reason, default: 0] += 1 } }

    /// Whether another one may be accepted.
    var hasRoom: Bool { count < limit }

    /// Somebody waits and there is no room: those give way that have never sent a whole request, the oldest first, and then
    /// those that rest between two requests.
    func makeRoom() {
        shelf.withLock { shelf in
            let idle = shelf.records.filter { !$0.value.isAnswering.load(ordering: .relaxed) }
            let oldest = idle.sorted {
                $0.value.turn.load(ordering: .relaxed) < $1.value.turn.load(ordering: .relaxed)
            }
            for (_, record) in oldest.prefix(Self.letGoAtOnce) {
                shutdown(record.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Counts a connection in, unless its client has enough of them.
    /// - Parameter network: nil for a proxy's.
    func admit(from network: String?) -> Bool {
        shelf.withLock { shelf in
            if let network, !shelf.take(network, limit: limitOfAddress) { return false }
            shelf.count += 1
            return true
        }
    }

    /// Counts one out that was admitted.
    func leave(from network: String?) {
        shelf.withLock { shelf in
            shelf.count -= 1
            if let network { shelf.giveBack(network) }
        }
    }

    /// Counts a request that a proxy has sent for a client, until it is answered.
    /// - Returns: false where that client has enough of them.
    func claim(_ record: ConnectionRecord, for network: String) -> Bool {
        guard shelf.withLock({ $0.take(network, limit: limitOfAddress) }) else { return false }
        let before = record.client.withLock { client in
            defer { client = network }
            return client
        }
        if let before { shelf.withLock { $0.giveBack(before) } }
        return true
    }

    /// Notes that a connection's request is over.
    func noteAnswered(_ record: ConnectionRecord) {
        record.isAnswering.store(false, ordering: .relaxed)
        record.turn.store(clock.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        release(record)
    }

    private func release(_ record: ConnectionRecord) {
        let client = record.client.withLock { client in
            defer { client = nil }
            return client
        }
        if let client { shelf.withLock { $0.giveBack(client) } }
    }

    func add(_ record: ConnectionRecord) {
        shelf.withLock { shelf in
            shelf.lastNumber += 1
            record.turn.store(.min + shelf.lastNumber, ordering: .relaxed)
            shelf.records[ObjectIdentifier(record)] = record
        }
    }

    /// Called before the library closes the socket, so that no descriptor in the register is ever another's.
    func remove(_ record: ConnectionRecord) {
        release(record)
        shelf.withLock { _ = $0.records.removeValue(forKey: ObjectIdentifier(record)) }
        leave(from: record.network)
    }

    /// Ends the connections that are past their deadline: the library sees the end of the stream and cleans up.
    func cutOff(now: Int64) {
        shelf.withLock { shelf in
            for record in shelf.records.values where record.deadline.load(ordering: .relaxed) < now {
                shutdown(record.descriptor, Int32(SHUT_RDWR))
            }
        }
    }
}

extension ConnectionRegister {
    /// Lets the connections go that are kept open without a request. One that has been sent but not yet read still is:
    /// only what comes later is not.
    func letIdleGo() {
        shelf.withLock { shelf in
            for record in shelf.records.values where !record.hasRequest.load(ordering: .relaxed) {
                shutdown(record.descriptor, Int32(SHUT_RD))
            }
        }
    }

    /// Tells what rests when its reader has hung up: the library looks at no connection that rests, and a heartbeat is
    /// lost in the socket's buffer.
    func noticeDepartures() {
        let records = shelf.withLock { Array($0.records.values) }
        let resting = records.compactMap { record in record.rest.map { (record, $0) } }
        guard !resting.isEmpty else { return }
        // The register may have let a connection go in the meantime, and its number be another's: then the worst that
        // comes of it is that somebody who has just hung up is told so.
        var polled = resting.map { pollfd(fd: $0.0.descriptor, events: Int16(pollHangUp), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
        for (entry, seen) in zip(resting, polled) where seen.revents != 0 { entry.1.readerLeft() }
    }
}

/// POLLRDHUP, which glibc shows with _GNU_SOURCE only: the other side has closed its half.
private let pollHangUp: Int32 = 0x2000

/// Raises the number of files that the process may have open, as far as the system allows.
/// - Returns: how many connections it can serve beside books and what else is open: at most as many as were asked for.
func connectionLimit(_ connections: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
    let wanted = rlim_t(connections + filesBeside)
    if limit.rlim_cur < wanted {
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, wanted)
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
    }
    return min(connections, max(16, Int(clamping: limit.rlim_cur) - filesBeside))
}

/// Books with their logs and readers, the device store, the cloud and its connections, libraries: with room to spare.
private let filesBeside = 512

/// Seconds of a clock that never jumps.
public func monotonicSeconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec)
}
