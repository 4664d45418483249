// A real server and its cloud over HTTP: a row that is changed by hand in the cloud's file is noticed by the next change.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct ARowThatIsChangedByHandInTheCloud {
    @Test func isLoggedCountedAndMended() throws {
        let running = try Running()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let cloud = try running.cloud(in: folder)
        defer {
            cloud.stop(withinSeconds: 0)
            try? FileManager.default.removeItem(atPath: folder)
        }
        let address = cloud.url
        try running.restart {
            $0.cloudAddress = address
            $0.metrics = MetricsPlace("0")
        }
        let visitor = try running.guest()
        try visitor.signUp()
        let accounts = try UserAccounts(folder, dependencies: Running.dependencies(running.clock))
        defer { accounts.close() }
        _ = try accounts.grant("anna@x.test", through: nil)
        running.clock.advance(by: 50)
        try until("in step") { try visitor.get("/status.json").text.contains(#""phase":"idle""#) }
        let account = try #require(try visitor.accounts().first)
        let file = try DatabaseQueue(path: folder + "/cloud.sqlite")
        try file.write { db in
            try db.execute(
                sql: "UPDATE entities SET fields = json_set(fields, '$.name', 'Mattress') WHERE id = ?",
                arguments: [account.value]
            )
        }
        try file.close()
        let port = try #require(running.app.metricsURL.flatMap { URL(string: $0)?.port })
        func metrics() throws -> String { try Visitor(port: port).get("/metrics").text }
        let metric = #"breadly_sync_divergences_total{finding="mended"}"#
        #expect(try metrics().contains("\(metric) 0\n"))
        try #require(try visitor.record(account: account.value).status == 303)
        try until("mended") { try visitor.accounts()["Mattress"] != nil }
        try until("counted") { try metrics().contains("\(metric) 1\n") }
        let lines = running.log.all.filter { $0.contains("the book and the cloud differ") }
        #expect(lines.count == 2 && lines[0].contains("mending"))
        #expect(lines[1].contains("mended, 1 rows: 1 account; account \(account.value)"))
        #expect(!lines[1].contains("Mattress"), "no personal data")
    }

    /// Does to a cloud that is stopped the same as `cp`.
    @Test func soIsAFileThatIsReplacedByAnOlderOne() throws {
        let running = try Running()
        let file = running.folder + "/cloud.sqlite"
        try running.restart()
        running.app.stop()
        try FileManager.default.copyItem(atPath: file, toPath: file + ".older")
        try running.restart()
        running.app.stop()
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: file + ".older", toPath: file)
        let told = "cloud: cloud.sqlite is older than this server left it"
        #expect(!running.log.all.contains { $0.hasPrefix(told) })
        try running.restart()
        #expect(running.log.all.count { $0.hasPrefix(told) } == 1)
        try running.restart()
        #expect(running.log.all.count { $0.hasPrefix(told) } == 1)
    }
}
