// The rest of a split, which goes to the category of the form, and shares. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct RestOfASplit {
    let server: Running
    let guest: Visitor
    let cash: String
    let food: String
    let home: String

    init() throws {
        server = try Running()
        let guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        let rows = try guest.get("/categories").rows("category")
        func category(_ name: String) throws -> String {
            try #require(rows.first { $0.text.contains(name) }?["data-id"])
        }
        (food, home) = (try category("Groceries"), try category("Health"))
        self.guest = guest
    }

    private func record(_ parts: [(String, String)], _ category: String, amount: String = "48.50") throws
        -> Reply
    {
        let fields = parts.flatMap {
            [("split_category", $0.0), ("split_amount", $0.1), ("split_note", "")]
        }
        return try guest.record(
            [("amount", amount), ("category", category)] + fields,
            account: cash
        )
    }

    private func shown() throws -> [String] {
        try guest.get("/transactions").html.elements
            .filter { $0["data-split"] != nil && $0["data-amount"] != nil }.map(\.text)
    }

    @Test(arguments: [
        ([("h", "12")], "f", ["Groceries €36.50", "Health €12.00"]),
        ([("h", "40%"), ("h", "1")], "f", ["Groceries €28.10", "Health €19.40", "Health €1.00"]),
        ([("f", "33.33%"), ("h", "66.67 %")], "", ["Groceries €16.17", "Health €32.33"]),
        ([("f", "50%"), ("h", "")], "", ["Groceries €24.25", "Health €24.25"]),
    ])
    func goesToTheCategoryOfTheForm(parts: [(String, String)], category: String, words: [String]) throws {
        let ids = ["f": food, "h": home, "": ""]
        let saved = try record(parts.map { (ids[$0.0] ?? "", $0.1) }, ids[category] ?? "")
        #expect(saved.status == 303, "\(saved.refused)")
        #expect(try shown() == words)
    }

    @Test func sharesOfAllLeaveNothingThatWasRounded() throws {
        let third = [(food, "33.33%"), (home, "33.33%"), ("", "33.34%")]
        #expect(try record(third, "", amount: "100.01").status == 303)
        #expect(try shown() == ["Groceries €33.33", "Health €33.33", "No category €33.35"])
        // A part of nothing is none.
        let tiny = try record([(food, "50%"), (home, "50%")], "", amount: "0.01")
        #expect(tiny.refused == ["split_amount"])
    }

    @Test func isRefusedWhereThereIsNone() throws {
        #expect(try record([(home, "48.50")], food).refused == ["category"])
        #expect(try record([(home, "12"), (home, "")], food).refused == ["category"])
        #expect(try record([(home, "60")], food).refused == ["split"])
        for share in ["0%", "101%", "%", "1.234%", "-5%", "x%"] {
            #expect(try record([(home, share)], food).refused == ["split_amount"], "\(share)")
        }
        #expect(try shown().isEmpty)
    }

    @Test func aPartCanBeTakenFromAnEntryWithACategory() throws {
        _ = try guest.record([("amount", "48.50"), ("category", food)], account: cash)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(id)"
        let form = try #require(try guest.get(page).html.form(page))
        var rows = 0
        let fields = form.map { field -> (String, String) in
            guard ["split_category", "split_amount"].contains(field.name) else {
                return (field.name, field.value)
            }
            rows += 1
            return (field.name, rows > 2 ? "" : field.name == "split_category" ? home : "8.50")
        }
        #expect(try guest.post(page, fields, csrf: false).status == 303)
        #expect(try shown() == ["Groceries €40.00", "Health €8.50"])
    }
}
