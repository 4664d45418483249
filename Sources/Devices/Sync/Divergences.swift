// Counts of differences between the books of this server and the cloud.

public import SyncCore
import Synchronization

/// The number of differences since the start, by finding.
final class Divergences: Sendable {
    private let counts = Mutex<[Divergence.Finding: Int]>([:])

    func count(_ finding: Divergence.Finding) { counts.withLock { $0[finding, default: 0] += 1 } }

    var all: [Divergence.Finding: Int] { counts.withLock { $0 } }
}

extension DeviceManager {
    /// The number of differences between books and the cloud since the start, by finding.
    public var divergences: [Divergence.Finding: Int] { services.divergences.all }
}
