// A cloud elsewhere: the same questions as within this process, asked over HTTP.

public import CloudProtocol
import Compression
public import Outbound
public import SyncCore

/// A cloud behind an address. Whatever it answers that is not understood counts as no answer.
public struct RemoteCloud: RelayingCloud {
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
    /// - Parameters:
    ///   - address: as `https://cloud.example.org`, without a path.
    ///   - executor: runs the tasks that no caller awaits. Swift's shared pool has one thread for each core, so that
    ///     work that blocks it would stop sync.
    public init(at address: String, on executor: any TaskExecutor) {
        self.init(
            at: address,
            client: HTTPClient(stallSeconds: 20),
            syncClient: HTTPClient(
                connectSeconds: 4,
                stallSeconds: Double(SyncLimits.silentSeconds),
                responseBytes: Self.mostBytes
            ),
            on: executor
        )
    }

    /// A cloud behind a client of one's own.
    /// - Parameters:
    ///   - syncClient: sends what is of sync; nil for `client`.
    ///   - executor: runs the tasks that no caller awaits; nil for Swift's shared pool.
    public init(
        at address: String,
        client: any HTTPSending,
        syncClient: (any HTTPSending)? = nil,
        on executor: (any TaskExecutor)? = nil
    ) {
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
        gate = RequestGate(Self.mostAtOnce, on: executor, milliseconds: milliseconds)
        let line = self
        watch = LineWatch(
            on: executor,
            milliseconds: milliseconds,
            pause: pause(milliseconds:),
            look: { await line.lookAfterTheLine() }
        )
        let watchedLine = self
        hub = SignalHub(
            on: executor,
            milliseconds: milliseconds,
            pause: pause(milliseconds:),
            send: { request throws(CloudError) in try await watchedLine.signalsIfSupported(request) }
        )
    }

    /// As `RelayingCloud`.
    /// - Throws: what the call throws; `unreachable` and `timedOut` where nothing comes back that can be understood.
    public func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        let encoded = endpoint.request.encode(request)
        let response = try await inTurn(endpoint.delivery) {
            do throws(CloudError) {
                return .success(try await exchange(endpoint, encoded, caller))
            } catch { return .failure(error) }
        }
        return try decoded(endpoint, at: endpoint.address(encoded), response)
    }

    // MARK: - News

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
        let request = SignalRequest(seen: seen, waitSeconds: min(waitSeconds, SyncLimits.pollSeconds))
        return try await send(Endpoints.signal, request, Caller(token))
    }

    /// - Returns: nil where the cloud does not know such a request: it is older.
    private func signalsIfSupported(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer? {
        let response =
            try await request.waitSeconds > 0
            ? wait(request)
            : watched {
                await exchange(request, isUpdate: true)
            }
        guard response.status != 404, response.status != 405 else { return nil }
        return try decoded(Endpoints.signals, at: Endpoints.signals.path, response)
    }

    /// Waits for news: asked again over new connections where the answer is late.
    private func wait(_ request: SignalsRequest) async throws(CloudError) -> HTTPResponse {
        let (answer, number, milliseconds) = await hedge.ask(dueMilliseconds: request.waitSeconds * 1_000) {
            number in
            guard number > 0 else { return await exchange(request) }
            var again = request
            again.waitSeconds = 0
            return await exchange(again, needsNewConnection: true)
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

    /// - Parameter isUpdate: whether it is answered at once, so that silence means something.
    private func exchange(
        _ request: SignalsRequest,
        isUpdate: Bool = false,
        needsNewConnection: Bool = false
    ) async -> Hedge.Answer {
        do throws(CloudError) {
            return .success(
                try await exchange(
                    Endpoints.signals,
                    Endpoints.signals.request.encode(request),
                    Caller(),
                    isUpdate: isUpdate,
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
        let answer = await exchange(nothing, needsNewConnection: true)
        if Hedge.provesTheLine(answer) {
            syncClient.suspect(base, answeredWithin: milliseconds() - begun)
        }
    }

    /// Asks whether the cloud answers, without a session and without a wait: over the connection that is there, and where
    /// that does not do, over a new one.
    /// - Throws: `unreachable`, also where something else answers at the address.
    public func check() async throws(CloudError) {
        let nothing = SignalsRequest(watch: nil, waitSeconds: 0)
        var answer = await exchange(nothing)
        if !Hedge.provesTheLine(answer) {
            answer = await exchange(nothing, needsNewConnection: true)
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

    // MARK: - One request

    /// Sends a request when it is its turn.
    private func inTurn(_ delivery: Delivery, _ send: () async -> Hedge.Answer) async throws(CloudError)
        -> HTTPResponse
    {
        switch delivery {
        // A sign-in does not wait for the devices, and requests for news would occupy all places.
        case .credentials, .news: return try await send().get()
        case .repeatable, .batch: break
        }
        try await gate.enter()
        let response: HTTPResponse
        do throws(CloudError) { response = try await watched(send) } catch {
            await gate.leave(error)
            throw error
        }
        await gate.leave()
        return response
    }

    /// Sends a request.
    /// - Parameter isUpdate: whether it is answered at once, though others of its kind wait for news.
    /// - Throws: `unreachable`, `timedOut`.
    private func exchange(
        _ endpoint: some AnyEndpoint,
        _ encoded: EncodedRequest,
        _ caller: Caller,
        isUpdate: Bool = false,
        needsNewConnection: Bool = false
    ) async throws(CloudError) -> HTTPResponse {
        let delivery = endpoint.delivery
        var request = HTTPRequest(
            endpoint.method,
            base + endpoint.address(encoded),
            body: encoded.body,
            isRepeatable: delivery != .credentials
        )
        request.needsNewConnection = needsNewConnection
        request.mayBeSuspected = delivery == .repeatable || delivery == .batch || isUpdate
        if let body = encoded.body {
            request.headers.append(("Content-Type", "application/json"))
            if body.count >= Self.compressedFrom {
                request.body = Gzip.compress(body)
                request.headers.append(("Content-Encoding", "gzip"))
            }
        }
        if let token = caller.token { request.headers.append(("Authorization", "Bearer \(token.text)")) }
        // The cloud believes the address where it trusts this server.
        if !caller.address.isEmpty { request.headers.append(("X-Forwarded-For", caller.address)) }
        let isOfSync = delivery == .batch || delivery == .news
        do { return try await send(request, over: isOfSync ? syncClient : client) } catch {
            switch error {
            case .timedOut(.noProgress), .timedOut(.total):
                throw delivery == .batch ? .timedOut("\(base): \(error)") : .unreachable("\(base): \(error)")
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
        await watch?.sentAgain(durationMilliseconds: milliseconds() - begun)
        return try result.get()
    }

    /// The response of an endpoint, where it is what was asked for.
    private func decoded<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        at address: String,
        _ response: HTTPResponse
    ) throws(CloudError) -> Response {
        guard (200...299).contains(response.status) else {
            if let error = CloudError(response.body, status: response.status) { throw error }
            // Not the cloud's own words: a proxy before it has enough to do, or holds it back for a while.
            if [429, 503].contains(response.status), let seconds = response.retryAfterSeconds {
                throw .busy(retryAfterSeconds: min(max(seconds, 1), 86_400))
            }
            throw .unreachable("\(base)\(address) answers \(response.status)")
        }
        guard let decoded = endpoint.response.decode(response.body) else {
            throw .unreachable("\(base) answers something that cannot be understood")
        }
        return decoded
    }
}
