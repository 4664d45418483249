// A cloud elsewhere: the same questions as within this process, asked over HTTP.

public import Ledger
public import Outbound
public import SyncCore

/// A cloud behind an address. Whatever it answers that is not understood counts as no answer.
public struct RemoteCloud: AccountsAPI {
    private let base: String
    private let network: any Fetching

    /// A cloud.
    /// - Parameter address: as `https://cloud.example.org`, without a path.
    public init(at address: String, network: any Fetching) {
        var base = address
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.network = network
    }

    /// As `AccountsAPI`.
    public func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        let message = CloudMessage.encode(CloudMessage.SignInRequest(credentials, device))
        let body = try await ask("POST", CloudAddress.signIn, message, from: address)
        return try understood(CloudMessage.decode(CloudMessage.SignInAnswer.self, body)?.signedIn)
    }

    /// As `AccountsAPI`.
    public func account(_ token: SessionToken) async throws(CloudError) -> AccountReport {
        let body = try await ask("GET", CloudAddress.account, token: token)
        return try understood(CloudMessage.decode(CloudMessage.AccountAnswer.self, body)?.report)
    }

    /// As `AccountsAPI`.
    public func changePassword(
        from old: String,
        to new: String,
        at address: String,
        _ token: SessionToken
    ) async throws(CloudError) {
        let message = CloudMessage.encode(CloudMessage.PasswordRequest(old: old, new: new))
        _ = try await ask("POST", CloudAddress.password, message, from: address, token: token)
    }

    /// As `AccountsAPI`.
    public func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        let body = try await ask("GET", CloudAddress.devices, token: token)
        return try understood(CloudMessage.decode(CloudMessage.DevicesAnswer.self, body)?.sessions)
    }

    /// As `AccountsAPI`.
    public func signOut(device: EntityID, _ token: SessionToken) async throws(CloudError) {
        _ = try await ask("DELETE", "\(CloudAddress.devices)/\(device)", token: token)
    }

    /// As `AccountsAPI`.
    public func signOut(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("POST", CloudAddress.signOut, [], token: token)
    }

    /// As `AccountsAPI`.
    public func deleteData(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("DELETE", CloudAddress.data, token: token)
    }

    /// As `AccountsAPI`.
    public func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        _ = try await ask("DELETE", CloudAddress.account, token: token)
    }

    /// - Parameter address: who is behind this request; the cloud believes it where it trusts this server.
    private func ask(
        _ method: String,
        _ path: String,
        _ message: [UInt8]? = nil,
        from address: String? = nil,
        token: SessionToken? = nil
    ) async throws(CloudError) -> [UInt8] {
        var request = Outgoing(method, base + path, body: message)
        if message != nil { request.headers.append(("Content-Type", "application/json")) }
        if let token { request.headers.append(("Authorization", "Bearer \(token.text)")) }
        if let address, !address.isEmpty { request.headers.append(("X-Forwarded-For", address)) }
        let fetched: Fetched
        do { fetched = try await network.fetch(request) } catch { throw .unreachable("\(base): \(error)") }
        guard !(200...299).contains(fetched.status) else { return fetched.body }
        if let error = CloudMessage.decode(CloudMessage.Failure.self, fetched.body)?.error,
            error.status == fetched.status
        {
            throw error
        }
        throw .unreachable("\(base)\(path) answers \(fetched.status)")
    }

    private func understood<Value>(_ value: Value?) throws(CloudError) -> Value {
        guard let value else { throw .unreachable("\(base) answers something that cannot be understood") }
        return value
    }
}
