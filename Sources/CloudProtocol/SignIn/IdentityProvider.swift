// Signing in at an identity provider, as the web server needs it.

/// A sign-in that was begun in a browser and waits for the browser to come back.
public struct PendingSignIn: Hashable, Sendable {
    /// Comes back with the answer, and so proves that the answer belongs to this browser.
    public var state: String
    /// Comes back within the ID token, and so proves that the token belongs to this sign-in.
    public var nonce: String
    /// The PKCE code verifier (RFC 7636).
    public var verifier: String
    /// Where the browser comes back to.
    public var redirect: String
    /// UTC seconds.
    public var expiresAt: Int64

    /// A sign-in.
    public init(state: String, nonce: String, verifier: String, redirect: String, expiresAt: Int64) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.redirect = redirect
        self.expiresAt = expiresAt
    }

    /// As a browser keeps it, before it is sealed.
    public var encoded: String {
        [state, nonce, verifier, String(expiresAt), redirect].joined(separator: " ")
    }

    /// Reads what `written` wrote; nil for anything else.
    public init?(encoded: String) {
        let parts = encoded.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let expiresAt = Int64(parts[3]) else { return nil }
        self.init(
            state: parts[0],
            nonce: parts[1],
            verifier: parts[2],
            redirect: parts[4],
            expiresAt: expiresAt
        )
    }
}

/// The query with which the provider sends the browser back.
public struct ProviderAnswer: Hashable, Sendable {
    /// The query's `state`.
    public var state: String?
    /// The query's `code`.
    public var code: String?
    /// The query's `error`, such as `access_denied`.
    public var error: String?
    /// The query's `iss` (RFC 9207).
    public var issuer: String?

    /// An answer.
    public init(state: String?, code: String?, error: String?, issuer: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
    }
}

/// The reason why a sign-in at a provider failed. Nothing was changed.
public enum ProviderRefusal: Error, Hashable, Sendable {
    /// The user, or the provider, has declined.
    case denied
    /// It was begun too long ago, in another browser, or not at all.
    case expired
    /// The answer was used already.
    case replayed
    /// The provider does not answer, or with nothing that could be understood; the text is for the log.
    case unreachable(String)
    /// The provider's answer is not valid; the text is for the log.
    case rejected(String)
}

/// A provider at which users can sign in.
public protocol IdentityProvider: Sendable {
    /// The name that users see: `Google`.
    var name: String { get }

    /// Where a browser is sent to sign in.
    /// - Parameters:
    ///   - redirect: where it comes back to.
    ///   - again: whether the provider is to look at its user again, though they are signed in there.
    /// - Throws: `unreachable`.
    func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    )

    /// The credentials for the cloud, once the browser is back. Each pending sign-in is finished once.
    /// - Throws: `ProviderRefusal`.
    func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer) async throws(ProviderRefusal)
        -> Credentials
}
