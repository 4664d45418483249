// Accounts and transactions of a bank, as tests of a book need them.
import Ledger
import TestKit
import Testing

@testable import Book

extension BankAccountKey {
    /// The key of an account at the bank of the tests.
    static func sample(_ id: String) -> BankAccountKey { BankAccountKey(provider: "truelayer", account: id) }
}

extension BankTransaction {
    /// A transaction in euros.
    static func sample(
        _ id: String,
        _ day: String,
        _ minor: Int64,
        _ words: String = "BAKERY 4711",
        isPending: Bool = false
    ) throws -> BankTransaction {
        BankTransaction(
            id: id,
            date: try #require(CivilDate(iso: day)),
            money: Money(minor: minor, currency: .eur),
            description: words,
            counterparty: nil,
            isPending: isPending
        )
    }
}

extension Book {
    /// Joins an account to one at the bank.
    func joinSample(_ id: String, to number: Int, _ currency: CurrencyCode = .eur) throws {
        let bank = BankAccount(id: id, name: "A", kind: .current, currency: currency, institution: nil)
        let joins = [BankJoin(bank, of: "truelayer", .existing(.number(number)))]
        _ = try join(joins, connection: .number(600), refreshedAt: noon)
    }
}
