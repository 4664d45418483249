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
        // If the sender were trusted, its client would be one that it names.
        guard let named = request.header("X-Forwarded-For"), !named.contains(request.clientAddress) else {
            return
        }
        let (address, now) = (request.clientAddress, seconds())
        let isNew = told.withLock { told in
            guard told[address].map({ now - $0 >= Self.everySeconds }) ?? (told.count < Self.mostServers)
            else {
                return false
            }
            told[address] = now
            return true
        }
        guard isNew else { return }
        log.warning(
            "the server at \(address) names its clients, and --trusted-proxy does not name that server: all of its users "
                + "share the limits of one address for sign-ins and sign-ups"
        )
    }
}
