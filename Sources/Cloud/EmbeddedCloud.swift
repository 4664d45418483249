// The cloud in this process: the same questions as over HTTP, answered by a call.

public import Ledger
public import SyncCore

/// A directory that answers as the cloud.
public struct EmbeddedCloud: AccountsAPI {
    private let directory: Directory

    /// The cloud of a directory.
    public init(_ directory: Directory) { self.directory = directory }

    /// As `AccountsAPI`.
    public func signIn(_ identity: Identity, device: String) async throws(CloudError) -> SignedIn {
        try directory.signIn(identity, device: device)
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
