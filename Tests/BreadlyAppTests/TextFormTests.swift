// A book and a cloud of an earlier version, with a name in another form of Unicode: both take the one form beside requests.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct TextsOfAnEarlierVersion {
    private static let old = "Cafe\u{301}"
    private static let new = "Caf\u{E9}"

    @Test func takeOneFormInTheBookAndInTheCloudAndTheHistorySaysSoOnce() throws {
        let running = try Running()
        try running.restart { $0.premiumForEveryone = true }
        let anna = try running.guest()
        try anna.signUp()
        try until("in step") { try anna.get("/status.json").text.contains(#""phase":"idle""#) }
        running.app.stop()
        let paths = FileManager.default.subpaths(atPath: running.folder + "/devices") ?? []
        let path = running.folder + "/devices/" + (try #require(paths.first { $0.hasSuffix(".sqlite") }))
        let book = try DatabaseQueue(path: path)
        try book.write { db in
            try db.execute(sql: "UPDATE sync SET is_recording = 0, known = 'of an earlier version'")
            try db.execute(sql: "UPDATE accounts SET name = ? WHERE name = 'Cash'", arguments: [Self.old])
            #expect(db.changesCount == 1)
            try db.execute(sql: "UPDATE sync SET is_recording = 1")
        }
        try book.close()
        let cloud = try DatabaseQueue(path: running.folder + "/cloud.sqlite")
        try cloud.write { db in
            let sql = """
                UPDATE entities SET fields = json_set(fields, '$.name', ?)
                WHERE kind = 'account' AND fields ->> '$.name' = 'Cash'
                """
            try db.execute(sql: sql, arguments: [Self.old])
            #expect(db.changesCount == 1)
            try db.execute(sql: "UPDATE sync_accounts SET text_form = 0")
        }
        try cloud.close()

        try running.restart { $0.premiumForEveryone = true }
        anna.port = Int(running.app.port)
        #expect(try anna.accounts()[Self.new] != nil, "the first page does not wait")
        let sentence = "brought into one form"
        try until("the history says it") { try anna.get("/history").text.contains(sentence) }
        let lines = try anna.get("/history").rows("change").filter { $0.text.contains(sentence) }
        #expect(lines.count == 1 && lines.first?.text.contains("this device") == true)
        let id = try #require(lines.first?["data-id"])
        #expect(try !anna.get("/history").text.contains("/history/\(id)/undo"), "nothing looks different")
        let name = try #require(try anna.accounts().keys.first { $0 == Self.new })
        #expect(Array(name.utf8) == Array(Self.new.utf8))
        let file = try DatabaseQueue(path: running.folder + "/cloud.sqlite")
        try until("the cloud has it too") {
            try file.read { db in try Int.fetchOne(db, sql: "SELECT min(text_form) FROM sync_accounts") } == 1
        }
        let fields = try file.read { db in
            try String.fetchAll(db, sql: "SELECT fields FROM entities WHERE kind = 'account'")
        }
        #expect(
            fields.contains {
                $0.utf8.elementsEqual($0.precomposedStringWithCanonicalMapping.utf8) && $0.contains(Self.new)
            }
        )
        try file.close()
        try until("in step again") { try anna.get("/status.json").text.contains(#""phase":"idle""#) }
        #expect(!running.log.all.contains { $0.contains("the book and the cloud differ") })
        #expect(try anna.get("/history").rows("change").count { $0.text.contains("another device") } == 0)
    }
}
