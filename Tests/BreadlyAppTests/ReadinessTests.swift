// Readiness of a server: the checks and their times, and the answers to the operator and to remote clients.
import DeviceStore
import Foundation
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import BreadlyApp

/// A cloud that answers or does not, as the test says.
private final class Switch: Sendable {
    private let problem = Mutex<String?>(nil)

    var words: String? { problem.withLock { $0 } }
    func set(_ words: String?) { problem.withLock { $0 = words } }
}

@Suite struct ReadinessOfAServer {
    private let folder: DataFolder
    private let clock = FixedClock(at: 1_000)
    private let log = Lines()
    private let look = Switch()
    private let cloud = Switch()
    private let readiness: Readiness

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        folder = try DataFolder.lock(path)
        let (clock, log, look, cloud) = (clock, log, look, cloud)
        readiness = Readiness(
            folder,
            looks: [(.accounts, { look.words })],
            cloud: { cloud.words },
            log: Log { log.add($1, $0) },
            seconds: { clock.now }
        )
    }

    /// Nothing can be written where a folder has the file's name, not even by root.
    private func block(_ isBlocked: Bool) throws {
        let path = folder.path + "/probe"
        if isBlocked {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// One round of the watch.
    private func watchOnce() async {
        let readiness = readiness
        let task = Task {
            await readiness.watch { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await task.value
    }

    @Test func theDiskIsWrittenOnceInFiveSecondsHoweverOftenSomebodyAsks() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        #expect(await readiness.sentences().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/probe"))
        try block(true)
        clock.advance(by: 4)
        for _ in 0..<100 { #expect(await readiness.sentences().isEmpty) }
        clock.advance(by: 1)
        #expect(await readiness.sentences().first?.hasPrefix(folder.path) == true)
        try block(false)
        #expect(await readiness.sentences().count == 1, "as it was a moment ago")
        clock.advance(by: 5)
        #expect(await readiness.sentences().isEmpty)
        #expect(log.all(.error).count == 1 && log.all(.info) == ["ready again"], "\(log.all)")
        #expect(log.all(.error).first?.hasPrefix("not ready: \(folder.path)/probe: ") == true, "\(log.all)")
    }

    @Test func nobodyAsksAndNothingIsWritten() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try block(true)
        await watchOnce()
        #expect(log.all.isEmpty, "it would have been told")
        #expect(await readiness.sentences().count == 1)
        // From then on the watch finds out by itself that it is over.
        try block(false)
        await watchOnce()
        #expect(log.all.last == "ready again")
    }

    @Test func aCloudElsewhereIsAskedByTheWatchAlone() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        cloud.set("the cloud does not answer: no connection within the time limit")
        #expect(await readiness.sentences().isEmpty, "a question asks nobody")
        for _ in 0..<3 { await watchOnce() }
        #expect(
            await readiness.ask() == [
                .cloud: "the cloud does not answer: no connection within the time limit"
            ]
        )
        look.set("the accounts are not readable: the disk is full")
        #expect(await readiness.sentences().count == 2)
        cloud.set(nil)
        await watchOnce()
        look.set(nil)
        #expect(await readiness.sentences().isEmpty)
        #expect(
            log.all == [
                "not ready: the cloud does not answer: no connection within the time limit",
                "not ready: the accounts are not readable: the disk is full",
                "over, and still not ready: the cloud does not answer: no connection within the time limit",
                "ready again",
            ]
        )
        #expect(log.all(.warning).count == 1 && log.all(.error).count == 1)
    }
}

@Suite struct ReadinessOfARunningServer {
    @Test func aCloudElsewhereThatIsAwayIsToldWithoutASignedInDevice() throws {
        let running = try Running()
        var cloud = try running.cloud(in: running.folder + "/elsewhere")
        defer { cloud.stop() }
        let port = cloud.port
        try running.restart {
            $0.cloudAddress = cloud.url
            $0.metrics = MetricsPlace("0")
        }
        let visitor = running.visitor()
        let remote = [("X-Forwarded-For", "203.0.113.9")]
        #expect(try visitor.get("/readyz").text == "ok")
        cloud.stop()
        #expect(try becomesTrue { try visitor.get("/readyz").status == 503 })
        #expect(
            try visitor.get("/readyz").text.hasPrefix(
                "not ready\nthe cloud does not answer: \(cloud.url)"
            )
        )
        #expect(try visitor.get("/readyz", headers: remote).text == "not ready\n")
        let prometheus = Visitor(port: try #require(URL(string: running.app.metricsURL ?? "")?.port))
        let values = Exposition(try prometheus.get("/metrics").text).values
        #expect(values["breadly_ready"] == 0 && values[#"breadly_ready_check{check="cloud"}"#] == 0)
        #expect(values[#"breadly_ready_check{check="disk"}"#] == 1)
        #expect(try visitor.get("/healthz").text == "ok")
        #expect(try visitor.get("/onboarding/welcome").status == 200, "pages are served all the same")
        cloud = try running.cloud(in: running.folder + "/elsewhere", port: port)
        #expect(try becomesTrue { try visitor.get("/readyz").text == "ok" })
        let told = running.log.all.filter { $0.hasPrefix("not ready") || $0.hasPrefix("ready") }
        #expect(told.count == 2 && told.last == "ready again", "\(told)")
        #expect(told.allSatisfy { $0.firstMatch(of: dumped) == nil }, "\(told)")
    }

    @Test func aFolderThatCannotBeWrittenIsToldByBothKindsOfServers() throws {
        let running = try Running()
        let cloud = try running.cloud(in: running.folder + "/elsewhere")
        defer { cloud.stop() }
        for (port, folder) in [
            (running.app.port, running.folder), (cloud.port, running.folder + "/elsewhere"),
        ] {
            let visitor = Visitor(port: Int(port))
            try FileManager.default.createDirectory(
                atPath: folder + "/probe",
                withIntermediateDirectories: false
            )
            let reply = try visitor.get("/readyz")
            #expect(
                reply.status == 503 && reply.text.hasPrefix("not ready\n\(folder)/probe: "),
                "\(reply.text)"
            )
            let remote = try visitor.get("/readyz", headers: [("X-Forwarded-For", "203.0.113.9")])
            #expect(remote.status == 503 && remote.text == "not ready\n")
            try FileManager.default.removeItem(atPath: folder + "/probe")
            #expect(try becomesTrue { try visitor.get("/readyz").text == "ok" })
        }
    }
}
