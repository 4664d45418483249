// Answers that are not ready when the handler returns, and answers that go on: both let the connection rest
// meanwhile, so that they hold no worker thread.

import CMicroHTTPD
import Synchronization

/// A connection that rests.
///
/// Safe to hand to another thread: the library neither frees nor touches a suspended connection until it is resumed,
/// and whoever holds this value resumes it exactly once, under the lock of its owner.
struct RestingConnection: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes the connection off its worker. Only from within one of its callbacks.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        MHD_suspend_connection(pointer)
    }

    func resume() { MHD_resume_connection(pointer) }
}

/// What a connection rests for.
protocol Rest: Sendable {
    /// Whoever waited has gone.
    func readerLeft()
}

/// An answer that comes later, from any thread. It is for one request: a second one is answered with a 500.
public final class LaterAnswer: Rest {
    /// What is sent: made already, or to be made on the worker that owns the connection, from the same request.
    typealias Making = @Sendable (Request) -> Response

    private enum State {
        case open
        case resting(RestingConnection)
        case fulfilled(Making)
    }

    private let state = Mutex(State.open)

    /// An answer to wait for.
    public init() {}

    /// Gives the answer. Only the first counts.
    public func fulfil(_ response: Response) { goOn { _ in response } }

    /// Lets the worker that owns the connection make the answer, from the same request. Only the first counts.
    public func goOn(_ making: @escaping @Sendable (Request) -> Response) {
        state.withLock { state in
            switch state {
            case .fulfilled: return
            case .open: state = .fulfilled(making)
            case .resting(let connection):
                state = .fulfilled(making)
                connection.resume()
            }
        }
    }

    func readerLeft() { fulfil(.text(.unavailable, "Nobody waits any more.\n")) }

    /// The answer, where it is there; else the connection rests until it is. The lock is held over both, so that no
    /// answer can come in between.
    func takeOrRest(_ connection: OpaquePointer) -> Making? {
        state.withLock { state in
            switch state {
            case .fulfilled(let making): return making
            case .open: state = .resting(RestingConnection(connection))
            // Called again for the request that rests already; another one's would never be resumed.
            case .resting(let resting) where resting.pointer == connection: break
            case .resting: return { _ in .text(.internalError, "This answer is another request's.\n") }
            }
            return nil
        }
    }
}

/// Server-sent events (WHATWG HTML, section 9.2): an answer that stays open, for one request.
public final class EventStream: Rest {
    private struct State {
        var queue: [UInt8] = []
        var isEnded = false
        var isClosed = false
        var connection: OpaquePointerBox?
        var resting: RestingConnection?
        /// From then on the reader has only so long.
        var whenEnded: (@Sendable () -> Void)?

        /// - Returns: what to call once the lock is free.
        mutating func end() -> (@Sendable () -> Void)? {
            guard !isEnded else { return nil }
            isEnded = true
            defer { whenEnded = nil }
            return whenEnded
        }
    }

    /// Safe to share: it is only compared and handed to `RestingConnection` from within its own callbacks.
    struct OpaquePointerBox: @unchecked Sendable { let pointer: OpaquePointer }

    private let state = Mutex(State())
    private let capacity: Int
    private let whenClosed: @Sendable () -> Void

    /// A stream.
    /// - Parameters:
    ///   - capacity: how many bytes may wait for a slow reader; one who falls behind further is let go.
    ///   - whenClosed: called, perhaps more than once, when nobody reads any more.
    public init(capacity: Int = 64 << 10, whenClosed: @escaping @Sendable () -> Void = {}) {
        self.capacity = capacity
        self.whenClosed = whenClosed
    }

    // One that was never sent is closed by nobody else.
    deinit { whenClosed() }

    /// Whether nobody reads any more.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends an event. Line breaks in the name are left out; each line of the data is a line of its own.
    public func send(event: String, data: String) {
        let name = event.filter { !Self.isLineBreak($0) }
        let lines = data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineBreak)
        queue("event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n")
    }

    /// What ends a line there: Unicode's other line breaks are text like any other.
    private static func isLineBreak(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }

    /// Ends the stream after what was sent.
    public func end() {
        let ended = state.withLock { state in
            defer { Self.wake(&state) }
            return state.end()
        }
        ended?()
    }

    func readerLeft() { end() }

    /// A comment that readers skip: writing it finds out whether somebody is still there.
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
        state.resting?.resume()
        state.resting = nil
    }

    /// - Returns: false where it is, or was, another request's.
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

    /// Fills the library's buffer. With nothing to send the connection rests.
    /// - Returns: how many bytes, or -1 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let count = min(buffer.count, state.queue.count)
            if count > 0 {
                buffer.copyBytes(from: state.queue[..<count])
                state.queue.removeFirst(count)
                return count
            }
            guard !state.isEnded, let connection = state.connection else { return -1 }
            state.resting = RestingConnection(connection.pointer)
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

    /// The answer as the library sends it: it asks `read` until that says the end, then lets the stream go.
    func made() -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64.max,
            4_096,
            { context, _, buffer, size in
                guard let context, let buffer else { return -1 }
                // Retained below, released by the callback that follows this one.
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

/// The answers of a server that wait or go on: all are ended before it stops, because the library aborts the process
/// where it is stopped with a connection that rests.
final class OpenAnswers: Sendable {
    private struct State {
        var isStopping = false
        var waiting: [ObjectIdentifier: LaterAnswer] = [:]
        var streams: [ObjectIdentifier: (stream: EventStream, address: String)] = [:]
    }

    private let state = Mutex(State())

    /// - Returns: false where the server is stopping.
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

    /// - Returns: false where the server is stopping or the address has as many as it may have.
    func add(_ stream: EventStream, of address: String, limit: Int) -> Bool {
        // Looked at and let go outside of the lock: each has a lock of its own, and tells that it was let go.
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
