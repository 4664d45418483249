// Ends consents at their providers, now or once these can be reached. No request waits for it.

import BankFeeds
import DeviceStore
import Ledger
import Storage

/// Ends the consents that users have ended. The device store has their accesses, so that none is lost.
struct BankRevoker: Sendable {
    private let store: DeviceStore
    private let banks: BankServices
    private let seal: Seal
    private let dependencies: Dependencies
    private let loop: RetryLoop
    /// The longest pause before a provider that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 3_600_000
    /// The time after which an access is removed even if its provider never answered, in seconds.
    static let mostSeconds: Int64 = 7 * 86_400

    init(store: DeviceStore, banks: BankServices, seal: Seal, dependencies: Dependencies) {
        self.store = store
        self.banks = banks
        self.seal = seal
        self.dependencies = dependencies
        loop = RetryLoop(longestPause: Self.longestPause, pause: dependencies.pause)
    }

    /// Starts to end the stored consents. A provider that did not answer is asked again as well.
    func wake() { loop.wake() }

    /// Ends the stored consents, until its task is cancelled. The remaining consents wait for the next start.
    func run() async { await loop.run { await revokeAll() } }

    /// - Returns: false if a consent could not be ended.
    private func revokeAll() async -> Bool {
        guard let waiting = try? store.bankRevocations() else { return true }
        var areAllEnded = true
        for revocation in waiting where !(await revoke(revocation)) { areAllEnded = false }
        return areAllEnded
    }

    /// - Returns: false if the provider has to be asked again.
    private func revoke(_ revocation: BankRevocation) async -> Bool {
        var revocation = revocation
        do {
            // A provider that the operator has removed may come back until then.
            if let feed = banks.feed(revocation.provider), var access = access(revocation) {
                switch present(access, of: revocation) {
                case .another: break
                case .same:
                    try store.remove(revocation)
                    return true
                case .unknown: if !isLate(revocation) { return false }
                }
                do throws(BankFeedError) {
                    // Access that has expired would be refused, and the consent would remain.
                    if let end = access.expiresAt, end <= dependencies.now {
                        access = try await feed.renew(access)
                        if let sealed = close(access, revocation) {
                            // Before its first use: the previous access may be invalid already.
                            if let renewed = try? store.renew(revocation, with: sealed) {
                                revocation = renewed
                            }
                        }
                    }
                    try await feed.revoke(access)
                } catch {
                    guard [.consentEnded, .unauthorised].contains(error) || isLate(revocation) else {
                        return false
                    }
                    if error != .consentEnded {
                        dependencies.log.warning(
                            "a bank consent was not ended at \(feed.provider.name): \(error) (device \(revocation.device))"
                        )
                    }
                }
                try store.remove(revocation)
            } else if isLate(revocation) || access(revocation) == nil {
                try store.remove(revocation)
            }
        } catch { dependencies.log.error("the end of a bank consent is not stored: \(error)") }
        return true
    }

    /// The consent that the connection uses now, compared with the consent of a revocation.
    private enum PresentConsent {
        /// The end of the former access would end it as well.
        case same
        /// The provider has not reported its identifier yet.
        case unknown
        /// Also if there is none.
        case another
    }

    private func present(_ former: BankAccess, of revocation: BankRevocation) -> PresentConsent {
        guard
            let record = try? store.bankConnection(revocation.connection, of: revocation.device),
            let sealed = record.sealedAccess, let consent = former.consentID
        else { return .another }
        var present = revocation
        present.sealedAccess = sealed
        guard let known = access(present) else { return .another }
        return known.consentID.map { $0 == consent ? .same : .another } ?? .unknown
    }

    private func isLate(_ revocation: BankRevocation) -> Bool {
        dependencies.now - revocation.at >= Self.mostSeconds
    }

    /// Nil for secrets of another server, after its own was lost.
    private func access(_ revocation: BankRevocation) -> BankAccess? {
        seal.open(revocation.sealedAccess, for: revocation.device, .bankAccess)
            .flatMap { StoredJSON.decode(BankAccess.self, String(decoding: $0, as: UTF8.self)) }
    }

    private func close(_ access: BankAccess, _ revocation: BankRevocation) -> [UInt8]? {
        (try? StoredJSON.encode(access))
            .flatMap { seal.close(Array($0.utf8), for: revocation.device, .bankAccess) }
    }
}
