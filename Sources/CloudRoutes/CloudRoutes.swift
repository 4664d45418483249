// The cloud over HTTP: one route for each endpoint.

public import CloudProtocol
import Compression
public import HTTPServer
import Ledger
public import SyncCore

/// Answers requests below `/cloud/v1`.
public struct CloudRoutes: Sendable {
    private let cloud: any CloudAPI
    private let log: Log
    private let run: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let isActive: @Sendable (SessionToken) -> Bool
    private let untrusted: UntrustedServers

    /// The routes of a cloud.
    /// - Parameters:
    ///   - isActive: whether a token belongs to a session that has not ended. Nothing expensive is done
    ///     before this check.
    ///   - log: the log for the operator.
    ///   - seconds: a monotonic clock.
    ///   - run: starts an asynchronous task.
    public init(
        _ cloud: any CloudAPI,
        isActive: @escaping @Sendable (SessionToken) -> Bool,
        log: Log,
        seconds: @escaping @Sendable () -> Int64 = monotonicSeconds,
        run: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.cloud = cloud
        self.isActive = isActive
        self.log = log
        untrusted = UntrustedServers(log: log, seconds: seconds)
        self.run = run
    }

    /// The paths whose answers wait for news. Their durations are no sign of a slow server.
    public static let waitingRoutes = Set(Endpoints.all.filter { $0.delivery == .news }.map { $0.path })

    /// Whether a path is below the API's prefix.
    public static func owns(_ path: String) -> Bool { path.hasPrefix(Endpoints.root + "/") }

    /// Whether a request has the token of a session that has not ended.
    public func isKnown(_ request: Request) -> Bool {
        Self.owns(request.path) && Self.token(of: request).map(isActive) == true
    }

    /// The maximum size of a request's body in bytes. An endpoint that needs a session accepts a large body
    /// only with the token of a session that has not ended.
    public func bodyLimit(of request: Request) -> Int {
        guard Self.owns(request.path),
            case .found(let action) = Self.table.match(request.method, request.path),
            action.endpoint.bodyLimit > SyncLimits.bytesOfOthers,
            !action.endpoint.needsSession || isKnown(request)
        else { return SyncLimits.bytesOfOthers }
        return action.endpoint.bodyLimit
    }

    /// The answer to a request; nil for other paths.
    public func answer(_ request: Request) -> Response? {
        guard Self.owns(request.path) else { return nil }
        switch Self.table.match(request) {
        case .found(let action):
            if action.endpoint.delivery == .credentials { untrusted.note(request) }
            do throws(CloudError) {
                var received = ReceivedRequest(
                    id: action.id,
                    body: try body(of: request),
                    field: { [query = request.query] in query.first($0) }
                )
                received.key = action.key
                let ranges = Dictionary(
                    uniqueKeysWithValues: ["Range", "Content-Range"].map { ($0, request.header($0)) }
                )
                received.header = { ranges[$0] ?? nil }
                guard let call = action.endpoint.call(received) else { return failure(.malformed) }
                let caller = Caller(Self.token(of: request), from: request.clientAddress)
                if action.endpoint.isBinary {
                    return bytesLater(call, caller, from: request.header("Range"))
                }
                return later(
                    call,
                    caller,
                    compressed: acceptsGzip(request.header("Accept-Encoding") ?? ""),
                    unlessMatching: action.endpoint.isTagged ? request.header("If-None-Match") ?? "" : nil
                )
            } catch { return failure(error) }
        case .notFound: return Response(.notFound, headers: Self.headers)
        case .wrongMethod(let allow):
            return Response(.methodNotAllowed, headers: Self.headers + [("Allow", allow)])
        }
    }

    private struct Action: Sendable {
        let endpoint: any AnyEndpoint
        /// The id in the path.
        var id: EntityID?
        /// The file in the path.
        var key: FileKey?
    }

    private static let table = Router<Action>(
        Endpoints.all.map { endpoint in
            endpoint.path.contains("*")
                ? Route(endpoint.method, PathWith<PathName>(endpoint.path)) {
                    Action(endpoint: endpoint, id: $0.id, key: $0.key)
                }
                : Route(endpoint.method, Path(endpoint.path), Action(endpoint: endpoint))
        }
    )

    /// An id or a file as a segment of a path.
    private struct PathName: PathValue {
        let id: EntityID?
        let key: FileKey?

        init?(pathSegment: Substring) {
            id = EntityID(pathSegment).flatMap { $0.description == pathSegment ? $0 : nil }
            key = FileKey(pathSegment)
            guard id != nil || key != nil else { return nil }
        }
    }

    private func body(of request: Request) throws(CloudError) -> [UInt8] {
        switch request.header("Content-Encoding")?.lowercased() {
        case nil, "identity": return request.body
        case "gzip":
            do { return try Gzip.inflate(request.body, upTo: bodyLimit(of: request)) } catch {
                switch error {
                case .malformed: throw .malformed
                case .tooLong: throw .sync(.tooLarge(max: SyncLimits.operations))
                }
            }
        default: throw .malformed
        }
    }

    /// The token of a request. A missing or malformed token counts as the token of an ended session.
    private static func token(of request: Request) -> SessionToken? {
        let parts = request.header("Authorization")?.split(separator: " ", maxSplits: 1)
        guard let parts, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return SessionToken(String(parts[1]))
    }

    /// The minimum size of an answer that is compressed, in bytes.
    private static let compressedFrom = 1_000

    /// - Parameter known: the field `If-None-Match`, empty without one; nil for an endpoint without a tag.
    private func later(
        _ call: @escaping EncodedCall,
        _ caller: Caller,
        compressed isGzipAccepted: Bool,
        unlessMatching known: String?
    ) -> Response {
        let answer = LaterAnswer()
        run {
            do throws(CloudError) {
                var body = try await call(cloud, caller)
                var response = Response(body.isEmpty ? .noContent : .ok, headers: Self.headers, body: .empty)
                if let known, !body.isEmpty {
                    let tag = EntityTag(of: body)
                    guard !tag.isMatched(by: known) else {
                        return answer.fulfil(Response(.notModified, headers: Self.tagged(tag)))
                    }
                    response = Response(
                        .ok,
                        headers: [Self.contentType] + Self.tagged(tag) + [("Vary", "Accept-Encoding")],
                        body: .empty
                    )
                }
                if isGzipAccepted, body.count >= Self.compressedFrom {
                    body = Gzip.compress(body, level: 3)
                    response.add("Content-Encoding", "gzip")
                }
                if !body.isEmpty { response.body = .bytes(body) }
                answer.fulfil(response)
            } catch {
                if let line = error.refusalLine(from: caller.address) { log.warning(line) }
                answer.fulfil(failure(error))
            }
        }
        return .later(answer)
    }

    /// The answer with bytes of a file.
    /// - Parameter range: the field `Range`, which the endpoint has decoded. The answer may be shorter.
    private func bytesLater(_ call: @escaping EncodedCall, _ caller: Caller, from range: String?) -> Response
    {
        let answer = LaterAnswer()
        let first = range?.dropFirst("bytes=".count).prefix { $0 != "-" }
        run {
            do throws(CloudError) {
                let body = try await call(cloud, caller)
                let offset = first.flatMap { Int($0) } ?? 0
                answer.fulfil(
                    Response(
                        .partialContent,
                        headers: [
                            ("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store"),
                            ("Content-Range", "bytes \(offset)-\(offset + max(1, body.count) - 1)/*"),
                        ],
                        body: .bytes(body)
                    )
                )
            } catch { answer.fulfil(failure(error)) }
        }
        return .later(answer)
    }

    private func failure(_ error: CloudError) -> Response {
        switch error {
        case .failed: log.error("\(error)")
        case .unreachable, .timedOut, .cutOff: log.warning("\(error)")
        default: break
        }
        var response = Response(
            Status(rawValue: error.status),
            headers: Self.headers,
            body: .bytes(error.encoded)
        )
        // Devices wait that long by themselves. Other clients, and proxies, need the header.
        let pause = error.retryAfterSeconds ?? (response.status == .unavailable ? 1 : nil)
        if let pause { response.add("Retry-After", "\(pause)") }
        return response
    }

    private static let contentType = (name: "Content-Type", value: "application/json")
    private static let headers = [contentType, (name: "Cache-Control", value: "no-store")]

    /// The fields of a response that a client may keep, if it asks before each use.
    private static func tagged(_ tag: EntityTag) -> [(name: String, value: String)] {
        [(name: "Cache-Control", value: "private, no-cache"), (name: "ETag", value: tag.text)]
    }
}
