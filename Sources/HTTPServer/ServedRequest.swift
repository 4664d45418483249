// A request after its answer, for an access log and for metrics.

import Glibc

/// A request that was answered.
public struct ServedRequest: Sendable {
    /// The route of a request that no route answers.
    public static let noRoute = "other"

    /// As the client sent it: any word.
    public let method: String
    /// The pattern of its path, such as `/transactions/{id}`: never what a user has typed.
    public let route: String
    /// The status code.
    public let status: Int
    /// How many bytes of body the answer has; 0 for a stream of events.
    public let bytes: Int
    /// From the arrival of the whole request to the beginning of its answer: neither a slow upload nor a slow reader
    /// makes it longer.
    public let seconds: Double
    /// Whether the answer was a stream of events. One is served when it has ended.
    public let isStream: Bool
    /// The address of the client: the peer's, or what a trusted proxy says.
    public let address: String
}

/// An answer when it is handed over to be sent.
struct SentAnswer {
    let status: Int
    let bytes: Int
    let nanoseconds: UInt64
    let isStream: Bool

    /// - Parameter arrivedAt: of `monotonicNanoseconds`.
    init(_ response: Response, arrivedAt: UInt64) {
        status = response.status.rawValue
        bytes = response.body.count
        nanoseconds = monotonicNanoseconds() - arrivedAt
        isStream = if case .events = response.body { true } else { false }
    }
}

/// Nanoseconds of a clock that never jumps.
func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
}
