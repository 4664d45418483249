// Devices of a user whose cloud is away: what waits on them, and what they have lost once it is back.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct DevicesWithoutTheirCloud {
    let server: Running
    let cloud: CloudServer

    init() throws {
        server = try Running()
        let cloud = try server.cloud(in: server.folder + "/elsewhere", premiumForEveryone: true)
        self.cloud = cloud
        try server.restart { $0.cloudAddress = cloud.url }
    }

    /// The first device of a new user, in step with the cloud, and the page of its only entry.
    private func first() throws -> (visitor: Visitor, page: String) {
        let visitor = try server.guest()
        let account = try #require(try visitor.accounts()["Cash"])
        try #require(try visitor.record([("payee", "Corner Bakery")], account: account).status == 303)
        let id = try #require(try visitor.get("/transactions").rows("transaction").first?["data-id"])
        try visitor.signUp()
        try visitor.waitUntilInStep()
        return (visitor, "/transactions/\(id)")
    }

    @Test func aChangeOfWhatAnotherOneDeletedIsShownAndBroughtBack() throws {
        let (phone, page) = try first()
        let laptop = server.visitor()
        try laptop.signIn()
        try until("downloaded") { try laptop.get(page).status == 200 }
        try laptop.waitUntilInStep()
        let port = cloud.port
        cloud.stop()
        _ = try phone.get(page)
        try #require(try phone.post(page, [("note", "for Sunday")]).status == 303)
        _ = try laptop.get(page)
        try #require(try laptop.post(page + "/delete").status == 303)
        let cloud = try server.cloud(
            in: server.folder + "/elsewhere",
            port: port,
            premiumForEveryone: true
        )
        defer { cloud.stop() }
        for visitor in [phone, laptop] {
            _ = try visitor.get("/sync")
            _ = try visitor.post("/sync/retry")
        }
        try until("it asks for a look") {
            try phone.get("/").html.first("p", ["data-needs": "review"]) != nil
        }
        let review = try phone.get("/sync/review").html
        let loss = try #require(review.first("section", ["data-kind": "loss"])?.text)
        let words = "deleted this while you changed it. It stays deleted unless you bring it back."
        #expect(loss.contains(words))
        #expect(loss.contains("Yours: for Sunday") && loss.contains("Bring it back with my change"))
        let action = try #require(
            review.all("form").compactMap { $0["action"] }.first { $0.hasPrefix("/sync/review/lost/") }
        )
        #expect(try phone.post(action, [("choose", "mine")]).status == 303)
        #expect(try phone.get("/sync/review").rows("loss").isEmpty)
        try until("it is back on both") {
            try laptop.get("/transactions").text.contains("for Sunday")
        }
        #expect(try laptop.get("/transactions").rows("transaction").count == 1)
    }

    @Test func aChangeThatWaitsIsReverted() throws {
        let (anna, page) = try first()
        cloud.stop()
        let account = try #require(try anna.accounts()["Cash"])
        let kiosk = [("amount", "3"), ("payee", "Kiosk")]
        try #require(try anna.record(kiosk, account: account).status == 303)
        _ = try anna.get(page)
        try #require(try anna.post(page, [("amount", "13.00")]).status == 303)
        let waiting = try anna.get("/sync").html
        let place = try #require(
            waiting.elements.firstIndex {
                $0["data-kind"] == "operation" && $0.text.contains("Corner Bakery")
            }
        )
        #expect(waiting.elements[place].text.contains("€12.50 → €13.00"))
        let form = waiting.elements.first { $0.tag == "form" && $0.ancestors.contains(place) }
        let revert = try #require(form?["action"])
        #expect(try anna.post(revert).status == 303)
        #expect(try anna.get("/sync").toasts == ["change-reverted"])
        let rows = try anna.get("/transactions").rows("transaction").map(\.text)
        #expect(rows.count == 2)
        #expect(rows.contains { $0.contains("Corner Bakery") && $0.contains("12.50") })
    }

    @Test func aChangeThatThisVersionCannotShowWaitsInWords() throws {
        let (anna, _) = try first()
        let address = cloud.url
        cloud.stop()
        try server.restart { settings in
            settings.cloudAddress = address
            do {
                try Self.changeARowOfANewerVersion(in: settings.data)
            } catch {
                Issue.record(error)
            }
        }
        anna.port = Int(server.app.port)
        let row = try #require(try anna.get("/sync").rows("operation").first?.text)
        #expect(row.contains("An entry of a newer version of Breadly") && row.contains("changed, waiting"))
        #expect(!row.contains("parts"))
    }

    /// As a device does after its cloud was put back to a backup that holds an older state of the row.
    private static func changeARowOfANewerVersion(in folder: String) throws {
        let row = "01m82ebcvhw7rgk63phynqejcq"
        let devices = folder + "/devices"
        let books = try FileManager.default.subpathsOfDirectory(atPath: devices)
            .filter { $0.hasSuffix(".sqlite") }
        for path in books {
            let book = try DatabaseQueue(path: "\(devices)/\(path)")
            try book.write { db in
                guard try String.fetchOne(db, sql: "SELECT replica FROM sync")?.isEmpty == false else {
                    return
                }
                try db.execute(
                    sql: """
                        INSERT INTO foreign_rows (kind, id, is_deleted, fields)
                        VALUES ('envelope', ?, 0, '{"parts":2}')
                        """,
                    arguments: [row]
                )
                try db.execute(
                    sql: """
                        INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
                        SELECT lower(hex(randomblob(16))), tx, now, 'patch', 'envelope', ?, '{"parts":2}',
                          '{"parts":1}', cursor FROM sync
                        """,
                    arguments: [row]
                )
            }
            try book.close()
        }
    }
}
