// The metrics that `breadly serve` and `breadly cloud` have in common.

import CloudClient
import CloudRoutes
import DeviceStore
import HTTPServer
import SyncCore

/// The metrics of a server.
struct ServerMetrics: Sendable {
    private let place: MetricsPlace
    let counters = Metrics()
    let requests = RequestFigures(untimed: CloudRoutes.waitingRoutes)

    init(_ place: MetricsPlace) { self.place = place }

    /// Begins to answer.
    /// - Parameter more: adds what only this kind of server has.
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
            if let free = try? folder.freeBytes() {
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
    /// Hands each answered request to the access log and to the metrics, where they are on.
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
    /// The cloud elsewhere, measured where anything is.
    func cloud(_ remote: RemoteCloud) -> any CloudAPI {
        if let self { MeasuredCloud(remote, self.counters) } else { remote }
    }

    /// The provider, measured where anything is.
    func provider(_ provider: any IdentityProvider) -> any IdentityProvider {
        if let self { MeasuredProvider(provider: provider, metrics: self.counters) } else { provider }
    }
}
