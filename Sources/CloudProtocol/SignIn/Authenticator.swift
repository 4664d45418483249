// The verification of credentials. The adapters of identity implement it, and the cloud calls it.

/// Verifies credentials.
public protocol Authenticator: Sendable {
    /// Returns the identity that the credentials prove.
    /// - Parameters:
    ///   - address: the network address of the sender, for counting wrong credentials.
    ///   - subjects: the local accounts whose users have been signed in on the sending device before.
    /// - Throws: `wrongCredentials`, `tooManyAttempts`, `emailTaken`, `badEmail`, `weakPassword`,
    ///   `commonPassword`, and the errors of the cloud's file.
    func verify(_ credentials: Credentials, from address: String, known subjects: Set<String>)
        async throws(CloudError) -> Identity

    /// Replaces the password of an account.
    /// - Parameters:
    ///   - email: the e-mail address of the account.
    ///   - address: the network address of the sender, for counting wrong passwords.
    /// - Throws: as `verify`; `wrongCredentials` if the account has no password.
    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError)
}

/// A password as the cloud stores it.
public struct StoredPassword: Hashable, Sendable {
    /// The subject of an identity whose issuer is `Identity.localIssuer`.
    public var subject: String
    /// The e-mail address as it was entered at sign-up, for display.
    public var email: String
    /// A hash that includes its parameters.
    public var hash: String

    /// A password with a hash that is computed already.
    public init(subject: String, email: String, hash: String) {
        self.subject = subject
        self.email = email
        self.hash = hash
    }
}

/// The store of the passwords of local accounts. Each change is durable when its call returns.
public protocol PasswordStore: Sendable {
    /// The password of an e-mail address; nil if it has none.
    /// - Parameter key: the address in lower case, as `EmailAddress` normalises it.
    func password(ofKey key: String) throws(CloudError) -> StoredPassword?

    /// Stores a new password.
    /// - Throws: `emailTaken` if the address has one.
    func add(_ password: StoredPassword, key: String) throws(CloudError)

    /// Replaces the hash of a password.
    /// - Returns: false if the subject has no password.
    func replace(hash: String, of subject: String) throws(CloudError) -> Bool
}
