// The cost of bank transactions beside the transactions of a book.

import Book
import BreadlyApp
import Devices
import Foundation
import Ledger

/// The times with 90 days of 5 accounts at a bank, in microseconds.
struct BankFigures {
    /// The first page of the list and the overview, without the transactions of the bank and with them.
    let plain: Double
    let beside: Double
    /// The search for a word, without and with them.
    let search: Double
    let searchBeside: Double
    /// The caches are opened.
    let opening: Double
    /// The opened transactions are named and sorted.
    let reports: Double
    /// They are compared with the book, after a change of it.
    let comparing: Double
    /// The memory of the opened transactions, in bytes.
    let bytes: Int

    private static let perAccount = 300

    /// Fills a book with a number of transactions and measures it.
    init(_ count: Int, in folder: String, resources: Resources, today: CivilDate) throws {
        let served = try Served(count, in: folder, resources: resources, today: today)
        let book = try Book.open(at: served.book) { 0 }
        defer { book.close() }
        let accounts = (0..<5).map { number in
            BankAccount(
                id: "a\(number)",
                name: "Account \(number)",
                kind: .current,
                currency: .eur,
                institution: "First Bank"
            )
        }
        _ = try book.join(
            accounts.map { BankJoin($0, of: "truelayer", .new) },
            connection: EntityID(high: 5, low: 0),
            refreshedAt: 0
        )
        var reported: [(account: BankAccount, transactions: [BankTransaction])] = []
        for account in accounts { reported.append((account, Self.transactions(of: account, today))) }
        guard let sealed = SealedBankAccounts(reported, key: Array(repeating: 7, count: 32)) else {
            throw BenchError("the system cannot seal")
        }
        let opened = sealed.transactions(of: "truelayer")
        let reports = BankReports(opened)
        let rows = try book.bankRows(of: reports)
        guard rows.all.count == Self.perAccount * accounts.count else { throw BenchError("rows are missing") }
        bytes = reports.bytes
        opening = median(of: 50) { _ = sealed.transactions(of: "truelayer") }
        self.reports = median(of: 50) { _ = BankReports(opened) }
        comparing = try median(of: 50) { _ = try book.bankRows(of: BankReports(opened)) } - self.reports
        func pages(_ bank: BankRows?) throws -> Double {
            try median(of: 300) {
                var query = TransactionQuery()
                query.month = today.yearMonth
                _ = try book.transactions(query, knownIn: .eur, beside: bank)
                _ = try book.overview(month: today.yearMonth, today: today, base: .eur, beside: bank)
            }
        }
        func found(_ bank: BankRows?) throws -> Double {
            try median(of: 100) {
                var query = TransactionQuery()
                query.text = "shop"
                _ = try book.transactions(query, knownIn: .eur, beside: bank)
            }
        }
        (plain, beside) = (try pages(nil), try pages(rows))
        (search, searchBeside) = (try found(nil), try found(rows))
    }

    /// The transactions of 90 days.
    private static func transactions(of account: BankAccount, _ today: CivilDate) -> [BankTransaction] {
        (0..<perAccount).map { number in
            let market = number % 40
            return BankTransaction(
                id: "4f1c07e0\(account.id)\(100_000 + number)",
                date: today.adding(days: -number * 90 / perAccount),
                money: Money(minor: -1_000 - Int64(number), currency: .eur),
                description: "CARD PAYMENT TO SHOP \(market) BERLIN 4711",
                counterparty: number % 3 == 0 ? nil : "Market number \(market)",
                isPending: number < 3
            )
        }
    }
}

extension Bench {
    static func show(_ banks: BankFigures) {
        let ratio = banks.beside / banks.plain
        add(
            "the list of a month and the overview, beside 1,500 transactions of banks",
            "\(micro(banks.beside)), \(times(ratio)) as long as without",
            "≤ 1.5 ×",
            ratio <= 1.5
        )
        let searched = banks.searchBeside / banks.search
        add("the same for a search", "\(micro(banks.searchBeside)), \(times(searched)) as long", "", nil)
        let first = (banks.opening + banks.reports) / 1e3
        add("opening their caches for the first page", tenths(first, "ms"), "< 10 ms", first < 10)
        add("comparing them with the book after a change", tenths(banks.comparing / 1e3, "ms"), "", nil)
        let memory = Double(banks.bytes) / 1_048_576
        add("their memory", tenths(memory, "MB"), "< 3 MB", memory < 3)
    }
}
