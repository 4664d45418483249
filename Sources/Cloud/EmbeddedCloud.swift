// The cloud in this process: the same questions as over HTTP, answered by a call.

public import Ledger
public import SyncCore

/// A directory that answers as the cloud.
public struct EmbeddedCloud: AccountsAPI {
    private let directory: Directory
    private let authenticator: any Authenticator

    /// The cloud of a directory.
    /// - Parameter authenticator: who looks at credentials.
    public init(_ directory: Directory, authenticator: any Authenticator) {
        self.directory = directory
        self.authenticator = authenticator
    }

    /// As `AccountsAPI`.
    public func signIn(_ credentials: Credentials, device: String, from address: String)
        async throws(CloudError)
        -> SignedIn
    {
        // Before a password is kept for an account that must not be made.
        if case .newAccount = credentials, !directory.takesNewAccounts { throw .signUpClosed }
        return try directory.signIn(
            try await authenticator.verify(credentials, from: address),
            device: device
        )
    }

    /// As `AccountsAPI`.
    public func user(_ token: SessionToken) async throws(CloudError) -> User { try directory.user(token) }

    /// As `AccountsAPI`.
    public func holdings(_ token: SessionToken) async throws(CloudError) -> Holdings {
        try directory.holdings(token)
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
