// Saved views, and the usual categories and notes of payees.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct SavedViewTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Ledger.Category.sample(11))
    }

    @Test func viewsAreListedByNameRenamedDeletedAndRestored() throws {
        let view = SavedView(id: .number(1), name: "trips", query: "tag=trip")
        #expect(try book.add(view) == .new && book.add(view) == .already)
        try book.add(SavedView(id: .number(2), name: "Cafés", query: ""))
        #expect(try book.savedViews().map(\.name) == ["Cafés", "trips"])
        var renamed = view
        renamed.name = "Alps"
        let edit = try book.change(renamed)
        #expect(try book.savedViews().map(\.name) == ["Alps", "Cafés"])
        _ = try book.undo(try #require(edit.change), overriding: false)
        try book.deleteView(view.id)
        #expect(try book.savedViews().map(\.name) == ["Cafés"])
        #expect(throws: BookError.unknownView(view.id)) { try book.change(renamed) }
        #expect(try book.restoreView(view.id) == view.id)
        #expect(try book.savedViews().last == view)
        #expect(throws: BookError.unknownView(.number(9))) { try book.deleteView(.number(9)) }
    }

    @Test func oddViewsAreRefused() {
        let long = String(repeating: "a", count: 101)
        for name in ["", long, "a\0"] {
            #expect(throws: BookError.invalid(.name)) {
                try book.add(SavedView(id: .number(1), name: name, query: ""))
            }
        }
        for query in ["a b", "é", String(repeating: "a", count: 2_001)] {
            #expect(throws: BookError.invalid(.other)) {
                try book.add(SavedView(id: .number(1), name: "V", query: query))
            }
        }
    }

    @Test func aPayeeHasOneDefaultInAnySpelling() throws {
        let baker = PayeeDefault(id: .number(1), name: "Baker", category: .number(11))
        let change = try #require(try book.set(baker))
        #expect(try book.payeeDefault(of: "  BAKER ")?.category == .number(11))
        #expect(try book.set(PayeeDefault(id: .number(2), name: "baker", note: "bread")) != nil)
        #expect(try book.payeeDefaults().count == 1)
        let changed = try #require(try book.payeeDefault(of: "Baker"))
        #expect(changed.id == .number(1) && changed.note == "bread" && changed.category == nil)
        #expect(try book.set(PayeeDefault(id: .number(3), name: "Baker")) != nil)
        #expect(try book.payeeDefaults() == [])
        #expect(try book.set(PayeeDefault(id: .number(3), name: "Baker")) == nil)
        #expect(change > 0)
    }

    @Test func theDefaultThatWasAddedLastIsMeant() throws {
        try book.changeAsUser { db in
            for (number, note) in [(5, "new"), (4, "old")] {
                let sql = "INSERT INTO payee_defaults (id, name, note) VALUES (?, ?, ?)"
                try db.change(sql, [EntityID.number(number).column, number == 5 ? "Baker" : "BAKER", note])
            }
        }
        #expect(try book.payeeDefaults().map(\.note) == ["new"])
        // Nothing older comes back.
        try book.set(PayeeDefault(id: .number(9), name: "Baker"))
        #expect(try book.payeeDefaults() == [])
    }

    @Test func aDeletedCategoryIsNoDefault() throws {
        try book.set(PayeeDefault(id: .number(1), name: "Baker", category: .number(11), note: "n"))
        try book.deleteCategory(.number(11))
        #expect(try book.payeeDefault(of: "Baker")?.category == nil)
        #expect(throws: BookError.unknownCategory(.number(11))) {
            try book.set(PayeeDefault(id: .number(2), name: "Other", category: .number(11)))
        }
        #expect(throws: BookError.invalid(.payee)) { try book.set(PayeeDefault(id: .number(2), name: "")) }
    }
}
