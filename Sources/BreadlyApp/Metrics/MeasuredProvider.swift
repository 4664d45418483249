// The identity provider, with a count of the sign-ins there that came to nothing.

import SyncCore

/// Passes every question on, and counts the answers that are not accepted.
struct MeasuredProvider: IdentityProvider {
    let provider: any IdentityProvider
    let metrics: Metrics

    var name: String { provider.name }

    func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    ) {
        try await provider.begin(redirect: redirect, again: again)
    }

    func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer) async throws(ProviderRefusal)
        -> Credentials
    {
        do throws(ProviderRefusal) { return try await provider.finish(pending, answer) } catch {
            switch error {
            case .expired, .replayed, .rejected: metrics.note(.provider)
            // The user has changed their mind, or the provider is away.
            case .denied, .unreachable: break
            }
            throw error
        }
    }
}
