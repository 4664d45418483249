// A cloud that counts its requests and measures their durations.

import Ledger
import SyncCore

/// The calls, by their label in the metrics.
private enum Call: String, CaseIterable {
    case signIn = "sign-in"
    case account
    case changePassword = "change-password"
    case confirm, devices
    case signOut = "sign-out"
    case deleteData = "delete-data"
    case deleteAccount = "delete-account"
    case push, changes, signal, signals, detach
}

/// Forwards and counts every call, to the cloud in this process or to one elsewhere.
struct MeasuredCloud<Wrapped: CloudAPI>: CloudAPI {
    private let cloud: Wrapped
    private let metrics: Metrics

    init(_ cloud: Wrapped, _ metrics: Metrics) {
        self.cloud = cloud
        self.metrics = metrics
        for call in Call.allCases {
            metrics.add(0, to: "breadly_cloud_requests_total", ["call": call.rawValue, "result": "ok"])
        }
        for status in OperationResult.Status.allCases {
            metrics.add(0, to: "breadly_sync_operations_total", ["status": status.rawValue])
        }
        metrics.add(0, to: "breadly_sync_conflicts_total")
        metrics.add(0, to: "breadly_sync_rows_sent_total")
        metrics.beginSignIns()
    }

    private func measured<Value: Sendable>(
        _ call: Call,
        waits: Bool = false,
        _ body: () async throws(CloudError) -> Value
    ) async throws(CloudError) -> Value {
        let begun = ContinuousClock.now
        func count(_ result: String) {
            metrics.add(to: "breadly_cloud_requests_total", ["call": call.rawValue, "result": result])
            // The duration of a long poll says nothing about the cloud.
            guard !waits else { return }
            let taken = ContinuousClock.now - begun
            metrics.note(
                seconds: taken / .seconds(1),
                of: "breadly_cloud_request_seconds",
                ["call": call.rawValue]
            )
        }
        do throws(CloudError) {
            let value = try await body()
            count("ok")
            return value
        } catch {
            count(error.code)
            switch call {
            case .signIn, .confirm, .changePassword:
                if let failure = FailedSignIn(error) { metrics.note(failure) }
            default: break
            }
            throw error
        }
    }

    func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        try await measured(.signIn) { () throws(CloudError) in
            try await cloud.signIn(credentials, device: device, from: address)
        }
    }

    func account(_ token: SessionToken) async throws(CloudError) -> AccountReport {
        try await measured(.account) { () throws(CloudError) in try await cloud.account(token) }
    }

    func changePassword(
        from old: String,
        to new: String,
        at address: String,
        locksOthers: Bool,
        _ token: SessionToken
    ) async throws(CloudError) {
        try await measured(.changePassword) { () throws(CloudError) in
            try await cloud.changePassword(from: old, to: new, at: address, locksOthers: locksOthers, token)
        }
    }

    func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        try await measured(.confirm) { () throws(CloudError) in
            try await cloud.confirm(credentials, from: address, token)
        }
    }

    func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        try await measured(.devices) { () throws(CloudError) in try await cloud.devices(token) }
    }

    func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError) {
        try await measured(.signOut) { () throws(CloudError) in
            try await cloud.signOut(device: device, erases: erases, token)
        }
    }

    func signOut(_ token: SessionToken) async throws(CloudError) {
        try await measured(.signOut) { () throws(CloudError) in try await cloud.signOut(token) }
    }

    func deleteData(_ token: SessionToken) async throws(CloudError) {
        try await measured(.deleteData) { () throws(CloudError) in try await cloud.deleteData(token) }
    }

    func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        try await measured(.deleteAccount) { () throws(CloudError) in try await cloud.deleteAccount(token) }
    }

    func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        let answer = try await measured(.push) { () throws(CloudError) in try await cloud.push(batch, token)
        }
        for (status, results) in Dictionary(grouping: answer.results, by: \.status) {
            metrics.add(results.count, to: "breadly_sync_operations_total", ["status": status.rawValue])
        }
        let conflicts = answer.results.count { $0.conflict != nil }
        if conflicts > 0 { metrics.add(conflicts, to: "breadly_sync_conflicts_total") }
        return answer
    }

    func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage {
        let page = try await measured(.changes) { () throws(CloudError) in
            try await cloud.changes(query, token)
        }
        metrics.add(page.rows.count, to: "breadly_sync_rows_sent_total")
        return page
    }

    var waitSeconds: Int64 { cloud.waitSeconds }

    func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError) -> Head {
        try await measured(.signal, waits: true) { () throws(CloudError) in
            try await cloud.signal(seen: seen, waitSeconds: waitSeconds, token)
        }
    }

    func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError) {
        try await measured(.detach) { () throws(CloudError) in
            try await cloud.detach(replica, lastN: lastN, token)
        }
    }
}

extension MeasuredCloud: SignalsAPI where Wrapped: SignalsAPI {
    func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer {
        try await measured(.signals, waits: true) { () throws(CloudError) in
            try await cloud.signals(request)
        }
    }
}
