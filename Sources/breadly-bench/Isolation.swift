// The pages of one device while the books of others are slow to open, as after a crash.

import BreadlyApp
import Foundation
import Ledger
import Synchronization

/// The pages of one device while other devices' books are opened, compared with the same pages on an idle
/// server.
struct Isolation {
    /// The median time of a page on an idle server, in microseconds.
    private(set) var quiet = 0.0
    /// The median time while the other books are opened.
    private(set) var meanwhile = 0.0
    /// The longest time while the other books are opened.
    private(set) var slowest = 0.0
    /// The median time of opening a book, in milliseconds.
    private(set) var opening = 0.0

    /// - Parameters:
    ///   - program: the installed `breadly`.
    ///   - data: a folder with a large book.
    ///   - cookie: of the book's device.
    ///   - count: the number of large books that are opened at the same time: copies of that one, each of
    ///     another device.
    init(_ program: String, data: String, cookie: String, account: EntityID, books count: Int) throws {
        let cookies = [cookie] + (try Self.copies(count - 1, program, data))
        var openings: [Double] = []
        var (quiet, meanwhile): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            // The last change is in the log only: the process has no time for a checkpoint.
            let first = try Started(program, data: data)
            for cookie in cookies {
                let owner = try Client(port: first.port)
                owner.cookie = cookie
                try owner.record(on: account)
            }
            first.kill()
            let started = try Started(program, data: data)
            // At least one connection for each worker.
            let others = try (0..<4).map { _ in try Client(port: started.port) }
            try others[0].onboard()
            for other in others { other.cookie = others[0].cookie }
            let request = others[0].request("GET", "/transactions")
            for _ in 0..<50 { for other in others { quiet.append(try other.microseconds(request)) } }
            let ends = Mutex<[Double]>([])
            let port = started.port
            for cookie in cookies {
                Thread {
                    let begun = ContinuousClock.now
                    let owner = try? Client(port: port)
                    owner?.cookie = cookie
                    _ = try? owner?.ask(owner?.request("GET", "/transactions") ?? [])
                    ends.withLock { $0.append(taken(since: begun) / 1e3) }
                }
                .start()
            }
            while ends.withLock({ $0.count }) < cookies.count {
                for other in others { meanwhile.append(try other.microseconds(request)) }
            }
            openings += ends.withLock { $0 }
        }
        self.quiet = quiet.sorted()[quiet.count / 2]
        self.meanwhile = meanwhile.sorted()[meanwhile.count / 2]
        slowest = meanwhile.max() ?? 0
        opening = openings.sorted()[openings.count / 2]
    }

    /// Creates devices, and gives each a copy of the large book.
    /// - Returns: their cookies.
    private static func copies(_ count: Int, _ program: String, _ data: String) throws -> [String] {
        let folder = data + "/devices"
        func books() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sqlite") }
        }
        let known = try books()
        func size(_ book: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(book)")
            return attributes?[.size] as? Int ?? 0
        }
        guard let source = known.max(by: { size($0) < size($1) }) else { return [] }
        let started = try Started(program, data: data)
        let cookies = try (0..<count).map { _ in
            let client = try Client(port: started.port)
            try client.onboard()
            return client.cookie
        }
        started.stop()
        for copy in try books() where !known.contains(copy) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(copy)")
            try FileManager.default.copyItem(atPath: "\(folder)/\(source)", toPath: "\(folder)/\(copy)")
        }
        return cookies
    }
}

/// The time since a moment, in microseconds.
func taken(since begun: ContinuousClock.Instant) -> Double {
    microseconds(ContinuousClock.now - begun)
}

extension Client {
    /// The time of one request.
    fileprivate func microseconds(_ request: [UInt8]) throws -> Double {
        let begun = ContinuousClock.now
        _ = try exchange(request)
        return taken(since: begun)
    }
}

extension Bench {
    static func showIsolation(
        beside executable: String,
        _ folder: String,
        _ resources: Resources,
        _ today: CivilDate
    ) throws {
        guard let program = program(beside: executable) else { return }
        let served = try Served(100_000, in: folder + "/isolation", resources: resources, today: today)
        served.app.stop()
        guard let account = served.accounts.first?.id else { return }
        for count in [1, 8] {
            let isolation = try Isolation(
                program,
                data: folder + "/isolation/data-100000",
                cookie: served.client.cookie,
                account: account,
                books: count
            )
            let ratio = isolation.meanwhile / isolation.quiet
            let books = count == 1 ? "another device's book is" : "\(count) other devices' books are"
            add(
                "a page while \(books) opened after an unclean stop "
                    + "(\(Int(isolation.opening)) ms), and when nothing else happens",
                "\(micro(isolation.meanwhile)), \(micro(isolation.quiet)): \(times(ratio))",
                count == 1 ? "≤ 1.5 ×" : "",
                count == 1 ? ratio <= 1.5 : nil
            )
            add("the slowest of them", micro(isolation.slowest), "", nil)
        }
    }
}
