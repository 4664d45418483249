// What a browser asked for.

import CMicroHTTPD

/// A request, copied out of the library where it must outlive the call and looked up lazily where not.
///
/// A handler runs on the worker thread that owns the connection. The connection's pointer is used only while
/// the handler runs: `detach` clears it before the request could reach another thread.
public final class Request {
    /// In upper case: `GET`, `POST` …
    public let method: String
    /// The path below the server's base path, decoded: no escapes, no dot segments, no NUL.
    public let path: String
    /// Path and query as they were sent.
    public let target: String
    /// The query's fields.
    public let query: FormFields
    /// The fields of a form that was posted.
    public internal(set) var form = FormFields()
    /// The body as it was sent, where it is JSON and its address takes that.
    public internal(set) var body: [UInt8] = []
    /// The files that came with it.
    public internal(set) var files: [UploadedFile] = []
    /// The address of whoever asks: the peer's, or what a trusted proxy says.
    public let clientAddress: String
    /// What limits count that address as.
    public let clientNetwork: String
    /// Whether it came over TLS, as far as a trusted proxy says so.
    public let isSecure: Bool
    /// The host and port that the browser believes it talks to.
    public let host: String
    /// The pattern of the path, such as `/transactions/{id}`: set by whoever finds the route.
    public var route = ServedRequest.noRoute
    private var connection: OpaquePointer?

    init(
        connection: OpaquePointer,
        method: String,
        path: String,
        target: String,
        query: FormFields,
        client: ClientFacts
    ) {
        self.connection = connection
        self.method = method
        self.path = path
        self.target = target
        self.query = query
        clientAddress = client.address
        clientNetwork = limitedNetwork(of: client.address)
        isSecure = client.isSecure
        host = client.host
    }

    /// The first header line of that name; nil where there is none, or after the handler has returned.
    public func header(_ name: String) -> String? {
        guard let connection, let value = MHD_lookup_connection_value(connection, .HEADER_KIND, name) else {
            return nil
        }
        return String(cString: value)
    }

    /// The value of a cookie.
    public func cookie(_ name: String) -> String? {
        guard let connection, let value = MHD_lookup_connection_value(connection, .COOKIE_KIND, name) else {
            return nil
        }
        return String(cString: value)
    }

    /// Whether whoever asks does so on the machine itself, and not through a proxy there.
    public var isFromThisMachine: Bool {
        ["127.0.0.1", "::1"].contains(clientAddress) && header("X-Forwarded-For") == nil
    }

    func detach() { connection = nil }

    /// Within another of the library's calls for the same request.
    func attach(_ connection: OpaquePointer) { self.connection = connection }
}

/// Who asks, and over what.
struct ClientFacts {
    var address: String
    var isSecure: Bool
    var host: String
}

/// Addresses in CIDR form, IPv4 or IPv6, whose `X-Forwarded-*` headers are believed.
public struct TrustedProxies: Hashable, Sendable {
    private struct Network: Hashable {
        let bytes: [UInt8]
        let bits: Int
    }

    private let networks: [Network]
    /// The networks as they were given.
    public let texts: [String]

    /// Nobody is trusted.
    public static let none = TrustedProxies()

    private init() { (networks, texts) = ([], []) }

    /// Reads networks such as `10.0.0.0/8`, `127.0.0.1` or `fd00::/8`; nil where one is not a network.
    public init?(_ texts: [String]) {
        var networks: [Network] = []
        for text in texts {
            let sides = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = sides.first, sides.count <= 2, let bytes = addressBytes(String(first)) else {
                return nil
            }
            guard let bits = sides.count == 2 ? Int(sides[1]) : bytes.count * 8,
                (0...bytes.count * 8).contains(bits)
            else { return nil }
            networks.append(Network(bytes: bytes, bits: bits))
        }
        (self.networks, self.texts) = (networks, texts)
    }

    func contains(_ address: String) -> Bool {
        guard !networks.isEmpty, let bytes = addressBytes(address) else { return false }
        return networks.contains { network in
            guard network.bytes.count == bytes.count else { return false }
            return (0..<network.bits).allSatisfy { bit in
                (network.bytes[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
            }
        }
    }
}
