// Which pages a device's state allows: a pure function.

import Devices
import Lifecycle

enum Gate {
    /// Where a request is sent instead, because the state of its device does not allow the page.
    /// - Parameters:
    ///   - state: nil for a visitor without a device.
    ///   - step: what is asked next.
    /// - Returns: nil where the page is allowed.
    static func detour(_ path: String, _ state: State?, _ step: OnboardingStep?) -> String? {
        if Routes.open.contains(path) { return nil }
        guard let state else { return path == Routes.welcome.link ? nil : Routes.welcome.link }
        switch state {
        case .error: return Routes.isError(path) ? nil : Routes.error.link
        case .onboarding, .uninitialized, .initializing, .seedingGuest:
            let step = step ?? .currency
            guard let asked = OnboardingStep.allCases.first(where: { Routes.page(of: $0) == path }) else {
                return Routes.page(of: step)
            }
            // An answer may be looked at again; what was not asked yet has to wait.
            return asked <= step ? nil : Routes.page(of: step)
        case .verifyingAccount, .migratingGuest, .blocked, .deletingServerData, .signingOut, .deletingAccount:
            // Something is being settled that the whole book hangs on: one looks on meanwhile.
            return Routes.statusPage.link
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal:
            return path.hasPrefix("/onboarding/") || Routes.isError(path) ? Routes.overview.link : nil
        }
    }
}
