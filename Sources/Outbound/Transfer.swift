// One request as libcurl holds it: an easy handle with all that must live as long as it.

import CCurl
import Glibc

/// A request that is under way. Belongs to the thread that made it.
final class Transfer {
    let job: TransferJob
    let easy: UnsafeMutableRawPointer
    /// When it was given to libcurl.
    let startedAt: Int64
    /// Whether there is no connection yet.
    private(set) var isOpening = true
    /// When it has to be looked at again.
    private(set) var lookAt: Int64
    private let curl: UnsafePointer<breadly_curl>
    private var lines: OpaquePointer?
    /// Why the system gave no socket: an errno, or 0. On the heap, since libcurl keeps its address.
    private let fault: UnsafeMutablePointer<Int32>
    private var body: [UInt8] = []
    private var isTooLong = false
    private var moved: Int64 = 0
    private var movedAt: Int64
    /// The slowest line that a transfer may be on whose connection is suspected, in bytes a second: what was sent is not
    /// there yet.
    private static let slowestLine = 8_000
    /// How long it may be silent, in milliseconds; nil where its connection is not suspected.
    private var patience: Int64?

    /// - Parameter youngerThan: how old a kept connection may be that it uses, in seconds; 0 for one of its own, nil for
    ///   any.
    /// - Returns: nil where the request is malformed, or there is no memory.
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

    /// Frees what libcurl holds. The handle must not be among a multi handle's any more, and this is not called twice.
    func close() {
        curl.pointee.easy_cleanup(easy)
        curl.pointee.free_all(lines)
        fault.deallocate()
    }

    private func configure(_ youngerThan: Int?) -> Bool {
        let request = job.request
        // An empty Expect: libcurl would ask for leave before longer bodies.
        for line in ["Accept: application/json", "Expect:"]
            + request.headers.map({ "\($0.name): \($0.value)" })
        {
            guard !line.utf8.contains(where: { $0 < 32 || $0 == 127 }),
                let longer = curl.pointee.append(lines, line)
            else { return false }
            lines = longer
        }
        guard !request.url.utf8.contains(0), !request.method.utf8.contains(where: { $0 <= 32 || $0 > 126 }),
            breadly_curl_set_request(curl, easy, request.url, request.method, lines) == 0
        else { return false }
        if let sent = request.body {
            // Copied before the call returns. A null pointer would mean that there is no body, also of an empty one.
            let bytes = sent.isEmpty ? [0] : sent
            guard
                bytes.withUnsafeBytes({ breadly_curl_set_body(curl, easy, $0.baseAddress, sent.count) }) == 0
            else { return false }
        }
        breadly_curl_set_connection(
            curl,
            easy,
            max(1, Int(job.limits.connectSeconds * 1_000)),
            job.limits.keptSeconds,
            youngerThan ?? -1,
            fault
        )
        // The transfer outlives its handle, which calls back from within `multi_perform` only: on the same thread, while
        // the loop holds the transfer.
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
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = body.count + bytes.count > job.limits.responseBytes
        if !isTooLong { body.append(contentsOf: bytes) }
        return !isTooLong
    }

    /// Notes that there is a connection.
    /// - Returns: whether there is one now and was none before.
    func noteConnection(at now: Int64) -> Bool {
        guard isOpening, breadly_curl_is_connected(curl, easy) != 0 else { return false }
        isOpening = false
        movedAt = now
        lookAt = nextLook(at: now)
        return true
    }

    /// Notes how far the bytes have come.
    /// - Returns: why it cannot go on; nil where all is well.
    func failure(at now: Int64) -> HTTPClientError? {
        let limits = job.limits
        if let total = limits.totalSeconds, now >= job.submittedAt + milliseconds(total) {
            return .timedOut(.total)
        }
        if isOpening {
            if now >= startedAt + milliseconds(limits.connectSeconds) { return .timedOut(.connecting) }
        } else if !noteProgress(at: now), now >= movedAt + milliseconds(limits.stallSeconds) {
            return .timedOut(.noProgress)
        }
        if let patience, now >= movedAt + patience { return .suspected }
        lookAt = nextLook(at: now)
        return nil
    }

    /// - Returns: whether bytes have moved since this was asked last.
    private func noteProgress(at now: Int64) -> Bool {
        let moved = breadly_curl_moved(curl, easy)
        guard moved != self.moved else { return false }
        (self.moved, movedAt) = (moved, now)
        // It lives.
        patience = nil
        return true
    }

    /// Its connection may have died. One that is only being opened has a limit of its own.
    func suspect(_ patience: Int64, at now: Int64) {
        guard job.request.mayBeSuspected, !isOpening else { return }
        _ = noteProgress(at: now)
        self.patience = patience + Int64((job.request.body?.count ?? 0) * 1_000 / Self.slowestLine)
        lookAt = nextLook(at: now)
    }

    private func nextLook(at now: Int64) -> Int64 {
        let limits = job.limits
        var next = startedAt + milliseconds(limits.connectSeconds)
        if !isOpening {
            // Bytes are counted when they are looked at: a stall is found a quarter late at most.
            let stall = milliseconds(limits.stallSeconds)
            next = min(now + max(1, stall / 4), movedAt + stall)
        }
        if let patience { next = min(next, movedAt + patience) }
        if let total = limits.totalSeconds { next = min(next, job.submittedAt + milliseconds(total)) }
        return max(next, now + 1)
    }

    /// The outcome, by what libcurl says at the end.
    func outcome(_ code: Int32) -> Result<HTTPResponse, HTTPClientError> {
        let isOpening = breadly_curl_is_connected(curl, easy) == 0
        switch code {
        case 0:
            let seconds = breadly_curl_retry_after(curl, easy)
            return .success(
                HTTPResponse(
                    status: breadly_curl_status(curl, easy),
                    body: body,
                    retryAfterSeconds: seconds > 0 ? seconds : nil
                )
            )
        // CURLE_UNSUPPORTED_PROTOCOL, which may also be said of the response, and CURLE_URL_MALFORMAT.
        case 1 where isOpening, 3: return .failure(.badRequest)
        case 23 where isTooLong: return .failure(.tooLong)  // CURLE_WRITE_ERROR
        case 28:  // CURLE_OPERATION_TIMEDOUT
            return .failure(.timedOut(isOpening ? .connecting : .noProgress))
        default:
            if fault.pointee == EMFILE || fault.pointee == ENFILE || isWithoutFiles(code) {
                return .failure(.tooManyOpenFiles)
            }
            let words = curl.pointee.strerror(code).map { String(cString: $0) }
            return .failure(.failed(words ?? "libcurl's error \(code)"))
        }
    }

    /// A name is looked up, or certificates are read, with files of their own; why that failed libcurl does not say.
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
