// A store at which users subscribe from a page.

/// Sells subscriptions. Its sales are entitlements of its `EntitlementSource`.
public protocol SubscriptionStore: Sendable {
    /// Begins or renews the subscription of a user. A repeated call within the paid time changes nothing.
    /// - Throws: `unreachable` if the store does not answer; `failed`.
    func subscribe(_ user: UserAccount) async throws(CloudError)
}
