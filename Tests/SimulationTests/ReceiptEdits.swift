// Edits of receipts: files beside transactions, and their rows.
import FileStore
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
            let content = contents.hashes[Int.random(in: 0..<6, using: &random)]
            return Receipt(
                id: newID(),
                transaction: transaction.id,
                name: tag(device, "receipt.jpg"),
                type: "image/jpeg",
                size: Int64(contents[content].count),
                sha256: "\(content)",
                width: 64,
                height: chance(1, in: 2) ? 48 : nil,
                created: clock.now
            )
        }
        var isDead = false
        defer { if isDead { die(device) } }
        let isLate = bug == .placesFilesAfterTheirRows && chance(1, in: 2)
        _ = try book.add(receipts, to: .recorded(transaction.id), quota: .max) { receipt in
            guard !isLate, let hash = ContentHash(receipt.sha256) else { return }
            do { try place(hash, on: device) } catch SimulatedFailure.died {
                isDead = true
                throw SimulatedFailure.died
            }
        }
        if isLate { die(device) }
    }
}
