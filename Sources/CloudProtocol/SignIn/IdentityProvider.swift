// Sign-in at an identity provider, as the web server needs it.

/// A sign-in that has begun in a browser and waits for the provider's redirect.
public struct PendingSignIn: Codable, Hashable, Sendable {
    /// A random value that returns in the redirect, and proves that the redirect belongs to this browser.
    public var state: String
    /// A random value that returns in the ID token, and proves that the token belongs to this sign-in.
    public var nonce: String
    /// The PKCE code verifier (RFC 7636).
    public var verifier: String
    /// The address to which the provider redirects the browser.
    public var redirect: String
    /// The time after which the sign-in is refused, in UTC seconds.
    public var expiresAt: Int64

    /// A sign-in with values that the provider's adapter has generated.
    public init(state: String, nonce: String, verifier: String, redirect: String, expiresAt: Int64) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.redirect = redirect
        self.expiresAt = expiresAt
    }
}

/// The query of the provider's redirect.
public struct ProviderAnswer: Hashable, Sendable {
    /// The query's `state`.
    public var state: String?
    /// The query's `code`.
    public var code: String?
    /// The query's `error`, such as `access_denied`.
    public var error: String?
    /// The query's `iss` (RFC 9207).
    public var issuer: String?

    /// The values of the query; nil for each field that it lacks.
    public init(state: String?, code: String?, error: String?, issuer: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
    }
}

/// The reason why a sign-in at a provider failed. It has changed nothing.
public enum ProviderRefusal: Error, Hashable, Sendable {
    /// The user or the provider has declined.
    case denied
    /// The sign-in was begun too long ago, in another browser, or not at all.
    case expired
    /// The answer was used before.
    case replayed
    /// The provider did not answer, or its answer could not be understood. The text is for the log.
    case unreachable(String)
    /// The provider's answer is not valid. The text is for the log.
    case rejected(String)
}

/// A provider at which users can sign in.
public protocol IdentityProvider: Sendable {
    /// The name that users see, such as `Google`.
    var name: String { get }

    /// Begins a sign-in.
    /// - Parameters:
    ///   - redirect: the address to which the provider redirects the browser.
    ///   - again: whether the provider must authenticate the user again although it has a session.
    /// - Returns: the address to which the browser is sent, and the pending sign-in.
    /// - Throws: `unreachable`.
    func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    )

    /// Returns the credentials for the cloud after the redirect. A pending sign-in can be finished once.
    /// - Throws: `ProviderRefusal`.
    func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer) async throws(ProviderRefusal)
        -> Credentials
}
