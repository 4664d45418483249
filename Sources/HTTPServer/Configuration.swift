// How a server is set up.

/// A server's settings. Sizes are bytes.
public struct Configuration: Sendable {
    /// The address to listen on, in numbers.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port: UInt16 = 8080
    /// Worker threads.
    public var threads = 2
    /// The largest form.
    public var formBytes = 64 << 10
    /// The most fields of a form or a query.
    public var fieldCount = 1_000
    /// Request line and header lines together.
    public var headerBytes = 16 << 10
    /// Open connections of all clients; fewer where the system does not let the process have so many files.
    public var connections = 4_096
    /// Open connections of one client: an IPv4 address or an IPv6 network of 64 bits. Behind a trusted proxy it counts
    /// requests under way.
    public var connectionsPerAddress = 512
    /// Which requests are of clients that the server knows: the last eighth of the connections is theirs alone.
    public var isKnown: @Sendable (Request) -> Bool = { _ in true }
    /// The hosts that are answered, in lower case and without ports; all where there are none.
    public var hosts: Set<String> = []
    /// Which addresses are answered whatever the host: what watches over a server asks it by its number.
    public var takesAnyHost: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The path that everything is served below, such as `/breadly`; empty where the server has the whole host. Handlers
    /// see the paths of requests without it.
    public var basePath = ""
    /// Which paths are answered outside of the base path too, as they are.
    public var isAnsweredEverywhere: @Sendable (_ path: String) -> Bool = { _ in false }
    /// How long a connection may be silent, in seconds.
    public var idleSeconds: UInt32 = 30
    /// How long a request may take to arrive, from its connection's opening or the end of the request before, in
    /// seconds.
    public var arrivalSeconds: Int64 = 30
    /// How long its answer may take to be made and sent, in seconds; a long answer has more, by its length.
    public var answerSeconds: Int64 = 30
    /// Streams of events of one address.
    public var eventStreamsPerAddress = 16
    /// Which requests may bring files.
    public var takesUploads: @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false }
    /// Which addresses are sent JSON.
    public var takesJSON: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The largest body of JSON of a request whose headers have come.
    public var jsonBytes: @Sendable (Request) -> Int = { _ in 64 << 10 }
    /// What all bodies that are arriving may take up together; whoever is not known may fill half of it.
    public var bytesOfBodies = 64 << 20
    /// What all answers that are made and not yet sent may take up together, in the same way.
    public var bytesOfAnswers = 128 << 20
    /// The largest body with files.
    public var uploadBytes = 10 << 20
    /// The clock of deadlines, in seconds; it never jumps.
    public var clock: @Sendable () -> Int64 = monotonicSeconds
    /// Whose `X-Forwarded-*` headers are believed.
    public var trustedProxies = TrustedProxies.none
    /// Sent with every answer that does not set them.
    public var defaultHeaders: [(name: String, value: String)] = []
    /// Sent as well with every answer to a request that came over TLS.
    public var secureHeaders: [(name: String, value: String)] = []
    /// The page for a request that is refused before a handler sees it.
    public var errorPage: @Sendable (Status) -> Response = { .text($0, $0.phrase + "\n") }
    /// A line for the operator about what the system does not give.
    public var warn: @Sendable (String) -> Void = { _ in }

    /// Called once for each request that was answered, on the worker of its connection: it must not wait for anything.
    /// While it is nil, nothing is measured.
    public var served: (@Sendable (ServedRequest) -> Void)?

    /// The usual settings.
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
    /// It leads nowhere but from `/breadly` to `/breadly/`: a proxy that takes the base path off asks for `/` instead, and
    /// a browser behind it would be sent round in circles.
    func answerOutside(_ path: String) -> Response {
        if path == basePath { return .seeOther(basePath + "/") }
        return .text(
            .notFound,
            "This server answers below \(basePath)/ only. A reverse proxy before it has to pass paths on as they are.\n"
        )
    }
}

/// Why a server did not start.
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
