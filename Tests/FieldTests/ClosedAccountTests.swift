// Accounts that are closed, and emptied, on one of two devices and used on the other.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct AnAccountThatIsClosedOnOneDevice {
    private let folder = Folder()
    private let cloud = SmallCloud()

    private func payment(_ number: UInt64, account: UInt64 = 1) -> Transaction {
        Transaction(
            id: id(number),
            kind: .expense,
            date: CivilDate(dayNumber: 20_400),
            amount: Money(minor: 1_250, currency: .eur),
            account: id(account),
            accountMinor: 1_250,
            payee: "Bakery"
        )
    }

    /// Two devices in step, with two accounts and a payment on the first.
    private func devices() throws -> (phone: Book, laptop: Book) {
        let phone = try Book.open(at: folder("phone.sqlite"), clock: { noon })
        let laptop = try Book.open(at: folder("laptop.sqlite"), clock: { noon })
        try cloud.attach(phone, as: id(901))
        try cloud.attach(laptop, as: id(902))
        for number: UInt64 in 1...2 {
            try phone.add(
                Account(id: id(number), name: "A\(number)", type: .bank, currency: .eur, openingMinor: 0)
            )
        }
        try phone.record(payment(31))
        try exchange(phone, laptop)
        return (phone, laptop)
    }

    /// Until both devices have everything.
    private func exchange(_ phone: Book, _ laptop: Book) throws {
        for (book, writer) in [(phone, Int64(1)), (laptop, 2), (phone, 1)] {
            try cloud.sync(book, writer: writer)
        }
        #expect(try cloud.agrees(with: phone, as: id(901)) && cloud.agrees(with: laptop, as: id(902)))
    }

    @Test func showsTheTransactionThatTheOtherAddedMeanwhile() throws {
        let (phone, laptop) = try devices()
        _ = try phone.closeAccount(id(1))
        try laptop.record(payment(32))
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            let account = try #require(try book.account(id(1)))
            #expect(account.account.isClosed && account.balanceMinor == -2_500)
            #expect(try book.register(of: id(1), TransactionQuery())?.balancesMinor == [-2_500, -1_250])
        }
        #expect(throws: BookError.accountClosed(.account)) { try laptop.record(payment(33)) }
        _ = try laptop.reopenAccount(id(1))
        try exchange(phone, laptop)
        #expect(try phone.account(id(1))?.account.isClosed == false)
        #expect(try phone.synced("account", id(1))["closed"] == .null)
    }

    @Test func keepsWhatOthersChangeInIt() throws {
        let (phone, laptop) = try devices()
        _ = try phone.closeAccount(id(1))
        try laptop.patch(["name": "Purse"], "account", id(1))
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            let account = try #require(try book.account(id(1))?.account)
            #expect(account.name == "Purse" && account.isClosed)
        }
    }

    @Test func isEmptiedFieldByField() throws {
        let (phone, laptop) = try devices()
        let moved = try phone.moveTransactions(from: id(1), to: id(2))
        #expect(moved.count == 1)
        #expect(
            try phone.nextBatch(operations: 9, bytes: 1 << 20).map(\.fields) == [
                ["account": .text("\(id(2))")]
            ]
        )
        try laptop.patch(["note": "with jam", "amount": 900, "accountAmount": 900], "transaction", id(31))
        try laptop.record(payment(32))
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            let row = try #require(try book.transaction(id(31)))
            #expect(row.account == id(2) && row.amount.minor == 900 && row.note == "with jam")
            #expect(try book.accountBalances().map(\.balanceMinor) == [-1_250, -900])
        }
        #expect(cloud.overwritings.isEmpty)
    }
}
