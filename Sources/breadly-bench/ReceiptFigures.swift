// The cost of receipts beside the transactions of a book, and of adding files.

import Book
import BreadlyApp
import Foundation
import Ledger

/// The times with a receipt beside each transaction of the first page.
struct ReceiptFigures {
    /// The first page of the list without receipts and with them, in microseconds.
    let plain: Double
    let beside: Double
    /// The list of all receipts, in microseconds.
    let list: Double
    /// The bytes of files that are added in a second, each in a form of its own.
    let bytesPerSecond: Double

    private static let receipts = 2_000

    /// Fills a book with a number of transactions and measures it.
    init(_ count: Int, in folder: String, resources: Resources, today: CivilDate, isQuick: Bool) throws {
        let served = try Served(count, in: folder, resources: resources, today: today)
        let page = "/transactions?month=all"
        let before = try served.time(page)
        let book = try Book.open(at: served.book) { 0 }
        var query = TransactionQuery()
        query.limit = 500
        var transactions: [EntityID] = []
        while transactions.count < Self.receipts {
            let found = try book.transactions(query).page
            transactions += found.rows.map(\.id)
            guard let next = found.next else { break }
            query.after = next
        }
        for (number, transaction) in transactions.enumerated() {
            let digits = String(number + 1, radix: 16)
            let receipt = Receipt(
                id: EntityID(high: 9, low: UInt64(number)),
                transaction: transaction,
                name: "receipt \(number).jpg",
                type: "image/jpeg",
                size: 400_000,
                sha256: String(repeating: "0", count: 64 - digits.count) + digits,
                created: Int64(number)
            )
            _ = try book.add([receipt], to: .recorded(transaction), quota: .max) { _ in }
        }
        book.close()
        let form = try served.page("/transactions/\(transactions[0])")
        let token = Client.token(form)
        // The server has not seen the rows that were added beside it. A change of its own empties its caches.
        try Self.add(0, to: transactions[0], token, served)
        let marks = try served.page(page).components(separatedBy: "#clip").count - 1
        guard marks == 50 else { throw BenchError("\(page): \(marks) marks of receipts") }
        // The machine may have become faster or slower meanwhile.
        let after = try served.time(page)
        plain = before
        beside = after
        list = try served.time("/attachments", times: 300)
        let files = isQuick ? 20 : 100
        let begin = DispatchTime.now().uptimeNanoseconds
        for number in 1...files { try Self.add(number, to: transactions[number], token, served) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        bytesPerSecond = Double(files << 20) / seconds
    }

    /// Adds a file of 1 MB with the form of a transaction.
    private static func add(_ number: Int, to transaction: EntityID, _ token: String, _ served: Served) throws
    {
        var body = Array("--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n".utf8)
        body += Array("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n".utf8)
        body += Array("%PDF-1.7\n\(number)\n".utf8) + [UInt8](repeating: 65, count: 1 << 20)
        body += Array("\r\n--b--\r\n".utf8)
        let path = "/transactions/\(transaction)/attachments"
        let type = "multipart/form-data; boundary=b"
        let answer = try served.client.ask(served.client.request("POST", path, body: body, type: type))
        guard answer.head.contains(" 303 ") else {
            throw BenchError("\(path): \(answer.head.prefix(60))")
        }
    }
}

extension Bench {
    static func show(_ receipts: ReceiptFigures) {
        let ratio = receipts.beside / receipts.plain
        add(
            "the list of all transactions, each with a receipt",
            "\(micro(receipts.beside)), \(times(ratio)) as long as without",
            "≤ 1.1 ×",
            ratio <= 1.1
        )
        add("the list of 2,000 receipts", micro(receipts.list), "", nil)
        add("adding files of 1 MB", tenths(receipts.bytesPerSecond / 1_048_576, "MB/s"), "", nil)
    }
}
