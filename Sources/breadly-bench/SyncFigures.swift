// The cost of sync: the latency to another device, a whole book up and down, and the throughput of the cloud.

import Book
import Cloud
import CloudProtocol
import Compression
import DeviceStore
import Devices
import Encoding
import Foundation
import Ledger
import SyncCore

/// Figures of two devices of one user, and of the cloud between them, all on one machine.
struct SyncFigures {
    /// The time of a durable write, in microseconds.
    var fsync = 0.0
    /// The median time from a change on one device to another one's book, in milliseconds.
    var visible = 0.0
    /// The time from a change of 10,000 rows on one device to all of them in another one's book, in milliseconds.
    var manyVisible = 0.0
    /// The median time of reading the list of the other device before, and the longest one meanwhile, in milliseconds.
    var pageBefore = 0.0
    var pageWhileMany = 0.0
    /// The times of uploading and downloading a book with that many transactions, in seconds.
    var upload = 0.0
    /// The longest time of reading the list of transactions during a download, in milliseconds.
    var pageMeanwhile = 0.0
    var download = 0.0
    /// The time until the first transactions of a download are in the book, in milliseconds.
    var firstRows = 0.0
    /// The greatest increase of the process's memory during the download, in megabytes.
    var grown = 0.0
    /// Operations a second, 100 in a batch.
    var operations = 0.0
    /// Pushes a second of one operation each.
    var pushes = 0.0
    /// The compressed size of an operation on the wire, 500 in a batch, in bytes.
    var wireBytes = 0.0
    /// The memory of one waiting long poll, in kilobytes.
    var waiting = 0.0
    /// One push of one operation in a cloud of ten accounts and of ten thousand, in microseconds.
    var withFew = 0.0
    var withMany = 0.0

    init(transactions: Int, in folder: String, isQuick: Bool) async throws {
        fsync = try Self.fsync(in: folder)
        try cloud(in: folder + "/cloud-figures", isQuick)
        try await devices(transactions, in: folder + "/sync-figures")
    }

    private static func fsync(in folder: String) throws -> Double {
        let path = folder + "/fsync"
        guard FileManager.default.createFile(atPath: path, contents: Data(count: 4_096)),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw BenchError("no file to write to") }
        defer { try? file.close() }
        return try median(of: 100) {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(count: 4_096))
            try file.synchronize()
        }
    }

    // MARK: - The cloud alone

    private mutating func cloud(in folder: String, _ isQuick: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let directory = try Directory.forFigures(in: folder)
        defer { directory.close() }
        let service = SyncService(directory)
        func account(_ number: Int) throws -> Writer {
            let admission = try directory.signIn(
                Identity(issuer: "bench", subject: "\(number)"),
                device: NewDevice(name: "Bench", guest: EntityID(high: 1, low: UInt64(number)))
            )
            return Writer(service, admission.token, number)
        }
        let writer = try account(0)
        let batches = isQuick ? 100 : 400
        let clock = ContinuousClock()
        let many = try clock.measure { for _ in 0..<batches { try writer.push(100) } }
        operations = Double(batches * 100) / (microseconds(many) / 1e6)
        let few = try clock.measure { for _ in 0..<batches * 5 { try writer.push(1) } }
        pushes = Double(batches * 5) / (microseconds(few) / 1e6)
        let body = writer.batch(500).encoded
        wireBytes = Double(Gzip.compress(body).count) / 500
        for number in 1..<10 { try account(number).push(1) }
        withFew = try median(of: 200) { try writer.push(1) }
        for number in 10..<(isQuick ? 1_000 : 10_000) { try account(number).push(1) }
        withMany = try median(of: 200) { try writer.push(1) }
    }

    /// One replica that sends transactions.
    private final class Writer {
        private let service: SyncService
        private let token: SessionToken
        private let replica: EntityID
        private var random: SplitMix
        private var n: Int64 = 0

        init(_ service: SyncService, _ token: SessionToken, _ number: Int) {
            self.service = service
            self.token = token
            replica = EntityID(high: 3, low: UInt64(number))
            random = SplitMix(seed: UInt64(number))
        }

        func batch(_ count: Int) -> PushBatch {
            let (account, category) = (
                EntityID(high: 4, low: 1).description, EntityID(high: 4, low: 2).description
            )
            let operations = (0..<count).map { index in
                SyncCore.Operation(
                    n: n + Int64(index) + 1,
                    opID: Hex.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }),
                    tx: n,
                    action: .create,
                    kind: "transaction",
                    id: EntityID(milliseconds: 1_795_262_400_000 + UInt64(n), using: &random),
                    fields: [
                        "account": .text(account),
                        "accountAmount": .integer(Int64.random(in: 100...20_000, using: &random)),
                        "amount": .integer(Int64.random(in: 100...20_000, using: &random)),
                        "category": .text(category),
                        "currency": "EUR", "date": .integer(20_000 + n % 1_000), "kind": "expense",
                        "note": "",
                        "payee": "Trattoria Martinelli", "tags": "",
                    ]
                )
            }
            return PushBatch(replica: replica, epoch: 1, operations: operations)
        }

        func push(_ count: Int) throws {
            let answer = try service.push(batch(count), token, Entitlement(.active))
            n = answer.lastN
        }
    }

    // MARK: - Devices

    private mutating func devices(_ count: Int, in folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let directory = try Directory.forFigures(in: folder)
        defer { directory.close() }
        let cloud = EmbeddedCloud(directory, authenticator: Believing(), entitlements: PremiumForEveryone())
        let devices = try DeviceManager(forFiguresIn: folder + "/devices", cloud: cloud)
        defer { Background.wait { await devices.close() } }
        let first = try await devices.guest()
        // Two books are far below the limit of open books: the objects stay the same.
        let book = try await first.lease().book
        var generator = try book.fill(with: count)
        let clock = ContinuousClock()
        var begun = clock.now
        try await first.signIn(to: cloud)
        var query = TransactionQuery()
        query.month = CivilDate(dayNumber: 20_700).yearMonth
        try await until {
            let page = try clock.measure { _ = try book.transactions(query) }
            pageMeanwhile = max(pageMeanwhile, microseconds(page) / 1e3)
            return first.isInStep(book)
        }
        upload = microseconds(clock.now - begun) / 1e6

        let second = try await devices.guest()
        let before = Self.megabytes
        begun = clock.now
        try await second.signIn(to: cloud)
        try await until {
            guard second.session?.isAttached == true else { return false }
            return try await second.lease().book.counts().transactions > 0
        }
        let other = try await second.lease().book
        firstRows = microseconds(clock.now - begun) / 1e3
        // Reading the memory takes a large part of a core, so it is not read more often than it changes.
        try await until(everyMicroseconds: 5_000) {
            grown = max(grown, Self.megabytes - before)
            return second.isInStep(other)
        }
        download = microseconds(clock.now - begun) / 1e6
        guard try other.counts().transactions == count else {
            throw BenchError("not all has arrived")
        }

        var times: [Double] = []
        for turn in 0..<50 {
            let expected = count + turn + 1
            begun = clock.now
            try book.record(generator.transaction(10_000_000 + turn))
            try await until { try other.counts().transactions == expected }
            times.append(microseconds(clock.now - begun) / 1e3)
        }
        visible = times.sorted()[times.count / 2]
        try await many(from: book, to: second, other)

        let quiet = Self.megabytes
        let head = try await cloud.signal(seen: nil, waitSeconds: 0, try await Self.token(cloud))
        let listener = try await Self.token(cloud)
        let tasks = (0..<1_000).map { _ in
            Background.run { _ = try? await cloud.signal(seen: head, waitSeconds: 50, listener) }
        }
        try await until { cloud.waitingCount >= 1_000 }
        waiting = max(0, Self.megabytes - quiet) * 1_024 / 1_000
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Changes as many rows of one book as can be changed at once, and reads the list of the other one until they are there.
    private mutating func many(from book: Book, to device: Device, _ other: Book) async throws {
        var query = TransactionQuery()
        query.months = CivilDate(dayNumber: 20_450).yearMonth...CivilDate(dayNumber: 20_510).yearMonth
        let ids = try book.selected(.all(query)).rows.map(\.id)
        guard let last = ids.last else { throw BenchError("no rows are there") }
        query.limit = 50
        pageBefore = try median(of: 100) { _ = try other.transactions(query) } / 1e3
        let clock = ContinuousClock()
        let begun = clock.now
        _ = try book.change(.rows(ids), by: .note("many"))
        try await until {
            let page = try clock.measure { _ = try other.transactions(query) }
            pageWhileMany = max(pageWhileMany, microseconds(page) / 1e3)
            return try other.transaction(last)?.note == "many" && device.isInStep(other)
        }
        manyVisible = microseconds(clock.now - begun) / 1e3
    }

    private static func token(_ cloud: EmbeddedCloud) async throws -> SessionToken {
        let device = NewDevice(name: "Bench", guest: EntityID(high: 5, low: 5))
        return try await cloud.signIn(.anna, device: device, from: "bench").token
    }

    /// Resident memory of this process.
    private static var megabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1_024
    }
}
