// The functions that libmicrohttpd calls for each connection and request.

import CMicroHTTPD
import Glibc
import Synchronization

/// The objects that the library's threads use. They are apart from `Server`, because a thread with the last
/// reference to a `Server` would stop the daemon from within, and so wait for itself.
final class ServerCore: Sendable {
    let settings: Configuration
    let handler: Handler
    let connections: ConnectionRegister
    let openAnswers = OpenAnswers()
    let bodies: Budget
    let uploads: UploadSpace
    let answers: Budget

    init(_ settings: Configuration, connections limit: Int, _ handler: @escaping Handler) {
        self.settings = settings
        self.handler = handler
        bodies = Budget(bytes: settings.bytesOfBodies)
        uploads = UploadSpace(bytes: settings.bytesOfUploads)
        answers = Budget(bytes: settings.bytesOfAnswers)
        connections = ConnectionRegister(limit: limit, limitOfAddress: settings.connectionsPerAddress)
    }
}

typealias TargetCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?

typealias CompletedCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_RequestTerminationCode
    ) -> Void

typealias ConnectionCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_ConnectionNotificationCode
    ) -> Void

typealias LogCallback =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> Void

/// The library's own log lines repeat the answers, and would only fill the log of a server under attack.
let ignoreLog: LogCallback = { _, _, _ in }

/// Creates the exchange when the request line has been read; it is retained until `onCompleted`.
let onTarget: TargetCallback = { context, target, connection in
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
        uploads: server.uploads,
        answers: server.answers
    )
    if server.settings.served != nil { exchange.arrivedAt = monotonicNanoseconds() }
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Releases the exchange in every case; the library calls this once for each `onTarget`.
let onCompleted: CompletedCallback = { context, connection, state, _ in
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
    // If a client hangs up just when its answer is complete, the answer is not made. Without the removal, the
    // resources that it holds, such as the lease on a book, would be held until the server stops.
    if let context, let later = exchange.later {
        Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().openAnswers.remove(later)
    }
    guard let context, let served = exchange.served else { return }
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().settings.served?(served)
}

/// Attaches a record to the connection, retained from its opening to its end.
let onConnection: ConnectionCallback = { context, connection, socketContext, event in
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

/// Passes a request to its exchange and sends the answer. The library calls it repeatedly for each request.
func onAccess(
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
        return send(
            exchange.resume(connection, server.settings, making),
            of: exchange,
            on: connection,
            server
        )
    }
    if uploadSize.pointee > 0 {
        exchange.receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), server.settings)
        uploadSize.pointee = 0
        allow(exchange, on: connection, server)
        return .YES
    }
    record(of: connection)?.isAnswering.store(true, ordering: .relaxed)
    if exchange.arrivedAt > 0 { exchange.arrivedAt = monotonicNanoseconds() }
    return send(exchange.answer(server.settings, server.handler), of: exchange, on: connection, server)
}

/// Moves the deadline of a body that moves: a photo needs more time on a slow line than a form, and a body
/// that stalls still ends.
private func allow(_ exchange: Exchange, on connection: OpaquePointer, _ server: ServerCore) {
    let more = exchange.extendedSeconds(server.settings)
    if more > 0 { record(of: connection)?.extend(by: more) }
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
        return send(
            exchange.resume(connection, server.settings, making),
            of: exchange,
            on: connection,
            server
        )
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
        // A slow reader has a second more for each KB; a reader that reads nothing is silent, which ends the
        // connection earlier.
        let seconds = server.settings.answerSeconds + Int64(answer.body.count >> 10)
        record(of: connection)?.allow(until: server.settings.clock() + seconds)
    }
    return MHD_queue_response(connection, UInt32(answer.status.rawValue), response)
}
