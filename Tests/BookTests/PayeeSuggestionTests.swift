// The payees that a typed text can mean, and what a new transaction of a payee is filled in with.
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct PayeeSuggestionTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in [11, 13] { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(12, .income))
    }

    private func record(
        _ id: Int,
        _ payee: String,
        _ kind: TransactionKind = .expense,
        _ day: String = "2025-11-01",
        _ amount: Int64 = 100,
        in category: Int? = nil
    ) throws {
        try book.record(
            Transaction.sample(id, kind, day, amount, category: category, payee: payee)
        )
    }

    private func found(_ text: String, limit: Int = 8) throws -> [String] {
        try book.payeeUses(matching: text, limit: limit).map(\.payee)
    }

    @Test func theBestNameComesFirst() throws {
        for (index, name) in ["The Shell", "Marshall", "Shell Garage", "Shell", "Kiosk"].enumerated() {
            try record(60 + index, name)
        }
        try record(70, "Shell Garage")
        #expect(try found("shell") == ["Shell", "Shell Garage", "The Shell"])
        #expect(try found("sh") == ["Shell Garage", "Shell", "The Shell", "Marshall"])
        #expect(try found("sh", limit: 2) == ["Shell Garage", "Shell"])
        #expect(try found("gar she") == ["Shell Garage"])
        #expect(try found("") == [] && found("  ") == [] && found("zebra") == [])
    }

    @Test(arguments: [
        ("Café", "cafe"), ("Łódź", "LODZ"), ("Straße", "strasse"), ("ＫＩＯＳＫ", "kiosk"), ("Ёлка", "елка"),
        ("50% \"off\"", "50% \""), ("Shop_1", "p_1"),
    ])
    func aNameIsFoundInAnyFormOfItsLetters(name: String, text: String) throws {
        try record(60, name)
        #expect(try found(text) == [name])
    }

    @Test func spellingsOfOnePayeeAreOneSuggestion() throws {
        for (index, name) in ["Café", "café", "CAFÉ"].enumerated() { try record(60 + index, name) }
        #expect(try found("cafe").count == 1)
    }

    @Test func aChangeOfTheBookChangesTheNames() throws {
        try record(60, "Shell")
        #expect(try found("she") == ["Shell"])
        try record(61, "Shed")
        #expect(try Set(found("she")) == ["Shell", "Shed"])
        try book.deleteTransaction(.number(60))
        #expect(try found("she") == ["Shed"])
    }

    @Test func aUseIsThatOfTheNewestTransaction() throws {
        try record(60, "Bakery", .expense, "2025-11-01", 410, in: 11)
        try record(61, "bakery", .expense, "2025-11-03", 520)
        let use = try #require(try book.payeeUse(of: "BAKERY"))
        #expect(use.payee == "bakery" && use.latest.id == .number(61) && use.latest.amount.minor == 520)
        #expect(use.category == .number(11) && use.note.isEmpty)
        #expect(try book.payeeUse(of: "nobody") == nil && book.payeeUse(of: "") == nil)
        #expect(try book.payeeUse(of: "a\0b") == nil)
    }

    @Test func whatIsSetForAPayeeComesBeforeItsLastCategory() throws {
        try record(60, "Bakery", in: 11)
        try book.set(PayeeDefault(id: .number(80), name: "bakery", category: .number(13), note: "rolls"))
        let use = try #require(try book.payeeUse(of: "Bakery"))
        #expect(use.category == .number(13) && use.note == "rolls")
        #expect(try book.usualCategory(ofPayee: "BAKERY", kind: .expense) == .number(13))
        #expect(try book.usualCategory(ofPayee: "Bakery", kind: .transfer) == nil)
        // A category of income is none of an expense.
        try book.set(PayeeDefault(id: .number(80), name: "bakery", category: .number(12), note: ""))
        #expect(try book.usualCategory(ofPayee: "Bakery", kind: .expense) == .number(11))
        #expect(try book.usualCategory(ofPayee: "Bakery", kind: .income) == .number(12))
    }

    @Test func starredTransactionsAreListedAndUndone() throws {
        try record(60, "Rent")
        try record(61, "Bakery", .expense, "2025-11-03")
        #expect(try book.star(.number(60), true) != nil)
        #expect(try book.star(.number(60), true) == nil)
        #expect(try book.star(.number(61), true) != nil)
        #expect(try book.starredTransactions(limit: 5).map(\.id) == [.number(61), .number(60)])
        #expect(try book.starredTransactions(limit: 1).map(\.id) == [.number(61)])
        let change = try #require(try book.star(.number(61), false))
        #expect(try book.starredTransactions(limit: 5).map(\.id) == [.number(60)])
        _ = try book.undo(change, overriding: false)
        #expect(try book.starredTransactions(limit: 5).count == 2)
        try book.deleteTransaction(.number(60))
        #expect(throws: BookError.unknownTransaction(.number(60))) { try book.star(.number(60), false) }
        #expect(try book.starredTransactions(limit: 5).map(\.id) == [.number(61)])
    }

    @Test func aCopyIsNeitherAPaymentNorStarred() throws {
        var paid = Transaction.sample(60, .expense, "2025-11-01", 100)
        (paid.isStarred, paid.occurrence, paid.bankTransaction) = (true, "x", "y")
        let copy = paid.copy(.number(61), on: CivilDate(dayNumber: 5))
        #expect(!copy.isStarred && copy.occurrence == nil && copy.bankTransaction == nil)
        #expect(copy.id == .number(61) && copy.date == CivilDate(dayNumber: 5))
    }
}
