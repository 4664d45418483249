// The marks of transactions with receipts, against a count by rows, and while the book is changed.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct MarksOfReceiptsInLists {
    private let folder = Scratch()

    private static func receipt(_ number: Int, of transaction: EntityID) -> Receipt {
        let digits = String(number, radix: 16)
        return Receipt(
            id: .number(100_000 + number),
            transaction: transaction,
            name: "receipt.pdf",
            type: "application/pdf",
            size: 100,
            sha256: String(repeating: "0", count: 64 - digits.count) + digits,
            created: noon + Int64(number)
        )
    }

    /// Every page of the list, read twice: first with the marks that earlier pages left, then with its own.
    private func comparePages(
        of book: Book,
        _ filter: TransactionQuery,
        _ comment: Comment,
        marked: inout Int
    ) throws {
        var query = filter
        repeat {
            for _ in 0..<2 {
                let page = try book.transactions(query).page
                let naive = try page.rows.map(\.id).filter { try !book.receipts(of: $0).isEmpty }
                #expect(page.withReceipts == Set(naive), comment)
                marked += naive.count
            }
            query.after = try book.transactions(query).page.next
        } while query.after != nil
    }

    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func areThoseOfANaiveCount(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let book = try Book.scratch(folder, "\(seed).sqlite")
        try book.add(Account.sample(1))
        let beginning = try book.history(limit: 1).first?.id ?? 0
        var transactions: [EntityID] = []
        var receipts: [EntityID] = []
        var marked = 0
        for step in 0..<150 {
            let number = 1_000 + step
            switch Int.random(in: 0..<9, using: &random) {
            case 0...2:
                var new = Transaction.sample(number, payee: "Shop \(step % 7)")
                // As after an import: the ids do not follow the days.
                new.date = CivilDate(dayNumber: Int32.random(in: 20_000..<20_400, using: &random))
                try book.record(new)
                transactions.append(new.id)
            case 3...5:
                guard let one = transactions.randomElement(using: &random) else { continue }
                let new = (0..<Int.random(in: 1...3, using: &random)).map {
                    Self.receipt(number * 10 + $0, of: one)
                }
                guard (try? book.add(new, to: .recorded(one), quota: .max) { _ in }) != nil else { continue }
                receipts += new.map(\.id)
            case 6:
                guard let one = receipts.randomElement(using: &random) else { continue }
                _ = try? book.deleteReceipt(one)
            case 7:
                let changes = try book.history(limit: 5).filter { $0.id > beginning }
                guard let change = changes.randomElement(using: &random) else { continue }
                _ = try? book.undo(change.id, overriding: true)
            default:
                guard let one = transactions.randomElement(using: &random) else { continue }
                if Bool.random(using: &random) {
                    // Under a new id, to which the receipts move.
                    if let restored = try? book.restoreTransaction(one) { transactions.append(restored) }
                } else {
                    _ = try? book.deleteTransaction(one)
                }
            }
            var query = TransactionQuery()
            query.limit = Int.random(in: 1...60, using: &random)
            if Bool.random(using: &random) { query.account = .number(1) }
            if Int.random(in: 0..<3, using: &random) == 0 { query.text = "shop" }
            try comparePages(of: book, query, "seed \(seed), step \(step)", marked: &marked)
        }
        #expect(marked > 100, "seed \(seed)")
    }

    /// A page read during changes shows the rows and the marks of the same state.
    @Test func areOfTheSameStateAsTheRows() async throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        let ids = (0..<40).map { EntityID.number(1_000 + $0 * 7_919) }
        try book.record(
            all: ids.enumerated().map { number, id in
                var new = Transaction.sample(1, note: "with")
                new.id = id
                new.date = new.date.adding(days: -number)
                return new
            }
        )
        for (number, id) in ids.enumerated() {
            _ = try book.add([Self.receipt(number + 1, of: id)], to: .recorded(id), quota: .max) { _ in }
        }
        var query = TransactionQuery()
        query.limit = 50
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 1...300 {
                    let hasReceipts = round.isMultiple(of: 2)
                    try book.applyRemoteRows { db in
                        try db.change("UPDATE transactions SET note = ?", [hasReceipts ? "with" : "without"])
                        try db.change("UPDATE receipts SET deleted_at = ?", [hasReceipts ? nil : noon])
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask { [query] in
                    for _ in 0..<600 {
                        let page = try book.transactions(query).page
                        let marked = page.rows.filter { page.withReceipts.contains($0.id) }
                        #expect(
                            page.rows.count == ids.count && marked == page.rows.filter { $0.note == "with" }
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func takeBoundedMemory() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.record(all: (0..<2_400).map { .sample(1_000 + $0) })
        var query = TransactionQuery()
        query.limit = 400
        var most = 0
        repeat {
            query.after = try book.transactions(query).page.next
            most = max(most, try book.current { $0.receiptMarks.count })
        } while query.after != nil
        #expect(most > 400 && most <= ReceiptMarks.most)
    }
}
