// The number of conflicts and losses in words, for the cloud icon, the overview and the sync page.

import Texts

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
    var counts: Text? {
        guard conflicts + losses > 0 else { return nil }
        return losses == 0
            ? Text("sync.value-count", ["count": .count(conflicts)])
            : Text("sync.change-count", ["count": .count(conflicts + losses)])
    }

    /// A sentence for each sort.
    var text: Text {
        var sentences: [Text] = []
        if conflicts > 0 {
            sentences.append(Text("sync.values-changed-on-two", ["count": .count(conflicts)]))
        }
        if losses > 0 {
            sentences.append(Text("sync.changes-gave-way", ["count": .count(losses)]))
        }
        return .sentences(sentences)
    }
}
