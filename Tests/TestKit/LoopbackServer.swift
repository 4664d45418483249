// A server that does what a test's script says, byte by byte.
import Foundation
import Glibc

package enum LoopbackError: Error {
    case cannotListen(Int32)
    /// The other side did nothing for hours.
    case nothingCame
}

/// The time that a script waits for the other side. All tests begin at once, and the threads of Swift's pool are busy with
/// others: on a machine with two cores and other work, a client began half an hour after its server.
private let patienceSeconds = 7_200

/// Listens on a port of this machine. Nothing is accepted, read or sent unless the script does it.
package final class LoopbackServer: Sendable {
    package let port: Int
    private let listener: Int32

    /// - Parameters:
    ///   - receiveBuffer: the kernel's buffer for each connection, in bytes; nil for the system's size.
    ///   - backlog: the number of connections that the kernel opens before they are accepted.
    package init(receiveBuffer: Int32? = nil, backlog: Int32 = 1_024) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (listener, size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard isBound == 0, listen(listener, backlog) == 0 else { throw LoopbackError.cannotListen(errno) }
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Runs a script on a thread of its own, from now on: it may block, and waits for no thread of Swift's pool, which
    /// other tests may hold for minutes.
    package func run<Value: Sendable>(_ script: @escaping @Sendable (LoopbackServer) throws -> Value)
        -> LoopbackScript<Value>
    {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        Thread.detachNewThread { [self] in
            let result = Result { try script(self) }
            // The script accepts no more connections. A client that waits for one gets an error, and the test ends.
            if case .failure = result { shutdown(listener, Int32(SHUT_RDWR)) }
            continuation.yield(result)
            continuation.finish()
        }
        return LoopbackScript(results: results)
    }

    /// The next connection.
    package func accept() throws -> LoopbackConnection {
        guard isConnectionWaiting(milliseconds: Int32(patienceSeconds) * 1_000) else {
            throw LoopbackError.nothingCame
        }
        return LoopbackConnection(Glibc.accept(listener, nil, nil))
    }

    /// Whether there is a connection that was not accepted.
    package func isConnectionWaiting(milliseconds: Int32 = 0) -> Bool {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        var count: Int32
        // A debugger that looks at the process interrupts the wait, which then begins anew.
        repeat { count = poll(&polled, 1, milliseconds) } while count < 0 && errno == EINTR
        return count == 1
    }
}

/// A script that is running.
package struct LoopbackScript<Value: Sendable>: Sendable {
    fileprivate let results: AsyncStream<Result<Value, any Error>>

    /// The result of the closure; consumed by the call.
    package var value: Value {
        get async throws {
            for await result in results { return try result.get() }
            throw LoopbackError.nothingCame
        }
    }
}

/// The server's end of a connection; closed with its last reference.
package final class LoopbackConnection {
    private let socket: Int32
    private var isOpen = true

    init(_ socket: Int32) {
        self.socket = socket
        var wait = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    package func close() {
        if isOpen { Glibc.close(socket) }
        isOpen = false
    }

    /// Closes as a server that has crashed: what was not read is lost to the other side as well.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// A request's first line, and its body where it has one.
    package func request() throws -> (line: String, body: [UInt8]) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try read(1) }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let length = lines.compactMap { $0.lowercased().wholeMatch(of: /content-length: (\d+)/)?.1 }.first
        return (String(lines.first ?? ""), try read(length.flatMap { Int($0) } ?? 0))
    }

    /// The lines of a request without a body.
    package func requestLines() throws -> [String] {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try read(1) }
        return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    /// A request's head, without its body.
    package func head() throws {
        var tail: [UInt8] = []
        while tail != [13, 10, 13, 10] { tail = Array((tail + (try read(1))).suffix(4)) }
    }

    /// So many bytes.
    package func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 64 << 10))
        while bytes.count < count {
            let more = recv(socket, &buffer, min(buffer.count, count - bytes.count), 0)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw LoopbackError.nothingCame }
            bytes += buffer[..<more]
        }
        return bytes
    }

    /// Whether the other side closes, before it sends anything more.
    package func closes() -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, 0)
        return count == 0 || count < 0 && errno == ECONNRESET
    }

    /// Whether the other side has closed by now.
    package var isClosed: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    /// Whether the other side has sent something that was not read.
    package var hasBytes: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
    }

    /// - Returns: whether the other side still takes it.
    @discardableResult
    package func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// A whole response.
    package func answer(_ body: String = "") {
        send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
