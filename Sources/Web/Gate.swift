// Which pages a device's state allows: a pure function.

import Devices
import Lifecycle

enum Gate {
    /// Where a request is sent instead, because the state of its device does not allow the page.
    /// - Parameters:
    ///   - state: nil for a visitor without a device.
    ///   - step: what is asked next.
    ///   - guests: whether strangers may keep a book without an account.
    ///   - isLocked: whether the device was signed out from elsewhere.
    /// - Returns: nil where the page is allowed.
    static func detour(
        _ path: String,
        _ state: State?,
        _ step: OnboardingStep?,
        guests: Bool = true,
        isLocked: Bool = false
    ) -> String? {
        // One page, whatever the state: the book is for whoever signs in as its user.
        if isLocked { return Routes.whileLocked.contains(path) ? nil : Routes.signIn.link }
        if Routes.isOpen(path) { return nil }
        guard let state else { return Routes.strangers.contains(path) ? nil : Routes.welcome.link }
        switch state {
        case .error: return Routes.failed.contains(path) ? nil : Routes.error.link
        case .onboarding, .uninitialized, .initializing, .seedingGuest:
            let isGuest = state.user == nil
            if isGuest, Routes.signingIn.contains(path) { return nil }
            let step = step ?? .currency
            if isGuest, !guests { return path == Routes.welcome.link ? nil : Routes.welcome.link }
            guard let asked = OnboardingStep.allCases.first(where: { Routes.page(of: $0) == path }) else {
                return Routes.page(of: step)
            }
            // An answer may be looked at again; what was not asked yet has to wait.
            return asked == step || asked < step ? nil : Routes.page(of: step)
        case .verifyingAccount: return Routes.verification.contains(path) ? nil : Routes.verifying.link
        case .blocked: return Routes.whileBlocked.contains(path) ? nil : Routes.blocked.link
        // Something is being settled that the whole book hangs on: one looks on meanwhile.
        case .deletingServerData: return path == Routes.blocked.link ? nil : Routes.blocked.link
        case .deletingAccount: return path == Routes.accountDeletion.link ? nil : Routes.accountDeletion.link
        case .signingOut: return path == Routes.signOut.link ? nil : Routes.signOut.link
        case .migratingGuest: return Routes.statusPage.link
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal:
            let isPassed =
                path.hasPrefix("/onboarding/") || Routes.failed.contains(path)
                || Routes.verification.contains(path) || Routes.blockedOnly.contains(path)
            return isPassed ? Routes.overview.link : nil
        }
    }
}
