// The address for the operator's Prometheus, separate from the public one.

import Devices
import HTTPServer

/// Serves `/metrics` on an address of its own.
final class MetricsServer: Sendable {
    private let server: Server
    /// The local address of the metrics.
    let url: String

    /// Begins to listen.
    /// - Parameter write: writes the metrics.
    /// - Throws: `AppError.server`.
    init(_ place: MetricsPlace, write: @escaping @Sendable (inout MetricsText) async -> Void)
        throws(AppError)
    {
        var configuration = Configuration()
        configuration.host = place.host
        configuration.port = place.port
        configuration.threads = 1
        configuration.connections = 64
        configuration.defaultHeaders = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        configuration.errorPage = { .text($0, "\($0.rawValue)\n") }
        do {
            server = try Server(configuration) { request in
                guard request.path == "/metrics" else { return .text(.notFound, "Ask for /metrics.\n") }
                guard request.method == "GET" else { return .text(.methodNotAllowed, "Only GET.\n") }
                let answer = LaterAnswer()
                // The disk may be slow, and another request may be running the checks.
                Background.run {
                    var text = MetricsText(helps: Self.helps)
                    text.line(
                        "breadly_info",
                        labels: Metrics.written(["version": breadlyVersion]),
                        "1",
                        kind: "gauge"
                    )
                    await write(&text)
                    ProcessFigures.write(into: &text)
                    answer.fulfil(
                        Response(
                            .ok,
                            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
                            body: .bytes(Array(text.text.utf8))
                        )
                    )
                }
                return .later(answer)
            }
        } catch { throw .server(error) }
        let host = place.host.contains(":") ? "[\(place.host)]" : place.host
        url = "http://\(host):\(server.port)/metrics"
    }

    func stop() { server.stop(withinSeconds: 0) }

    private static let helps = [
        "breadly_info": "The running version.",
        "breadly_cloud_requests_total": "Requests to the cloud, by call and result.",
        "breadly_cloud_request_seconds": "Durations of requests to the cloud, except long polls.",
        "breadly_sync_operations_total": "Changes that devices have sent, by what became of them.",
        "breadly_sync_conflicts_total": "Values that two devices gave at once, kept for review.",
        "breadly_sync_rows_sent_total": "Rows that were sent down to devices.",
        "breadly_sync_divergences_total": "Differences between a book and the cloud, by what was found.",
        "breadly_bank_refreshes_total": "Refreshes of bank connections, by provider and outcome.",
        "breadly_cloud_recounts_total":
            "Hashes of accounts that did not match their rows and were computed again.",
        "breadly_waiting_devices": "Devices that wait for news.",
        "breadly_connections": "Open connections.",
        "breadly_connections_refused_total":
            "Connections and requests that were one too many, of their client (address) or of all (full).",
        "breadly_users": "Accounts of users.",
        "breadly_sessions": "Signed-in devices.",
        "breadly_replicas": "Books that are attached to an account.",
        "breadly_rows": "Live rows of all users, by kind.",
        "breadly_rates_age_seconds": "Time since the beginning of the day of the newest exchange rates.",
        "breadly_rates_requests_total": "Requests for new exchange rates, by outcome.",
        "breadly_rates_implausible_total": "Exchange rates that were left out, because they cannot be right.",
        "breadly_database_bytes": "Size of the cloud's file, with its log.",
        "breadly_backup_age_seconds": "How old the newest backup of the schedule is.",
        "breadly_backup_failures_total": "Backups of the schedule that have failed.",
        "breadly_ready": "Whether all checks of readiness pass: what /readyz answers.",
        "breadly_ready_check": "Whether a check of readiness passes.",
        "breadly_free_bytes": "Room on the disk of the data folder.",
        "breadly_http_requests_total": "Answered requests, by the pattern of their path.",
        "breadly_http_request_seconds":
            "Time from a request's arrival to its answer, but for streams of events and answers that wait for news.",
        "breadly_sign_ins_failed_total":
            "Sign-ins that were refused, and passwords that were wrong when asked for again.",
        "breadly_guest_bytes": "Bytes of the books and files of all guests.",
        "breadly_guest_bytes_limit": "Bytes that the books and files of all guests may have together.",
        "breadly_guests": "Guests, as --max-guests counts them; at most a minute old.",
        "breadly_devices": "Browsers that are known, of guests and of users; at most a minute old.",
        "breadly_damaged_books":
            "Books that were found damaged or missing since the start and are not mended.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_cpu_seconds_total": "Time on the processor, of the process and of the system for it.",
        "process_open_fds": "Open files.",
        "process_max_fds": "The most files that may be open.",
        "process_start_time_seconds": "The start of the process, since 1970 (UTC).",
    ]
}

/// An address to listen on, as `127.0.0.1:9464`.
public struct MetricsPlace: Hashable, Sendable {
    /// The IP address to listen on.
    public let host: String
    /// The port; 0 chooses a free one.
    public let port: UInt16

    /// Parses `HOST:PORT`, `[HOST]:PORT`, or a port for this machine only. The host is an IP address, or
    /// `localhost`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let port = UInt16(last), String(port) == last else { return nil }
        var host = parts.count == 1 ? "127.0.0.1" : parts.dropLast().joined(separator: ":")
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if parts.count > 2 {
            return nil
        }
        guard let address = listeningAddress(host) else { return nil }
        self.host = address
        self.port = port
    }
}

extension MetricsText {
    /// Writes the figures of a server's connections.
    mutating func connections(of server: Server) {
        line("breadly_connections", "\(server.openConnections)", kind: "gauge")
        let name = "breadly_connections_refused_total"
        begin(name, kind: "counter")
        for (reason, count) in server.refusals {
            line(name, labels: Metrics.written(["reason": reason]), "\(count)")
        }
    }
}
