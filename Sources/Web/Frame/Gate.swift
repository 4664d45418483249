// Which pages a device's state allows: a pure function.

import Devices
import Lifecycle
import Links

enum Gate {
    /// The page to which a request is redirected, because the state of its device does not allow the
    /// requested one.
    /// - Parameters:
    ///   - state: nil for a browser without a device.
    ///   - step: the next step of the onboarding.
    ///   - guests: whether guests may keep a book without an account.
    ///   - isLocked: whether the device was signed out from elsewhere.
    ///   - readsFormerBook: whether the request only reads, on a device that shows the book of the guest who has signed in
    ///     until the first page of the account is here.
    /// - Returns: nil if the page is allowed.
    static func detour(
        _ path: String,
        _ state: State?,
        _ step: OnboardingStep?,
        guests: Bool = true,
        isLocked: Bool = false,
        readsFormerBook: Bool = false
    ) -> Link? {
        // A locked device shows one page in every state, until its user signs in.
        if isLocked { return Routes.whileLocked.contains(path) ? nil : .signIn }
        if Routes.isOpen(path) { return nil }
        guard let state else { return Routes.withoutDevice.contains(path) ? nil : .welcome }
        switch state {
        case .error: return Routes.failed.contains(path) ? nil : .error
        case .onboarding, .uninitialized, .initializing, .seedingGuest:
            let isGuest = state.user == nil
            if isGuest, Routes.signingIn.contains(path) { return nil }
            let step = step ?? .currency
            if isGuest, !guests { return path == Link.welcome.path ? nil : .welcome }
            guard let asked = OnboardingStep.allCases.first(where: { Routes.page(of: $0).path == path })
            else {
                return Routes.page(of: step)
            }
            // An answer may be looked at again; what was not asked yet has to wait.
            return asked == step || asked < step ? nil : Routes.page(of: step)
        case .verifyingAccount, .blocked:
            if Routes.isOfSignedInDevices(path) { return nil }
            if case .blocked = state { return Routes.whileBlocked.contains(path) ? nil : .blocked }
            if readsFormerBook, Routes.isOfReading(path) { return nil }
            return Routes.verification.contains(path) ? nil : .verifying
        // A destructive operation is running: show its waiting page.
        case .deletingServerData: return path == Link.blocked.path ? nil : .blocked
        case .deletingAccount: return path == Link.userAccountDeletion.path ? nil : .userAccountDeletion
        case .signingOut: return path == Link.signOut.path ? nil : .signOut
        case .migratingGuest: return .statusPage
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal:
            let isPassed =
                Routes.onboarding.contains(path) || Routes.failed.contains(path)
                || Routes.verification.contains(path) || Routes.blockedOnly.contains(path)
            return isPassed ? .overview : nil
        }
    }
}
