// A book of which only a part is here: the files that leave it say so, because they stay when its pages are long gone.
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

    @Test func saysInEachFileThatItIsAPart() throws {
        let server = try Running()
        let cloud = try server.cloud(in: server.folder + "/elsewhere", premiumForEveryone: true)
        let address = cloud.url
        try server.restart { $0.cloudAddress = address }
        let anna = try server.guest()
        _ = try anna.record([("payee", "Bakery")], account: try #require(try anna.accounts()["Cash"]))
        try anna.signUp()
        try anna.waitUntilInStep()
        for (path, name, type, note) in Self.files {
            let file = try anna.get(path)
            #expect(file.header("content-disposition") == "attachment; filename=\"\(name).\(type)\"")
            #expect(note.isEmpty || !String(decoding: file.body, as: UTF8.self).contains(note), "\(path)")
        }
        cloud.stop(withinSeconds: 0)
        try server.restart { settings in
            settings.cloudAddress = address
            do {
                try Self.interruptDownload(in: settings.data)
            } catch {
                Issue.record(error)
            }
        }
        anna.port = Int(server.app.port)
        for (path, name, type, note) in Self.files {
            let file = try anna.get(path)
            let said = file.header("content-disposition")
            #expect(said == "attachment; filename=\"\(name)-incomplete.\(type)\"")
            let text = String(decoding: file.body, as: UTF8.self)
            #expect(note.isEmpty || text.contains(note), "\(path): \(text.prefix(300))")
        }
    }

    /// Puts the book that is attached to the cloud back to the middle of its first download.
    private static func interruptDownload(in folder: String) throws {
        let devices = folder + "/devices"
        for path in try FileManager.default.subpathsOfDirectory(atPath: devices)
        where path.hasSuffix(".sqlite") {
            try DatabaseQueue(path: "\(devices)/\(path)").write { db in
                let sql = """
                    UPDATE sync SET download_next = 'transaction/', download_head = cursor, download_done = 963,
                      download_total = 100037, is_incomplete = 1
                    WHERE replica IS NOT NULL
                    """
                try db.execute(sql: sql)
            }
        }
    }
}
