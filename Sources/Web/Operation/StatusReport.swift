// The state of a device as JSON, for scripts.

package import Book
package import Devices
package import Encoding
import HTTPServer
import Ledger
import Lifecycle
package import SyncEngine

/// `GET /status.json`: this device, for scripts.
enum StatusShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = context.device
        let shows = device.map { Site.showsBook($0) } ?? false
        let report = try Site.report(of: device, shows ? context.book() : nil, context.sync)
        return Response(
            .ok,
            headers: [("Content-Type", "application/json")],
            body: .bytes(Array(JSON.object(report).description.utf8))
        )
    }
}

extension Site {
    /// Whether the device's state shows its user a book whose rows can be counted.
    package static func showsBook(_ device: Device) -> Bool {
        guard !device.isLocked else { return false }
        return switch device.state {
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal: true
        case .verifyingAccount: device.showsFormerBook
        default: false
        }
    }

    /// The members of `/status.json`.
    /// - Parameters:
    ///   - device: nil for a browser without a device.
    ///   - book: the book to count; nil to report no rows.
    package static func report(of device: Device?, _ book: Book?, _ status: SyncStatus?) throws -> [(
        String, JSON
    )] {
        let counts = try book?.counts() ?? BookCounts()
        let user = device?.session?.user
        var trouble: String?
        switch status?.phase {
        case .failed(let why): trouble = why.rawValue
        case .offline: trouble = "offline"
        case .connecting, .downloading, .uploading, .idle, nil: break
        }
        func number(_ value: Int?) -> JSON { value.map { .number(Int64($0)) } ?? .null }
        let sync: [(String, JSON)] = [
            ("phase", .text(device?.syncPhase(status) ?? "off")),
            ("pending", .number(Int64(device?.changesOutsideTheCloud(in: book, status) ?? 0))),
            ("done", number(status?.download?.done)),
            ("total", number(status?.download?.total)),
            ("lastSyncedAt", status?.syncedAt.map { .number($0) } ?? .null),
            ("error", trouble.map { .text($0) } ?? .null),
        ]
        let rows: [(String, JSON)] = [
            ("transactions", .number(Int64(counts.transactions))),
            ("accounts", .number(Int64(counts.accounts))),
            ("categories", .number(Int64(counts.categories))), ("budgets", .number(Int64(counts.budgets))),
        ]
        return [
            ("state", .text(device?.shownState ?? State.uninitialized.name)),
            ("tier", .text((device?.tier ?? .guest).rawValue)),
            ("sync", .object(sync)),
            ("onboarding", .text(device?.onboarding.rawValue ?? "welcome")),
            (
                "user",
                .object([
                    ("id", user.map { .text($0.id.description) } ?? .null),
                    ("email", user?.email.map { .text($0) } ?? .null),
                ])
            ),
            ("book", .object(rows)),
        ]
    }
}
