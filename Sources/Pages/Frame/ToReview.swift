// The number of conflicts and losses in words, for the cloud icon, the overview and the sync page.

/// How many conflicts and losses the Review page lists.
public struct ToReview: Hashable, Sendable {
    /// Values that wait for a decision.
    public var conflicts: Int
    /// Changes of this device that another device overwrote or deleted.
    public var losses: Int

    /// Counts.
    public init(conflicts: Int = 0, losses: Int = 0) {
        self.conflicts = conflicts
        self.losses = losses
    }

    /// `1 value`, `3 changes`; nil where there is nothing.
    var counts: String? {
        guard conflicts + losses > 0 else { return nil }
        return losses == 0 ? counted(conflicts, "value") : counted(conflicts + losses, "change")
    }

    /// A sentence for each sort.
    var text: String {
        var sentences: [String] = []
        if conflicts > 0 {
            sentences.append("\(counted(conflicts, "value")) changed on two devices at once.")
        }
        if losses > 0 {
            sentences.append("\(counted(losses, "change")) of yours gave way to another device's.")
        }
        return sentences.joined(separator: " ")
    }
}
