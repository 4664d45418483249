// A second account or category with a name that is there already: asked about, and saved where it is meant so.
import Foundation
import TestKit
import Testing

@Suite struct TheSameName {
    let server: Running

    init() throws { server = try Running() }

    private func add(_ visitor: Visitor, _ list: String, _ fields: [(String, String)]) throws -> Reply {
        let common = list == "/accounts" ? [("type", "bank"), ("currency", "EUR")] : [("kind", "expense")]
        let sent = Set(fields.map(\.0))
        return try visitor.post(list, common.filter { !sent.contains($0.0) } + fields)
    }

    private func names(_ visitor: Visitor, _ list: String, _ name: String) throws -> Int {
        let kind = list == "/accounts" ? "account" : "category"
        return try visitor.get(list).rows(kind).count { $0.text.contains(name) }
    }

    private func id(_ visitor: Visitor, _ list: String, _ name: String) throws -> String {
        let kind = list == "/accounts" ? "account" : "category"
        let row = try visitor.get(list).rows(kind).last { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    @Test(arguments: [("/accounts", "Cash", "an account"), ("/categories", "Groceries", "a category")])
    func isAskedAboutAndSavedWhenConfirmed(list: String, name: String, what: String) throws {
        let guest = try server.guest()
        for typed in [name, name.uppercased(), "  \(name.lowercased()) "] {
            let asked = try add(guest, list, [("name", typed)])
            #expect(asked.status == 422 && asked.refused == ["name"])
            let question = asked.html.first("p", ["role": "alert", "data-field": "name"])?.text
            #expect(question == "You already have \(what) called “\(name)”. Save it anyway?")
            let tick = asked.html.first("input", ["name": "same_name", "type": "checkbox"])
            #expect(tick?["value"] == typed && tick?["checked"] == nil)
            #expect(asked.html.form(list)?.contains { $0 == ("name", typed) } == true, "what was typed stays")
        }
        #expect(try names(guest, list, name) == 1)
        let other = try add(guest, list, [("name", name), ("same_name", "Another")])
        #expect(other.status == 422, "the answer was about another name")
        #expect(try add(guest, list, [("name", name), ("same_name", name)]).status == 303)
        #expect(try names(guest, list, name) == 2)
        let third = try id(guest, list, name)
        let blank = try guest.get("\(list)/\(third)")
        #expect(blank.html.first("input", ["name": "same_name"]) == nil)
    }

    @Test(arguments: [("/accounts", "Cash", "Bank"), ("/categories", "Groceries", "Health")])
    func isAskedAboutWhenOneIsRenamed(list: String, name: String, other: String) throws {
        let guest = try server.guest()
        let page = "\(list)/\(try id(guest, list, other))"
        func send(_ changes: [(String, String)]) throws -> Reply {
            let form = try #require(try guest.get(page).html.form(page))
            let kept = form.filter { field in !changes.contains { $0.0 == field.name } }
            return try guest.post(page, kept.map { ($0.name, $0.value) } + changes, csrf: false)
        }
        let asked = try send([("name", name.lowercased())])
        #expect(asked.status == 422 && asked.refused == ["name"])
        #expect(asked.html.first("title")?.text.hasPrefix("Not saved yet: ") == true)
        #expect(try names(guest, list, other) == 1)
        #expect(try send([("name", name), ("same_name", name)]).status == 303)
        #expect(try names(guest, list, name) == 2)
        let change = list == "/accounts" ? ("opening", "5.00") : ("color", "plum")
        #expect(try send([change]).status == 303, "it shares its name already")
        #expect(try send([("name", name.uppercased())]).status == 303, "and only writes it otherwise")
    }

    @Test func anAccentOrAnotherPlaceIsAnotherName() throws {
        let guest = try server.guest()
        #expect(try add(guest, "/accounts", [("name", "Cásh")]).status == 303)
        #expect(
            try add(guest, "/accounts", [("name", "Ca\u{301}sh")]).status == 422,
            "written in two characters"
        )
        #expect(try add(guest, "/categories", [("name", "Groceries"), ("kind", "income")]).status == 303)
        let parent = try id(guest, "/categories", "Health")
        let inside = [("name", "Groceries"), ("parent", parent)]
        #expect(try add(guest, "/categories", inside).status == 303)
        #expect(try add(guest, "/categories", inside).status == 422)
        #expect(try add(guest, "/categories", [("name", "Strasse  1")]).status == 303)
        #expect(try add(guest, "/categories", [("name", "straße 1")]).status == 422)
    }

    @Test func aDeletedOneIsNotInTheWayAndComesBackUnasked() throws {
        let guest = try server.guest()
        let first = try id(guest, "/accounts", "Cash")
        #expect(try guest.post("/accounts/\(first)/delete").status == 303)
        #expect(try add(guest, "/accounts", [("name", "Cash")]).status == 303)
        #expect(try guest.post("/accounts/\(first)/restore").status == 303)
        #expect(try names(guest, "/accounts", "Cash") == 2)
    }

    @Test func aFormSentTwiceIsNotItsOwnNamesake() throws {
        let guest = try server.guest()
        let once = try #require(try guest.get("/accounts").html.hidden("once"))
        let fields = [("name", "Purse"), ("once", once)]
        #expect(try add(guest, "/accounts", fields).status == 303)
        #expect(try add(guest, "/accounts", fields).status == 303)
        #expect(try names(guest, "/accounts", "Purse") == 1)
        #expect(try add(guest, "/accounts", fields + [("opening", "7")]).status == 422, "filled in anew")
        #expect(try names(guest, "/accounts", "Purse") == 1)
    }

    @Test func aNameThatAnotherWindowGaveIsNotAskedAbout() throws {
        let guest = try server.guest()
        let page = "/accounts/\(try id(guest, "/accounts", "Bank"))"
        let early = try #require(try guest.get(page).html.form(page))
        #expect(try guest.post(page, [("name", "Giro")]).status == 303)
        #expect(try add(guest, "/accounts", [("name", "Bank")]).status == 303)
        let kept = early.filter { $0.name != "opening" }.map { ($0.name, $0.value) }
        #expect(try guest.post(page, kept + [("opening", "3")], csrf: false).status == 303)
        #expect(try names(guest, "/accounts", "Giro") == 1)
    }
}
