// Who is connected since when: what the deadline of a whole request is kept by.
//
// libmicrohttpd's own timeout counts only silence: who sends a byte a second would stay for ever.

import Glibc
import Synchronization

/// One connection. Its worker thread writes, the watchdog reads.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    /// When the watchdog cuts the connection off, in seconds of the server's clock.
    let deadline: Atomic<Int64>

    init(descriptor: Int32, deadline: Int64) {
        self.descriptor = descriptor
        self.deadline = Atomic(deadline)
    }

    /// Moves the deadline.
    func allow(until deadline: Int64) { self.deadline.store(deadline, ordering: .relaxed) }

    /// Takes the deadline away: an answer that waits, or a stream of events.
    func allowForEver() { deadline.store(.max, ordering: .relaxed) }
}

/// The open connections of a server.
final class ConnectionRegister: Sendable {
    private let records = Mutex<[ObjectIdentifier: ConnectionRecord]>([:])

    func add(_ record: ConnectionRecord) { records.withLock { $0[ObjectIdentifier(record)] = record } }

    /// Called before the library closes the socket, so that no descriptor in the register is ever another's.
    func remove(_ record: ConnectionRecord) {
        records.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(record)) }
    }

    /// Ends the connections that are past their deadline: the library sees the end of the stream and cleans up.
    func cutOff(now: Int64) {
        records.withLock { records in
            for record in records.values where record.deadline.load(ordering: .relaxed) < now {
                shutdown(record.descriptor, Int32(SHUT_RDWR))
            }
        }
    }
}

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
