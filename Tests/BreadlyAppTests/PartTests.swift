// A book of which only a part is here: the files that leave it say so, because they stay when its pages are long gone.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct APartOfABook {
    /// The paths of files, each with its name, and what stands in it if the book is a part.
    private static let files = [
        ("/export/breadly.json", "breadly", "json", #""version":1,"incomplete":{"here":963,"of":100037},"#),
        ("/export/transactions.csv", "breadly-transactions", "csv", ""),
        ("/export/breadly.zip", "breadly", "zip", "963 of 100,037 are here. The rest is in the cloud."),
        (
            "/reports?group=flow&from=2026-10&to=2026-11&format=csv", "breadly-flow-2026-10-2026-11", "csv",
            "Totals count what is here."
        ),
    ]

    /// A server with its cloud elsewhere, and Anna's browser, which is in step with it.
    private func inStep() throws -> (server: Running, cloud: CloudServer, anna: Visitor) {
        let server = try Running()
        let cloud = try server.cloud(in: server.folder + "/elsewhere", premiumForEveryone: true)
        let address = cloud.url
        try server.restart { $0.cloudAddress = address }
        let anna = try server.guest()
        _ = try anna.record([("payee", "Bakery")], account: try #require(try anna.accounts()["Cash"]))
        try anna.signUp()
        try anna.waitUntilInStep()
        return (server, cloud, anna)
    }

    @Test func saysInEachFileThatItIsAPart() throws {
        let (server, cloud, anna) = try inStep()
        for (path, name, type, note) in Self.files {
            let file = try anna.get(path)
            #expect(file.header("content-disposition") == "attachment; filename=\"\(name).\(type)\"")
            #expect(note.isEmpty || !String(decoding: file.body, as: UTF8.self).contains(note), "\(path)")
        }
        let place = """
            download_next = 'transaction/', download_head = cursor, download_done = 963, download_total = 100037,
              is_incomplete = 1
            """
        try interrupt(place, server, cloud, anna)
        for (path, name, type, note) in Self.files {
            let file = try anna.get(path)
            let said = file.header("content-disposition")
            #expect(said == "attachment; filename=\"\(name)-incomplete.\(type)\"")
            let text = String(decoding: file.body, as: UTF8.self)
            #expect(note.isEmpty || text.contains(note), "\(path): \(text.prefix(300))")
        }
    }

    /// The line is gone between the last page of the download and the changes since it began.
    @Test func aBookWithoutTheNewestChangesSaysSoOnEachPage() throws {
        let (server, cloud, anna) = try inStep()
        let port = cloud.port
        try interrupt("is_incomplete = 1", server, cloud, anna)
        try until("the line is gone") { try anna.get("/").html.body("data-sync") == "offline" }
        for path in ["/", "/transactions", "/budgets", "/reports", "/accounts"] {
            let page = try anna.get(path)
            let note = page.html.elements.first { $0.attributes.keys.contains("data-incomplete") }
            let text =
                "Changes that your other devices have made since the download began may be missing here. They come when there is a connection. Totals count what is here."
            #expect(note?.text == text, "\(path)")
        }
        let file = try anna.get("/export/breadly.json")
        #expect(file.header("content-disposition")?.contains("breadly-incomplete.json") == true)
        #expect(file.text.hasPrefix(#"{"format":"breadly-book","version":1,"lacksNewest":true,"#))
        let again = try server.cloud(in: server.folder + "/elsewhere", port: port, premiumForEveryone: true)
        defer { again.stop(withinSeconds: 0) }
        _ = try anna.post("/sync/retry")
        try anna.waitUntilInStep()
        #expect(try !anna.get("/").text.contains("Totals count what is here."))
        #expect(try !anna.get("/export/breadly.json").text.contains("lacksNewest"))
    }

    /// The page of the download stays open while the line is cut, and hears why nothing arrives.
    @Test func theOpenPageOfADownloadSaysWhyNothingArrives() throws {
        let (server, cloud, anna) = try inStep()
        let place = """
            download_next = 'transaction/', download_head = cursor, download_done = 963, download_total = 100037,
              is_incomplete = 1
            """
        try interrupt(place, server, cloud, anna)
        // The overview leads to this page as long as rows are missing.
        try until("the line is gone") { try anna.get("/download").html.body("data-sync") == "offline" }
        let reason = "The cloud cannot be reached at the moment. The download will continue automatically."
        let note = try anna.get("/download").html.elements.first {
            $0.attributes.keys.contains("data-trouble")
        }
        #expect(note?.text == reason)
        let wire = try Wire(port: Int(server.app.port))
        let cookies = anna.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        wire.send("GET /events?synced HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: reason).contains("\"trouble\":\"\(reason)\""))
        wire.finish()
        // No other page has the sentence.
        _ = try anna.post("/download/dismiss")
        let other = try Wire(port: Int(server.app.port))
        other.send("GET /events?synced HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        let none = "\"trouble\":\"\""
        #expect(other.receive(until: none).contains(none))
        other.finish()
    }

    /// Stops the cloud, and puts the book to an earlier place of its first download.
    private func interrupt(_ place: String, _ server: Running, _ cloud: CloudServer, _ anna: Visitor) throws {
        let address = cloud.url
        cloud.stop(withinSeconds: 0)
        try server.restart { settings in
            settings.cloudAddress = address
            do {
                try Self.put(place, in: settings.data)
            } catch {
                Issue.record(error)
            }
        }
        anna.port = Int(server.app.port)
    }

    private static func put(_ place: String, in folder: String) throws {
        let devices = folder + "/devices"
        for path in try FileManager.default.subpathsOfDirectory(atPath: devices)
        where path.hasSuffix(".sqlite") {
            try DatabaseQueue(path: "\(devices)/\(path)").write { db in
                try db.execute(sql: "UPDATE sync SET \(place) WHERE replica IS NOT NULL")
            }
        }
    }
}
