// The metrics that `breadly serve` and `breadly cloud` share.

import CloudClient
import CloudProtocol
import CloudRoutes
import DeviceStore
import HTTPServer

/// The sources of the figures, and their optional HTTP server.
struct ServerMetrics: Sendable {
    private let place: MetricsPlace
    let counters = Metrics()
    let requests = RequestFigures(untimed: CloudRoutes.waitingRoutes)

    init(_ place: MetricsPlace) { self.place = place }

    /// Starts the HTTP server of the metrics.
    /// - Parameter more: writes the figures of this kind of server.
    /// - Throws: `AppError.server`.
    func start(
        _ server: Server,
        _ readiness: Readiness,
        _ folder: DataFolder,
        more: @escaping @Sendable (inout MetricsText) -> Void
    ) throws(AppError) -> MetricsServer {
        try MetricsServer(place) { [counters, requests] text in
            let problems = await readiness.ask()
            text.line("breadly_ready", problems.isEmpty ? "1" : "0", kind: "gauge")
            for check in readiness.checks {
                let labels = Metrics.written(["check": check.rawValue])
                text.line(
                    "breadly_ready_check",
                    labels: labels,
                    problems[check] == nil ? "1" : "0",
                    kind: "gauge"
                )
            }
            if let free = try? folder.space().bytes {
                text.line("breadly_free_bytes", "\(free)", kind: "gauge")
            }
            text.connections(of: server)
            requests.write(into: &text)
            counters.write(into: &text)
            more(&text)
        }
    }
}

extension Configuration {
    /// Passes each answered request to the access log and to the metrics, if they are on.
    mutating func report(
        to accessLog: (@Sendable (ServedRequest) -> Void)?,
        _ requests: RequestFigures?
    ) {
        switch (accessLog, requests) {
        case (nil, nil): served = nil
        case (let log?, nil): served = log
        case (nil, let requests?): served = { requests.note($0) }
        case (let log?, let requests?):
            served = { request in
                requests.note(request)
                log(request)
            }
        }
    }
}

extension ServerMetrics? {
    /// The cloud elsewhere, measured if the metrics are on.
    func cloud(_ remote: RemoteCloud) -> any CloudAPI {
        if let self { MeasuredCloud(remote, self.counters) } else { remote }
    }

    /// The provider, measured if the metrics are on.
    func provider(_ provider: any IdentityProvider) -> any IdentityProvider {
        if let self { MeasuredProvider(provider: provider, metrics: self.counters) } else { provider }
    }
}
