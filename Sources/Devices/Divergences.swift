// How often a book of this server was found to differ from the cloud.

public import SyncCore
import Synchronization

/// Counts by what was found, since the start.
final class Divergences: Sendable {
    private let counts = Mutex<[Divergence.Finding: Int]>([:])

    func count(_ finding: Divergence.Finding) { counts.withLock { $0[finding, default: 0] += 1 } }

    var all: [Divergence.Finding: Int] { counts.withLock { $0 } }
}

extension DeviceManager {
    /// How often a book was found to differ from the cloud since the start, by what was found.
    public var divergences: [Divergence.Finding: Int] { services.divergences.all }
}
