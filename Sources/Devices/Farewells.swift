// Tells the cloud of sessions that have ended, now or when it can be reached. Nobody waits for it.

import Book
import Ledger
import SyncCore
import Synchronization

/// The tokens that the cloud is still to be told of. They are kept in the register, so that none is forgotten.
final class Farewells: Sendable {
    private let register: DeviceRegister
    private let cloud: any AccountsAPI
    private let seal: Seal
    private let surroundings: Surroundings
    private let runs = Mutex(Runs())
    /// The longest pause before a cloud that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 60_000

    private struct Runs {
        var task: Task<Void, Never>?
        var isAskedAgain = false
        var isClosed = false
    }

    init(register: DeviceRegister, cloud: any AccountsAPI, seal: Seal, surroundings: Surroundings) {
        self.register = register
        self.cloud = cloud
        self.seal = seal
        self.surroundings = surroundings
    }

    /// Notes the end of a session that was never begun on the device, and begins to tell.
    func end(_ token: SessionToken, of device: EntityID) {
        guard let sealed = seal.close(token, for: device) else { return }
        do { try register.end(sealedToken: sealed, of: device, now: surroundings.now) } catch {
            surroundings.log("the end of a session could not be kept: \(error) (device \(device))")
        }
        tell()
    }

    /// Goes on where the process before this one ended.
    func resume() {
        if (try? register.endedTokens().isEmpty) == false { tell() }
    }

    /// Begins to tell, unless that is under way.
    func tell() {
        runs.withLock { runs in
            guard !runs.isClosed else { return }
            guard runs.task == nil else {
                runs.isAskedAgain = true
                return
            }
            runs.task = Background.run { await self.work() }
        }
    }

    /// Leaves the rest to the next start.
    func close() {
        runs.withLock { runs in
            runs.isClosed = true
            runs.task?.cancel()
        }
    }

    private func work() async {
        var pause: Int64 = 1_000
        while !Task.isCancelled {
            if await tellAll() {
                let isDone = runs.withLock { runs in
                    defer { runs.isAskedAgain = false }
                    if !runs.isAskedAgain { runs.task = nil }
                    return !runs.isAskedAgain
                }
                if isDone { return }
            } else {
                await surroundings.pause(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// - Returns: false where the cloud could not be told of one of them.
    private func tellAll() async -> Bool {
        guard let waiting = try? register.endedTokens() else { return true }
        for (device, sealed) in waiting {
            if let token = seal.token(sealed, of: device) {
                do { try await cloud.signOut(token) } catch {
                    switch error {
                    // It has ended.
                    case .sessionRevoked, .accountGone: break
                    default: return false
                    }
                }
            }
            do { try register.forget(sealedToken: sealed) } catch { return true }
        }
        return true
    }
}
