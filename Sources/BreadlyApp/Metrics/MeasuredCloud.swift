// A cloud that counts its requests and measures their durations.

import CloudProtocol
import SyncCore

/// Forwards every call to the cloud in this process or to one elsewhere, and counts it by the name of its endpoint.
struct MeasuredCloud: RelayingCloud {
    private let cloud: any CloudAPI
    private let metrics: Metrics

    init(_ cloud: any CloudAPI, _ metrics: Metrics) {
        self.cloud = cloud
        self.metrics = metrics
        for endpoint in Endpoints.all {
            metrics.add(0, to: "breadly_cloud_requests_total", ["call": endpoint.name, "result": "ok"])
        }
        for status in OperationResult.Status.allCases {
            metrics.add(0, to: "breadly_sync_operations_total", ["status": status.rawValue])
        }
        metrics.add(0, to: "breadly_sync_conflicts_total")
        metrics.add(0, to: "breadly_sync_rows_sent_total")
        metrics.beginSignIns()
    }

    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        let begun = ContinuousClock.now
        func count(_ result: String) {
            metrics.add(to: "breadly_cloud_requests_total", ["call": endpoint.name, "result": result])
            // The duration of a long poll says nothing about the cloud.
            guard endpoint.delivery != .news else { return }
            let taken = ContinuousClock.now - begun
            metrics.note(
                seconds: taken / .seconds(1),
                of: "breadly_cloud_request_seconds",
                ["call": endpoint.name]
            )
        }
        do throws(CloudError) {
            let response = try await endpoint.call(cloud, request, caller)
            count("ok")
            return response
        } catch {
            count(error.code)
            if endpoint.delivery == .credentials, let failure = FailedSignIn(error) { metrics.note(failure) }
            throw error
        }
    }

    func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        let answer = try await send(Endpoints.push, batch, Caller(token))
        for (status, results) in Dictionary(grouping: answer.results, by: \.status) {
            metrics.add(results.count, to: "breadly_sync_operations_total", ["status": status.rawValue])
        }
        let conflicts = answer.results.count { $0.conflict != nil }
        if conflicts > 0 { metrics.add(conflicts, to: "breadly_sync_conflicts_total") }
        return answer
    }

    func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage {
        let page = try await send(Endpoints.changes, query, Caller(token))
        metrics.add(page.rows.count, to: "breadly_sync_rows_sent_total")
        return page
    }

    var waitSeconds: Int64 { cloud.waitSeconds }
}
