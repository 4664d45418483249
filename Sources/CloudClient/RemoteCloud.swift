// A cloud elsewhere: the calls of the API over HTTP.

public import CloudProtocol
import Compression
public import Outbound
public import SyncCore

/// A cloud at an address. An answer that cannot be understood counts as no answer.
public struct RemoteCloud: RelayingCloud {
    /// The minimum size of a body that is compressed, in bytes.
    private static let compressedFrom = 1_000
    /// The maximum size of an answer, in bytes. It exceeds a page with `SyncLimits.answerBytes` of
    /// values, whatever JSON adds to them; a longer answer counts as none.
    private static let mostBytes = 64 << 20
    private static let mostBytesOfOthers = 16 << 20

    private let base: String
    private let client: any HTTPSending
    /// The client for sync. It gives up a silent connection early, because sync repeats its requests and
    /// another connection may work by then.
    private let syncClient: any HTTPSending
    /// Set once; nil in the copy that sends the hub's requests.
    private var hub: SignalHub?
    /// As `hub`.
    private var watch: LineWatch?
    private let gate: RequestGate
    /// The gate of requests with many bytes.
    private let bulkGate: RequestGate
    private let hedge: RequestHedging
    private let milliseconds: @Sendable () -> Int64
    /// The maximum number of concurrent requests of devices.
    private static let mostAtOnce = 64
    /// The maximum number of concurrent requests with many bytes.
    private static let mostBulkAtOnce = 4

    /// A cloud at an address, with its own clients.
    /// - Parameters:
    ///   - address: an address such as `https://cloud.example.org`, without a path.
    ///   - executor: runs the tasks that no caller awaits. Swift's shared pool has one thread for each core, so
    ///     that work that blocks it would stop sync.
    public init(at address: String, on executor: any TaskExecutor) {
        self.init(
            at: address,
            // The largest answer is a history of rates: 7,000 days with a rate of each currency.
            client: HTTPClient(stallSeconds: 20, responseBytes: Self.mostBytesOfOthers),
            syncClient: HTTPClient(
                connectSeconds: 4,
                stallSeconds: Double(SyncLimits.silentSeconds),
                responseBytes: Self.mostBytes
            ),
            on: executor
        )
    }

    /// A cloud behind given clients.
    /// - Parameters:
    ///   - syncClient: the client for requests of sync; nil for `client`.
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
        hedge = RequestHedging(milliseconds: milliseconds, pause: pause(milliseconds:))
        gate = RequestGate(Self.mostAtOnce, on: executor, milliseconds: milliseconds)
        bulkGate = RequestGate(Self.mostBulkAtOnce, on: executor, milliseconds: milliseconds)
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
    /// - Throws: the errors of the call; `unreachable`, `timedOut` and `cutOff` if there is no answer that can be
    ///   understood.
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

    /// As `SyncAPI`. All devices share one request, if the cloud supports such requests.
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

    /// Polls for a single device. The wait is short enough that a failed connection is detected after
    /// `SyncLimits.silentSeconds`.
    private func signalAlone(_ seen: Head?, _ waitSeconds: Int64, _ token: SessionToken)
        async throws(CloudError) -> Head
    {
        let request = SignalRequest(seen: seen, waitSeconds: min(waitSeconds, SyncLimits.pollSeconds))
        return try await send(Endpoints.signal, request, Caller(token))
    }

    /// - Returns: nil if the cloud does not support the request because it is older.
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

    /// Waits for news. If the answer is late, the request is repeated over new connections.
    private func wait(_ request: SignalsRequest) async throws(CloudError) -> HTTPResponse {
        let (answer, number, milliseconds) = await hedge.ask(dueMilliseconds: request.waitSeconds * 1_000) {
            number in
            guard number > 0 else { return await exchange(request) }
            var again = request
            again.waitSeconds = 0
            return await exchange(again, needsNewConnection: true)
        }
        // The answer came over a new connection, and not over the existing one. If other requests are
        // answered, the existing one was only late.
        if number > 0,
            await watch?.hasAnswered(since: self.milliseconds() - LineWatch.lateMilliseconds) != true
        {
            syncClient.suspect(base, answeredWithin: milliseconds)
        }
        return try answer.get()
    }

    /// - Parameter isUpdate: whether the cloud answers immediately, so that silence indicates a failed
    ///   connection.
    private func exchange(
        _ request: SignalsRequest,
        isUpdate: Bool = false,
        needsNewConnection: Bool = false
    ) async -> RequestHedging.Answer {
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

    /// Sends a request without effects over a new connection. If the cloud answers, other requests that are
    /// late and make no progress may be on a connection that has failed.
    private func lookAfterTheLine() async {
        let begun = milliseconds()
        let nothing = SignalsRequest(watch: nil, waitSeconds: 0)
        let answer = await exchange(nothing, needsNewConnection: true)
        if RequestHedging.showsWorkingLine(answer) {
            syncClient.suspect(base, answeredWithin: milliseconds() - begun)
        }
    }

    /// Checks whether the cloud answers a request without a session and without a wait: over the existing
    /// connection, and if that fails, over a new one.
    /// - Throws: `unreachable`, also if another service answers at the address.
    public func check() async throws(CloudError) {
        let nothing = SignalsRequest(watch: nil, waitSeconds: 0)
        var answer = await exchange(nothing)
        if !RequestHedging.showsWorkingLine(answer) {
            answer = await exchange(nothing, needsNewConnection: true)
        }
        let status = try answer.get().status
        // An older cloud does not support the request.
        guard (200...299).contains(status) || status == 404 || status == 405 else {
            throw .unreachable("\(base) answers \(status)")
        }
    }

    /// Has the line probed while a request has no answer.
    private func watched(_ send: () async -> RequestHedging.Answer) async throws(CloudError) -> HTTPResponse {
        let number = await watch?.begin()
        let answer = await send()
        let isAnswered = if case .success = answer { true } else { false }
        if let number { await watch?.end(number, isAnswered: isAnswered) }
        return try answer.get()
    }

    // MARK: - One request

    /// Sends a request as soon as the gate admits it.
    private func inTurn(_ delivery: Delivery, _ send: () async -> RequestHedging.Answer)
        async throws(CloudError)
        -> HTTPResponse
    {
        switch delivery {
        // A sign-in does not wait for the requests of devices, and long polls would occupy all places.
        case .credentials, .news: return try await send().get()
        case .repeatable, .batch: return try await inTurn(at: gate, send)
        case .bulk: return try await inTurn(at: bulkGate, send)
        }
    }

    private func inTurn(at gate: RequestGate, _ send: () async -> RequestHedging.Answer)
        async throws(CloudError)
        -> HTTPResponse
    {
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
    /// - Parameter isUpdate: whether the cloud answers immediately although other requests to the endpoint
    ///   wait for news.
    /// - Throws: `unreachable`, `timedOut`, `cutOff`.
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
        request.mayBeSuspected = [.repeatable, .batch, .bulk].contains(delivery) || isUpdate
        if let body = encoded.body {
            let type = encoded.isBinary ? "application/octet-stream" : "application/json"
            request.headers.append(("Content-Type", type))
            if body.count >= Self.compressedFrom, !encoded.isBinary {
                request.body = Gzip.compress(body)
                request.headers.append(("Content-Encoding", "gzip"))
            }
        }
        for (name, value) in encoded.headers { request.headers.append((name, value)) }
        if let token = caller.token { request.headers.append(("Authorization", "Bearer \(token.text)")) }
        // The cloud uses the address if it trusts this server.
        if !caller.address.isEmpty { request.headers.append(("X-Forwarded-For", caller.address)) }
        let isOfSync = delivery == .batch || delivery == .news
        do { return try await send(request, over: isOfSync ? syncClient : client) } catch {
            switch error {
            case .timedOut(.noProgress), .timedOut(.total):
                throw delivery == .batch ? .timedOut("\(base): \(error)") : .unreachable("\(base): \(error)")
            case .cutOff:
                throw delivery == .batch ? .cutOff("\(base): \(error)") : .unreachable("\(base): \(error)")
            default: throw .unreachable("\(base): \(error)")
            }
        }
    }

    /// Sends a request, and repeats it if its connection turns out to have failed.
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

    /// The decoded response of an endpoint.
    private func decoded<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        at address: String,
        _ response: HTTPResponse
    ) throws(CloudError) -> Response {
        guard (200...299).contains(response.status) else {
            if let error = CloudError(response.body, status: response.status) { throw error }
            // The response is not the cloud's own: a proxy in front of it is overloaded, or delays the
            // requests for a time.
            if [429, 503].contains(response.status), let seconds = response.retryAfterSeconds {
                throw .busy(retryAfterSeconds: min(max(seconds, 1), 86_400))
            }
            if endpoint.delivery == .bulk, [404, 405, 501].contains(response.status) { throw .notSupported }
            // A proxy limits the size of bodies to less than the cloud does, and does not name its limit.
            if response.status == 413 { throw .sync(.tooLarge(max: .max)) }
            throw .unreachable("\(base)\(address) answers \(response.status)")
        }
        guard let decoded = endpoint.response.decode(response.body) else {
            throw .unreachable("\(base) answers something that cannot be understood")
        }
        return decoded
    }
}
