// The pages of one device while another one's book takes its time to open, as after an unclean stop.

import Foundation
import Ledger
import Synchronization

/// Pages of one device while another one's book is opened, beside the same pages when nothing else happens.
struct Isolation {
    /// Microseconds of a page when nothing else happens: the middle.
    private(set) var quiet = 0.0
    /// The same while the other book is opened.
    private(set) var meanwhile = 0.0
    /// The slowest of these.
    private(set) var slowest = 0.0
    /// How long the opening took, in milliseconds: the middle of the rounds.
    private(set) var opening = 0.0

    /// - Parameters:
    ///   - program: `breadly`, as it is installed.
    ///   - data: a folder with a large book.
    ///   - cookie: of the book's device.
    init(_ program: String, data: String, cookie: String, account: EntityID) throws {
        var openings: [Double] = []
        var (quiet, meanwhile): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            // The last change is in the log only: the process has no time to put it into the file.
            let first = try Started(program, data: data)
            let owner = try Client(port: first.port)
            owner.cookie = cookie
            try owner.record(on: account)
            first.kill()
            let started = try Started(program, data: data)
            // One connection for each worker, or more.
            let others = try (0..<4).map { _ in try Client(port: started.port) }
            try others[0].onboard()
            for other in others { other.cookie = others[0].cookie }
            let request = others[0].request("GET", "/transactions")
            for _ in 0..<50 { for other in others { quiet.append(try other.microseconds(request)) } }
            let end = Mutex<Double?>(nil)
            let port = started.port
            let thread = Thread {
                let begun = ContinuousClock.now
                let owner = try? Client(port: port)
                owner?.cookie = cookie
                _ = try? owner?.ask(owner?.request("GET", "/transactions") ?? [])
                end.withLock { $0 = taken(since: begun) / 1e3 }
            }
            thread.start()
            while end.withLock({ $0 }) == nil {
                for other in others { meanwhile.append(try other.microseconds(request)) }
            }
            openings.append(end.withLock { $0 } ?? 0)
        }
        self.quiet = quiet.sorted()[quiet.count / 2]
        self.meanwhile = meanwhile.sorted()[meanwhile.count / 2]
        slowest = meanwhile.max() ?? 0
        opening = openings.sorted()[openings.count / 2]
    }
}

private func taken(since begun: ContinuousClock.Instant) -> Double {
    microseconds(ContinuousClock.now - begun)
}

extension Client {
    /// How long one request takes.
    fileprivate func microseconds(_ request: [UInt8]) throws -> Double {
        let begun = ContinuousClock.now
        _ = try exchange(request)
        return taken(since: begun)
    }
}
