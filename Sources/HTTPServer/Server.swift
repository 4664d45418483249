// The web server: its listener, its workers and its timer.

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
        let memory = settings.bytesOfConnection
        listener.start(while: { connections.hasRoom }, makeRoom: { connections.makeRoom() }) {
            descriptor,
            address,
            size in
            let peer = addressText(address)
            // The connections of a proxy are its clients': each request names the client.
            let from = proxies.contains(peer) ? nil : limitedNetwork(of: peer)
            guard !isRefusedUnread(descriptor, memory: memory), connections.admit(from: from) else {
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

    /// The number of bytes of files of forms that are not answered yet.
    var bytesOfUploads: Int { core.uploads.bytesTaken }

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
            number(.CONNECTION_MEMORY_LIMIT, settings.bytesOfConnection),
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
