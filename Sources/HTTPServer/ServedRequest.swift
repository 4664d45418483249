// The report about an answered request, for the access log and the metrics.

import Glibc

/// An answered request.
public struct ServedRequest: Sendable {
    /// The route of a request that matches none.
    public static let noRoute = "other"

    /// The method as sent, which may be any token.
    public let method: String
    /// The pattern of the path, such as `/transactions/{id}`, which contains no text of the user.
    public let route: String
    /// The status code.
    public let status: Int
    /// The number of bytes of the answer's body; 0 for a stream of events.
    public let bytes: Int
    /// The time from the arrival of the whole request to the beginning of its answer: without a slow upload
    /// and without a slow reader.
    public let seconds: Double
    /// Whether the answer was a stream of events. It is reported at its end.
    public let isStream: Bool
    /// The address of the client: the peer's address, or the address that a trusted proxy reports.
    public let address: String
}

/// An answer at the time when it is queued.
struct SentAnswer {
    let status: Int
    let bytes: Int
    let nanoseconds: UInt64
    let isStream: Bool

    /// - Parameter arrivedAt: in `monotonicNanoseconds`.
    init(_ response: Response, arrivedAt: UInt64) {
        status = response.status.rawValue
        bytes = response.body.count
        nanoseconds = monotonicNanoseconds() - arrivedAt
        isStream = if case .events = response.body { true } else { false }
    }
}

/// Nanoseconds of a monotonic clock.
func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
}
