// The cloud in this process: the same questions as over HTTP, answered by a call.

public import Ledger
public import SyncCore

/// A directory that answers as the cloud.
public struct EmbeddedCloud: AccountsAPI {
    private let directory: Directory
    private let authenticator: any Authenticator
    private let entitlements: any EntitlementSource

    /// The cloud of a directory.
    /// - Parameters:
    ///   - authenticator: who looks at credentials.
    ///   - entitlements: who knows who is premium; the directory's own grants unless told otherwise.
    public init(
        _ directory: Directory,
        authenticator: any Authenticator,
        entitlements: (any EntitlementSource)? = nil
    ) {
        self.directory = directory
        self.authenticator = authenticator
        self.entitlements = entitlements ?? directory
    }

    /// As `AccountsAPI`.
    public func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        // Before a password is kept for an account that must not be made.
        if case .newAccount = credentials, !directory.takesNewAccounts { throw .signUpClosed }
        let identity = try await authenticator.verify(credentials, from: address)
        let admission = try directory.signIn(identity, device: device)
        return SignedIn(
            user: admission.user,
            token: admission.token,
            isExistingAccount: admission.isExistingAccount,
            entitlement: try await entitlements.entitlement(of: admission.user)
        )
    }

    /// As `AccountsAPI`.
    public func account(_ token: SessionToken) async throws(CloudError) -> AccountReport {
        let user = try directory.user(token)
        return AccountReport(
            user: user,
            holdings: try directory.holdings(token),
            entitlement: try await entitlements.entitlement(of: user)
        )
    }

    /// As `AccountsAPI`.
    public func changePassword(
        from old: String,
        to new: String,
        at address: String,
        _ token: SessionToken
    ) async throws(CloudError) {
        let user = try directory.user(token)
        guard let email = try directory.passwordEmail(of: user.id) else { throw .wrongCredentials }
        try await authenticator.change(email: email, from: old, to: new, address: address)
    }

    /// As `AccountsAPI`.
    public func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        try directory.devices(token)
    }

    /// As `AccountsAPI`.
    public func signOut(device: EntityID, _ token: SessionToken) async throws(CloudError) {
        try directory.signOut(device: device, token)
    }

    /// As `AccountsAPI`.
    public func signOut(_ token: SessionToken) async throws(CloudError) { try directory.signOut(token) }

    /// As `AccountsAPI`.
    public func deleteData(_ token: SessionToken) async throws(CloudError) {
        try directory.deleteData(token)
    }

    /// As `AccountsAPI`.
    public func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        try directory.deleteAccount(token)
    }
}
