// Figures of the books that sync from this server.

import Devices
import SyncCore

extension DeviceManager {
    /// Each kind of difference, also those that were never found: a series that begins with its first value is not
    /// noticed by `rate`.
    func write(into text: inout MetricsText) {
        let found = divergences
        for finding in Divergence.Finding.allCases {
            text.line(
                "breadly_sync_divergences_total",
                labels: Metrics.written(["finding": finding.rawValue]),
                "\(found[finding] ?? 0)",
                kind: "counter"
            )
        }
    }
}
