// One request in libcurl: an easy handle with all objects that must live as long as the handle.

import CCurl
import Glibc

/// A request that is under way. It belongs to the thread that created it.
final class Transfer {
    let job: TransferJob
    let easy: UnsafeMutableRawPointer
    /// The time when libcurl got the request.
    let startedAt: Int64
    /// Whether the request has no connection yet.
    private(set) var isOpening = true
    /// The time of the next check of the limits.
    private(set) var lookAt: Int64
    private let curl: UnsafePointer<breadly_curl>
    private var lines: OpaquePointer?
    /// The errno of a socket that the system refused, or 0. On the heap, because libcurl keeps its address.
    private let fault: UnsafeMutablePointer<Int32>
    private var body: [UInt8] = []
    private var head = ResponseHead()
    private var isTooLong = false
    private var moved: Int64 = 0
    private var movedAt: Int64
    /// The slowest line that is expected, in bytes a second, and the most bytes that buffers between here and the server
    /// hold: sent bytes may still be on their way.
    private static let (slowestLine, mostBytesOnTheWay) = (2_000, 128 << 10)
    /// The longest silence in milliseconds; nil unless the connection is suspected.
    private var patience: Int64?

    /// - Parameter youngerThan: the greatest age of a pooled connection for the request, in seconds; 0 for a
    ///   new connection, nil for any age.
    /// - Returns: nil if the request is malformed, or memory is short.
    init?(_ job: TransferJob, _ curl: UnsafePointer<breadly_curl>, youngerThan: Int?, at now: Int64) {
        guard let easy = curl.pointee.easy_init() else { return nil }
        self.job = job
        self.curl = curl
        self.easy = easy
        (startedAt, movedAt, lookAt) = (now, now, now)
        fault = .allocate(capacity: 1)
        fault.initialize(to: 0)
        guard configure(youngerThan) else {
            close()
            return nil
        }
        lookAt = nextLook(at: now)
    }

    /// Frees the memory of libcurl. The handle must have been removed from its multi handle; the call must
    /// not be repeated.
    func close() {
        curl.pointee.easy_cleanup(easy)
        curl.pointee.free_all(lines)
        fault.deallocate()
    }

    private func configure(_ youngerThan: Int?) -> Bool {
        let request = job.request
        // An empty Expect header: libcurl would otherwise wait for a 100 before longer bodies.
        let accept = request.headers.contains { $0.name == "Accept" } ? [] : ["Accept: application/json"]
        for line in accept + ["Expect:"] + request.headers.map({ "\($0.name): \($0.value)" }) {
            guard !line.utf8.contains(where: { $0 < 32 || $0 == 127 }),
                let longer = curl.pointee.append(lines, line)
            else { return false }
            lines = longer
        }
        guard !request.url.utf8.contains(0), !request.method.utf8.contains(where: { $0 <= 32 || $0 > 126 }),
            breadly_curl_set_request(curl, easy, request.url, request.method, lines) == 0
        else { return false }
        if let sent = request.body {
            // libcurl copies the bytes before the call returns. A null pointer would mean no body, so an
            // empty body needs one.
            let bytes = sent.isEmpty ? [0] : sent
            guard
                bytes.withUnsafeBytes({ breadly_curl_set_body(curl, easy, $0.baseAddress, sent.count) }) == 0
            else { return false }
        }
        breadly_curl_set_connection(
            curl,
            easy,
            max(1, Int(job.limits.connectSeconds * 1_000)),
            job.limits.pooledSeconds,
            youngerThan ?? -1,
            fault
        )
        // The transfer outlives its handle. The handle calls back only from within `multi_perform`, on the
        // same thread, while the loop owns the transfer.
        breadly_curl_set_writer(
            curl,
            easy,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                let received = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return transfer.receive(received) ? received.count : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        // As the writer.
        breadly_curl_set_head_reader(
            curl,
            easy,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                transfer.head.read(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = body.count + bytes.count > job.limits.responseBytes
        if !isTooLong { body.append(contentsOf: bytes) }
        return !isTooLong
    }

    /// Records that the request has a connection.
    /// - Returns: whether the connection is new.
    func noteConnection(at now: Int64) -> Bool {
        guard isOpening, breadly_curl_is_connected(curl, easy) != 0 else { return false }
        isOpening = false
        movedAt = now
        lookAt = nextLook(at: now)
        return true
    }

    /// Records the progress.
    /// - Returns: the reason to end the request; nil to continue.
    func failure(at now: Int64) -> HTTPClientError? {
        let limits = job.limits
        if let total = limits.totalSeconds, now >= job.submittedAt + milliseconds(total) {
            return .timedOut(.total)
        }
        if isOpening {
            if now >= startedAt + milliseconds(limits.connectSeconds) { return .timedOut(.connecting) }
        } else if !noteProgress(at: now), now >= movedAt + stallMilliseconds {
            return .timedOut(.noProgress)
        }
        if let patience, now >= movedAt + patience { return .suspected }
        lookAt = nextLook(at: now)
        return nil
    }

    /// - Returns: whether bytes have moved since the previous call.
    private func noteProgress(at now: Int64) -> Bool {
        let moved = breadly_curl_moved(curl, easy)
        guard moved != self.moved else { return false }
        (self.moved, movedAt) = (moved, now)
        // The connection is alive.
        patience = nil
        return true
    }

    /// Limits the silence of a connection that may be dead. A connection that is being opened has a limit already.
    func suspect(_ patience: Int64, at now: Int64) {
        guard job.request.mayBeSuspected, !isOpening else { return }
        _ = noteProgress(at: now)
        self.patience = patience + millisecondsOnTheWay
        lookAt = nextLook(at: now)
    }

    /// The longest time without progress.
    private var stallMilliseconds: Int64 { milliseconds(job.limits.stallSeconds) + millisecondsOnTheWay }

    /// The time that the end of the body may need after libcurl has sent it.
    private var millisecondsOnTheWay: Int64 {
        Int64(min(job.request.body?.count ?? 0, Self.mostBytesOnTheWay) * 1_000 / Self.slowestLine)
    }

    private func nextLook(at now: Int64) -> Int64 {
        let limits = job.limits
        var next = startedAt + milliseconds(limits.connectSeconds)
        if !isOpening {
            // Progress is measured at checks only, so a stall is detected at most a quarter late.
            let stall = stallMilliseconds
            next = min(now + max(1, stall / 4), movedAt + stall)
        }
        if let patience { next = min(next, movedAt + patience) }
        if let total = limits.totalSeconds { next = min(next, job.submittedAt + milliseconds(total)) }
        return max(next, now + 1)
    }

    /// The result for libcurl's final code.
    func outcome(_ code: Int32) -> Result<HTTPResponse, HTTPClientError> {
        let isOpening = breadly_curl_is_connected(curl, easy) == 0
        switch code {
        case 0:
            let seconds = breadly_curl_retry_after(curl, easy)
            return .success(
                HTTPResponse(
                    status: breadly_curl_status(curl, easy),
                    body: body,
                    retryAfterSeconds: seconds > 0 ? seconds : nil,
                    entityTag: head.entityTag,
                    lastModified: head.lastModified,
                    contentType: head.contentType
                )
            )
        // CURLE_UNSUPPORTED_PROTOCOL, which may also be about the response, and CURLE_URL_MALFORMAT.
        case 1 where isOpening, 3: return .failure(.badRequest)
        case 23 where isTooLong: return .failure(.tooLong)  // CURLE_WRITE_ERROR
        case 28:  // CURLE_OPERATION_TIMEDOUT
            return .failure(.timedOut(isOpening ? .connecting : .noProgress))
        default:
            if fault.pointee == EMFILE || fault.pointee == ENFILE || isWithoutFiles(code) {
                return .failure(.tooManyOpenFiles)
            }
            let words = curl.pointee.strerror(code).map { String(cString: $0) } ?? "libcurl's error \(code)"
            // CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR
            let isCut = [18, 52, 55, 56].contains(code) && !isOpening && breadly_curl_moved(curl, easy) > 0
            return .failure(isCut ? .cutOff(words) : .failed(words))
        }
    }

    /// Whether the failure is probably a lack of descriptors: resolving a name and reading certificates open
    /// files, and libcurl does not report why that failed.
    private func isWithoutFiles(_ code: Int32) -> Bool {
        // CURLE_COULDNT_RESOLVE_HOST, CURLE_OUT_OF_MEMORY, CURLE_SSL_CACERT_BADFILE
        guard [6, 27, 77].contains(code) else { return false }
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if probe >= 0 {
            Glibc.close(probe)
            return false
        }
        return errno == EMFILE || errno == ENFILE
    }
}

/// Whole milliseconds, without overflow.
func milliseconds(_ seconds: Double) -> Int64 {
    seconds < 1e12 ? max(0, Int64(seconds * 1_000)) : 1_000_000_000_000_000
}
