// Helpers of the book's tests: short ways to make entities.
import Ledger
import Storage
import SyncCore
import TestKit

@testable import Book

/// The day that no test depends on.
let noon: Int64 = 1_763_726_400

extension Book {
    /// Opens a book with other migrations than all of them.
    static func open(at path: String, clock: @escaping @Sendable () -> Int64, migrations: [Migration])
        throws(BookError) -> Book
    { try open(at: path, clock: clock, schema: BookSchema(.breadly, migrations: migrations)) }

    static func scratch(_ folder: Scratch, _ name: String = "book.sqlite") throws -> Book {
        try Book.open(at: folder(name), clock: { noon })
    }
}

extension ChangesPage {
    /// The last page up to a head, in the first epoch.
    static func last(_ rows: [RowChange], head: Int64, hash: RowsHash? = nil) -> ChangesPage {
        ChangesPage(
            epoch: 1,
            head: head,
            cursor: head,
            hasMore: false,
            remaining: 0,
            lastN: 0,
            rows: rows,
            hash: hash
        )
    }
}

extension EntityID {
    /// The id with a number.
    static func number(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }
}

extension Money {
    /// The amount without a sign, as it is typed into a search.
    var typed: String {
        let digits = String(minor.magnitude)
        guard currency.decimals > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, currency.decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(currency.decimals)).\(padded.suffix(currency.decimals))"
    }
}

extension Account {
    static func sample(_ number: Int, _ currency: CurrencyCode = .eur, opening: Int64 = 0) -> Account {
        Account(
            id: .number(number),
            name: "Account \(number)",
            type: .bank,
            currency: currency,
            openingMinor: opening
        )
    }
}

extension Ledger.Category {
    static func sample(_ number: Int, _ kind: CategoryKind = .expense, parent: Int? = nil) -> Ledger.Category
    {
        Category(
            id: .number(number),
            name: "Category \(number)",
            kind: kind,
            icon: "basket",
            color: "basil",
            parent: parent.map { .number($0) }
        )
    }
}

extension Budget {
    static func sample(
        _ number: Int,
        category: Int?,
        limit: Int64,
        _ currency: CurrencyCode = .eur,
        from: String,
        rollover: Bool = false
    ) -> Budget {
        Budget(
            id: .number(number),
            category: category.map { .number($0) },
            limit: Money(minor: limit, currency: currency),
            from: YearMonth(iso: from) ?? YearMonth(index: 0),
            rollover: rollover
        )
    }
}

extension Transaction {
    /// On account 1 unless told otherwise.
    static func sample(
        _ number: Int,
        _ kind: TransactionKind = .expense,
        _ date: String = "2025-11-15",
        _ minor: Int64 = 1_250,
        _ currency: CurrencyCode = .eur,
        account: Int = 1,
        accountMinor: Int64? = nil,
        to: Int? = nil,
        toMinor: Int64? = nil,
        category: Int? = nil,
        payee: String = "",
        note: String = "",
        tags: [String] = []
    ) -> Transaction {
        Transaction(
            id: .number(number),
            kind: kind,
            date: CivilDate(iso: date) ?? CivilDate(dayNumber: 0),
            amount: Money(minor: minor, currency: currency),
            account: .number(account),
            accountMinor: accountMinor ?? minor,
            toAccount: to.map { .number($0) },
            toMinor: toMinor ?? (to == nil ? nil : minor),
            category: category.map { .number($0) },
            payee: payee,
            note: note,
            tags: tags
        )
    }
}

func day(_ iso: String) -> CivilDate { CivilDate(iso: iso) ?? CivilDate(dayNumber: 0) }
func month(_ iso: String) -> YearMonth { YearMonth(iso: iso) ?? YearMonth(index: 0) }

extension TransactionQuery {
    init(_ change: (inout TransactionQuery) -> Void) {
        self.init()
        change(&self)
    }
}

extension Receipt {
    /// A photo beside a transaction.
    /// - Parameter content: a number for its content; that of the receipt unless told otherwise.
    static func sample(
        _ number: Int,
        of transaction: Int? = 1,
        content: Int? = nil,
        size: Int64 = 100,
        created: Int64? = nil
    ) -> Receipt {
        Receipt(
            id: .number(900 + number),
            transaction: transaction.map { .number($0) },
            name: "receipt \(number).jpg",
            type: "image/jpeg",
            size: size,
            sha256: sampleHash(content ?? number),
            width: 640,
            height: 480,
            created: created ?? noon + Int64(number)
        )
    }

    /// The hash of a content.
    static func sampleHash(_ content: Int) -> String {
        let digits = String(content, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}
