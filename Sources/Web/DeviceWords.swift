// The status of a device, in the words of pages and markers.

import Devices
import Entitlements
import Ledger
import Lifecycle
import Pages
import SyncEngine
import Texts

extension SyncStatus.Phase {
    /// For `data-sync`.
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .downloading: "downloading"
        case .uploading: "uploading"
        case .idle: "idle"
        case .offline: "offline"
        case .failed: "failed"
        }
    }
}

extension Device {
    /// For `data-sync`.
    func syncPhase(_ status: SyncStatus?) -> String {
        switch state {
        case .switchingToSync: "connecting"
        case .synced, .draining: status?.phase.word ?? "connecting"
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            "off"
        }
    }

    private func shown(_ status: SyncStatus, _ now: Int64) -> CloudStatus {
        switch status.phase {
        case .connecting: .connecting
        case .downloading(let done, let total): .downloading(done: done, total: total)
        case .uploading: .uploading(pending: status.pending, files: status.files)
        case .idle where status.fileTrouble == .cloudOutdated:
            .backedUp(without: status.files.addingClamped(status.refusedFiles))
        case .idle where status.files > 0:
            status.fileTrouble == .cloudAway ? .waiting(files: status.files) : .uploading(files: status.files)
        case .idle where status.refusedFiles > 0: .backedUp(without: status.refusedFiles)
        case .idle: .backedUp(lastSynced: status.syncedAt.map { minutesAgo(now.subtractingClamped($0)) })
        case .offline: .offline(pending: status.pending, files: status.files)
        case .failed(.signInAgain): .signInAgain
        case .failed(let trouble): .failed(trouble.text)
        }
    }

    private func minutesAgo(_ seconds: Int64) -> Text {
        switch seconds {
        case ..<60: Text("sync.just-now")
        case ..<3_600: Text("sync.minutes-ago", ["count": .count(Int(seconds / 60))])
        case ..<86_400: Text("sync.hours-ago", ["count": .count(Int(seconds / 3_600))])
        default: Text("sync.days-ago", ["count": .count(Int(seconds / 86_400))])
        }
    }

    /// The status for an outbox that is uploaded although sync has ended.
    /// - Parameter isStalled: whether the outbox has waited for long, at some time.
    static func draining(_ status: SyncStatus?, isStalled: Bool) -> CloudStatus {
        // `isStalled` stays true when the cloud can be reached again.
        let isMoving = status?.phase == .uploading
        return .draining(
            pending: status?.pending ?? 0,
            files: status?.files ?? 0,
            isStalled: isStalled && !isMoving
        )
    }

    /// The icon in the header.
    /// - Parameters:
    ///   - status: the status of sync.
    ///   - now: UTC seconds.
    func cloudStatus(_ status: SyncStatus?, now: Int64) -> CloudStatus {
        guard let session else { return .guest }
        if case .blocked = state, !session.isRevoked { return .blocked }
        // Waiting changes are uploaded after the end of the subscription as well, and their status comes
        // first.
        if case .draining(_, let isStalled, mustSignIn: false) = state, !session.isRevoked {
            return Self.draining(status, isStalled: isStalled)
        }
        guard session.isPremium(at: now) else {
            if session.isRevoked { return .signedOut }
            guard let known = session.entitlement, known.entitlement.isPremium else { return .free }
            return .verifying
        }
        if session.isRevoked { return .signInAgain }
        switch state {
        case .switchingToSync: return .connecting
        case .synced(_, mustSignIn: true), .draining: return .signInAgain
        case .synced: return status.map { shown($0, now) } ?? .connecting
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            return session.wantsSync ? .connecting : .off
        }
    }
}
