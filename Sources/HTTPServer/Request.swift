// A request of a client.

import CMicroHTTPD

/// A request, copied out of the library where it must outlive the call, and looked up lazily otherwise.
///
/// A handler runs on the worker thread that owns the connection. The connection's pointer is used only while
/// the handler runs: `detach` clears it before the request could reach another thread.
public final class Request {
    /// The method in upper case: `GET`, `POST` …
    public let method: String
    /// The decoded path: no escapes, no dot segments, no NUL. Below a mount, the path inside of it.
    public private(set) var path: String
    /// Path and query as sent.
    public let target: String
    /// Decoded, in the order of the address.
    public let query: FormFields
    /// The fields of a posted form.
    public internal(set) var form = FormFields()
    /// The body as sent, if it is JSON or bytes, and the path accepts JSON.
    public internal(set) var body: [UInt8] = []
    /// The parts of a multipart form that have a file name, in their order.
    public internal(set) var files: [UploadedFile] = []
    /// The address of the client: the peer's address, or the address that a trusted proxy reports.
    public let clientAddress: String
    /// The key by which limits count the client, as `limitedNetwork`.
    public let clientNetwork: String
    /// Whether the client uses TLS, according to a trusted proxy.
    public let isSecure: Bool
    /// The host and port that the client addresses.
    public let host: String
    /// The pattern of the path, such as `/transactions/{id}`; set by the router.
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

    /// The first header line of a name; nil if there is none, or after the handler has returned.
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

    /// The names of the cookies, in the order in which the browser sends them.
    public var cookieNames: [String] {
        (header("Cookie") ?? "").split(separator: ";").compactMap { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first
                .map { String($0.drop { $0 == " " }) }
        }
    }

    /// Whether the client runs on the server's machine and uses no proxy there.
    public var isFromThisMachine: Bool {
        ["127.0.0.1", "::1"].contains(clientAddress) && header("X-Forwarded-For") == nil
    }

    /// Removes a prefix from the path, for a site that is served below it beside others. Its routes then see the
    /// same paths as the routes of a site that has the whole host.
    /// - Parameter prefix: without a slash at its end: `/lab/d/1`.
    /// - Returns: false, and changes nothing, if the path is not below the prefix.
    public func enter(below prefix: String) -> Bool {
        guard path.hasPrefix(prefix + "/") else { return false }
        path.removeFirst(prefix.count)
        return true
    }

    func detach() { connection = nil }

    /// Restores the pointer within a further call of the library for the same request.
    func attach(_ connection: OpaquePointer) { self.connection = connection }
}

/// The client's address, host and use of TLS.
struct ClientFacts {
    var address: String
    var isSecure: Bool
    var host: String
}

/// IPv4 and IPv6 networks in CIDR notation whose `X-Forwarded-*` headers are trusted.
public struct TrustedProxies: Hashable, Sendable {
    private struct AddressPrefix: Hashable {
        let bytes: [UInt8]
        let bits: Int
    }

    private let networks: [AddressPrefix]
    /// The networks as configured.
    public let texts: [String]

    /// Trusts no proxy.
    public static let none = TrustedProxies()

    private init() { (networks, texts) = ([], []) }

    /// Parses networks such as `10.0.0.0/8`, `127.0.0.1` or `fd00::/8`; nil if one of them is malformed.
    public init?(_ texts: [String]) {
        var networks: [AddressPrefix] = []
        for text in texts {
            let sides = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = sides.first, sides.count <= 2, let bytes = addressBytes(String(first)) else {
                return nil
            }
            guard let bits = sides.count == 2 ? Int(sides[1]) : bytes.count * 8,
                (0...bytes.count * 8).contains(bits)
            else { return nil }
            networks.append(AddressPrefix(bytes: bytes, bits: bits))
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
