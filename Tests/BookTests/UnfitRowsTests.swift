// Rows that do not fit, as a faulty client or an earlier version of the cloud lets them through: each is set aside by
// itself.
import CloudSamples
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct RowsThatDoNotFit {
    private let folder = Scratch()

    /// A row of each kind that fits, without its id.
    private static let sound: [String: Fields] = [
        "account": ["name": "A", "type": "cash", "currency": "EUR", "opening": 5],
        "category": ["name": "C", "kind": "expense", "icon": "basket", "color": "basil"],
        "budget": [
            "category": .text("\(EntityID.number(11))"), "limit": 5, "currency": "EUR", "from": 24_000,
            "rollover": 0,
        ],
        "preferences": ["baseCurrency": "EUR"],
        "conflict": ["kind": "account", "entity": .text("\(EntityID.number(1))"), "field": "name"],
        "transaction": transaction,
        "schedule": transaction.with(["start": 20_000, "every": 1, "unit": "month"]),
        "bankNote": ["bankTransaction": "b", "payee": "P"],
        "receipt": [
            "transaction": .text("\(EntityID.number(60))"), "name": "r.pdf", "type": "application/pdf",
        ],
        "view": ["name": "V", "query": "kind=expense"],
        "payeeDefault": ["name": "P", "note": "N"],
        "rule": ["name": "R", "enabled": 1, "match": "any", "conditions": "[]", "effects": "[]"],
    ]

    private static let transaction: Fields = [
        "kind": "expense", "date": 20_000, "amount": 5, "currency": "EUR",
        "account": .text("\(EntityID.number(1))"), "accountAmount": 5, "payee": "P",
    ]

    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.apply(snapshot: .last([], head: 0))
        let rows = [
            row("account", .number(1), ["name": "A", "type": "cash", "currency": "EUR", "opening": 0]),
            row("category", .number(11), ["name": "C", "kind": "expense"]),
        ]
        try book.apply(changes: .last(rows, head: 1))
        return book
    }

    private func row(_ kind: String, _ id: EntityID, _ fields: Fields) -> RowChange {
        RowChange(seq: 1, kind: kind, id: id, isDeleted: false, fields: fields)
    }

    private func id(of entity: SyncedEntity, _ number: Int) -> EntityID {
        entity.hasTombstones ? .number(number) : EntityID(high: 0, low: 0)
    }

    /// A field of each kind with each odd value, and whether its declaration accepts it.
    private func eachOddRow(_ body: (SyncedEntity, SyncedField, FieldValue) throws -> Void) rethrows {
        for entity in SyncedSchema.breadly.entities {
            for field in entity.fields {
                // An id of a row of another kind, and of a row that there is not.
                for value in FieldValue.odd + [
                    .text("\(EntityID.number(11))"), .text("\(EntityID.number(1))"),
                ] {
                    try body(entity, field, value)
                }
            }
        }
    }

    @Test func stopNoOtherRowAndAreNamed() throws {
        let book = try attached()
        var (number, refused) = (1_000, 0)
        try eachOddRow { entity, field, value in
            number += 2
            let odd = id(of: entity, number)
            let fields = (Self.sound[entity.kind] ?? [:]).with([field.name: value])
            let beside = row("transaction", .number(number + 1), Self.transaction)
            try book.apply(changes: .last([row(entity.kind, odd, fields), beside], head: Int64(number)))
            #expect(try book.replicaState().cursor == Int64(number))
            try #require(
                try book.transaction(.number(number + 1)) != nil,
                "beside \(entity.kind).\(field.name) = \(value)"
            )
            let found = try book.unreadableRows(limit: 10_000).first {
                $0.kind == entity.kind && $0.id == odd
            }
            guard !field.accepts(value) else { return }
            // A value that is missing has a fallback.
            guard value != .null || field.isRequired else { return }
            refused += 1
            #expect(found?.field == field.name, "\(entity.kind).\(field.name) = \(value)")
        }
        #expect(refused > 600)
        #expect(try book.verifySums().isEmpty)
        // Everything can be read.
        try book.export { _ in { _ in } }
        let path = book.path
        book.close()
        let again = try Book.open(at: path, clock: { noon })
        #expect(try again.transaction(.number(1_003)) != nil)
    }

    /// The declaration and the tables are of one mind: what it accepts fits, except for a word of a later version.
    @Test func areThoseThatTheirDeclarationDoesNotAccept() throws {
        let book = try attached()
        var number = 1_000
        try eachOddRow { entity, field, value in
            if case .choice = field.form { return }
            guard field.accepts(value), value != .null else { return }
            number += 1
            let fields = (Self.sound[entity.kind] ?? [:]).with([field.name: value])
            let odd = id(of: entity, number)
            try book.apply(changes: .last([row(entity.kind, odd, fields)], head: Int64(number)))
            let found = try book.unreadableRows(limit: 10_000).first {
                $0.kind == entity.kind && $0.id == odd
            }
            // Only two or three words are known there.
            let isWord = entity.kind == "conflict" && field.name == "choice"
            #expect(found == nil || isWord, "\(entity.kind).\(field.name) = \(value)")
        }
    }

    @Test func areFoundAmongManyOthersOfADownload() throws {
        for count in [400, 4_000] {
            let book = try Book.scratch(folder, "\(count).sqlite")
            try book.attach(as: .number(900), .download)
            try book.adopt(Head(epoch: 1, seq: 0))
            let odd = Set([3, count / 2, count - 1])
            var rows = [row("account", .number(1), Self.sound["account"] ?? [:])]
            for index in 0..<count {
                let fields =
                    odd.contains(index) ? Self.transaction.with(["currency": "usd"]) : Self.transaction
                rows.append(row("transaction", .number(1_000 + index), fields))
            }
            var page = ChangesPage.last(rows, head: 9)
            // Most rows of a long download are staged.
            if count > 1_000 {
                page.rows = Array(rows.prefix(3_500))
                (page.hasMore, page.next) = (true, "transaction/x")
                try book.apply(snapshot: page)
                page.rows = Array(rows.dropFirst(3_500))
                (page.hasMore, page.next) = (false, "")
            }
            try book.apply(snapshot: page)
            #expect(try book.counts().transactions == count - 3)
            #expect(try book.unreadableRows().map(\.field) == ["currency", "currency", "currency"])
            #expect(try book.verifySums().isEmpty)
        }
    }

    @Test func comeBackWhenTheyAreMended() throws {
        let book = try attached()
        let odd = row("transaction", .number(50), Self.transaction.with(["account": "x"]))
        try book.apply(changes: .last([odd], head: 2))
        #expect(try book.transaction(.number(50)) == nil)
        try book.apply(changes: .last([row("transaction", .number(50), Self.transaction)], head: 3))
        #expect(try book.transaction(.number(50)) != nil && book.unreadableRows().isEmpty)
        // A row that was here keeps its last values that fit.
        try book.apply(changes: .last([odd], head: 4))
        #expect(try book.transaction(.number(50))?.payee == "P")
        #expect(try book.unreadableRows().map(\.field) == ["account"])
    }

    @Test func areTriedAgainByAnotherVersion() throws {
        let book = try attached()
        try book.apply(
            changes: .last(
                [row("transaction", .number(50), Self.transaction.with(["currency": "usd"]))],
                head: 2
            )
        )
        let path = book.path
        // As a version did that knew less.
        try book.store.inDatabase { db in
            try db.execute(
                sql:
                    "UPDATE foreign_rows SET fields = json_set(fields, '$.currency', 'USD'); UPDATE sync SET known = 'less'"
            )
        }
        book.close()
        let again = try Book.open(at: path, clock: { noon })
        #expect(try again.transaction(.number(50)) != nil && again.unreadableRows().isEmpty)
    }
}
