// The journey of an entry that one device deletes while another one changes it.

import Ledger
import Texts

extension Journeys {
    static let deletions: [Journey] = [
        Journey(
            "delete-against-edit",
            [.conflicts],
            Text("journeys.delete-against-edit"),
            Text("journeys.delete-against-edit-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.delete-against-edit-1"), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
                JourneyStep(Text("journeys.delete-against-edit-3"), .device(2)),
                JourneyStep(Text("journeys.press-network-on", device(1)), .network(1)),
                JourneyStep(Text("journeys.delete-against-edit-5"), .device(1)),
                JourneyStep(Text("journeys.delete-against-edit-6"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("transactions.changed")), .reads(1, waiting),
                .reads(2, Text("transactions.deleted")),
                .reads(1, Text("sync.changes-gave-way", ["count": .count(1)])),
                .reads(1, Text("sync.leave-it-deleted")), .readsNext(1, Text("sync.there-is-nothing-to")),
                .isInStep(1), .isInStep(2), .sameBooks(1, 2),
            ],
            at: [1, 2, 3, 5, 5, 6, 6, 6, 6]
        )
    ]
}
