// The declaration is consistent, its fields are captured, and it agrees with the code that reads and writes
// entities by the positions of their columns.
import Foundation
import Ledger
import Storage
import SyncCore
import TestKit
import Testing
import Texts

@testable import Book
@testable import Web

@Suite struct TheDeclaration {
    private let folder = Folder()

    private func book() throws -> Book { try Book.open(at: folder("book.sqlite"), clock: { noon }) }

    /// With `BREADLY_MIGRATION`, the text is written to the file that it names as well.
    @Test func isCapturedByTheNewestSchema() throws {
        let text = try CaptureSQL.missing(in: book())
        if let path = ProcessInfo.processInfo.environment["BREADLY_MIGRATION"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(
            text.isEmpty,
            """
            A declared field has no column, or its changes are not captured. Add a migration with this text, and a file \
            of the new schema to Tests/BookTests/Schemas; see AddingAField.md.
            \(text)
            """
        )
    }

    /// Rows that are older than a column have no value of it on the cloud: with a default they would hash otherwise here.
    @Test func hasNoColumnWithADefault() throws {
        let book = try book()
        for table in BookSchema.breadly.tables {
            let defaults = try book.reading { db in
                try db.all(
                    "SELECT name FROM pragma_table_info('\(table.name)') WHERE dflt_value IS NOT NULL"
                ) { $0.text(0) }
            }
            #expect(defaults.isEmpty, "\(table.name): let the column be NULL for rows that are there already")
        }
    }

    @Test(arguments: SyncedSchema.breadly.entities.map(\.kind))
    func namesEachThingOnceAndOnlyWhatThereIs(kind: String) throws {
        let entity = try #require(SyncedSchema.breadly[kind])
        #expect(Set(entity.fields.map(\.name)).count == entity.fields.count)
        #expect(Set(entity.fields.map(\.column)).count == entity.fields.count)
        #expect(Set(entity.fields.map(\.exportName)).count == entity.fields.count)
        for field in entity.fields {
            if let leader = field.follows { #expect(entity.field(leader) != nil) }
            if let fallback = field.fallback { #expect((fallback.integer != nil) == field.form.isInteger) }
            switch field.form {
            case .reference(let other): #expect(SyncedSchema.breadly[other] != nil)
            case .money(in: .field(let currency)): #expect(entity.field(currency) != nil)
            case .money(in: .account(let account)):
                #expect(entity.field(account)?.form == .reference(to: Account.entityKind))
            default: break
            }
            // A form says beside this field that the amount was changed meanwhile.
            if case .money(in: .field) = field.form { #expect(BookField(rawValue: field.name) != nil) }
        }
        if case .fields(let names, _) = entity.title {
            #expect(names.allSatisfy { entity.field($0) != nil })
        }
    }

    /// A row of a later version is named by the words of its declaration, and each row of this version by a text.
    @Test func hasATextForEachName() throws {
        let texts = try TextCatalogue(language: "en", files: shippedTexts())
        var keys: Set<String> = []
        for entity in SyncedSchema.breadly.entities {
            let kind = entity.kind
            keys.formUnion(["entity.\(kind)", "entity.\(kind).count", "title.\(kind)"])
            keys.formUnion(
                entity.fields.flatMap { ["field.\(kind).\($0.name)", "field.\(kind).\($0.name).heading"] }
            )
            if case .fields(_, inSentence: true) = entity.title { keys.insert("title.\(kind).named") }
        }
        let derived = texts.keys.filter { key in
            ["entity.", "field.", "title."].contains { key.hasPrefix($0) }
        }
        #expect(derived.symmetricDifference(keys).sorted() == [])
    }

    /// Frequent queries read entities by the positions of their columns.
    @Test func agreesWithStoredColumns() throws {
        let book = try book()
        let (account, other) = (sampleAccount(1), sampleAccount(2))
        var closed = sampleAccount(3)
        closed.isClosed = true
        (closed.openingDay, closed.position) = (CivilDate(dayNumber: 20_300), "V")
        closed.bank = AccountBank(
            connection: "c",
            account: "truelayer:a",
            type: "card",
            isUsed: true,
            syncedAt: 7,
            recordsFrom: CivilDate(dayNumber: 20_440)
        )
        let top = Ledger.Category(
            id: id(11),
            name: "Food",
            kind: .expense,
            icon: "basket",
            color: "basil",
            parent: nil
        )
        var child = top
        (child.id, child.name, child.icon, child.color, child.parent) = (
            id(12), "Fruit", "apple", "plum", id(11)
        )
        (child.position, child.isArchived) = ("V", true)
        let budget = Budget(
            id: id(21),
            category: id(12),
            limit: Money(minor: 77, currency: .usd),
            from: YearMonth(index: 24_300),
            rollover: true,
            until: YearMonth(index: 24_320),
            carryFrom: YearMonth(index: 24_290),
            pace: .once
        )
        let payment = Transaction(
            id: id(31),
            kind: .expense,
            date: CivilDate(dayNumber: 20_400),
            amount: Money(minor: 111, currency: .usd),
            account: id(1),
            accountMinor: 222,
            category: id(12),
            payee: "P",
            note: "N",
            tags: ["a", "b"],
            bankTransaction: "truelayer:a t",
            occurrence: "\(id(41)) 2025-11-08",
            isStarred: true,
            rule: id(81)
        )
        let transfer = Transaction(
            id: id(32),
            kind: .transfer,
            date: CivilDate(dayNumber: 20_401),
            amount: Money(minor: 333, currency: .eur),
            account: id(1),
            accountMinor: 333,
            toAccount: id(2),
            toMinor: 444
        )
        let schedule = Schedule(
            transaction: Transaction(
                id: id(41),
                kind: .transfer,
                date: CivilDate(dayNumber: 20_402),
                amount: Money(minor: 555, currency: .eur),
                account: id(1),
                accountMinor: 555,
                toAccount: id(2),
                toMinor: 666,
                payee: "Q",
                note: "M",
                tags: ["c"]
            ),
            end: CivilDate(dayNumber: 21_000),
            every: 3,
            unit: .week,
            shift: .before,
            isAutomatic: false,
            done: CivilDate(dayNumber: 20_423),
            accountCurrency: .eur,
            toCurrency: .usd,
            series: id(42)
        )
        var rent = schedule
        (rent.id, rent.unit, rent.series) = (id(43), .monthEnd, nil)
        var preferences = Preferences()
        preferences.baseCurrency = .usd
        preferences.secondaryCurrencies = [.eur]
        (preferences.weekStart, preferences.conflictPolicy, preferences.theme) = (.sunday, .ask, .dark)
        (preferences.locale, preferences.timeZone) = ("de-DE", "Europe/Sofia")
        for account in [account, other, closed] { try book.add(account) }
        for category in [top, child] { try book.add(category) }
        try book.add(budget)
        for transaction in [payment, transfer] { try book.record(transaction) }
        for schedule in [schedule, rent] { try book.add(schedule) }
        try book.set(preferences)
        let key = BankTransactionKey(text: "truelayer:a u")
        try book.write(
            BankNote(
                id: id(51),
                transaction: key,
                category: id(12),
                payee: "R",
                note: "O",
                tags: ["d", "e"],
                isHidden: true
            )
        )
        let receipt = Receipt(
            id: id(61),
            transaction: payment.id,
            name: "n.jpg",
            type: "image/jpeg",
            size: 7,
            sha256: String(repeating: "a", count: 64),
            width: 8,
            height: 9,
            created: 10
        )
        _ = try book.add([receipt], to: .recorded(payment.id), quota: 100) { _ in }
        let view = SavedView(id: id(71), name: "V", query: "kind=expense")
        try book.add(view)
        #expect(try book.savedViews() == [view])
        let usual = PayeeDefault(id: id(91), name: "P", category: id(11), note: "N")
        try book.set(usual)
        #expect(try book.payeeDefaults() == [usual])
        let budgets = try book.allBudgets()
        // Rows with a place in lists come first.
        #expect(try book.accountBalances().map(\.account) == [closed, account, other] && budgets == [budget])
        #expect(try book.categoryUses().map(\.category) == [child, top])
        #expect(try book.transaction(payment.id) == payment && book.transaction(transfer.id) == transfer)
        #expect(try book.preferences() == preferences)
        try expect(account, in: book)
        try expect(child, in: book)
        try expect(budget, in: book)
        try expect(closed, in: book)
        try expect(payment, in: book)
        try expect(transfer, in: book)
        try expect(schedule, in: book)
        try expect(rent, in: book)
        try expect(preferences, in: book)
        try expect(try book.bankNote(of: key), in: book)
        try expect(try #require(try book.receipt(receipt.id)).receipt, in: book)
        try expect(view, in: book)
        try expect(usual, in: book)
    }

    private func expect<E: Entity>(_ entity: E, in book: Book) throws {
        let declared = try #require(SyncedSchema.breadly[E.entityKind])
        let stored = try book.synced(E.entityKind, entity.id)
        #expect(
            stored == entity.fields && stored.all.count == declared.fields.count,
            "\(E.self): its columns, its `init(_:)` and its `values` are not those of the declaration"
        )
    }

    private func sampleAccount(_ number: UInt64) -> Account {
        Account(id: id(number), name: "A\(number)", type: .card, currency: .eur, openingMinor: 5)
    }
}
