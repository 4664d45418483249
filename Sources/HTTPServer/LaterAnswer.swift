// Answers that are not ready when the handler returns, and answers that continue. Both suspend the
// connection, so that they block no worker thread.

import CMicroHTTPD
import Synchronization

/// A suspended connection.
///
/// Safe to hand to another thread: the library neither frees nor touches a suspended connection until it is
/// resumed, and the owner of this value resumes it exactly once, under its lock.
struct SuspendedConnection: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Suspends the connection. May be called only from within one of its callbacks.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        MHD_suspend_connection(pointer)
    }

    func resume() { MHD_resume_connection(pointer) }
}

/// The reason why a connection is suspended.
protocol Suspension: Sendable {
    /// The client has hung up.
    func readerLeft()
}

/// An answer that another thread completes later. It is for one request: a second one is answered with a 500.
public final class LaterAnswer: Suspension {
    /// Makes the answer on the worker that owns the connection, from the same request.
    typealias Making = @Sendable (Request) -> Response

    private enum State {
        case open
        case suspended(SuspendedConnection)
        case fulfilled(Making)
    }

    private let state = Mutex(State.open)

    /// An answer that is not complete yet.
    public init() {}

    /// Completes the answer. Only the first call counts.
    public func fulfil(_ response: Response) { resume { _ in response } }

    /// Completes the answer with a closure that runs on the worker that owns the connection, with the same
    /// request. Only the first call counts.
    public func resume(_ making: @escaping @Sendable (Request) -> Response) {
        state.withLock { state in
            switch state {
            case .fulfilled: return
            case .open: state = .fulfilled(making)
            case .suspended(let connection):
                state = .fulfilled(making)
                connection.resume()
            }
        }
    }

    func readerLeft() { fulfil(.text(.unavailable, "Nobody waits any more.\n")) }

    /// Returns the answer if it is complete; otherwise suspends the connection. The lock covers both, so that
    /// no completion can come in between.
    func consumeOrSuspend(_ connection: OpaquePointer) -> Making? {
        state.withLock { state in
            switch state {
            case .fulfilled(let making): return making
            case .open: state = .suspended(SuspendedConnection(connection))
            // The call may repeat for the suspended request. The connection of another request would never be
            // resumed.
            case .suspended(let suspended) where suspended.pointer == connection: break
            case .suspended: return { _ in .text(.internalError, "This answer is another request's.\n") }
            }
            return nil
        }
    }
}

/// Server-sent events (WHATWG HTML, section 9.2): an answer that stays open, for one request.
public final class EventStream: Suspension {
    private struct State {
        var queue: [UInt8] = []
        var isEnded = false
        var isClosed = false
        var connection: OpaquePointerBox?
        var suspended: SuspendedConnection?
        /// Starts the reader's deadline.
        var whenEnded: (@Sendable () -> Void)?

        /// - Returns: a callback to call after the lock is released.
        mutating func end() -> (@Sendable () -> Void)? {
            guard !isEnded else { return nil }
            isEnded = true
            defer { whenEnded = nil }
            return whenEnded
        }
    }

    /// Safe to share: it is only compared, and passed to `SuspendedConnection` from within its own callbacks.
    struct OpaquePointerBox: @unchecked Sendable { let pointer: OpaquePointer }

    private let state = Mutex(State())
    private let capacity: Int
    private let whenClosed: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: the number of bytes that may wait for a slow reader. The stream of a slower one is
    ///     ended.
    ///   - whenClosed: called, possibly more than once, when the stream has no reader any more.
    public init(capacity: Int = 64 << 10, whenClosed: @escaping @Sendable () -> Void = {}) {
        self.capacity = capacity
        self.whenClosed = whenClosed
    }

    // A stream that was never sent has no other owner to close it.
    deinit { whenClosed() }

    /// Whether the stream has no reader any more.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends an event. Line breaks in the name are removed; each line of the data becomes a line of its own.
    public func send(event: String, data: String) {
        let name = event.filter { !Self.isLineBreak($0) }
        let lines = data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineBreak)
        queue("event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n")
    }

    /// The line breaks of the format; other line breaks of Unicode are plain text.
    private static func isLineBreak(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }

    /// Ends the stream after the events sent so far.
    public func end() {
        let ended = state.withLock { state in
            defer { Self.wake(&state) }
            return state.end()
        }
        ended?()
    }

    func readerLeft() { end() }

    /// Sends a comment that readers skip: the write finds out whether the reader is still there.
    func beat() { queue(": \n\n") }

    private func queue(_ text: String) {
        let ended = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isEnded, !state.isClosed else { return nil }
            state.queue += text.utf8
            defer { Self.wake(&state) }
            return state.queue.count > capacity ? state.end() : nil
        }
        ended?()
    }

    private static func wake(_ state: inout State) {
        state.suspended?.resume()
        state.suspended = nil
    }

    /// - Returns: false if the stream is, or was, the answer to another request.
    func begin(on connection: OpaquePointer, whenEnded: @escaping @Sendable () -> Void) -> Bool {
        let (begins, isEnded) = state.withLock { state in
            guard state.connection == nil, !state.isClosed else { return (false, false) }
            state.connection = OpaquePointerBox(pointer: connection)
            if !state.isEnded { state.whenEnded = whenEnded }
            return (true, state.isEnded)
        }
        if isEnded { whenEnded() }
        return begins
    }

    /// Fills the library's buffer. Suspends the connection if there is nothing to send.
    /// - Returns: the number of bytes, or -1 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let count = min(buffer.count, state.queue.count)
            if count > 0 {
                buffer.copyBytes(from: state.queue[..<count])
                state.queue.removeFirst(count)
                return count
            }
            guard !state.isEnded, let connection = state.connection else { return -1 }
            state.suspended = SuspendedConnection(connection.pointer)
            return 0
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection = nil
            state.whenEnded = nil
        }
        whenClosed()
    }

    /// The answer for the library, which calls `read` until it returns the end, and then frees the stream.
    func made() -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64.max,
            4_096,
            { context, _, buffer, size in
                guard let context, let buffer else { return -1 }
                // Retained below, and released by the next callback.
                let stream = Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
                return stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue().close()
            }
        )
    }
}

/// The pending answers and open streams of a server. All are ended before it stops, because the library
/// aborts the process if it is stopped with a suspended connection.
final class OpenAnswers: Sendable {
    private struct State {
        var isStopping = false
        var waiting: [ObjectIdentifier: LaterAnswer] = [:]
        var streams: [ObjectIdentifier: (stream: EventStream, address: String)] = [:]
    }

    private let state = Mutex(State())

    /// - Returns: false if the server is stopping.
    func add(_ answer: LaterAnswer) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.waiting[ObjectIdentifier(answer)] = answer
            return true
        }
    }

    func remove(_ answer: LaterAnswer) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(answer)) }
    }

    /// - Returns: false if the server is stopping or the address is at its limit.
    func add(_ stream: EventStream, of address: String, limit: Int) -> Bool {
        // The closed streams are found and freed outside of the lock: each has a lock of its own, and calls
        // back when it is freed.
        let closed = state.withLock({ Array($0.streams.values) }).map(\.stream).filter(\.isClosed)
        return state.withLock { state in
            for stream in closed { state.streams[ObjectIdentifier(stream)] = nil }
            guard !state.isStopping, state.streams.values.count(where: { $0.address == address }) < limit
            else {
                return false
            }
            state.streams[ObjectIdentifier(stream)] = (stream, address)
            return true
        }
    }

    func beat() { for entry in state.withLock({ Array($0.streams.values) }) { entry.stream.beat() } }

    func endAll() {
        let (waiting, streams) = state.withLock { state in
            state.isStopping = true
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), Array(state.streams.values))
        }
        for answer in waiting { answer.fulfil(.text(.unavailable, "The server is stopping.\n")) }
        for entry in streams { entry.stream.end() }
    }
}
