// An answer to a request.

import CMicroHTTPD

/// The body of an answer.
public enum Body: Sendable {
    /// No body.
    case empty
    /// Bytes that the library copies once.
    case bytes([UInt8])
    /// Memory from `malloc` that is passed on without a copy, and freed after it was sent.
    case memory(OwnedMemory)
    /// A file by descriptor, or `size` bytes of it from an offset on. The descriptor is closed after it was sent.
    case file(descriptor: Int32, size: UInt64, offset: UInt64 = 0)
    /// Another answer, once it is complete; with its own status and headers.
    case later(LaterAnswer)
    /// Events, as they happen.
    case events(EventStream)

    /// The number of bytes in memory until they are sent.
    var heldBytes: Int {
        switch self {
        case .bytes, .memory: count
        case .empty, .later, .events, .file: 0
        }
    }

    /// The number of bytes to send, as far as it is known.
    var count: Int {
        switch self {
        case .empty, .later, .events: 0
        case .bytes(let bytes): bytes.count
        case .memory(let memory): memory.count
        case .file(_, let size, _): Int(clamping: size)
        }
    }
}

/// Memory from `malloc` that an answer will own.
///
/// Safe to send to another thread: the creator gives the memory up, and only the answer that adopts it reads
/// or frees it.
public struct OwnedMemory: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
    let count: Int

    /// Memory that has no other owner.
    public init(_ pointer: UnsafeMutableRawPointer?, count: Int) {
        self.pointer = pointer
        self.count = count
    }
}

/// An answer to a request: status, headers and body.
public struct Response: Sendable {
    /// The status code.
    public var status: Status
    /// The header lines, in order.
    public var headers: [(name: String, value: String)]
    /// The body; empty by default.
    public var body: Body
    /// An object that is freed once the answer is sent or abandoned.
    public var owner: (any AnyObject & Sendable)?

    /// An answer without a `Content-Type` unless `headers` has one.
    public init(_ status: Status, headers: [(name: String, value: String)] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer of plain text in UTF-8.
    public static func text(_ status: Status, _ text: String) -> Response {
        Response(
            status,
            headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }

    /// An answer that another thread completes later.
    public static func later(_ answer: LaterAnswer) -> Response { Response(.ok, body: .later(answer)) }

    /// A stream of events, open until it is ended or its reader leaves.
    public static func events(_ stream: EventStream) -> Response {
        // nginx buffers answers, and would hold events back, unless the answer itself turns that off.
        let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
        return Response(.ok, headers: headers, body: .events(stream))
    }

    /// The answer of a readiness probe.
    /// - Parameters:
    ///   - problems: the current problems, a sentence each.
    ///   - isLocal: whether the answer lists them; a remote client only gets the status.
    public static func readiness(_ problems: [String], isLocal: Bool) -> Response {
        guard !problems.isEmpty else { return .text(.ok, "ok") }
        return .text(.unavailable, "not ready\n" + (isLocal ? problems.map { $0 + "\n" }.joined() : ""))
    }

    /// Redirects the browser to another page with a GET, as the answer to every accepted form.
    public static func seeOther(_ path: String) -> Response {
        Response(.seeOther, headers: [("Location", path)])
    }

    /// Adds a header line.
    public mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

    /// Adds a cookie beside the cookies that were set before, also if they have the same name.
    public mutating func set(_ cookie: Cookie) { add("Set-Cookie", cookie.line) }

    /// The answer for the library. The caller destroys it.
    func made() -> OpaquePointer? {
        let response: OpaquePointer?
        switch body {
        case .empty: response = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            response = bytes.withUnsafeBytes { buffer in
                // The library copies the bytes before the call returns.
                MHD_create_response_from_buffer(
                    buffer.count,
                    UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case .memory(let memory):
            response = MHD_create_response_from_buffer(memory.count, memory.pointer, .RESPMEM_MUST_FREE)
        case .file(let descriptor, let size, let offset):
            response = MHD_create_response_from_fd_at_offset64(size, descriptor, offset)
        case .later: response = nil
        case .events(let stream): response = stream.made()
        }
        guard let response else { return nil }
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
        return response
    }
}

/// A cookie that scripts cannot read and that browsers send along with links from other sites, but not with
/// their forms.
public struct Cookie: Sendable {
    /// A token of RFC 6265.
    public var name: String
    /// Its value: no white space, quotes, commas or semicolons.
    public var value: String
    /// The lifetime in seconds; 0 removes the cookie.
    public var maxAgeSeconds: Int
    /// Whether it is sent over TLS only.
    public var isSecure: Bool
    /// The path prefix to which the cookie is sent.
    public var path: String

    /// The default path covers the whole site.
    public init(name: String, value: String, maxAgeSeconds: Int, isSecure: Bool, path: String = "/") {
        self.name = name
        self.value = value
        self.maxAgeSeconds = maxAgeSeconds
        self.isSecure = isSecure
        self.path = path
    }

    var line: String {
        "\(name)=\(value); Path=\(path); Max-Age=\(maxAgeSeconds); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}
