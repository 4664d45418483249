// How many guests and devices there are, and what is wrong with their books.

import Devices
import SyncCore
import Synchronization

/// Figures of the devices of a server. Those that read the device store are kept for a minute, however often they are asked for.
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
        // Without a device store that can be read there is nothing to say; `breadly_ready` says so.
        if let counts = present() {
            text.line("breadly_guests", "\(counts.guests)", kind: "gauge")
            text.line("breadly_devices", "\(counts.devices)", kind: "gauge")
        }
        text.line("breadly_damaged_books", "\(devices.damagedBookCount)", kind: "gauge")
        // Each kind of difference, also those that were never found: a series that begins with its first value is not
        // noticed by `rate`.
        let found = devices.divergences
        for finding in Divergence.Finding.allCases {
            text.line(
                "breadly_sync_divergences_total",
                labels: Metrics.written(["finding": finding.rawValue]),
                "\(found[finding] ?? 0)",
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
