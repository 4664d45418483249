// The credentials of a sign-in, and the protocol that checks them.

/// The credentials of a sign-in.
public enum Credentials: Hashable, Sendable {
    /// An account of the cloud's own.
    case password(email: String, password: String)
    /// A new account of the cloud's own.
    case newAccount(email: String, password: String)
    /// An ID token of an identity provider (OpenID Connect Core 1.0, section 2), the nonce that it must contain, and
    /// the access token for the provider's user info.
    case idToken(String, nonce: String, accessToken: String?)
}

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

    /// Puts another password in the place of the one that is known.
    /// - Throws: as `verify`; `wrongCredentials` where the account has none.
    func change(email: String, from old: String, to new: String, address: String) async throws(CloudError)
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

extension Identity {
    /// Stands for the cloud's own accounts. No provider has it: an issuer of OpenID Connect is an https address.
    public static let localIssuer = "local"
}
