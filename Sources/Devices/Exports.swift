// The downloads of one device's book: how many there may be, and which of them may read the book.

import Synchronization

/// The slot of one download of a book, from its request until it is sent or abandoned.
///
/// A download needs space on a disk until the client has all of it, and while it is written a core and a
/// reader of the book. Each device has few slots, and one download of it is written at a time. The others
/// wait for that, which takes as long as reading the book, and not as long as a slow client.
public final class ExportSlot: Sendable {
    /// The downloads that one device may have at a time: a person who asks for each file in turn, some twice,
    /// is not refused although the earlier files are still being sent.
    static let mostPerDevice = 4

    private let exports: Exports

    fileprivate init(_ exports: Exports) { self.exports = exports }

    deinit { exports.leave() }

    /// Performs the work that writes the download as soon as no other download of the device is written.
    ///
    /// The end of the earlier work wakes this one, in the order of the calls. It ends by itself, because it
    /// waits for no client, so there is no deadline.
    public func write<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
        await exports.startWriting()
        defer { exports.endWriting() }
        return try await work()
    }
}

/// The downloads of one device. Safe to use from any thread.
final class Exports: Sendable {
    private struct Owned {
        var slots = 0
        var isWriting = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let owned = Mutex(Owned())

    /// A slot for a further download; nil if the device has as many as it may.
    func slot() -> ExportSlot? {
        let isFree = owned.withLock { owned in
            guard owned.slots < ExportSlot.mostPerDevice else { return false }
            owned.slots += 1
            return true
        }
        return isFree ? ExportSlot(self) : nil
    }

    fileprivate func leave() { owned.withLock { $0.slots -= 1 } }

    fileprivate func startWriting() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isFree = owned.withLock { owned in
                guard owned.isWriting else {
                    owned.isWriting = true
                    return true
                }
                owned.waiters.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    /// Passes the turn to the next waiter, if there is one.
    fileprivate func endWriting() {
        let next = owned.withLock { owned -> CheckedContinuation<Void, Never>? in
            guard !owned.waiters.isEmpty else {
                owned.isWriting = false
                return nil
            }
            return owned.waiters.removeFirst()
        }
        next?.resume()
    }
}
