// The journey of a receipt, from a device without a network to another one.

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
        )
    ]
}
