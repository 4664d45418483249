// The settings of a server.

/// A server's settings. Sizes are bytes.
public struct Configuration: Sendable {
    /// The address to listen on, in numbers.
    public var host = "127.0.0.1"
    /// The port; 0 chooses a free one.
    public var port: UInt16 = 8080
    /// The number of worker threads.
    public var threads = 2
    /// The largest body of a form without files.
    public var formBytes = 64 << 10
    /// The greatest number of fields of a form or a query.
    var fieldCount = 1_000
    /// The largest size of the request line and the header lines together.
    var headerBytes = 16 << 10
    /// The memory of a connection: for the head of a request, a copy of its cookies, the records of its fields
    /// and of as many cookies as browsers keep of a host (180), and the head of the answer.
    var bytesOfConnection: Int { 2 * headerBytes + 16_384 }
    /// The greatest number of open connections; lower if the process may not have that many descriptors.
    public var connections = 4_096
    /// The greatest number of open connections of one client: an IPv4 address or an IPv6 network of 64 bits.
    /// Behind a trusted proxy it limits the requests under way instead.
    public var connectionsPerAddress = 512
    /// Whether a request is of a known client. The last eighth of the connections is reserved for known
    /// clients.
    public var isKnown: @Sendable (Request) -> Bool = { _ in true }
    /// The accepted host names, in lower case and without ports; empty accepts all.
    public var hosts: Set<String> = []
    /// Whether a path is answered under every host name: monitoring addresses a server by its IP address.
    public var takesAnyHost: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The path prefix of all addresses, such as `/breadly`; empty if the server has the whole host. Handlers see
    /// the paths without it.
    public var basePath = ""
    /// Whether a path is also answered outside of the base path.
    public var isAnsweredEverywhere: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The longest silence on a connection, in seconds.
    public var idleSeconds: UInt32 = 30
    /// The longest time for the arrival of a request, from the opening of its connection or the end of the
    /// request before, in seconds. A longer body of a known client that moves has up to ten minutes.
    var arrivalSeconds: Int64 = 30
    /// The time for making and sending an answer, in seconds. A long answer has more, in proportion to its
    /// length.
    var answerSeconds: Int64 = 30
    /// The greatest number of event streams of one client.
    public var eventStreamsPerAddress = 16
    /// The rules of files that a request may contain and that are written to the disk as they arrive; nil for other
    /// requests. It is called after the headers have arrived.
    public var uploads: @Sendable (Request) -> UploadRules? = { _ in nil }
    /// The disk space for all files that are arriving. One sender can use an eighth of it, and all clients without a
    /// signed-in user together can use half of it.
    var bytesOfUploads = 1 << 30
    /// Whether a path accepts JSON.
    public var takesJSON: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The largest JSON body for a request whose headers have arrived.
    public var jsonBytes: @Sendable (Request) -> Int = { _ in 64 << 10 }
    /// The memory for all bodies that are arriving. Unknown clients can use half of it.
    var bytesOfBodies = 64 << 20
    /// The memory for all answers that are made and not yet sent. Unknown clients can use half of it.
    var bytesOfAnswers = 128 << 20
    /// The clock of deadlines, in seconds; monotonic.
    public var clock: @Sendable () -> Int64 = monotonicSeconds
    /// The proxies whose `X-Forwarded-*` headers are trusted.
    public var trustedProxies = TrustedProxies.none
    /// Headers of every answer that does not set them itself.
    public var defaultHeaders: [(name: String, value: String)] = []
    /// Headers of every answer to a request over TLS, in addition.
    public var secureHeaders: [(name: String, value: String)] = []
    /// The page for a request that is refused before it reaches the handler.
    public var errorPage: @Sendable (Status) -> Response = { .text($0, $0.phrase + "\n") }
    /// Logs a line for the operator about a resource that the system does not provide.
    public var warn: @Sendable (String) -> Void = { _ in }

    /// Called once for each answered request, on the worker of its connection; it must not block. While it is
    /// nil, nothing is measured.
    public var served: (@Sendable (ServedRequest) -> Void)?

    /// The defaults for a server on the local machine.
    public init() {}

    /// A path as handlers see it.
    /// - Returns: nil where the path is outside of the base path.
    func pathInside(_ path: String) -> String? {
        guard !basePath.isEmpty else { return path }
        if path.hasPrefix(basePath + "/") { return String(path.dropFirst(basePath.count)) }
        return isAnsweredEverywhere(path) ? path : nil
    }

    /// The answer to a request for a path outside of the base path.
    ///
    /// It redirects only from `/breadly` to `/breadly/`. A proxy that removes the base path requests `/`
    /// instead, and a redirect would send a browser behind it into an endless loop.
    func answerOutside(_ path: String) -> Response {
        if path == basePath { return .seeOther(basePath + "/") }
        return .text(
            .notFound,
            "This server answers below \(basePath)/ only. A reverse proxy before it has to pass paths on as they are.\n"
        )
    }
}

/// The reason why a server did not start.
public enum ServerError: Error, Sendable, CustomStringConvertible {
    case badAddress(String)
    case cannotListen(host: String, port: UInt16, reason: String)
    case noWorkers(reason: String)
    case noMemory

    /// One line for the operator.
    public var description: String {
        switch self {
        case .noWorkers(let reason): "the system gives no threads to answer with: \(reason)."
        case .noMemory: "the system gives no memory for the files that a browser loads."
        case .badAddress(let host): "'\(host)' is not an IP address: use one such as 127.0.0.1 or ::."
        case .cannotListen(let host, let port, let reason):
            "cannot listen on \(host):\(port): \(reason). Is another server running there? Choose a port with --port."
        }
    }
}
