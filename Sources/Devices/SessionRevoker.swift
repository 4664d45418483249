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
    private let wakes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    /// The longest pause before a cloud that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 60_000

    init(store: DeviceStore, cloud: any UserAccountsAPI, seal: Seal, dependencies: Dependencies) {
        self.store = store
        self.cloud = cloud
        self.seal = seal
        self.dependencies = dependencies
        (wakes, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The previous process may have left some.
        wakeUp.yield()
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
    func wake() { wakeUp.yield() }

    /// Ends the stored sessions whenever it is woken, until its task is cancelled. Remaining tokens wait for
    /// the next start.
    func run() async {
        for await _ in wakes {
            var pause: Int64 = 1_000
            while !Task.isCancelled, !(await tellAll()) {
                await dependencies.pause(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

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
