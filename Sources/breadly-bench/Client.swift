// A minimal HTTP client: one persistent connection.

import Foundation
import Glibc
import Ledger

/// An error that ends the benchmark.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// TCP sockets between processes of this machine.
enum LocalSocket {
    /// A connection to a port that sends at once.
    static func connected(to port: Int) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw BenchError("nobody listens on port \(port)") }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        return socket
    }

    /// A socket that listens.
    /// - Returns: the socket, and its port.
    static func listening() throws -> (socket: Int32, port: Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 50) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        guard isOpen else { throw BenchError("no port to listen on") }
        return (socket, Int(in_port_t(bigEndian: address.sin_port)))
    }
}

/// One connection to a server on this machine.
final class Client {
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// Name and value of the cookie that the server set.
    var cookie = ""
    /// The address for which a trusted proxy would send the requests; empty for none.
    var forwardedFor = ""

    init(port: Int) throws {
        socket = try LocalSocket.connected(to: port)
    }

    deinit { close(socket) }

    /// The bytes of a request.
    func request(_ method: String, _ path: String, body: String = "") -> [UInt8] {
        request(method, path, body: Array(body.utf8), type: "application/x-www-form-urlencoded")
    }

    /// The bytes of a request with a body of any type.
    func request(_ method: String, _ path: String, body: [UInt8], type: String) -> [UInt8] {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if !cookie.isEmpty { text += "Cookie: \(cookie)\r\n" }
        if !forwardedFor.isEmpty { text += "X-Forwarded-For: \(forwardedFor)\r\n" }
        if method == "POST" { text += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    /// Sends a request and reads the whole answer.
    /// - Returns: its head and body.
    func ask(_ bytes: [UInt8]) throws -> (head: String, body: ArraySlice<UInt8>) {
        let end = try exchange(bytes)
        return (String(decoding: buffer[..<end.head], as: UTF8.self), buffer[end.head..<end.body])
    }

    /// Sends a request and reads the whole answer into the buffer.
    /// - Returns: the ends of head and body.
    func exchange(_ bytes: [UInt8]) throws -> (head: Int, body: Int) {
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BenchError("cannot send")
        }
        var filled = 0
        var end: Int?
        var length = 0
        while true {
            if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let room = buffer.count - filled
            let read = buffer.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress?.advanced(by: filled), room, 0)
            }
            guard read > 0 else { throw BenchError("the server hung up") }
            filled += read
            if end == nil, let found = headEnd(filled) {
                end = found
                length = contentLength(headEnd: found)
            }
            if let end, filled >= end + length { return (end, end + length) }
        }
    }

    private func headEnd(_ filled: Int) -> Int? { find(Self.blankLine, before: filled) }

    private static let blankLine: [UInt8] = [13, 10, 13, 10]

    private func contentLength(headEnd end: Int) -> Int {
        guard var index = find(Self.lengthName, before: end) else { return 0 }
        var length = 0
        while index < end, buffer[index] != 13 {
            length = length * 10 + Int(buffer[index] &- 48)
            index += 1
        }
        return length
    }

    /// The end of the first occurrence in the buffer. It compares plainly, because the client's own work is
    /// measured too.
    private func find(_ pattern: [UInt8], before end: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, end >= pattern.count else { return nil }
            for index in 0...(end - pattern.count)
            where bytes[index] == pattern[0] && memcmp(start + index, pattern, pattern.count) == 0 {
                return index + pattern.count
            }
            return nil
        }
    }

    private static let lengthName = Array("\r\nContent-Length: ".utf8)

    /// Completes the onboarding as a new device.
    func onboard() throws {
        try post("/onboarding/welcome", "csrf=\(Self.token(try page("/onboarding/welcome")))")
        let csrf = Self.token(try page("/onboarding/currency"))
        let steps = [("currency", "&currency=EUR"), ("secondary", ""), ("calendar", "&week_start=monday")]
        for (step, fields) in steps { try post("/onboarding/\(step)", "csrf=\(csrf)\(fields)") }
    }

    /// Creates a user account.
    /// - Returns: the time from the form to its answer, in microseconds.
    func signUp(_ email: String) throws -> Double {
        let csrf = Self.token(try page("/sign-in"))
        let clock = ContinuousClock()
        let taken = try clock.measure {
            try post("/sign-up", "csrf=\(csrf)&email=\(email)&password=correct-horse-battery")
        }
        return microseconds(taken)
    }

    /// Records an expense.
    func record(on account: EntityID) throws {
        let csrf = Self.token(try page("/transactions/new"))
        try post(
            "/transactions",
            "csrf=\(csrf)&kind=expense&date=2025-11-21&amount=1&currency=EUR&account=\(account)"
        )
    }

    private func page(_ path: String) throws -> String {
        let answer = try ask(request("GET", path))
        keepCookie(answer.head)
        return String(decoding: answer.body, as: UTF8.self)
    }

    private func post(_ path: String, _ body: String) throws {
        let answer = try ask(request("POST", path, body: body))
        guard answer.head.contains(" 303 ") else { throw BenchError("\(path): \(answer.head.prefix(40))") }
        keepCookie(answer.head)
    }

    private func keepCookie(_ head: String) {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") }
        if let line { cookie = String(line.dropFirst(12).prefix { $0 != ";" }) }
    }

    static func token(_ page: String) -> String {
        page.firstRange(of: "name=\"csrf\" value=\"").map {
            String(page[$0.upperBound...].prefix { $0 != "\"" })
        } ?? ""
    }
}

/// The duration as a number.
func microseconds(_ duration: Duration) -> Double {
    Double(duration.components.attoseconds) / 1e12 + Double(duration.components.seconds) * 1e6
}

/// The median time of a piece of work in microseconds, after as many runs for warming up.
func median(of times: Int, _ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    for _ in 0..<max(1, times / 10) { try work() }
    var all: [Double] = []
    all.reserveCapacity(times)
    for _ in 0..<times {
        let taken = try clock.measure { try work() }
        all.append(microseconds(taken))
    }
    all.sort()
    return all[all.count / 2]
}
