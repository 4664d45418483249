// The open connections, with a deadline for each whole request.
//
// The timeout of libmicrohttpd counts silence only: a client that sends a byte a second would stay forever.

import Glibc
import Synchronization

/// One connection. Its worker thread writes the record, the watchdog reads it.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    /// The key by which limits count the client; nil for a proxy.
    let network: String?
    /// The time at which the watchdog closes the connection, in seconds of the server's clock.
    let deadline: Atomic<Int64>
    /// Whether a request has begun and is not answered yet.
    let hasRequest = Atomic(false)
    /// Whether a whole request has arrived and is not answered yet.
    let isAnswering = Atomic(false)
    /// The order in which idle connections are closed: a growing number, below zero after the opening and
    /// above zero after an answer.
    let turn = Atomic(0)
    /// The client for which a proxy sent the request that is under way.
    fileprivate let client = Mutex<String?>(nil)
    private let suspended = Mutex<(any Suspension)?>(nil)

    init(descriptor: Int32, network: String?, deadline: Int64) {
        self.descriptor = descriptor
        self.network = network
        self.deadline = Atomic(deadline)
    }

    /// Sets the deadline.
    func allow(until deadline: Int64) {
        self.deadline.store(deadline, ordering: .relaxed)
        suspended.withLock { $0 = nil }
    }

    /// Moves the deadline of a request that is arriving.
    func extend(by seconds: Int64) {
        // One worker writes it. The sum fits: a request without a deadline is not arriving.
        deadline.store(
            deadline.load(ordering: .relaxed).addingReportingOverflow(seconds).partialValue,
            ordering: .relaxed
        )
    }

    /// Removes the deadline, for an answer that waits or a stream of events.
    func removeDeadline(for suspension: any Suspension) {
        suspended.withLock { $0 = suspension }
        deadline.store(.max, ordering: .relaxed)
    }

    /// The reason why the connection is suspended.
    var suspension: (any Suspension)? { suspended.withLock { $0 } }
}

/// The open connections of a server, and the limits of their number.
///
/// The limits are not left to the library: a worker whose share is used up would drop connections that other
/// workers could accept.
final class ConnectionRegister: Sendable {
    fileprivate struct State {
        var records: [ObjectIdentifier: ConnectionRecord] = [:]
        var lastNumber = 0
        var byNetwork: [String: Int] = [:]
        var count = 0
        var refusals = ["address": 0, "full": 0]

        /// Counts a further connection of a client, unless the client is at its limit.
        mutating func countIn(_ network: String, limit: Int) -> Bool {
            let open = byNetwork[network, default: 0]
            guard open < limit else {
                refusals["address", default: 0] += 1
                return false
            }
            byNetwork[network] = open + 1
            return true
        }

        mutating func countOut(_ network: String) {
            let open = byNetwork[network, default: 1] - 1
            byNetwork[network] = open > 0 ? open : nil
        }
    }

    fileprivate let state = Mutex(State())
    private let limit: Int
    private let limitOfAddress: Int
    private let clock = Atomic(0)
    /// The number of connections that are closed at once to make room: the workers notice with a delay.
    private static let closedAtOnce = 64

    init(limit: Int, limitOfAddress: Int) {
        self.limit = limit
        self.limitOfAddress = limitOfAddress
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.count } }

    /// Whether the remaining connections are reserved for known clients.
    var isCrowded: Bool { count > limit - limit / 8 }

    var refusals: [(reason: String, count: Int)] {
        state.withLock { $0.refusals }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func noteRefusal(_ reason: String) { state.withLock { $0.refusals[reason, default: 0] += 1 } }

    /// Whether another connection may be accepted.
    var hasRoom: Bool { count < limit }

    /// Makes room for waiting connections: closes connections that have never sent a whole request, the
    /// oldest first, and then connections that are idle between two requests.
    func makeRoom() {
        state.withLock { state in
            let idle = state.records.filter { !$0.value.isAnswering.load(ordering: .relaxed) }
            let oldest = idle.sorted {
                $0.value.turn.load(ordering: .relaxed) < $1.value.turn.load(ordering: .relaxed)
            }
            for (_, record) in oldest.prefix(Self.closedAtOnce) {
                shutdown(record.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Counts a new connection, unless its client is at its limit.
    /// - Parameter network: nil for a proxy.
    func admit(from network: String?) -> Bool {
        state.withLock { state in
            if let network, !state.countIn(network, limit: limitOfAddress) { return false }
            state.count += 1
            return true
        }
    }

    /// Removes an admitted connection from the count.
    func leave(from network: String?) {
        state.withLock { state in
            state.count -= 1
            if let network { state.countOut(network) }
        }
    }

    /// Counts a request that a proxy sent for a client, until it is answered.
    /// - Returns: false if that client is at its limit.
    func claim(_ record: ConnectionRecord, for network: String) -> Bool {
        guard state.withLock({ $0.countIn(network, limit: limitOfAddress) }) else { return false }
        let before = record.client.withLock { client in
            defer { client = network }
            return client
        }
        if let before { state.withLock { $0.countOut(before) } }
        return true
    }

    /// Notes that the request of a connection is complete.
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
        if let client { state.withLock { $0.countOut(client) } }
    }

    func add(_ record: ConnectionRecord) {
        state.withLock { state in
            state.lastNumber += 1
            record.turn.store(.min + state.lastNumber, ordering: .relaxed)
            state.records[ObjectIdentifier(record)] = record
        }
    }

    /// Called before the library closes the socket, so that every descriptor here is the connection's own.
    func remove(_ record: ConnectionRecord) {
        release(record)
        state.withLock { _ = $0.records.removeValue(forKey: ObjectIdentifier(record)) }
        leave(from: record.network)
    }

    /// Ends the connections that are past their deadline. The library sees the end of the stream and cleans
    /// up.
    func closeExpired(now: Int64) {
        state.withLock { state in
            for record in state.records.values where record.deadline.load(ordering: .relaxed) < now {
                shutdown(record.descriptor, Int32(SHUT_RDWR))
            }
        }
    }
}

extension ConnectionRegister {
    /// Closes the connections that are open without a request. A request that was sent and is not read yet is
    /// still answered; later requests are not.
    func closeIdle() {
        state.withLock { state in
            for record in state.records.values where !record.hasRequest.load(ordering: .relaxed) {
                shutdown(record.descriptor, Int32(SHUT_RD))
            }
        }
    }

    /// Notifies suspended connections whose clients have hung up. The library does not poll a suspended
    /// connection, and a heartbeat only fills the buffer of the socket.
    func noticeDepartures() {
        let records = state.withLock { Array($0.records.values) }
        let suspended = records.compactMap { record in record.suspension.map { (record, $0) } }
        guard !suspended.isEmpty else { return }
        // A connection may have been closed in the meantime, and its descriptor reused. At worst a client
        // that has just hung up is notified twice.
        var polled = suspended.map { pollfd(fd: $0.0.descriptor, events: Int16(pollHangUp), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
        for (entry, seen) in zip(suspended, polled) where seen.revents != 0 { entry.1.readerLeft() }
    }
}

/// POLLRDHUP, which glibc declares only with _GNU_SOURCE: the other side has closed its half.
private let pollHangUp: Int32 = 0x2000

/// Raises the limit of open files as far as the system allows.
/// - Returns: the number of connections that fit beside books and other files; at most the given number.
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

/// The descriptors for books with their logs and readers, the device store, the cloud and its connections,
/// and libraries, with a margin.
private let filesBeside = 512

/// Seconds of a monotonic clock.
public func monotonicSeconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec)
}
