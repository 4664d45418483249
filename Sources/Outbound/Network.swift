// The network, by libcurl.

import CCurl
import Dispatch
import Synchronization

/// What stands in the way of a request.
public enum NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl is not installed: `apt install libcurl4`.
    case noLibrary
    /// The address is none, or there is no memory for it.
    case badRequest
    /// Nobody waits for the answer any more.
    case cancelled
    /// The answer is longer than it may be.
    case tooLong
    /// What libcurl says.
    case failed(String)

    /// A few words for the log.
    public var description: String {
        switch self {
        case .noLibrary: "libcurl is not installed (apt install libcurl4)"
        case .badRequest: "the request cannot be made"
        case .cancelled: "nobody waits for the answer any more"
        case .tooLong: "the answer is too long"
        case .failed(let reason): reason
        }
    }
}

/// The network: no cookies, no caches, no redirects, and nothing that takes longer than it may.
public final class Network: Fetching {
    private let milliseconds: Int
    private let mostBytes: Int
    /// Each request waits on a thread of its own, which belongs to nobody else.
    private static let queue = DispatchQueue(label: "breadly.outbound", attributes: .concurrent)
    /// The library's functions; nil where it is not installed.
    private static let curl: Functions? = {
        var found = breadly_curl()
        return breadly_curl_load(&found) != 0 ? Functions(found) : nil
    }()

    /// Pointers to functions, which never change once they are found: safe to share among threads. The library's easy
    /// interface may be used from many at once, a request from one at a time.
    private struct Functions: @unchecked Sendable {
        let found: breadly_curl

        init(_ found: breadly_curl) { self.found = found }
    }

    /// The network.
    /// - Parameters:
    ///   - seconds: how long a request may take, from its beginning to the last byte of the answer.
    ///   - mostBytes: a longer answer counts as none.
    public init(seconds: Double = 10, mostBytes: Int = 1 << 20) {
        milliseconds = max(1, Int(seconds * 1_000))
        self.mostBytes = mostBytes
    }

    /// Whether requests can be sent at all.
    public static var isThere: Bool { curl != nil }

    /// As `Fetching`. Where the task is cancelled, the request ends within a second.
    /// - Throws: `NetworkError`.
    public func fetch(_ request: Outgoing) async throws -> Fetched {
        let (milliseconds, mostBytes) = (milliseconds, mostBytes)
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async {
                    continuation.resume(
                        with: Result {
                            try Self.perform(request, within: milliseconds, upTo: mostBytes, cancellation)
                        }
                    )
                }
            }
        } onCancel: {
            cancellation.isCancelled.store(true, ordering: .relaxed)
        }
    }

    /// Whether somebody still waits.
    private final class Cancellation: Sendable {
        let isCancelled = Atomic(false)
    }

    /// What came so far.
    private final class Answer {
        var bytes: [UInt8] = []
        let most: Int

        init(most: Int) { self.most = most }
    }

    private static func perform(
        _ request: Outgoing,
        within milliseconds: Int,
        upTo most: Int,
        _ cancellation: Cancellation
    ) throws(NetworkError) -> Fetched {
        guard !cancellation.isCancelled.load(ordering: .relaxed) else { throw .cancelled }
        guard var curl = curl?.found else { throw .noLibrary }
        guard let handle = curl.`init`() else { throw .badRequest }
        defer { curl.cleanup(handle) }
        var lines: OpaquePointer?
        defer { curl.free_all(lines) }
        // An empty Expect: the library would ask for leave before longer bodies.
        for line in ["Accept: application/json", "Expect:"]
            + request.headers.map({ "\($0.name): \($0.value)" })
        {
            guard !line.utf8.contains(where: { $0 < 32 || $0 == 127 }), let longer = curl.append(lines, line)
            else {
                throw .badRequest
            }
            lines = longer
        }
        let answer = Answer(most: most)
        breadly_curl_set_limits(&curl, handle, milliseconds)
        breadly_curl_set_url(&curl, handle, request.address)
        breadly_curl_set_method(&curl, handle, request.method)
        breadly_curl_set_headers(&curl, handle, lines)
        breadly_curl_set_encoding(&curl, handle, "gzip")
        if let body = request.body {
            // Copied before the call returns. A null pointer would mean that there is no body, also of an empty one.
            let bytes = body.isEmpty ? [0] : body
            bytes.withUnsafeBytes { breadly_curl_set_body(&curl, handle, $0.baseAddress, body.count) }
        }
        // The answer outlives the request, which calls back from this thread only, within `perform`.
        let context = Unmanaged.passUnretained(answer).toOpaque()
        breadly_curl_set_writer(
            &curl,
            handle,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
                let length = size * count
                guard answer.bytes.count + length <= answer.most else { return 0 }
                UnsafeRawBufferPointer(start: bytes, count: length).withMemoryRebound(to: UInt8.self) {
                    answer.bytes += $0
                }
                return length
            },
            context
        )
        // The same holds of the cancellation.
        breadly_curl_set_asker(
            &curl,
            handle,
            { context, _, _, _, _ in
                guard let context else { return 1 }
                let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
                return cancellation.isCancelled.load(ordering: .relaxed) ? 1 : 0
            },
            Unmanaged.passUnretained(cancellation).toOpaque()
        )
        let result = curl.perform(handle)
        return try withExtendedLifetime((answer, cancellation)) { () throws(NetworkError) in
            guard result == 0 else {
                // CURLE_ABORTED_BY_CALLBACK
                if result == 42 { throw .cancelled }
                // CURLE_WRITE_ERROR: the writer wanted no more.
                if result == 23 { throw .tooLong }
                throw .failed(curl.strerror(result).map { String(cString: $0) } ?? "error \(result)")
            }
            return Fetched(status: breadly_curl_status(&curl, handle), body: answer.bytes)
        }
    }
}
