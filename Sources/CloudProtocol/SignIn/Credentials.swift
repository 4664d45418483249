// The credentials of a sign-in, and the identity that they prove.

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

/// The replacement of a password.
public struct PasswordUpdate: Hashable, Sendable {
    /// The present password.
    public var present: String
    /// The password in its place.
    public var new: String
    /// Whether the user's other sessions end, and their devices are locked.
    public var locksOthers: Bool

    /// A replacement.
    public init(from present: String, to new: String, locksOthers: Bool) {
        self.present = present
        self.new = new
        self.locksOthers = locksOthers
    }
}

/// An identity that an identity provider has verified. Accounts are known by issuer and subject alone: an
/// e-mail address can be given to somebody else (OpenID Connect Core 1.0, section 5.7).
public struct Identity: Hashable, Sendable {
    /// The exact issuer of an ID token, or `localIssuer` for the accounts of this server.
    public var issuer: String
    /// The person, unique with that issuer and never given to another.
    public var subject: String
    /// For showing only.
    public var email: String?
    /// For showing only.
    public var name: String?

    /// An identity.
    public init(issuer: String, subject: String, email: String? = nil, name: String? = nil) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.name = name
    }
}

extension Identity {
    /// Stands for the cloud's own accounts. No provider has it: an issuer of OpenID Connect is an https address.
    public static let localIssuer = "local"
}
