// The journeys of receipts: from a device without a network to another one, and to a cloud without room.

import Ledger
import Texts

extension Journeys {
    static let receipts: [Journey] = [
        Journey(
            "receipt-offline",
            [.receipts],
            Text("journeys.receipt-offline"),
            Text("journeys.receipt-offline-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.receipt-offline-1"), .device(1)),
                JourneyStep(Text("journeys.receipt-offline-2"), .device(1)),
                JourneyStep(Text("journeys.press-network-on", device(1)), .network(1)),
                JourneyStep(Text("journeys.receipt-offline-4"), .device(1)),
                JourneyStep(Text("journeys.receipt-offline-5"), .device(2)),
            ],
            expecting: [
                .reads(1, Text("receipts.added-when-saved")), .reads(1, Text("receipts.waits-for-the-cloud")),
                .isInStep(1), .reads(1, Text("receipts.uploaded"), in: .file),
                .reads(2, Text("receipts.not-on-this-device-yet")),
                .reads(2, Text("receipts.uploaded"), in: .file),
                .sameBooks(1, 2),
            ],
            at: [1, 2, 3, 4, 5, 5, 5]
        ),
        Journey(
            "receipt-refused",
            [.receipts],
            Text("journeys.receipt-refused"),
            Text("journeys.receipt-refused-story"),
            in: .premium,
            stage: [.cloud(.noRoom)],
            steps: [
                JourneyStep(Text("journeys.receipt-offline-1"), .device(1)),
                JourneyStep(Text("journeys.receipt-offline-2"), .device(1)),
                JourneyStep(Text("journeys.receipt-refused-3"), .device(1)),
                JourneyStep(Text("journeys.receipt-refused-4"), .device(2)),
                JourneyStep(Text("journeys.receipt-refused-5"), .cloud),
                JourneyStep(Text("journeys.receipt-refused-6"), .device(1)),
            ],
            expecting: [
                .reads(1, refused, in: .file),
                .reads(1, Text("chrome.files-not-backed-up", ["files": .count(1)])),
                // The header has one sentence in the first minute, and another one from then on.
                .reads(2, Text("receipts.not-in-the-cloud")),
                .reads(1, Text("receipts.uploaded"), in: .file),
                .sameBooks(1, 2),
            ],
            at: [2, 3, 4, 6, 6]
        ),
    ]

    private static let refused = Text(
        "receipts.upload-over-the-quota",
        ["used": Expectation.any, "limit": Expectation.any]
    )
}
