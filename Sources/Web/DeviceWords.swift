// How a device stands, in the words of pages and markers.

import Devices
import Entitlements
import Lifecycle
import Pages

extension Tier {
    /// As pages know it.
    var shown: Chrome.Tier {
        switch self {
        case .guest: .guest
        case .free: .free
        case .premium: .premium
        }
    }
}

extension Device {
    /// For `data-sync`.
    var syncPhase: String {
        switch state {
        case .switchingToSync: "connecting"
        case .synced(_, mustSignIn: false): "idle"
        case .synced(_, mustSignIn: true): "failed"
        case .draining: "uploading"
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            "off"
        }
    }

    /// What the icon in the header says.
    /// - Parameter now: UTC seconds.
    func cloudStatus(now: Int64) -> CloudStatus {
        guard let session else { return .guest }
        guard session.isPremium(at: now) else {
            guard let status = session.entitlement, status.entitlement.isPremium else { return .free }
            return .verifying
        }
        if session.isRevoked { return .signInAgain }
        switch state {
        case .switchingToSync: return .connecting
        case .synced(_, mustSignIn: true), .draining(_, _, mustSignIn: true): return .signInAgain
        case .synced: return .backedUp(lastSynced: nil)
        case .draining: return .uploading(pending: pendingChanges)
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            return session.wantsSync ? .connecting : .off
        }
    }
}
