// An identity provider that counts its failed sign-ins.

import CloudProtocol

/// Forwards every call, and counts the refused answers.
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
            // The user has cancelled, or the provider is unreachable.
            case .denied, .unreachable: break
            }
            throw error
        }
    }
}
