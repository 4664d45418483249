// The credentials of a sign-in, and the identity that they prove.

/// The credentials of a sign-in.
public enum Credentials: Hashable, Sendable {
    /// A local account of the cloud.
    case password(email: String, password: String)
    /// A new local account of the cloud.
    case newAccount(email: String, password: String)
    /// An ID token of an identity provider (OpenID Connect Core 1.0, section 2), the nonce that it must
    /// contain, and the access token for the provider's user info.
    case idToken(String, nonce: String, accessToken: String?)
}

/// The replacement of a password.
public struct PasswordUpdate: Hashable, Sendable {
    /// Checked before anything changes.
    public var present: String
    /// Refused if it is weak or in common use.
    public var new: String
    /// Whether the user's other sessions end, and their devices are locked.
    public var locksOthers: Bool

    /// A replacement, which the cloud applies only if the present password is right.
    public init(from present: String, to new: String, locksOthers: Bool) {
        self.present = present
        self.new = new
        self.locksOthers = locksOthers
    }
}

/// An identity that an identity provider has verified. A user account is identified by issuer and subject
/// alone, because an e-mail address can be given to another person (OpenID Connect Core 1.0, section 5.7).
public struct Identity: Hashable, Sendable {
    /// The exact issuer of an ID token, or `localIssuer` for the accounts of this server.
    public var issuer: String
    /// The user's identifier at the issuer. It is unique there and never reassigned.
    public var subject: String
    /// The e-mail address, for display only.
    public var email: String?
    /// The name, for display only.
    public var name: String?

    /// An identity without an e-mail address and a name unless they are given.
    public init(issuer: String, subject: String, email: String? = nil, name: String? = nil) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.name = name
    }
}

extension Identity {
    /// The issuer of the cloud's own accounts. No provider has it, because an issuer of OpenID Connect is an
    /// https address.
    public static let localIssuer = "local"
}
