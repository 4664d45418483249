// Accounts that are joined to accounts at a bank, and notes on its transactions.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct BankJoinTests {
    private let folder = Scratch()
    private let connection = EntityID.number(600)

    private func bank(_ id: String, _ kind: BankAccountKind = .current, _ currency: CurrencyCode = .eur)
        -> BankAccount
    {
        BankAccount(id: id, name: "Club \(id)", kind: kind, currency: currency, institution: "First Bank")
    }

    private func join(_ book: Book, _ joins: [(String, BankJoin.Choice)]) throws -> Int64? {
        try book.join(
            joins.map { BankJoin(bank($0.0), of: "truelayer", $0.1) },
            connection: connection,
            refreshedAt: noon
        )
    }

    /// The accounts at the bank by account of the book.
    private func joined(_ book: Book) throws -> [EntityID: String] {
        let accounts = try book.accountBalances().map(\.account)
        return Dictionary(
            uniqueKeysWithValues: accounts.compactMap { account in
                account.bank.key.map { (account.id, String($0.account)) }
            }
        )
    }

    @Test func newAccountsHaveTheNamesAndKindsOfTheBank() throws {
        let book = try Book.scratch(folder)
        let joins = [bank("a"), bank("b", .savings), bank("c", .card, .usd), bank("d", .other)]
            .map { BankJoin($0, of: "truelayer", .new) }
        let change = try #require(try book.join(joins, connection: connection, refreshedAt: noon))
        let accounts = try book.accountBalances().map(\.account).sorted { $0.name < $1.name }
        #expect(accounts.map(\.name) == ["Club a", "Club b", "Club c", "Club d"])
        #expect(accounts.map(\.type) == [.bank, .savings, .card, .bank])
        #expect(accounts.map(\.currency) == [.eur, .eur, .usd, .eur])
        #expect(accounts.allSatisfy { $0.openingMinor == 0 && $0.bank.connection == connection.description })
        #expect(try book.join(joins, connection: connection, refreshedAt: noon) == nil)
        #expect(try book.undo(change, overriding: false) != .already)
        #expect(try book.accountBalances().isEmpty)
        // An account that was deleted does not come back, and a new one takes its place.
        _ = try book.join(joins, connection: connection, refreshedAt: noon)
        #expect(try book.accountBalances().count == 4)
    }

    /// Two banks often give their accounts the same name.
    @Test func aNewAccountWhoseNameIsTakenHasThatOfItsBankAsWell() throws {
        let book = try Book.scratch(folder)
        func account(_ id: String, _ institution: String?) -> BankAccount {
            BankAccount(id: id, name: "Checking", kind: .current, currency: .eur, institution: institution)
        }
        for (id, bank) in [("a", "First Bank"), ("b", "Second Bank"), ("c", nil), ("d", "Second Bank")] {
            let joins = [BankJoin(account(id, bank), of: "truelayer", .new)]
            _ = try book.join(joins, connection: connection, refreshedAt: noon)
        }
        #expect(
            Set(try book.accountBalances().map(\.account.name))
                == ["Checking", "Checking · Second Bank", "Second Bank"]
        )
        #expect(try book.accountBalances().count == 4)
    }

    @Test func anAccountAtTheBankHasOneAccount() throws {
        let book = try Book.scratch(folder)
        for number in 1...2 { try book.add(Account.sample(number)) }
        _ = try join(book, [("a", .existing(.number(1))), ("b", .existing(.number(2)))])
        #expect(try joined(book) == [.number(1): "a", .number(2): "b"])
        // The two are exchanged in one change.
        _ = try join(book, [("a", .existing(.number(2))), ("b", .existing(.number(1)))])
        #expect(try joined(book) == [.number(1): "b", .number(2): "a"])
        _ = try join(book, [("a", .existing(.number(1)))])
        #expect(try joined(book) == [.number(1): "a"])
        #expect(throws: BookError.invalid(.account)) {
            try join(book, [("a", .existing(.number(1))), ("b", .existing(.number(1)))])
        }
        #expect(try joined(book) == [.number(1): "a"])
    }

    @Test func anAccountThatLeftIsFoundAgain() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        _ = try join(book, [("a", .existing(.number(1)))])
        #expect(try join(book, [("a", .skip)]) != nil)
        #expect(try joined(book).isEmpty && join(book, [("a", .skip)]) == nil)
        _ = try join(book, [("a", .new)])
        #expect(try joined(book) == [.number(1): "a"])
        #expect(try book.leaveBank(.number(1)) != nil && book.leaveBank(.number(1)) == nil)
        #expect(try joined(book).isEmpty)
        #expect(throws: BookError.unknownAccount(.number(7))) { try book.leaveBank(.number(7)) }
    }

    @Test func aNewAccountTakesThePlaceOfAClosedOne() throws {
        let book = try Book.scratch(folder)
        _ = try join(book, [("a", .new)])
        let closed = try #require(try joined(book).keys.first)
        _ = try book.closeAccount(closed)
        #expect(try join(book, [("a", .new)]) != nil)
        let (key, day) = (BankAccountKey(provider: "truelayer", account: "a"), CivilDate(dayNumber: 20_400))
        let reported = BankTransaction(
            id: "t",
            date: day,
            money: Money(minor: -320, currency: .eur),
            description: "BAKERY",
            counterparty: nil,
            isPending: false
        )
        let rows = try book.bankRows(of: BankReports([key: [reported]]))
        let row = try #require(try book.transactions(TransactionQuery(), beside: rows).page.rows.first)
        #expect(row.amount.minor == 320 && row.account != closed)
        #expect(try joined(book) == [row.account: "a"])
    }

    @Test func theAccountMustFit() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1, .usd))
        try book.add(Account.sample(2))
        _ = try book.closeAccount(.number(2))
        #expect(throws: BookError.invalid(.currency)) { try join(book, [("a", .existing(.number(1)))]) }
        #expect(throws: BookError.accountClosed(.account)) {
            try join(book, [("a", .existing(.number(2)))])
        }
        #expect(throws: BookError.unknownAccount(.number(3))) {
            try join(book, [("b", .new), ("a", .existing(.number(3)))])
        }
        #expect(try book.accountBalances().count == 2)
    }
}

@Suite struct BankNoteTests {
    private let folder = Scratch()
    private let key = BankTransactionKey(text: "truelayer:a t")

    @Test func aNoteIsAddedByItsFirstValueAndComesBack() throws {
        let book = try Book.scratch(folder)
        #expect(try book.bankNote(of: key) == .empty(on: key))
        #expect(try book.write(.empty(on: key)).change == nil)
        #expect(try book.history(limit: 9).isEmpty)
        var note = try book.bankNote(of: key)
        note.payee = "Bakery"
        let change = try #require(try book.write(note).change)
        #expect(try book.bankNote(of: key) == note)
        #expect(try book.undo(change, overriding: false) != .already)
        #expect(try book.bankNote(of: key) == .empty(on: key))
        _ = try book.write(note)
        #expect(try book.bankNote(of: key).payee == "Bakery")
        #expect(try book.bankNote(of: BankTransactionKey(text: "truelayer:a u")).payee.isEmpty)
    }

    @Test func itMovesWithTheTransactionsOfItsCategory() throws {
        let book = try Book.scratch(folder)
        for number in 11...13 { try book.add(Ledger.Category.sample(number)) }
        var notes = ["t", "u"].map { BankNote.empty(on: BankTransactionKey(text: "truelayer:a \($0)")) }
        (notes[0].category, notes[1].category) = (.number(11), .number(13))
        for note in notes { try book.write(note) }
        func categories() throws -> [EntityID?] {
            try notes.map { try book.bankNote(of: $0.transaction).category }
        }
        // No transaction of the book is moved.
        #expect(try book.move(transactionsOf: .number(11), to: .number(12)) == 0)
        #expect(try categories() == [.number(12), .number(13)])
        try book.deleteCategory(.number(11))
        #expect(throws: BookError.categoryInUse(transactions: 1, budgets: 0, children: 0)) {
            try book.deleteCategory(.number(12))
        }
        try book.move(transactionsOf: .number(12), to: nil)
        #expect(try categories() == [nil, .number(13)])
    }

    @Test func itsValuesAreChecked() throws {
        let book = try Book.scratch(folder)
        try book.add(Ledger.Category.sample(11))
        var note = BankNote.empty(on: key)
        note.category = .number(12)
        #expect(throws: BookError.unknownCategory(.number(12))) { try book.write(note) }
        note.category = .number(11)
        note.tags = ["a", "a"]
        #expect(throws: BookError.invalid(.tags)) { try book.write(note) }
        note.tags = []
        note.payee = String(repeating: "x", count: 201)
        #expect(throws: BookError.invalid(.payee)) { try book.write(note) }
        note.payee = ""
        try book.write(note)
        // A category that is deleted is taken away from the note, and the rest can be changed.
        _ = try book.deleteCategoryOfTransactions(.number(11))
        note = try book.bankNote(of: key)
        #expect(note.category == nil)
        note.note = "x"
        try book.write(note)
        #expect(try book.bankNote(of: key).note == "x")
    }
}
