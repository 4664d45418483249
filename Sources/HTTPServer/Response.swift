// What is sent back.

import CMicroHTTPD

/// The bytes of an answer.
public enum Body: Sendable {
    /// Nothing.
    case empty
    /// Bytes that are copied once.
    case bytes([UInt8])
    /// Memory from `malloc` that is handed over: it is freed after it was sent, and never copied.
    case memory(OwnedMemory)
    /// A file by descriptor, which is closed after it was sent.
    case file(descriptor: Int32, size: UInt64)
    /// Another answer, when it is ready; status and headers are that one's.
    case later(LaterAnswer)
    /// Events, as they happen.
    case events(EventStream)

    /// How many bytes it keeps in memory until they are sent.
    var heldBytes: Int {
        switch self {
        case .bytes, .memory: count
        case .empty, .later, .events, .file: 0
        }
    }

    /// How many bytes are to be sent, as far as that is known.
    var count: Int {
        switch self {
        case .empty, .later, .events: 0
        case .bytes(let bytes): bytes.count
        case .memory(let memory): memory.count
        case .file(_, let size): Int(clamping: size)
        }
    }
}

/// Memory from `malloc` on its way into an answer.
///
/// Safe to send to another thread: whoever makes one gives up the memory, and only the answer that takes it
/// reads or frees it.
public struct OwnedMemory: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
    let count: Int

    /// Memory that nobody else holds any more.
    public init(_ pointer: UnsafeMutableRawPointer?, count: Int) {
        self.pointer = pointer
        self.count = count
    }
}

/// An answer.
public struct Response: Sendable {
    /// The status code.
    public var status: Status
    /// Header lines in order.
    public var headers: [(name: String, value: String)]
    /// The bytes.
    public var body: Body
    /// Let go once the answer is sent, or given up.
    public var owner: (any AnyObject & Sendable)?

    /// An answer.
    public init(_ status: Status, headers: [(name: String, value: String)] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Text in UTF-8.
    public static func text(_ status: Status, _ text: String) -> Response {
        Response(
            status,
            headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }

    /// An answer that comes later, from any thread.
    public static func later(_ answer: LaterAnswer) -> Response { Response(.ok, body: .later(answer)) }

    /// A stream of events, open until it is ended or its reader leaves.
    public static func events(_ stream: EventStream) -> Response {
        Response(.ok, headers: [("Content-Type", "text/event-stream")], body: .events(stream))
    }

    /// Whether a server can do its work.
    /// - Parameters:
    ///   - problems: whatever is wrong, a sentence each.
    ///   - isLocal: whether they are told; a stranger learns that there are some.
    public static func readiness(_ problems: [String], isLocal: Bool) -> Response {
        guard !problems.isEmpty else { return .text(.ok, "ok") }
        return .text(.unavailable, "not ready\n" + (isLocal ? problems.map { $0 + "\n" }.joined() : ""))
    }

    /// Sends the browser to another page with a GET: what every accepted form answers.
    public static func seeOther(_ path: String) -> Response {
        Response(.seeOther, headers: [("Location", path)])
    }

    /// Adds a header line.
    public mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

    /// Adds a cookie.
    public mutating func set(_ cookie: Cookie) { add("Set-Cookie", cookie.line) }

    /// The answer as the library sends it. The caller destroys it.
    func made() -> OpaquePointer? {
        let response: OpaquePointer?
        switch body {
        case .empty: response = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            response = bytes.withUnsafeBytes { buffer in
                // Copied by the library before the call returns.
                MHD_create_response_from_buffer(
                    buffer.count,
                    UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case .memory(let memory):
            response = MHD_create_response_from_buffer(memory.count, memory.pointer, .RESPMEM_MUST_FREE)
        case .file(let descriptor, let size): response = MHD_create_response_from_fd64(size, descriptor)
        case .later: response = nil
        case .events(let stream): response = stream.made()
        }
        guard let response else { return nil }
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
        return response
    }
}

/// A cookie to be kept by the browser: never readable by scripts, sent along on links from other sites but not
/// on their forms.
public struct Cookie: Sendable {
    /// Its name.
    public var name: String
    /// Its value: no white space, quotes, commas or semicolons.
    public var value: String
    /// How long it is kept, in seconds; 0 removes it.
    public var maxAgeSeconds: Int
    /// Whether it is sent over TLS only.
    public var isSecure: Bool
    /// The addresses that it is sent to: this one and those below it.
    public var path: String

    /// A cookie.
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
