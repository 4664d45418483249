// The number of conflicts and losses in words, for the cloud icon, the overview and the sync page.

import Texts

/// The numbers of conflicts and losses on the Review page.
package struct ToReview: Hashable, Sendable {
    /// The number of values that wait for a decision.
    var conflicts: Int
    /// The number of changes of this device that another device overwrote or deleted.
    var losses: Int

    /// By default, nothing waits.
    init(conflicts: Int = 0, losses: Int = 0) {
        self.conflicts = conflicts
        self.losses = losses
    }

    /// `1 value`, `3 changes`; nil if nothing waits.
    var counts: Text? {
        guard conflicts + losses > 0 else { return nil }
        return losses == 0
            ? Text("sync.value-count", ["count": .count(conflicts)])
            : Text("sync.change-count", ["count": .count(conflicts + losses)])
    }

    /// One sentence for conflicts and one for losses.
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
