// Servers whose word about their clients does not count.

import HTTPServer
import SyncCore
import Synchronization

/// Tells the operator about servers that name their clients and are not trusted: all of their users share the limits of one
/// address for sign-ins and sign-ups. Safe to use from any thread.
final class UntrustedServers: Sendable {
    private static let (everySeconds, mostServers): (Int64, Int) = (3_600, 1_000)

    private let log: Log
    private let seconds: @Sendable () -> Int64
    private let told = Mutex<[String: Int64]>([:])

    /// - Parameter seconds: a monotonic clock.
    init(log: Log, seconds: @escaping @Sendable () -> Int64) { (self.log, self.seconds) = (log, seconds) }

    /// Notes a request with credentials. The log has a line for each server, once an hour.
    func note(_ request: Request) {
        // The first one is the client itself: it counts only if all that have passed the request on are trusted.
        let named = request.header("X-Forwarded-For")?.split(separator: ",").first.map {
            $0.filter { $0 != " " }
        }
        guard let named, named != request.clientAddress else { return }
        let (address, now) = (request.clientAddress, seconds())
        let isNew = told.withLock { told in
            if told.count >= Self.mostServers { told = told.filter { now - $0.value < Self.everySeconds } }
            let mayTell =
                told[address].map { now - $0 >= Self.everySeconds } ?? (told.count < Self.mostServers)
            if mayTell { told[address] = now }
            return mayTell
        }
        guard isNew else { return }
        log.warning(
            "\(address) names clients, and --trusted-proxy does not name it: if it is a server of yours, all of its users "
                + "share the limits of one address for sign-ins and sign-ups"
        )
    }
}
