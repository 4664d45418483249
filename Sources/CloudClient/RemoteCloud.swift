// A cloud elsewhere: the same questions as within this process, asked over HTTP.

import Compression
public import Ledger
public import Outbound
public import SyncCore

/// A cloud behind an address. Whatever it answers that is not understood counts as no answer.
public struct RemoteCloud: CloudAPI {
    /// A body is compressed from so many bytes on.
    private static let compressedFrom = 1_000
    /// A page of a thousand rows with long notes is this long at most; a longer answer counts as none.
    private static let mostBytes = 64 << 20

    private let base: String
    private let client: any HTTPSending
    /// For sync, which asks again by itself: a dead line is given up soon, since another one may be there by then.
    private let syncClient: any HTTPSending
    /// Set once; nil in the copy that sends the hub's requests.
    private var hub: SignalHub?
    /// As `hub`.
    private var watch: LineWatch?
    private let gate: RequestGate
    private let hedge: Hedge
    private let milliseconds: @Sendable () -> Int64
    /// So many requests of devices are sent at once.
    private static let mostAtOnce = 64

    /// A cloud.
    /// - Parameter address: as `https://cloud.example.org`, without a path.
    public init(at address: String) {
        self.init(
            at: address,
            client: HTTPClient(stallSeconds: 20),
            syncClient: HTTPClient(
                connectSeconds: 4,
                stallSeconds: Double(SyncLimits.silentSeconds),
                responseBytes: Self.mostBytes
            )
        )
    }

    /// A cloud behind a client of one's own.
    /// - Parameter syncClient: sends what is of sync; nil for `client`.
    public init(at address: String, client: any HTTPSending, syncClient: (any HTTPSending)? = nil) {
        var base = address
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.client = client
        self.syncClient = syncClient ?? client
        let begun = ContinuousClock.now
        let milliseconds: @Sendable () -> Int64 = {
            let (seconds, attoseconds) = (ContinuousClock.now - begun).components
            return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        }
        self.milliseconds = milliseconds
        hedge = Hedge(milliseconds: milliseconds, pause: pause(milliseconds:))
        gate = RequestGate(Self.mostAtOnce, milliseconds: milliseconds)
        let line = self
        watch = LineWatch(
            milliseconds: milliseconds,
            pause: pause(milliseconds:),
            look: { await line.lookAfterTheLine() }
        )
        let watchedLine = self
        hub = SignalHub(
            milliseconds: milliseconds,
            pause: pause(milliseconds:),
            send: { request throws(CloudError) in try await watchedLine.signals(request) }
        )
    }

    /// As `AccountsAPI`.
    public func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        let message = CloudMessage.encode(CloudMessage.SignInRequest(credentials, device))
        let body = try await ask("POST", CloudAddress.signIn, message, from: address, as: .once)
        return try understood(CloudMessage.decode(CloudMessage.SignInAnswer.self, body)?.signedIn)
    }

    /// As `AccountsAPI`.
    public func account(_ token: SessionToken) async throws(CloudError) -> AccountReport {
        let body = try await ask("GET", CloudAddress.account, token: token)
        return try understood(CloudMessage.decode(CloudMessage.AccountAnswer.self, body)?.report)
    }

    /// As `AccountsAPI`.
    public func changePassword(
        from old: String,
        to new: String,
        at address: String,
        locksOthers: Bool,
        _ token: SessionToken
    ) async throws(CloudError) {
        let asked = CloudMessage.PasswordRequest(old: old, new: new, locksOthers: locksOthers)
        let message = CloudMessage.encode(asked)
        _ = try await ask(
            "POST",
            CloudAddress.password,
            message,
            from: address,
            token: token,
            as: .once
        )
    }

    /// As `AccountsAPI`.
    public func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        let asked = CloudMessage.ConfirmationRequest(credentials)
        let message = CloudMessage.encode(asked)
        _ = try await ask("POST", CloudAddress.confirmation, message, from: address, token: token, as: .once)
    }

    /// As `AccountsAPI`.
    public func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        let body = try await ask("GET", CloudAddress.devices, token: token)
        return try understood(CloudMessage.decode(CloudMessage.DevicesAnswer.self, body)?.sessions)
    }

    /// As `AccountsAPI`.
    public func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError) {
        let path = "\(CloudAddress.devices)/\(device)" + (erases ? "?erase=1" : "")
        _ = try await ask("DELETE", path, token: token)
    }

    /// As `AccountsAPI`.
    public func signOut(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("POST", CloudAddress.signOut, [], token: token)
    }

    /// As `AccountsAPI`.
    public func deleteData(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("DELETE", CloudAddress.data, token: token)
    }

    /// As `AccountsAPI`.
    public func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("DELETE", CloudAddress.account, token: token)
    }

    // MARK: - Sync

    /// As `SyncAPI`.
    public func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        let body = try await ask("POST", CloudAddress.push, batch.encoded, token: token, as: .batch)
        do { return try PushAnswer(body) } catch { throw nonsense }
    }

    /// As `SyncAPI`.
    public func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage
    {
        let address = "\(CloudAddress.changes)?\(query.encoded)"
        let body = try await ask("GET", address, token: token, as: .batch)
        do { return try ChangesPage(body) } catch { throw nonsense }
    }

    /// As `SyncAPI`. All devices wait with one request, where the cloud knows such requests.
    public func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError)
        -> Head
    {
        if case .answered(let result)? = await hub?.signal(seen: seen, waitSeconds: waitSeconds, token) {
            return try result.get()
        }
        do throws(CloudError) { return try await signalAlone(seen, waitSeconds, token) } catch {
            if case .unreachable = error { await hub?.lineFailed() }
            throw error
        }
    }

    /// One device's question for news. Its wait is short enough that a line that has died is noticed after
    /// `SyncLimits.silentSeconds`.
    private func signalAlone(_ seen: Head?, _ waitSeconds: Int64, _ token: SessionToken)
        async throws(CloudError) -> Head
    {
        let known = seen.map { "epoch=\($0.epoch)&cursor=\($0.seq)&" } ?? ""
        let body = try await ask(
            "GET",
            "\(CloudAddress.signal)?\(known)wait=\(min(waitSeconds, SyncLimits.pollSeconds))",
            token: token,
            as: .news
        )
        do { return try Head(body) } catch { throw nonsense }
    }

    /// - Returns: nil where the cloud does not know such a request: it is older.
    private func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer? {
        let response =
            try await request.waitSeconds > 0
            ? wait(request)
            : watched {
                await signals(request, as: .update)
            }
        guard response.status != 404, response.status != 405 else { return nil }
        let body = try accepted(response, CloudAddress.signals)
        do { return try SignalsAnswer(body) } catch { throw nonsense }
    }

    /// Waits for news: asked again over new connections where the answer is late.
    private func wait(_ request: SignalsRequest) async throws(CloudError) -> HTTPResponse {
        let (answer, number, milliseconds) = await hedge.ask(dueMilliseconds: request.waitSeconds * 1_000) {
            number in
            guard number > 0 else { return await signals(request, as: .news) }
            var again = request
            again.waitSeconds = 0
            return await signals(again, as: .news, needsNewConnection: true)
        }
        // The answer came over a new connection, and not over the one that was there. Where other requests are answered,
        // it was only late.
        if number > 0,
            await watch?.hasAnswered(since: self.milliseconds() - LineWatch.lateMilliseconds) != true
        {
            syncClient.suspect(base, answeredWithin: milliseconds)
        }
        return try answer.get()
    }

    private func signals(_ request: SignalsRequest, as kind: Kind, needsNewConnection: Bool = false) async
        -> Hedge.Answer
    {
        do throws(CloudError) {
            return .success(
                try await exchange(
                    "POST",
                    CloudAddress.signals,
                    request.encoded,
                    as: kind,
                    needsNewConnection: needsNewConnection
                )
            )
        } catch { return .failure(error) }
    }

    /// Asks something that changes nothing over a new connection. Where the cloud answers, a request that is late and
    /// does not move may be over a connection that has died.
    private func lookAfterTheLine() async {
        let begun = milliseconds()
        let nothing = SignalsRequest(watch: nil, waitSeconds: 0)
        let answer = await signals(nothing, as: .news, needsNewConnection: true)
        if Hedge.provesTheLine(answer) {
            syncClient.suspect(base, answeredWithin: milliseconds() - begun)
        }
    }

    /// Asks whether the cloud answers, without a session and without a wait: over the connection that is there, and where
    /// that does not do, over a new one.
    /// - Throws: `unreachable`, also where something else answers at the address.
    public func check() async throws(CloudError) {
        let nothing = SignalsRequest(watch: nil, waitSeconds: 0)
        var answer = await signals(nothing, as: .news)
        if !Hedge.provesTheLine(answer) {
            answer = await signals(nothing, as: .news, needsNewConnection: true)
        }
        let status = try answer.get().status
        // An older cloud does not know the request.
        guard (200...299).contains(status) || status == 404 || status == 405 else {
            throw .unreachable("\(base) answers \(status)")
        }
    }

    /// Has the line looked after while a request has no answer.
    private func watched(_ send: () async -> Hedge.Answer) async throws(CloudError) -> HTTPResponse {
        let number = await watch?.begin()
        let answer = await send()
        let isAnswered = if case .success = answer { true } else { false }
        if let number { await watch?.end(number, isAnswered: isAnswered) }
        return try answer.get()
    }

    /// As `SyncAPI`.
    public func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError) {
        let message = DetachMessage(replica: replica, lastN: lastN)
        _ = try await ask("POST", CloudAddress.detach, message.encoded, token: token)
    }

    private enum Kind {
        case usual
        /// Must not reach the cloud twice.
        case once
        /// Has as many operations or rows as the caller likes: that it takes too long is told apart.
        case batch
        /// Answered when there is news: it has a second question of its own.
        case news
        /// Of sync as well, and answered at once.
        case update
    }

    /// - Parameter address: who is behind this request; the cloud believes it where it trusts this server.
    private func ask(
        _ method: String,
        _ path: String,
        _ message: [UInt8]? = nil,
        from address: String? = nil,
        token: SessionToken? = nil,
        as kind: Kind = .usual
    ) async throws(CloudError) -> [UInt8] {
        // A sign-in does not wait for the devices, and requests for news would occupy all places.
        guard kind == .usual || kind == .batch else {
            return try accepted(try await exchange(method, path, message, address, token, as: kind), path)
        }
        try await gate.enter()
        let response: HTTPResponse
        do throws(CloudError) {
            response = try await watched {
                do throws(CloudError) {
                    return .success(try await exchange(method, path, message, address, token, as: kind))
                } catch { return .failure(error) }
            }
        } catch {
            await gate.leave(error)
            throw error
        }
        await gate.leave()
        return try accepted(response, path)
    }

    /// Sends a request.
    /// - Throws: `unreachable`, `timedOut`.
    private func exchange(
        _ method: String,
        _ path: String,
        _ message: [UInt8]? = nil,
        _ address: String? = nil,
        _ token: SessionToken? = nil,
        as kind: Kind,
        needsNewConnection: Bool = false
    ) async throws(CloudError) -> HTTPResponse {
        var request = HTTPRequest(method, base + path, body: message, isRepeatable: kind != .once)
        request.needsNewConnection = needsNewConnection
        request.mayBeSuspected = kind != .once && kind != .news
        if let message {
            request.headers.append(("Content-Type", "application/json"))
            if message.count >= Self.compressedFrom {
                request.body = Gzip.compress(message)
                request.headers.append(("Content-Encoding", "gzip"))
            }
        }
        if let token { request.headers.append(("Authorization", "Bearer \(token.text)")) }
        if let address, !address.isEmpty { request.headers.append(("X-Forwarded-For", address)) }
        let isOfSync = kind == .batch || kind == .news || kind == .update
        do { return try await send(request, over: isOfSync ? syncClient : client) } catch {
            switch error {
            case .timedOut(.noProgress), .timedOut(.total):
                throw kind == .batch ? .timedOut("\(base): \(error)") : .unreachable("\(base): \(error)")
            default: throw .unreachable("\(base): \(error)")
            }
        }
    }

    /// Sends a request, and again where its connection turns out to have died.
    private func send(_ request: HTTPRequest, over client: any HTTPSending)
        async throws(HTTPClientError) -> HTTPResponse
    {
        do { return try await client.send(request) } catch { guard error == .suspected else { throw error } }
        var again = request
        (again.needsNewConnection, again.mayBeSuspected) = (true, false)
        let begun = milliseconds()
        let result: Result<HTTPResponse, HTTPClientError>
        do { result = .success(try await client.send(again)) } catch { result = .failure(error) }
        await watch?.sentAgain(tookMilliseconds: milliseconds() - begun)
        return try result.get()
    }

    /// The body of a response, where it is what was asked for.
    private func accepted(_ response: HTTPResponse, _ path: String) throws(CloudError) -> [UInt8] {
        guard !(200...299).contains(response.status) else { return response.body }
        if let error = CloudMessage.decode(CloudMessage.Failure.self, response.body)?.error,
            error.status == response.status
        {
            throw error
        }
        // Not the cloud's own words: a proxy before it has enough to do, or holds it back for a while.
        if [429, 503].contains(response.status), let seconds = response.retryAfterSeconds {
            throw .busy(retryAfterSeconds: min(max(seconds, 1), 86_400))
        }
        throw .unreachable("\(base)\(path) answers \(response.status)")
    }

    private var nonsense: CloudError { .unreachable("\(base) answers something that cannot be understood") }

    private func understood<Value>(_ value: Value?) throws(CloudError) -> Value {
        guard let value else { throw nonsense }
        return value
    }
}
