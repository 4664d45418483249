// The numbers of guests and devices, of damaged books, and of refreshes of banks.

import Devices
import SyncCore
import Synchronization

/// Figures of a server's devices. Figures from the device store are cached for a minute.
final class DeviceFigures: Sendable {
    private struct Counts {
        let at: Int64
        let guests: Int
        let devices: Int
    }

    private static let keptSeconds: Int64 = 60

    private let devices: DeviceManager
    private let counts = Mutex<Counts?>(nil)

    init(_ devices: DeviceManager) { self.devices = devices }

    func write(into text: inout MetricsText) {
        // An unreadable device store has no figures; `breadly_ready` reports it.
        if let counts = present() {
            text.line("breadly_guests", "\(counts.guests)", kind: "gauge")
            text.line("breadly_devices", "\(counts.devices)", kind: "gauge")
        }
        text.line("breadly_guest_bytes", "\(devices.room.guestBytes)", kind: "gauge")
        if let most = devices.room.mostGuestBytes {
            text.line("breadly_guest_bytes_limit", "\(most)", kind: "gauge")
        }
        text.line("breadly_damaged_books", "\(devices.damagedBookCount)", kind: "gauge")
        // Every kind of difference has a series from the start: `rate` does not notice a series that begins
        // with its first value.
        let found = devices.divergences
        for finding in Divergence.Finding.allCases {
            text.line(
                "breadly_sync_divergences_total",
                labels: Metrics.written(["finding": finding.rawValue]),
                "\(found[finding] ?? 0)",
                kind: "counter"
            )
        }
        for refreshes in devices.bankRefreshes {
            text.line(
                "breadly_bank_refreshes_total",
                labels: Metrics.written([
                    "provider": refreshes.provider, "outcome": refreshes.outcome.rawValue,
                ]),
                "\(refreshes.count)",
                kind: "counter"
            )
        }
    }

    private func present() -> Counts? {
        let now = devices.dependencies.now
        if let known = counts.withLock({ $0 }), (known.at..<known.at + Self.keptSeconds).contains(now) {
            return known
        }
        guard let guests = try? devices.guestCount(), let all = try? devices.count() else { return nil }
        let fresh = Counts(at: now, guests: guests, devices: all)
        counts.withLock { $0 = fresh }
        return fresh
    }
}
