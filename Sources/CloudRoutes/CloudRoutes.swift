// The cloud's face: its questions as addresses of HTTP.

import Compression
public import HTTPServer
import Ledger
public import SyncCore

/// Answers what is asked below `/cloud/v1`.
public struct CloudRoutes: Sendable {
    /// A cloud that can be asked by servers.
    public typealias Cloud = CloudAPI & SignalsAPI

    private let cloud: any Cloud
    private let log: Log
    private let run: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let knows: @Sendable (SessionToken) -> Bool

    /// The face of a cloud.
    /// - Parameters:
    ///   - knows: whether a token is that of a session that has not ended; nothing dear is done before that is so.
    ///   - log: where lines for the operator go.
    ///   - run: begins what waits.
    public init(
        _ cloud: any Cloud,
        knows: @escaping @Sendable (SessionToken) -> Bool,
        log: Log,
        run: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.cloud = cloud
        self.knows = knows
        self.log = log
        self.run = run
    }

    /// The routes whose answers wait for news: how long they take says nothing.
    public static let waitingRoutes: Set<String> = [CloudAddress.signal, CloudAddress.signals]

    /// Whether a path is one of these.
    public static func owns(_ path: String) -> Bool { path.hasPrefix(CloudAddress.root + "/") }

    /// Whether a request comes with the token of a session that has not ended.
    public func isKnown(_ request: Request) -> Bool {
        Self.owns(request.path) && Asked.token(of: request).map(knows) == true
    }

    /// The most bytes of a request's body: what is large is a push of somebody who is known.
    public func bodyLimit(of request: Request) -> Int {
        switch request.path {
        case CloudAddress.push where isKnown(request): SyncLimits.bytes
        case CloudAddress.signals: SyncLimits.bytesOfSignals
        default: SyncLimits.bytesOfOthers
        }
    }

    /// The answer to a request; nil for a path that is not one of these.
    public func answer(_ request: Request) -> Response? {
        guard Self.owns(request.path) else { return nil }
        switch Self.table.match(request) {
        case .found(let action):
            do throws(CloudError) {
                let asked = try Asked(request, mostBytes: bodyLimit(of: request))
                guard let work = action(asked, cloud) else { return failure(.malformed) }
                let takesGzip = acceptsGzip(request.header("Accept-Encoding") ?? "")
                return later(work, from: asked.address, compressed: takesGzip)
            } catch { return failure(error) }
        case .notFound: return Response(.notFound, headers: Self.headers)
        case .wrongMethod(let allow):
            return Response(.methodNotAllowed, headers: Self.headers + [("Allow", allow)])
        }
    }

    /// What a question needs of its request.
    private struct Asked: Sendable {
        let token: SessionToken?
        let body: [UInt8]
        let address: String
        let query: FormFields

        init(_ request: Request, mostBytes: Int) throws(CloudError) {
            switch request.header("Content-Encoding")?.lowercased() {
            case nil, "identity": body = request.body
            case "gzip":
                do { body = try Gzip.inflate(request.body, upTo: mostBytes) } catch {
                    switch error {
                    case .malformed: throw .malformed
                    case .tooLong: throw .tooLarge(max: SyncLimits.operations)
                    }
                }
            default: throw .malformed
            }
            address = request.clientAddress
            query = request.query
            token = Self.token(of: request)
        }

        static func token(of request: Request) -> SessionToken? {
            let parts = request.header("Authorization")?.split(separator: " ", maxSplits: 1)
            guard let parts, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return SessionToken(String(parts[1]))
        }

        /// What proves the session. One that is missing or no token is as good as an ended one.
        func session() throws(CloudError) -> SessionToken {
            guard let token else { throw .sessionRevoked }
            return token
        }
    }

    /// What there is to do for a request; nil where it cannot be understood.
    private typealias Action = @Sendable (Asked, any Cloud) -> Work?

    /// A question that is understood, on its way to the cloud.
    private struct Work: Sendable {
        let run: @Sendable () async throws(CloudError) -> [UInt8]
    }

    // swift-format-ignore
    private static let table = Router<Action>([
        Route("POST",   Path(CloudAddress.signIn),   signIn),
        Route("POST",   Path(CloudAddress.signOut),  signOut),
        Route("GET",    Path(CloudAddress.account),  account),
        Route("DELETE", Path(CloudAddress.account),  deleteAccount),
        Route("DELETE", Path(CloudAddress.data),     deleteData),
        Route("POST",   Path(CloudAddress.password), changePassword),
        Route("POST",   Path(CloudAddress.confirmation), confirm),
        Route("GET",    Path(CloudAddress.devices),  devices),
        Route("DELETE", PathWith<DeviceID>(CloudAddress.devices + "/*"), signOutDevice),
        Route("POST",   Path(CloudAddress.push),     push),
        Route("GET",    Path(CloudAddress.changes),  changes),
        Route("GET",    Path(CloudAddress.signal),   signal),
        Route("POST",   Path(CloudAddress.signals),  signals),
        Route("POST",   Path(CloudAddress.detach),   detach),
    ])

    @Sendable private static func signIn(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let message = CloudMessage.decode(CloudMessage.SignInRequest.self, asked.body),
            let credentials = message.credentials, let device = message.device
        else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in
            let signedIn = try await cloud.signIn(credentials, device: device, from: asked.address)
            return CloudMessage.encode(CloudMessage.SignInAnswer(signedIn))
        }
    }

    @Sendable private static func signOut(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.signOut(try asked.session())
            return []
        }
    }

    @Sendable private static func account(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        Work { () async throws(CloudError) -> [UInt8] in
            CloudMessage.encode(CloudMessage.AccountAnswer(try await cloud.account(try asked.session())))
        }
    }

    @Sendable private static func deleteAccount(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.deleteAccount(try asked.session())
            return []
        }
    }

    @Sendable private static func deleteData(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.deleteData(try asked.session())
            return []
        }
    }

    @Sendable private static func changePassword(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let message = CloudMessage.decode(CloudMessage.PasswordRequest.self, asked.body) else {
            return nil
        }
        return Work { () async throws(CloudError) -> [UInt8] in
            let token = try asked.session()
            try await cloud.changePassword(
                from: message.old,
                to: message.new,
                at: asked.address,
                locksOthers: message.locksOthers ?? false,
                token
            )
            return []
        }
    }

    @Sendable private static func confirm(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let message = CloudMessage.decode(CloudMessage.ConfirmationRequest.self, asked.body),
            let credentials = message.credentials
        else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.confirm(credentials, from: asked.address, try asked.session())
            return []
        }
    }

    @Sendable private static func devices(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        Work { () async throws(CloudError) -> [UInt8] in
            CloudMessage.encode(CloudMessage.DevicesAnswer(try await cloud.devices(try asked.session())))
        }
    }

    @Sendable private static func signOutDevice(_ device: DeviceID) -> Action {
        { asked, cloud in
            Work { () async throws(CloudError) -> [UInt8] in
                let erases = asked.query.first("erase") == "1"
                try await cloud.signOut(device: device.id, erases: erases, try asked.session())
                return []
            }
        }
    }

    @Sendable private static func push(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let batch = try? PushBatch(asked.body) else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.push(batch, try asked.session()).encoded
        }
    }

    @Sendable private static func changes(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let query = ChangesQuery({ asked.query.first($0) }) else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.changes(query, try asked.session()).encoded
        }
    }

    @Sendable private static func signal(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        let wait = asked.query.first("wait").flatMap { Int64($0) } ?? 0
        var seen: Head?
        if let epoch = asked.query.first("epoch").flatMap({ Int64($0) }),
            let seq = asked.query.first("cursor").flatMap({ Int64($0) })
        {
            seen = Head(epoch: epoch, seq: seq)
        }
        let known = seen
        return Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.signal(seen: known, waitSeconds: max(0, wait), try asked.session()).encoded
        }
    }

    /// The tokens are in the request: it is for many sessions.
    @Sendable private static func signals(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let request = try? SignalsRequest(asked.body) else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in try await cloud.signals(request).encoded }
    }

    @Sendable private static func detach(_ asked: Asked, _ cloud: any Cloud) -> Work? {
        guard let message = try? DetachMessage(asked.body) else { return nil }
        return Work { () async throws(CloudError) -> [UInt8] in
            try await cloud.detach(message.replica, lastN: message.lastN, try asked.session())
            return []
        }
    }

    /// The id of a session in a path.
    private struct DeviceID: PathValue {
        let id: EntityID

        init?(pathSegment: Substring) {
            guard let id = EntityID(pathSegment), id.description == pathSegment else { return nil }
            self.id = id
        }
    }

    /// An answer is compressed from so many bytes on.
    private static let compressedFrom = 1_000

    private func later(_ work: Work, from address: String, compressed takesGzip: Bool) -> Response {
        let answer = LaterAnswer()
        run {
            do throws(CloudError) {
                var body = try await work.run()
                var response = Response(body.isEmpty ? .noContent : .ok, headers: Self.headers, body: .empty)
                if takesGzip, body.count >= Self.compressedFrom {
                    body = Gzip.compress(body, level: 3)
                    response.add("Content-Encoding", "gzip")
                }
                if !body.isEmpty { response.body = .bytes(body) }
                answer.fulfil(response)
            } catch {
                if let line = error.refusalLine(from: address) { log.warning(line) }
                answer.fulfil(failure(error))
            }
        }
        return .later(answer)
    }

    private func failure(_ error: CloudError) -> Response {
        switch error {
        case .failed: log.error("\(error)")
        case .unreachable, .timedOut: log.warning("\(error)")
        default: break
        }
        let message = CloudMessage.Failure(error)
        var response = Response(
            Status(rawValue: error.status),
            headers: Self.headers,
            body: .bytes(CloudMessage.encode(message))
        )
        if let seconds = message.retryAfterSeconds { response.add("Retry-After", "\(seconds)") }
        return response
    }

    private static let headers = [
        (name: "Content-Type", value: "application/json"), (name: "Cache-Control", value: "no-store"),
    ]
}
