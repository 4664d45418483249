// The parts of a book about banks on two devices, and on one of the version before.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheBookAboutBanks {
    private let folder = Folder()
    private let cloud = SmallCloud()
    private let key = BankAccountKey(provider: "truelayer", account: "acc-1")
    private let atBank = BankAccount(
        id: "acc-1",
        name: "Club Account",
        kind: .current,
        currency: .eur,
        institution: "First Bank"
    )

    /// Two devices in step with an account.
    private func devices() throws -> (phone: Book, laptop: Book) {
        let phone = try Book.open(at: folder("phone.sqlite"), clock: { noon })
        let laptop = try Book.open(at: folder("laptop.sqlite"), clock: { noon })
        try cloud.attach(phone, as: id(901))
        try cloud.attach(laptop, as: id(902))
        try phone.add(Account(id: id(1), name: "Wallet", type: .bank, currency: .eur, openingMinor: 0))
        try exchange(phone, laptop)
        return (phone, laptop)
    }

    private func exchange(_ phone: Book, _ laptop: Book) throws {
        for _ in 0..<2 {
            try cloud.sync(phone, writer: 1)
            try cloud.sync(laptop, writer: 2)
        }
        #expect(try cloud.agrees(with: phone, as: id(901)) && cloud.agrees(with: laptop, as: id(902)))
    }

    private func join(_ book: Book, _ choice: BankJoin.Choice, connection: UInt64) throws {
        let join = BankJoin(atBank, of: "truelayer", choice)
        _ = try book.join([join], connection: id(connection), refreshedAt: noon)
    }

    private func banks(_ book: Book) throws -> [EntityID: AccountBank] {
        let accounts = try book.accountBalances().map(\.account)
        return Dictionary(uniqueKeysWithValues: accounts.filter(\.bank.isUsed).map { ($0.id, $0.bank) })
    }

    /// Neither device knows of the other's choice.
    @Test func hasOneNewAccountForTwoDevices() throws {
        let (phone, laptop) = try devices()
        try join(phone, .new, connection: 61)
        try join(laptop, .new, connection: 62)
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            #expect(try banks(book).values.map(\.account) == [key.description])
            #expect(try book.accountBalances().count == 2)
        }
    }

    @Test func findsTheSameAccountOnTheNextDevice() throws {
        let (phone, laptop) = try devices()
        try join(phone, .existing(id(1)), connection: 61)
        try exchange(phone, laptop)
        #expect(try banks(laptop).keys.sorted() == [id(1)])
        try join(laptop, .new, connection: 62)
        try exchange(phone, laptop)
        #expect(try phone.accountBalances().count == 1)
        #expect(try banks(phone)[id(1)]?.connection == id(61).description)
    }

    /// Devices write it by themselves: it is no news for anyone.
    @Test func hasTheLatestRefreshWithoutNotices() throws {
        let (phone, laptop) = try devices()
        try join(phone, .existing(id(1)), connection: 61)
        try exchange(phone, laptop)
        let changes = try phone.history(limit: 50).count
        let version = try laptop.versions(of: Account.self, id(1))
        let shown = try #require(try laptop.account(id(1))?.account)
        try phone.noteBankRead([key], at: noon + 2 * 86_400)
        try laptop.noteBankRead([key], at: noon + 86_400)
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            #expect(try banks(book)[id(1)]?.syncedAt == noon + 2 * 86_400)
            #expect(try book.losses().isEmpty)
        }
        #expect(try phone.history(limit: 50).count == changes)
        var renamed = shown
        renamed.name = "Purse"
        #expect(try laptop.change(renamed, shown: version(shown)).meanwhile.isEmpty)
        #expect(try laptop.account(id(1))?.account.bank.syncedAt == noon + 2 * 86_400)
        // Once a day at most.
        try phone.noteBankRead([key], at: noon + 2 * 86_400 + 3_600)
        #expect(try banks(phone)[id(1)]?.syncedAt == noon + 2 * 86_400)
    }

    @Test func hasOneNoteForTwoDevices() throws {
        let (phone, laptop) = try devices()
        let transaction = BankTransactionKey(key, id: "n1")
        try phone.write(BankNote(id: id(0), transaction: transaction, payee: "Bakery"))
        try laptop.write(BankNote(id: id(0), transaction: transaction, payee: "Bakery", tags: ["bread"]))
        try exchange(phone, laptop)
        for book in [phone, laptop] {
            let note = try book.bankNote(of: transaction)
            #expect(note.payee == "Bakery" && note.tags == ["bread"])
        }
        let versions = try phone.versions(of: BankNote.self, try phone.bankNote(of: transaction).id)
        let shown = try phone.bankNote(of: transaction)
        try laptop.write(BankNote(id: id(0), transaction: transaction, payee: "Baker", tags: ["bread"]))
        try exchange(phone, laptop)
        var mine = shown
        mine.note = "with jam"
        let edit = try phone.write(mine, shown: versions(shown))
        #expect(edit.meanwhile.map(\.field) == ["payee"])
        try exchange(phone, laptop)
        let note = try laptop.bankNote(of: transaction)
        #expect(note.payee == "Baker" && note.note == "with jam")
        let change = try #require(edit.change)
        #expect(try phone.undo(change, overriding: false) != .already)
        #expect(try phone.bankNote(of: transaction).note.isEmpty)
    }
}
