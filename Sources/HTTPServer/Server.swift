// The web server: the threads of libmicrohttpd, and one handler.

import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// Answers a request. It runs on a worker thread and must not block.
public typealias Handler = @Sendable (Request) -> Response

/// The library's daemon. Safe to share: every library call on it locks for itself.
private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// The objects that the library's threads use. They are apart from `Server`, because a thread with the last
/// reference to a `Server` would stop the daemon from within, and so wait for itself.
private final class ServerCore: Sendable {
    let settings: Configuration
    let handler: Handler
    let connections: ConnectionRegister
    let openAnswers = OpenAnswers()
    let bodies: Budget
    let answers: Budget

    init(_ settings: Configuration, connections limit: Int, _ handler: @escaping Handler) {
        self.settings = settings
        self.handler = handler
        bodies = Budget(bytes: settings.bytesOfBodies)
        answers = Budget(bytes: settings.bytesOfAnswers)
        connections = ConnectionRegister(limit: limit, limitOfAddress: settings.connectionsPerAddress)
    }
}

/// A server that accepts connections from its creation until it is stopped.
///
/// Safe to share: the variables are behind a mutex; the daemon's pointer is passed only to libmicrohttpd,
/// which locks for itself.
public final class Server: @unchecked Sendable {
    private let core: ServerCore
    /// One daemon for each worker thread.
    private let daemons = Mutex<[Daemon]>([])
    private let listener: Listener
    private let watch: any DispatchSourceTimer
    /// The port on which the server listens.
    public var port: UInt16 { listener.port }

    /// Starts to listen.
    /// - Throws: `ServerError` if the address or the port is not available.
    public init(_ settings: Configuration, handler: @escaping Handler) throws(ServerError) {
        let limit = connectionLimit(settings.connections)
        if limit < settings.connections {
            settings.warn(
                "the system lets this process have too few files for \(settings.connections) connections: \(limit) are taken"
            )
        }
        core = ServerCore(settings, connections: limit, handler)
        listener = try Listener(host: settings.host, port: settings.port)
        watch = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "breadly.watch"))
        // Dispatch aborts if a source is freed that was never activated.
        watch.setEventHandler {}
        watch.activate()
        var running: [Daemon] = []
        for _ in 0..<max(1, settings.threads) {
            let started = Daemon(pointer: try start())
            daemons.withLock { $0.append(started) }
            running.append(started)
        }
        let workers = running
        let turn = Atomic(0)
        let (connections, proxies) = (core.connections, settings.trustedProxies)
        listener.start(while: { connections.hasRoom }, makeRoom: { connections.makeRoom() }) {
            descriptor,
            address,
            size in
            let peer = addressText(address)
            // The connections of a proxy are its clients': each request names the client.
            let from = proxies.contains(peer) ? nil : limitedNetwork(of: peer)
            guard !isRefusedUnread(descriptor), connections.admit(from: from) else {
                close(descriptor)
                return
            }
            let worker = workers[turn.add(1, ordering: .relaxed).newValue % workers.count]
            // The library closes a connection that it does not accept.
            let isTaken = MHD_add_connection(worker.pointer, descriptor, address, size)
            if isTaken != .YES { connections.leave(from: from) }
        }
        let beat = Atomic(0)
        watch.setEventHandler { [core] in
            core.connections.closeExpired(now: core.settings.clock())
            core.connections.noticeDepartures()
            // Every 25 seconds: a shorter time than the idle timeouts of proxies.
            if beat.add(1, ordering: .relaxed).newValue.isMultiple(of: 25) { core.openAnswers.beat() }
        }
        watch.schedule(deadline: .now() + 1, repeating: 1)
    }

    /// Closes connections past their deadline, without waiting for the watchdog.
    func closeExpired() { core.connections.closeExpired(now: core.settings.clock()) }

    /// Sends a heartbeat on all streams of events, without waiting for the watchdog.
    func beat() { core.openAnswers.beat() }

    /// Looks for readers that have hung up, without waiting for the watchdog.
    func noticeDepartures() { core.connections.noticeDepartures() }

    deinit { stop(withinSeconds: 0) }

    /// The number of open connections.
    public var openConnections: Int { core.connections.count }

    /// The number of bytes of bodies that are not answered yet.
    var bytesOfBodies: Int { core.bodies.bytesTaken }

    /// The number of bytes of answers that are not sent yet.
    var bytesOfAnswers: Int { core.answers.bytesTaken }

    /// The number of refused connections and requests since the start, by reason: `address`, `full`.
    public var refusals: [(reason: String, count: Int)] { core.connections.refusals }

    /// Accepts no new connections, waits for the requests under way, and closes.
    /// - Parameter seconds: the longest wait.
    public func stop(withinSeconds seconds: Int) {
        listener.stop()
        let stopped = daemons.withLock { current in
            defer { current = [] }
            return current
        }
        guard !stopped.isEmpty else { return }
        watch.cancel()
        core.openAnswers.endAll()
        for _ in 0..<seconds * 20 where openConnections > 0 {
            core.connections.closeIdle()
            usleep(50_000)
        }
        for daemon in stopped { MHD_stop_daemon(daemon.pointer) }
    }

    private func start() throws(ServerError) -> OpaquePointer {
        // The context is unretained: this object owns it, and `deinit` stops the daemon, which joins its
        // threads first.
        let context = Unmanaged.passUnretained(core).toOpaque()
        let flags =
            MHD_USE_AUTO.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_ERROR_LOG.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
        var options = limits(context)
        options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
        errno = 0
        guard let started = breadly_mhd_start(flags, onAccess, context, &options) else {
            throw .noWorkers(reason: String(cString: strerror(errno)))
        }
        return started
    }

    private func limits(_ context: UnsafeMutableRawPointer) -> [MHD_OptionItem] {
        let settings = core.settings
        // Options with two pointers carry the function in `value` and its context in `ptr_value`.
        return [
            function(.EXTERNAL_LOGGER, unsafeBitCast(ignoreLog, to: Int.self), nil),
            function(.URI_LOG_CALLBACK, unsafeBitCast(onTarget, to: Int.self), context),
            function(.NOTIFY_COMPLETED, unsafeBitCast(onCompleted, to: Int.self), context),
            function(.NOTIFY_CONNECTION, unsafeBitCast(onConnection, to: Int.self), context),
            number(.CONNECTION_MEMORY_LIMIT, settings.headerBytes + 16_384),
            // A limit that is never reached: `ConnectionRegister` counts for all workers.
            number(.CONNECTION_LIMIT, settings.connections + 1),
            number(.CONNECTION_TIMEOUT, Int(settings.idleSeconds)),
            number(.STRICT_FOR_CLIENT, 1),
        ]
    }

    private func number(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: nil)
    }

    private func function(_ option: MHD_OPTION, _ value: Int, _ context: UnsafeMutableRawPointer?)
        -> MHD_OptionItem
    {
        MHD_OptionItem(option: option, value: value, ptr_value: context)
    }
}

private typealias TargetCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?

private typealias CompletedCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_RequestTerminationCode
    ) -> Void

private typealias ConnectionCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_ConnectionNotificationCode
    ) -> Void

private typealias LogCallback =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> Void

/// The library's own log lines repeat the answers, and would only fill the log of a server under attack.
private let ignoreLog: LogCallback = { _, _, _ in }

/// Creates the exchange when the request line has been read; it is retained until `onCompleted`.
private let onTarget: TargetCallback = { context, target, connection in
    guard let context else { return nil }
    let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let text = target.map { String(cString: $0) } ?? ""
    if let connection { record(of: connection)?.hasRequest.store(true, ordering: .relaxed) }
    // Next, the library parses the fields of the query into memory of the connection, and fails silently if
    // they do not fit. `Exchange` parses them from the text above, so the query is ended at its beginning
    // here. The memory is the connection's own, which the library modifies as well; the byte after the
    // question mark belongs to the target, or is the NUL that ends it.
    if let target, let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
    let start = target.map { UInt(bitPattern: $0) } ?? 0
    let exchange = Exchange(
        rawTarget: text,
        targetEnd: start + UInt(text.utf8.count),
        bodies: server.bodies,
        answers: server.answers
    )
    if server.settings.served != nil { exchange.arrivedAt = monotonicNanoseconds() }
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Releases the exchange in every case; the library calls this once for each `onTarget`.
private let onCompleted: CompletedCallback = { context, connection, state, _ in
    if let context, let connection {
        let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        let record = record(of: connection)
        record?.allow(until: server.settings.clock() + server.settings.arrivalSeconds)
        record?.hasRequest.store(false, ordering: .relaxed)
        if let record { server.connections.noteAnswered(record) }
    }
    guard let pointer = state?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    state?.pointee = nil
    guard let context, let served = exchange.served else { return }
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().settings.served?(served)
}

/// Attaches a record to the connection, retained from its opening to its end.
private let onConnection: ConnectionCallback = { context, connection, socketContext, event in
    guard let context, let connection, let socketContext else { return }
    let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let peer = addressText(breadly_mhd_peer(connection))
        let record = ConnectionRecord(
            descriptor: breadly_mhd_socket(connection),
            network: server.settings.trustedProxies.contains(peer) ? nil : limitedNetwork(of: peer),
            deadline: server.settings.clock() + server.settings.arrivalSeconds
        )
        server.connections.add(record)
        socketContext.pointee = Unmanaged.passRetained(record).toOpaque()
    default:
        guard let pointer = socketContext.pointee else { return }
        socketContext.pointee = nil
        server.connections.remove(Unmanaged<ConnectionRecord>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// The record of a connection, valid as long as the connection is.
private func record(of connection: OpaquePointer) -> ConnectionRecord? {
    breadly_mhd_socket_context(connection).map {
        Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
    }
}

private func onAccess(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let method, let version, let uploadSize, let pointer = state?.pointee
    else {
        return .NO
    }
    // `start` and `onTarget` stored both; they outlive this call.
    let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    guard exchange.hasBegun else {
        guard
            let refusal = exchange.begin(
                connection,
                method: String(cString: method),
                at: UInt(bitPattern: method),
                version: String(cString: version),
                at: UInt(bitPattern: version),
                server.settings
            ) ?? refusalOfCrowd(exchange, on: connection, server)
        else { return .YES }
        return queue(refusal, of: exchange, on: connection, server)
    }
    if let later = exchange.later {
        // The call comes after the connection was resumed; the library may also make it before the answer is
        // complete.
        guard let making = later.consumeOrSuspend(connection) else { return .YES }
        server.openAnswers.remove(later)
        exchange.later = nil
        return send(exchange.goOn(connection, server.settings, making), of: exchange, on: connection, server)
    }
    if uploadSize.pointee > 0 {
        exchange.receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), server.settings)
        uploadSize.pointee = 0
        return .YES
    }
    record(of: connection)?.isAnswering.store(true, ordering: .relaxed)
    if exchange.arrivedAt > 0 { exchange.arrivedAt = monotonicNanoseconds() }
    return send(exchange.answer(server.settings, server.handler), of: exchange, on: connection, server)
}

/// The refusal of a request above a limit: of its client, if a proxy speaks for it, or of unknown clients
/// while the server is crowded; nil if there is room.
private func refusalOfCrowd(_ exchange: Exchange, on connection: OpaquePointer, _ server: ServerCore)
    -> Response?
{
    guard let record = record(of: connection) else { return nil }
    var refusal: Response?
    if let network = exchange.spokenFor, !server.connections.claim(record, for: network) {
        refusal = server.settings.errorPage(.tooManyRequests)
    } else if server.connections.isCrowded, !exchange.isKnown(server.settings) {
        server.connections.noteRefusal("full")
        refusal = server.settings.errorPage(.unavailable)
    }
    refusal?.add("Connection", "close")
    refusal?.add("Retry-After", "5")
    return refusal
}

/// Sends an answer, or suspends the connection until it is complete.
private func send(
    _ answer: Response,
    of exchange: Exchange,
    on connection: OpaquePointer,
    _ server: ServerCore
) -> MHD_Result {
    switch answer.body {
    case .later(let later):
        guard server.openAnswers.add(later) else {
            return queue(
                .text(.unavailable, "The server is stopping.\n"),
                of: exchange,
                on: connection,
                server
            )
        }
        exchange.later = later
        record(of: connection)?.removeDeadline(for: later)
        guard let making = later.consumeOrSuspend(connection) else { return .YES }
        server.openAnswers.remove(later)
        exchange.later = nil
        return send(exchange.goOn(connection, server.settings, making), of: exchange, on: connection, server)
    case .events(let stream):
        let record = record(of: connection)
        record?.removeDeadline(for: stream)
        let isFree = stream.begin(on: connection) {
            record?.allow(until: server.settings.clock() + server.settings.answerSeconds)
        }
        guard isFree else {
            let refusal = Response.text(.internalError, "This stream is another request's.\n")
            return queue(refusal, of: exchange, on: connection, server)
        }
        let limit = server.settings.eventStreamsPerAddress
        guard server.openAnswers.add(stream, of: exchange.clientNetwork, limit: limit) else {
            stream.close()
            let refusal = Response.text(.unavailable, "Too many open streams.\n")
            return queue(refusal, of: exchange, on: connection, server)
        }
        return queue(answer, of: exchange, on: connection, server)
    case .empty, .bytes, .memory, .file: return queue(answer, of: exchange, on: connection, server)
    }
}

private func queue(
    _ answer: Response,
    of exchange: Exchange,
    on connection: OpaquePointer,
    _ server: ServerCore
) -> MHD_Result {
    var answer = answer
    // A client that requests much and reads slowly keeps large answers in memory. A small answer is always
    // sent.
    if answer.body.heldBytes > 16_384,
        !exchange.answerShare.reserve(
            answer.body.heldBytes,
            isKnown: { exchange.isKnownAgain(connection, server.settings) }
        )
    {
        // The memory of an answer that is not sent is freed with it.
        if let unsent = answer.made() { MHD_destroy_response(unsent) }
        answer = server.settings.errorPage(.unavailable)
        answer.add("Connection", "close")
        answer.add("Retry-After", "5")
    }
    exchange.owner = answer.owner
    if exchange.arrivedAt > 0 { exchange.sent = SentAnswer(answer, arrivedAt: exchange.arrivedAt) }
    guard let response = answer.made() else { return .NO }
    defer { MHD_destroy_response(response) }
    for headers in [server.settings.defaultHeaders, exchange.isSecure ? server.settings.secureHeaders : []] {
        for (name, value) in headers where MHD_get_response_header(response, name) == nil {
            MHD_add_response_header(response, name, value)
        }
    }
    if case .events = answer.body {
        // A stream has no deadline until it ends.
    } else {
        // A slow reader has a second more for every 16 KB.
        let seconds = server.settings.answerSeconds + Int64(answer.body.count >> 14)
        record(of: connection)?.allow(until: server.settings.clock() + seconds)
    }
    return MHD_queue_response(connection, UInt32(answer.status.rawValue), response)
}
