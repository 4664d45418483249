// The first minutes of a new device: an account with years of transactions arrives over a mobile line.

import Cloud
import CloudClient
import CloudProtocol
import CloudRoutes
import Devices
import Foundation
import HTTPServer

/// An account in a cloud, and new devices of its user.
struct NewDeviceFigures {
    /// Figures of one device in seconds, from the form with the password on.
    struct Download {
        let line: MobileLine.Profile
        /// Until the accounts, the categories and the newest transactions are in the book, and entries can be made.
        var firstPage = 0.0
        /// Until an entry of the new device is in its book, made as soon as the first page was there.
        var entry = 0.0
        /// Until all is in the book.
        var all = 0.0
        /// The bytes that have come over the line, in megabytes.
        var megabytes = 0.0
    }

    private(set) var downloads: [Download] = []

    init(transactions: Int, in folder: String, over lines: [MobileLine.Profile]) async throws {
        let cloudFolder = folder + "/cloud-behind-a-line"
        try FileManager.default.createDirectory(atPath: cloudFolder, withIntermediateDirectories: true)
        let directory = try Directory.forFigures(in: cloudFolder)
        defer { directory.close() }
        let cloud = EmbeddedCloud(directory, authenticator: Believing(), entitlements: PremiumForEveryone())
        let here = try DeviceManager(forFiguresIn: cloudFolder + "/devices", cloud: cloud)
        let first = try await here.guest()
        let book = try await first.lease().book
        _ = try book.fill(with: transactions, inOrder: true)
        try await first.signIn(to: cloud)
        try await until { first.isInStep(book) }
        Background.wait { await here.close() }

        let routes = CloudRoutes(cloud, isActive: { _ in true }, log: .off) { Background.run($0) }
        var configuration = Configuration()
        configuration.port = 0
        configuration.takesJSON = { CloudRoutes.owns($0) }
        configuration.isKnown = { routes.isKnown($0) }
        configuration.jsonBytes = { routes.bodyLimit(of: $0) }
        let server = try Server(configuration) { routes.answer($0) ?? .text(.notFound, "") }
        defer { server.stop(withinSeconds: 1) }
        for (number, profile) in lines.enumerated() {
            let line = try MobileLine(to: Int(server.port), profile)
            defer { line.stop() }
            downloads.append(
                try await measure(transactions + number, over: line, in: "\(folder)/new-device-\(number)")
            )
        }
    }

    private func measure(_ count: Int, over line: MobileLine, in folder: String) async throws -> Download {
        var download = Download(line: line.profile)
        let cloud = RemoteCloud(at: "http://127.0.0.1:\(line.port)", on: Background.shared)
        let devices = try DeviceManager(forFiguresIn: folder, cloud: cloud)
        defer { Background.wait { await devices.close() } }
        let device = try await devices.guest()
        let begun = ContinuousClock.now
        func seconds() -> Double { microseconds(ContinuousClock.now - begun) / 1e6 }
        try await device.signIn(to: cloud)
        try await until(everyMicroseconds: 1_000) {
            guard device.session?.isAttached == true else { return false }
            return try await device.lease().book.counts().transactions > 0
        }
        download.firstPage = seconds()
        let book = try await device.lease().book
        var generator = try book.fill(with: 0)
        try book.record(generator.transaction(count + 1))
        download.entry = seconds()
        try await until(everyMicroseconds: 5_000) { device.isInStep(book) }
        download.all = seconds()
        download.megabytes = Double(line.received) / 1e6
        guard try book.counts().transactions == count + 1 else { throw BenchError("not all has arrived") }
        return download
    }
}

extension Bench {
    static func show(_ figures: NewDeviceFigures) {
        for download in figures.downloads {
            let isTarget = download.line.isTarget
            add(
                "a new device over \(download.line.name): the first of 100,000 transactions are there",
                hundredths(download.firstPage, "s"),
                isTarget ? "< 1 s" : "",
                isTarget ? download.firstPage < 1 : nil
            )
            add("an entry is made on it", hundredths(download.entry, "s"), "", nil)
            add(
                "all are there (\(tenths(download.megabytes, "MB")))",
                tenths(download.all, "s"),
                isTarget ? "< 15 s" : "",
                isTarget ? download.all < 15 : nil
            )
        }
    }
}
