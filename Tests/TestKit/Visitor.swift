// A browser without a screen: plain HTTP/1.1 over a socket, with a cookie jar of one server.
import Encoding
import Glibc
import Synchronization

/// The answer to a request.
public struct Reply: Sendable {
    /// The status code.
    public let status: Int
    /// Header lines in order, names in lower case.
    public let headers: [(name: String, value: String)]
    /// The body's bytes.
    public let body: [UInt8]

    /// The first header of that name, in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    /// The body as text.
    public let text: String
    /// The body as a page, which is read at the first call.
    public var html: HTMLReader { page.html(of: text) }

    private let page = ReadOnce()

    init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
        text = String(decoding: body, as: UTF8.self)
    }

    /// Tests ask one page many questions.
    private final class ReadOnce: Sendable {
        private let page = Mutex<HTMLReader?>(nil)

        func html(of text: String) -> HTMLReader {
            page.withLock { page in
                let read = page ?? HTMLReader(text)
                page = read
                return read
            }
        }
    }
}

/// The errors of a test's HTTP exchange.
public enum VisitorError: Error {
    case cannotConnect(Int32), brokenAnswer(String), invalidPage([String])
}

/// One browser profile: it keeps its cookies and sends the hidden fields of the page it last saw.
public final class Visitor {
    /// The server's port on 127.0.0.1.
    public var port: Int
    /// The path that the server is below, as `/breadly`: it is put before each path.
    public var base = ""
    /// Cookies by name.
    public var cookies: [String: String] = [:]
    /// The cookie that holds its device, of one server; its name ends with the server's mark.
    public var deviceCookie: (name: String, value: String)? {
        cookies.first { $0.key.contains("breadly_device") }.map { (name: $0.key, value: $0.value) }
    }
    /// The token that the last page carried.
    public var csrf = ""
    /// Sent with every request.
    public var acceptLanguage = "en-IE"

    /// A browser without cookies.
    public init(port: Int) { self.port = port }

    /// Asks for a page and remembers its token.
    public func get(_ path: String, headers: [(String, String)] = []) throws -> Reply {
        let reply = try send("GET", path, headers: headers, body: [])
        if let token = reply.html.hidden("csrf") { csrf = token }
        return reply
    }

    /// Posts a form with the last page's token.
    public func post(
        _ path: String,
        _ fields: [(String, String)] = [],
        headers: [(String, String)] = [],
        csrf: Bool = true
    ) throws -> Reply {
        let all = fields + (csrf ? [("csrf", self.csrf)] : [])
        let form = all.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }.joined(
            separator: "&"
        )
        let type = ("Content-Type", "application/x-www-form-urlencoded")
        return try send("POST", path, headers: [type] + headers, body: Array(form.utf8))
    }

    /// Any request, on a connection of its own.
    public func send(_ method: String, _ path: String, headers: [(String, String)], body: [UInt8]) throws
        -> Reply
    {
        var lines = ["\(method) \(base)\(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
        lines.append("Accept-Language: \(acceptLanguage)")
        if !cookies.isEmpty {
            lines.append("Cookie: " + cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        if !body.isEmpty || method == "POST" { lines.append("Content-Length: \(body.count)") }
        lines += headers.map { "\($0.0): \($0.1)" }
        let reply = try exchange(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        for (name, value) in reply.headers where name == "set-cookie" {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
        return reply
    }

    /// Sends bytes as they are and reads until the server closes.
    public func exchange(_ bytes: [UInt8]) throws -> Reply {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw VisitorError.cannotConnect(errno) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket,
                    buffer.baseAddress?.advanced(by: sent),
                    buffer.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            // The server may answer and close before it has read all: its answer is still to be read.
            if count <= 0 { break }
            sent += count
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        return try parsed(answer)
    }

    private func parsed(_ answer: [UInt8]) throws -> Reply {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = answer.firstRange(of: separator) else {
            throw VisitorError.brokenAnswer(String(decoding: answer.prefix(200), as: UTF8.self))
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let status else { throw VisitorError.brokenAnswer(String(lines.first ?? "")) }
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let reply = Reply(status: status, headers: headers, body: Array(answer[end.upperBound...]))
        // Each page that any test gets has to be valid, also one that was refused.
        if reply.header("content-type")?.hasPrefix("text/html") == true, reply.text.hasSuffix("</html>\n") {
            let faults = HTMLValidity(of: reply.text).faults
            guard faults.isEmpty else { throw VisitorError.invalidPage(faults) }
        }
        return reply
    }
}
