// The scripts of the journeys of receipts: each walks as its card says.

import TestKit
import Testing

extension WalkingReviewer {
    /// A file that a reviewer chooses.
    static let receipt = ChosenFile(
        name: "till.pdf",
        bytes: Array("%PDF-1.7\n".utf8) + [UInt8](repeating: 0, count: 9_000)
    )

    /// Adds an expense with a receipt on the first device, and opens it.
    func recordWithReceipt() throws -> WalkingDevice {
        let device = try device(1).open("/transactions/new")
        try device.button("Add files", files: [Self.receipt]).fileSays("Added as soon as you save")
        return try device.button("Save", typing: ["amount": "7.77", "payee": "Till"]).link(
            "Till",
            isWhole: false
        )
    }
}

extension JourneyWalk {
    static let receipts: [JourneyWalk] = [
        JourneyWalk("receipt-offline") { lab in
            let device = try lab.recordWithReceipt()
            try device.fileSays("Waiting for the cloud, which cannot be reached")
            try lab.setNetwork(of: 1, "On")
            try device.fileSays("Backed up")
            try lab.waits(for: "Till", on: "/transactions", of: 2)
            let second = try lab.device(2).link("Till", isWhole: false)
            try second.fileSays("Not on this device yet: open it to fetch it")
            #expect(try second.openFile() == WalkingReviewer.receipt.bytes)
            try second.tab.reload()
            try second.fileSays("Backed up")
        },
        JourneyWalk("receipt-refused") { lab in
            let device = try lab.recordWithReceipt()
            try device.fileSays("Not backed up: the files of your account take 1023 MB of 1 GB in the cloud.")
                .cloudSays("All changes are backed up, but 1 file of your receipts is not.")
            let expected = "1 file of your receipts is not in the cloud yet: another device has to send it."
            try lab.device(2).cloudSays(expected).cloudLink("See the files")
                .fileSays("Not in the cloud: open Breadly on the device that has it")
            try lab.setCloud("On")
            try device.button("Try again").fileSays("Backed up")
        },
    ]
}
