// An entry of the cloud that no device of this version can read: the page of sync names it, and nothing else stops.
import Foundation
import TestKit
import Testing

@Suite struct AnEntryThatCannotBeRead {
    /// Sends JSON to the cloud's own address, as another client of the account does.
    private func call(_ visitor: Visitor, _ path: String, _ json: String, _ token: String? = nil) throws
        -> [String: Any]
    {
        var headers = [("Content-Type", "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        let reply = try visitor.send("POST", "/cloud/v1/\(path)", headers: headers, body: Array(json.utf8))
        return try #require(
            try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any],
            "\(reply.text)"
        )
    }

    /// A premium user in step with the cloud, and another client of the same account with its token.
    private func clients(_ server: Running) throws -> (visitor: Visitor, other: Visitor, token: String) {
        try server.restart { $0.premiumForEveryone = true }
        let visitor = try server.guest()
        try visitor.signUp()
        try visitor.waitUntilInStep()
        let other = server.visitor()
        let (email, password) = (Visitor.anna[0].1, Visitor.anna[1].1)
        let session = try call(
            other,
            "sign-in",
            #"{"account":{"email":"\#(email)","password":"\#(password)"},"deviceName":"x","guest":"01m7yj5pdcbes0042j6jdhesbj"}"#
        )
        return (visitor, other, try #require(session["token"] as? String, "\(session)"))
    }

    @Test func isNamedAndKeepsNothingElse() throws {
        let server = try Running()
        let (visitor, other, token) = try clients(server)
        func create(_ n: Int, _ kind: String, _ fields: String) -> String {
            let id = "01m7yj5pdcbes0042j6jdhesc\(n)"
            return
                #"{"n":\#(n),"opId":"\#(String(repeating: "\(n)", count: 32))","tx":1,"type":"create","kind":"\#(kind)","id":"\#(id)","fields":\#(fields)}"#
        }
        // A word of a later version is taken by the cloud; a currency that is none is not.
        let operations = [
            create(1, "category", #"{"name":"Crypto","kind":"speculation","icon":"","color":""}"#),
            create(2, "category", #"{"name":"Garden","kind":"expense","icon":"basket","color":"basil"}"#),
            create(3, "account", #"{"name":"Odd","type":"cash","currency":"usd","opening":0}"#),
        ]
        let batch =
            #"{"device":"01m7yj5pdcbes0042j6jdhesbk","epoch":1,"schema":1,"seen":0,"ops":[\#(operations.joined(separator: ","))]}"#
        let answer = try call(other, "push", batch, token)
        let results = try #require(answer["results"] as? [[String: Any]], "\(answer)")
        #expect(results.map { $0["status"] as? String } == ["applied", "applied", "rejected"])
        #expect(results.map { $0["field"] as? String } == [nil, nil, "currency"])
        try until("the other rows are here") { try visitor.get("/categories").text.contains("Garden") }
        try visitor.waitUntilInStep()
        let page = try visitor.get("/sync")
        #expect(page.text.contains("Entries that cannot be read") && page.text.contains("Crypto"))
        #expect(page.text.contains("This version cannot read it."))
        #expect(try !visitor.get("/categories").text.contains("Crypto"))
        #expect(try !visitor.get("/accounts").text.contains("Odd"))
        // It goes when it is deleted where it was made.
        let deletion =
            #"{"n":4,"opId":"\#(String(repeating: "4", count: 32))","tx":2,"type":"delete","kind":"category","id":"01m7yj5pdcbes0042j6jdhesc1"}"#
        _ = try call(
            other,
            "push",
            #"{"device":"01m7yj5pdcbes0042j6jdhesbk","epoch":1,"schema":1,"seen":0,"ops":[\#(deletion)]}"#,
            token
        )
        try until("it is gone") { try !visitor.get("/sync").text.contains("Entries that cannot be read") }
    }

    /// Two devices can give a transaction a category and parts. Where the form has no rows for the parts, because a newer
    /// version wrote them, a change of the note keeps both.
    @Test func theCategoryStaysBesidePartsOfANewerVersion() throws {
        let server = try Running()
        let (visitor, other, token) = try clients(server)
        let categories = try visitor.get("/categories").rows("category")
        func category(_ name: String) throws -> String {
            try #require(categories.first { $0.text.contains(name) }?["data-id"])
        }
        let (food, health) = (try category("Groceries"), try category("Health"))
        let cash = try #require(try visitor.accounts()["Cash"])
        try #require(try visitor.record([("category", food)], account: cash).status == 303)
        try visitor.waitUntilInStep()
        let id = try #require(try visitor.get("/transactions").rows("transaction").first?["data-id"])
        let patch =
            #"{"n":1,"opId":"\#(String(repeating: "1", count: 32))","tx":1,"type":"patch","kind":"transaction","id":"\#(id)","fields":{"split":"[1]"},"base":{"split":0}}"#
        _ = try call(
            other,
            "push",
            #"{"device":"01m7yj5pdcbes0042j6jdhesbk","epoch":1,"schema":1,"seen":0,"ops":[\#(patch)]}"#,
            token
        )
        let page = "/transactions/\(id)"
        let words = "A newer version of Breadly has split this transaction."
        try until("the parts are here") { try visitor.get(page).text.contains(words) }
        func save(_ changes: [(String, String)]) throws -> Reply {
            let shown = try #require(try visitor.get(page).html.form(page)).map { ($0.name, $0.value) }
            let kept = shown.filter { field in !changes.contains { $0.0 == field.0 } }
            return try visitor.post(page, kept + changes, csrf: false)
        }
        #expect(try save([("note", "kept")]).status == 303)
        let after = try visitor.get(page)
        #expect(after.html.form(page)?.contains { $0 == ("category", food) } == true)
        #expect(after.text.contains(words))
        #expect(try save([("category", health)]).refused == ["category"])
        #expect(try save([("category", "")]).status == 303)
    }
}
