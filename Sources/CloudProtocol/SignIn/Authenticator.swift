// Checking credentials: implemented by the adapters of identity, used by the cloud.

/// Checks credentials.
public protocol Authenticator: Sendable {
    /// The identity that they prove.
    /// - Parameters:
    ///   - address: where they come from, for counting wrong ones.
    ///   - subjects: of local accounts whose users have been signed in there before.
    /// - Throws: `wrongCredentials`, `tooManyAttempts`, `emailTaken`, `badEmail`, `weakPassword`, `commonPassword`, and
    ///   what the cloud's file fails with.
    func verify(_ credentials: Credentials, from address: String, known subjects: Set<String>)
        async throws(CloudError) -> Identity

    /// Puts another password in the place of the present one.
    /// - Parameters:
    ///   - email: the address of the account.
    ///   - address: where the request comes from, for counting wrong passwords.
    /// - Throws: as `verify`; `wrongCredentials` where the account has none.
    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError)
}

/// A password as it is kept.
public struct StoredPassword: Hashable, Sendable {
    /// The subject of an identity whose issuer is `Identity.localIssuer`.
    public var subject: String
    /// As it was typed at sign-up, for showing.
    public var email: String
    /// A hash that says how it was made.
    public var hash: String

    /// A password.
    public init(subject: String, email: String, hash: String) {
        self.subject = subject
        self.email = email
        self.hash = hash
    }
}

/// Where the passwords of local accounts are kept. Every change is durable when its call returns.
public protocol PasswordStore: Sendable {
    /// The password of an e-mail address, by its key: in lower case, as `EmailAddress` writes it.
    func password(ofKey key: String) throws(CloudError) -> StoredPassword?

    /// Keeps a new one.
    /// - Throws: `emailTaken` where the address has one.
    func add(_ password: StoredPassword, key: String) throws(CloudError)

    /// Puts another hash in the place of one that is kept.
    /// - Returns: false where the subject has none.
    func replace(hash: String, of subject: String) throws(CloudError) -> Bool
}
