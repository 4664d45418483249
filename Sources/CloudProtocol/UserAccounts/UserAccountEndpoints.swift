// The calls about user accounts: their meaning, their endpoints, and their relay.

public import Ledger

/// The calls of a device about its user account.
public protocol UserAccountsAPI: Sendable {
    /// Signs a device in, and creates the account if it does not exist.
    /// - Parameter address: the network address of the sender, for counting wrong credentials.
    func signIn(_ credentials: Credentials, device: NewDevice, from address: String) async throws(CloudError)
        -> SignedIn

    /// Returns the user of a session with holdings and entitlement. Records that the device was seen.
    func account(_ token: SessionToken) async throws(CloudError) -> UserAccountReport

    /// Replaces the password.
    /// - Parameter address: the network address of the sender, for counting wrong passwords.
    /// - Throws: `wrongCredentials` if the present one is wrong or the account has none; `weakPassword`,
    ///   `tooManyAttempts`.
    func changePassword(_ update: PasswordUpdate, from address: String, _ token: SessionToken)
        async throws(CloudError)

    /// Verifies that the sender is the user of the session, before an action that cannot be undone.
    /// - Parameters:
    ///   - credentials: a password, whose e-mail address is ignored, or a token of an identity provider.
    ///   - address: the network address of the sender, for counting wrong credentials.
    /// - Throws: `wrongCredentials`, also for the credentials of another user; `tooManyAttempts`.
    func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)

    /// Returns the user's signed-in devices, the most recently seen first, and the locked devices.
    func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession]

    /// Signs out one of the user's devices and locks it. A device that has signed out by itself, or is
    /// another user's, is not changed.
    /// - Parameter erases: whether the device's data is erased as well, also if it is locked already.
    func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError)

    /// Ends this session. A token that is not accepted any more is not an error, because its session has
    /// ended.
    func signOut(_ token: SessionToken) async throws(CloudError)

    /// Deletes all data of the user. The account and its sessions remain.
    func deleteData(_ token: SessionToken) async throws(CloudError)

    /// Deletes the account with its data and sessions. A missing account is not an error.
    func deleteAccount(_ token: SessionToken) async throws(CloudError)
}

/// Opens a session, and an account for an identity that is new.
public struct SignInRequest: Hashable, Sendable {
    /// The proof of the identity.
    public var credentials: Credentials
    /// As it will be listed under Signed-in devices.
    public var device: NewDevice

    /// A request of a device with the user's credentials.
    public init(_ credentials: Credentials, _ device: NewDevice) {
        self.credentials = credentials
        self.device = device
    }
}

/// The request to sign out another device.
public struct DeviceSignOut: Hashable, Sendable {
    /// The id of the device's session.
    public var device: EntityID
    /// Whether the device's data is erased as well.
    public var erases: Bool

    /// A request that always locks the device.
    public init(_ device: EntityID, erases: Bool) {
        self.device = device
        self.erases = erases
    }
}

extension Endpoints {
    static let userAccounts: [any AnyEndpoint] = [
        signIn, account, changePassword, confirm, devices, signOutDevice, signOut, deleteData, deleteAccount,
    ]

    /// As `UserAccountsAPI.signIn`.
    public static let signIn = Endpoint<SignInRequest, SignedIn>(
        "sign-in",
        "POST",
        "/sign-in",
        .credentials,
        request: .json({ WireSignIn($0) }, \.request),
        response: .json({ WireSignedIn($0) }, \.signedIn),
        .open { cloud, request, address async throws(CloudError) in
            try await cloud.signIn(request.credentials, device: request.device, from: address)
        }
    )

    /// As `UserAccountsAPI.account`.
    public static let account = Endpoint<Void, UserAccountReport>(
        "account",
        "GET",
        "/account",
        request: .none,
        response: .json({ WireUserAccountReport($0) }, \.report),
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.account(token) }
    )

    /// As `UserAccountsAPI.changePassword`.
    public static let changePassword = Endpoint<PasswordUpdate, Void>(
        "change-password",
        "POST",
        "/account/password",
        .credentials,
        request: .json({ WirePasswordUpdate($0) }, { $0.update }),
        response: .none,
        .session { cloud, update, token, address async throws(CloudError) in
            try await cloud.changePassword(update, from: address, token)
        }
    )

    /// As `UserAccountsAPI.confirm`.
    public static let confirm = Endpoint<Credentials, Void>(
        "confirm",
        "POST",
        "/account/confirm",
        .credentials,
        request: .json({ WireConfirmation($0) }, \.credentials),
        response: .none,
        .session { cloud, credentials, token, address async throws(CloudError) in
            try await cloud.confirm(credentials, from: address, token)
        }
    )

    /// As `UserAccountsAPI.devices`.
    public static let devices = Endpoint<Void, [DeviceSession]>(
        "devices",
        "GET",
        "/devices",
        request: .none,
        response: .json({ WireDevices($0) }, \.sessions),
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.devices(token) }
    )

    /// As `UserAccountsAPI.signOut` of another device.
    public static let signOutDevice = Endpoint<DeviceSignOut, Void>(
        "sign-out",
        "DELETE",
        "/devices/*",
        request: RequestCoding(
            encode: { EncodedRequest(id: $0.device, query: $0.erases ? "erase=1" : "") },
            decode: { received in
                received.id.map { DeviceSignOut($0, erases: received.field("erase") == "1") }
            }
        ),
        response: .none,
        .session { cloud, request, token, _ async throws(CloudError) in
            try await cloud.signOut(device: request.device, erases: request.erases, token)
        }
    )

    /// As `UserAccountsAPI.signOut` of this device.
    public static let signOut = Endpoint<Void, Void>(
        "sign-out",
        "POST",
        "/sign-out",
        request: .empty,
        response: .none,
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.signOut(token) }
    )

    /// As `UserAccountsAPI.deleteData`.
    public static let deleteData = Endpoint<Void, Void>(
        "delete-data",
        "DELETE",
        "/account/data",
        request: .none,
        response: .none,
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.deleteData(token) }
    )

    /// As `UserAccountsAPI.deleteAccount`.
    public static let deleteAccount = Endpoint<Void, Void>(
        "delete-account",
        "DELETE",
        "/account",
        request: .none,
        response: .none,
        .session { cloud, _, token, _ async throws(CloudError) in try await cloud.deleteAccount(token) }
    )
}

extension RelayingCloud {
    /// As `UserAccountsAPI`.
    public func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        try await send(Endpoints.signIn, SignInRequest(credentials, device), Caller(from: address))
    }

    /// As `UserAccountsAPI`.
    public func account(_ token: SessionToken) async throws(CloudError) -> UserAccountReport {
        try await send(Endpoints.account, (), Caller(token))
    }

    /// As `UserAccountsAPI`.
    public func changePassword(_ update: PasswordUpdate, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        try await send(Endpoints.changePassword, update, Caller(token, from: address))
    }

    /// As `UserAccountsAPI`.
    public func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        try await send(Endpoints.confirm, credentials, Caller(token, from: address))
    }

    /// As `UserAccountsAPI`.
    public func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        try await send(Endpoints.devices, (), Caller(token))
    }

    /// As `UserAccountsAPI`.
    public func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError) {
        try await send(Endpoints.signOutDevice, DeviceSignOut(device, erases: erases), Caller(token))
    }

    /// As `UserAccountsAPI`.
    public func signOut(_ token: SessionToken) async throws(CloudError) {
        try await send(Endpoints.signOut, (), Caller(token))
    }

    /// As `UserAccountsAPI`.
    public func deleteData(_ token: SessionToken) async throws(CloudError) {
        try await send(Endpoints.deleteData, (), Caller(token))
    }

    /// As `UserAccountsAPI`.
    public func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        try await send(Endpoints.deleteAccount, (), Caller(token))
    }
}
