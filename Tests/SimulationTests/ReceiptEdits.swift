// Edits of receipts: the rows of files beside transactions. Their bytes are not part of the simulation.
import Ledger
import TestKit

@testable import Book

extension World {
    /// Adds receipts to a transaction, or deletes one.
    func editReceipts(_ device: SimulatedDevice, _ transaction: Transaction?) throws {
        guard let transaction else { return }
        let book = device.book
        if let receipt = pick(try book.receipts(of: transaction.id)), chance(1, in: 2) {
            _ = try book.deleteReceipt(receipt.receipt.id)
            return
        }
        let receipts = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            // Few contents, so that devices add the same one.
            let content = Int.random(in: 0..<6, using: &random)
            return Receipt(
                id: newID(),
                transaction: transaction.id,
                name: tag(device, "receipt.jpg"),
                type: "image/jpeg",
                size: 1_000 + Int64(content),
                sha256: String(repeating: "\(content)", count: 64),
                width: 64,
                height: chance(1, in: 2) ? 48 : nil,
                created: clock.now
            )
        }
        _ = try book.add(receipts, to: transaction.id, quota: .max) { _ in }
    }
}
