// A mobile line between this machine and itself: TCP connections whose bytes arrive later, and only so many a second.

import Foundation
import Glibc
import Synchronization

/// Passes the bytes of connections on to a port of this machine.
final class MobileLine: Sendable {
    /// The properties of a line, the same in both directions.
    struct Profile: Sendable {
        /// From a request to the first byte of its answer, in seconds.
        let roundTrip: Double
        let bitsPerSecond: Double
        let name: String
        /// False for a line that is measured for comparison.
        let isTarget: Bool

        /// Both profiles as WebPageTest has them. The second profile is a phone with a bad signal.
        static let mobile = [
            Profile(
                roundTrip: 0.07,
                bitsPerSecond: 12_000_000,
                name: "4G (12 Mbit/s, 70 ms)",
                isTarget: true
            ),
            Profile(
                roundTrip: 0.17,
                bitsPerSecond: 9_000_000,
                name: "a slow 4G (9 Mbit/s, 170 ms)",
                isTarget: false
            ),
        ]
    }

    /// The port of this end of the line.
    let port: Int
    private let listener: Int32
    private let target: Int
    let profile: Profile
    /// When the line is free again in each direction, in seconds: its connections share it.
    private let free = Mutex<[Double]>([0, 0])
    private let passed = Mutex<[Int]>([0, 0])

    /// The bytes that have come from the other end.
    var received: Int { passed.withLock { $0[1] } }

    init(to target: Int, _ profile: Profile) throws {
        (listener, port) = try LocalSocket.listening()
        (self.target, self.profile) = (target, profile)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Accepts no new connections. An open connection ends with its two ends.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let near = Glibc.accept(listener, nil, nil)
            guard near >= 0 else { break }
            Thread.detachNewThread { [self] in connect(near) }
        }
        close(listener)
    }

    private func connect(_ near: Int32) {
        // The handshakes of TCP and of TLS 1.3 take a round trip each.
        Thread.sleep(forTimeInterval: 2 * profile.roundTrip)
        guard let far = try? LocalSocket.connected(to: target) else {
            close(near)
            return
        }
        let done = DispatchGroup()
        for (way, (source, sink)) in [(near, far), (far, near)].enumerated() {
            let queue = ArrivalQueue()
            Thread.detachNewThread { [self] in read(source, way, into: queue) }
            done.enter()
            Thread.detachNewThread {
                queue.deliver(to: sink)
                shutdown(sink, Int32(SHUT_WR))
                done.leave()
            }
        }
        done.wait()
        close(near)
        close(far)
    }

    private func read(_ source: Int32, _ way: Int, into queue: ArrivalQueue) {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            passed.withLock { $0[way] += count }
            let sent = free.withLock { free in
                free[way] = max(free[way], monotonicNow()) + Double(count) * 8 / profile.bitsPerSecond
                return free[way]
            }
            queue.add(Array(buffer[..<count]), at: sent + profile.roundTrip / 2)
        }
        queue.end()
    }
}

/// The bytes that are on their way, in the order in which they arrive.
private final class ArrivalQueue: Sendable {
    private let waiting = Mutex<[(bytes: [UInt8], at: Double)]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ bytes: [UInt8], at time: Double) {
        waiting.withLock { $0.append((bytes, time)) }
        count.signal()
    }

    /// No bytes follow.
    func end() { add([], at: 0) }

    /// Writes the bytes when they arrive, until the end.
    func deliver(to sink: Int32) {
        while true {
            count.wait()
            let (bytes, time) = waiting.withLock { $0.removeFirst() }
            guard !bytes.isEmpty else { return }
            Thread.sleep(forTimeInterval: max(0, time - monotonicNow()))
            var sent = 0
            while sent < bytes.count {
                let written = bytes[sent...].withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
        }
    }
}

/// A clock that only goes forward, in seconds.
private func monotonicNow() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
