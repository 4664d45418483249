// A connection that a test holds in its hands: what is sent, and when, is its own business.
import Glibc

/// An open TCP connection to a server on this machine.
public final class Wire {
    private let socket: Int32

    /// - Parameters:
    ///   - from: an address of this machine, such as `127.0.0.2`.
    ///   - patience: the longest wait of a read, in seconds.
    ///   - waits: false returns before the server has accepted the connection.
    public init(port: Int, from source: String = "127.0.0.1", patience: Int = 10, waits: Bool = true) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw VisitorError.cannotConnect(errno) }
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, source, &address.sin_addr)
        _ = call(&address) { bind(socket, $0, $1) }
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        if !waits { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
        guard call(&address, { connect(socket, $0, $1) }) == 0 || (!waits && errno == EINPROGRESS) else {
            close(socket)
            throw VisitorError.cannotConnect(errno)
        }
    }

    deinit { close(socket) }

    /// Sends text as it is.
    /// - Returns: whether the other side still takes it.
    @discardableResult
    public func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next bytes; empty if the other side has closed, or sends none.
    public func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    }

    /// Whether the other side closes without sending anything more. Silence is no end: it waits for minutes.
    public func endsInSilence() -> Bool {
        let deadline = ContinuousClock.now + .seconds(240)
        while ContinuousClock.now < deadline {
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, 0)
            if count >= 0 { return count == 0 }
            // Bytes that the other side never read are answered with a reset.
            if errno != EAGAIN { return errno == ECONNRESET }
        }
        return false
    }

    /// Reads until what arrived holds a text, or nothing more comes.
    public func receive(until text: String) -> String {
        var all = ""
        while !all.contains(text) {
            let more = receive()
            if more.isEmpty { break }
            all += more
        }
        return all
    }

    /// Lets the connection end at once when this value goes away, as if its process had been killed.
    public func resetAtEnd() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Says that nothing more will be sent.
    public func finish() { shutdown(socket, Int32(SHUT_WR)) }
}

private func call(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
    -> Int32
{
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// Lets this process open many files: a test with thousands of connections needs both ends of each.
/// - Returns: how many it may open now.
public func raiseTestFileLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
}
