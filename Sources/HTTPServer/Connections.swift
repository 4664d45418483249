// Who is connected since when: what the deadline of a whole request is kept by.
//
// libmicrohttpd's own timeout counts only silence: who sends a byte a second would stay for ever.

import Glibc
import Synchronization

/// One connection. Its worker thread writes, the watchdog reads.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    /// Where it comes from.
    let address: String
    /// When the watchdog cuts the connection off, in seconds of the server's clock.
    let deadline: Atomic<Int64>
    /// Whether a request has begun that is not yet answered.
    let hasRequest = Atomic(false)
    private let resting = Mutex<(any Rest)?>(nil)

    init(descriptor: Int32, address: String, deadline: Int64) {
        self.descriptor = descriptor
        self.address = address
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
        var byAddress: [String: Int] = [:]
        var count = 0
    }

    fileprivate let shelf = Mutex(Shelf())
    private let limit: Int
    private let limitOfAddress: Int

    init(limit: Int, limitOfAddress: Int) {
        self.limit = limit
        self.limitOfAddress = limitOfAddress
    }

    /// How many connections are open.
    var count: Int { shelf.withLock { $0.count } }

    /// Whether another one may be accepted.
    var hasRoom: Bool { count < limit }

    /// Counts a connection in, unless its address has enough of them.
    func admit(from address: String) -> Bool {
        shelf.withLock { shelf in
            let open = shelf.byAddress[address, default: 0]
            guard open < limitOfAddress else { return false }
            shelf.byAddress[address] = open + 1
            shelf.count += 1
            return true
        }
    }

    /// Counts one out that was admitted.
    func leave(from address: String) {
        shelf.withLock { shelf in
            shelf.count -= 1
            let open = shelf.byAddress[address, default: 1] - 1
            shelf.byAddress[address] = open > 0 ? open : nil
        }
    }

    func add(_ record: ConnectionRecord) { shelf.withLock { $0.records[ObjectIdentifier(record)] = record } }

    /// Called before the library closes the socket, so that no descriptor in the register is ever another's.
    func remove(_ record: ConnectionRecord) {
        shelf.withLock { _ = $0.records.removeValue(forKey: ObjectIdentifier(record)) }
        leave(from: record.address)
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

/// Lets the process open as many files as so many connections and their books need, as far as the system allows.
func raiseFileLimit(connections: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(connections * 2 + 256)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// Seconds of a clock that never jumps.
public func monotonicSeconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec)
}
