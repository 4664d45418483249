// Counts and durations of requests, by their routes.

import HTTPServer
import Synchronization

/// Counts answered requests. Safe to use from any thread.
final class RequestFigures: Sendable {
    private struct Kind: Hashable, Comparable {
        let route: String
        let method: String
        let status: Int

        static func < (left: Kind, right: Kind) -> Bool {
            (left.route, left.method, left.status) < (right.route, right.method, right.status)
        }
    }

    private struct State {
        var counts: [Kind: Int] = [:]
        var times: [String: Histogram] = [:]
    }

    /// Bounds in seconds: a page, a page of a large book, a password, and a request that users would call
    /// stuck.
    private static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]
    /// A client may send any token as its method.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let state = Mutex(State())
    private let untimed: Set<String>

    /// - Parameter untimed: the routes of long polls.
    init(untimed: Set<String>) { self.untimed = untimed }

    func note(_ request: ServedRequest) {
        let method = Self.methods.contains(request.method) ? request.method : ServedRequest.noRoute
        let kind = Kind(route: request.route, method: method, status: request.status)
        let isTimed = !request.isStream && !untimed.contains(request.route)
        state.withLock { state in
            state.counts[kind, default: 0] += 1
            if isTimed { state.times[request.route, default: Histogram(Self.bounds)].note(request.seconds) }
        }
    }

    func write(into text: inout MetricsText) {
        let (counts, times) = state.withLock { ($0.counts, $0.times) }
        let name = "breadly_http_requests_total"
        text.begin(name, kind: "counter")
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            let labels = Metrics.written([
                "route": kind.route, "method": kind.method, "status": "\(kind.status)",
            ])
            text.line(name, labels: labels, "\(count)")
        }
        text.begin("breadly_http_request_seconds", kind: "histogram")
        for (route, times) in times.sorted(by: { $0.key < $1.key }) {
            times.write(
                "breadly_http_request_seconds",
                labels: Metrics.written(["route": route]),
                into: &text
            )
        }
    }
}
