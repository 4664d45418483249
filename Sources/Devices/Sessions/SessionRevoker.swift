// Ends sessions on the cloud, now or once it can be reached. No request waits for it.

import CloudProtocol
import DeviceStore
import Ledger
import SyncCore

/// Ends sessions on the cloud. The device store keeps their tokens, so that none is lost.
struct SessionRevoker: Sendable {
    private let store: DeviceStore
    private let cloud: any UserAccountsAPI
    private let seal: Seal
    private let dependencies: Dependencies
    private let loop: RetryLoop
    /// The longest pause before a cloud that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 60_000

    init(store: DeviceStore, cloud: any UserAccountsAPI, seal: Seal, dependencies: Dependencies) {
        self.store = store
        self.cloud = cloud
        self.seal = seal
        self.dependencies = dependencies
        loop = RetryLoop(longestPause: Self.longestPause, pause: dependencies.pause)
    }

    /// Stores the token of a session that no device adopted, and starts to end it.
    func end(_ token: SessionToken, of device: EntityID) {
        guard let sealed = seal.close(token, for: device) else { return }
        do { try store.end(sealedToken: sealed, of: device, now: dependencies.now) } catch {
            dependencies.log.error("the end of a session could not be kept: \(error) (device \(device))")
        }
        wake()
    }

    /// Starts to end the stored sessions.
    func wake() { loop.wake() }

    /// Ends the stored sessions, until its task is cancelled. Remaining tokens wait for the next start.
    func run() async { await loop.run { await tellAll() } }

    /// - Returns: false if a session could not be ended.
    private func tellAll() async -> Bool {
        guard let waiting = try? store.endedTokens() else { return true }
        var isToldOfAll = true
        for (device, sealed) in waiting {
            if let token = seal.token(sealed, of: device) {
                do { try await cloud.signOut(token) } catch {
                    switch error {
                    // It has ended.
                    case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone: break
                    default:
                        // A token that the cloud keeps refusing does not delay the others.
                        isToldOfAll = false
                        continue
                    }
                }
            }
            do { try store.noteTold(sealedToken: sealed, now: dependencies.now) } catch { return true }
        }
        return isToldOfAll
    }
}
