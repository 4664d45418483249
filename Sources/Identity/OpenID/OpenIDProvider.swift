// OpenID Connect: the authorization code flow with PKCE (RFC 7636), for any issuer.

public import CloudProtocol
import Crypto
import Encoding
import Foundation
public import Outbound
import Synchronization

/// An OpenID Connect provider: runs the browser's flow for the web server, and verifies tokens for the cloud.
/// Safe to use from any thread.
public final class OpenIDProvider: IdentityProvider, Authenticator {
    /// The registration of this server at the provider.
    public struct Client: Hashable, Sendable {
        /// The provider's issuer, with or without its last slash.
        public var issuer: String
        /// The client id.
        public var id: String
        /// The client secret; nil for a public client.
        public var secret: String?
        /// The name of the provider on pages.
        public var name: String

        /// A registration; the provider decides whether it is valid.
        public init(issuer: String, id: String, secret: String?, name: String) {
            self.issuer = issuer
            self.id = id
            self.secret = secret
            self.name = name
        }
    }

    /// The longest time that a user may spend at the provider, in seconds.
    public static let patienceSeconds: Int64 = 600
    /// The age after which the provider's metadata and keys are read again, in seconds.
    private static let freshSeconds: Int64 = 3_600
    /// The shortest interval of reading the keys again for an unknown key id, in seconds.
    private static let searchSeconds: Int64 = 60
    /// The greatest number of used states and nonces that are remembered.
    private static let mostRemembered = 10_000

    /// As `IdentityProvider`.
    public var name: String { client.name }
    private let client: Client
    private let http: any HTTPSending
    private let now: @Sendable () -> Int64
    private let random: @Sendable (_ count: Int) -> [UInt8]
    private let cache = Mutex(Cache())
    /// States and nonces that were used.
    private let used = Mutex(UsedOnce(most: OpenIDProvider.mostRemembered))

    private struct Cache {
        var metadata: (value: Metadata, readAt: Int64)?
        var keys: (value: JSONWebKeys, readAt: Int64)?
    }

    /// The provider's metadata (OpenID Connect Discovery 1.0, section 3).
    struct Metadata: Decodable, Sendable {
        var issuer: String
        var authorization_endpoint: String
        var token_endpoint: String
        var jwks_uri: String
        var userinfo_endpoint: String?
        var token_endpoint_auth_methods_supported: [String]?
        var authorization_response_iss_parameter_supported: Bool?
    }

    private struct Tokens: Decodable {
        var id_token: String?
        var access_token: String?
        var error: String?
    }

    private struct Profile: Decodable {
        var sub: String
        var email: String?
        var name: String?
        var preferred_username: String?
    }

    /// - Parameters:
    ///   - now: UTC seconds.
    ///   - random: returns random bytes.
    public init(
        _ client: Client,
        http: any HTTPSending,
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.client = client
        self.http = http
        self.now = now
        self.random = random
    }

    /// Some providers name the time of authentication only if they are asked for it (OpenID Connect Core 1.0, section 5.5).
    private static let claims = #"{"id_token":{"auth_time":{"essential":true}}}"#

    // MARK: The browser's flow

    /// As `IdentityProvider`.
    public func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    ) {
        let metadata = try await metadata()
        let pending = PendingSignIn(
            state: Base64.url.encode(random(32)),
            nonce: (again ? FreshNonce(begunAt: now()).prefix : "") + Base64.url.encode(random(32)),
            verifier: Base64.url.encode(random(32)),
            redirect: redirect,
            expiresAt: now() + Self.patienceSeconds
        )
        let challenge = Base64.url.encode(SHA256.hash(data: Data(pending.verifier.utf8)))
        let query = Self.form(
            [
                ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
                ("scope", "openid email profile"), ("state", pending.state), ("nonce", pending.nonce),
                ("code_challenge", challenge), ("code_challenge_method", "S256"),
            ] + (again ? [("max_age", "0"), ("claims", Self.claims)] : [])
        )
        let separator = metadata.authorization_endpoint.contains("?") ? "&" : "?"
        return (metadata.authorization_endpoint + separator + query, pending)
    }

    /// As `IdentityProvider`.
    public func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer)
        async throws(ProviderRefusal) -> Credentials
    {
        // Some providers omit the state in errors. An error is only shown, so that this is safe.
        if answer.state == nil, answer.error == "access_denied" { throw .denied }
        guard let state = answer.state, isEqualInConstantTime(state.utf8, pending.state.utf8),
            now() < pending.expiresAt
        else {
            throw .expired
        }
        guard use("state \(state)", until: pending.expiresAt) else { throw .replayed }
        if let error = answer.error {
            throw error == "access_denied" ? .denied : .rejected("the provider says \(error)")
        }
        guard let code = answer.code, !code.isEmpty, code.utf8.count <= 4_096 else {
            throw .rejected("no code came back")
        }
        let metadata = try await metadata()
        let mustName = metadata.authorization_response_iss_parameter_supported == true
        guard answer.issuer == metadata.issuer || (answer.issuer == nil && !mustName) else {
            throw .rejected("the answer is another issuer's")
        }
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", pending.redirect),
            ("code_verifier", pending.verifier),
        ]
        var headers: [(String, String)] = []
        let methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
        if let secret = client.secret, methods.contains("client_secret_basic") {
            // RFC 6749, section 2.3.1: both are encoded as in a form first.
            let pair = "\(PercentEncoding.encode(client.id)):\(PercentEncoding.encode(secret))"
            headers.append(("Authorization", "Basic " + Base64.padded.encode(pair.utf8)))
        } else {
            fields.append(("client_id", client.id))
            if let secret = client.secret { fields.append(("client_secret", secret)) }
        }
        let response = try await fetch(metadata.token_endpoint, headers: headers, form: Self.form(fields))
        let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(response.body))
        guard response.status == 200, let idToken = tokens?.id_token else {
            if response.status >= 500 { throw .unreachable("the token endpoint answers \(response.status)") }
            throw .rejected("the token endpoint answers \(response.status) \(tokens?.error ?? "")")
        }
        return .idToken(idToken, nonce: pending.nonce, accessToken: tokens?.access_token)
    }

    // MARK: Verification for the cloud

    /// As `Authenticator`: returns the identity of an ID token. Each nonce is accepted once.
    public func verify(_ credentials: Credentials, from address: String, known: Set<String>)
        async throws(CloudError) -> Identity
    {
        guard case .idToken(let text, let nonce, let accessToken) = credentials else {
            throw .signIn(.wrongCredentials)
        }
        let token: IDToken
        do { token = try await read(text, nonce: nonce) } catch {
            switch error {
            case .unreachable(let reason): throw .unreachable(reason)
            case .denied, .expired, .replayed, .rejected: throw .signIn(.wrongCredentials)
            }
        }
        guard use("nonce \(nonce)", until: token.expiresAt + IDToken.leewaySeconds) else {
            throw .signIn(.wrongCredentials)
        }
        var identity = Identity(
            issuer: token.issuer,
            subject: token.subject,
            email: Self.shown(token.email, 320),
            name: Self.shown(token.name, 200)
        )
        if identity.email == nil || identity.name == nil, let accessToken {
            let profile = await profile(accessToken)
            // Section 5.3.2: claims of another subject must not be used.
            if let profile, profile.sub == token.subject {
                identity.email = identity.email ?? Self.shown(profile.email, 320)
                identity.name = identity.name ?? Self.shown(profile.name ?? profile.preferred_username, 200)
            }
        }
        return identity
    }

    /// As `Authenticator`: the provider manages its passwords itself.
    public func change(_ update: PasswordUpdate, of email: String, from address: String)
        async throws(CloudError)
    {
        throw .signIn(.wrongCredentials)
    }

    private func read(_ text: String, nonce: String) async throws(ProviderRefusal) -> IDToken {
        let metadata = try await metadata()
        let expected = IDToken.Expectation(
            issuer: metadata.issuer,
            clientID: client.id,
            nonce: nonce,
            now: now()
        )
        var keys = try await self.keys(metadata, isSearch: false)
        if let kid = IDToken.keyID(of: text), !keys.contains(kid) {
            keys = try await self.keys(metadata, isSearch: true)
        }
        do { return try IDToken(text, keys: keys, expected) } catch {
            throw .rejected("the ID token: \(error)")
        }
    }

    private func profile(_ accessToken: String) async -> Profile? {
        guard let metadata = try? await metadata(), let address = metadata.userinfo_endpoint else {
            return nil
        }
        let headers = [("Authorization", "Bearer \(accessToken)")]
        guard Self.isHeaderSafe(accessToken),
            let response = try? await fetch(address, headers: headers, form: nil), response.status == 200
        else { return nil }
        return try? JSONDecoder().decode(Profile.self, from: Data(response.body))
    }

    // MARK: Metadata and keys

    private func metadata() async throws(ProviderRefusal) -> Metadata {
        let now = now()
        if let known = cache.withLock({ $0.metadata }), now - known.readAt < Self.freshSeconds {
            return known.value
        }
        var base = client.issuer
        while base.hasSuffix("/") { base.removeLast() }
        let response = try await fetch(base + "/.well-known/openid-configuration", headers: [], form: nil)
        guard response.status == 200,
            let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(response.body))
        else { throw .unreachable("the provider publishes no configuration (\(response.status))") }
        var published = metadata.issuer
        while published.hasSuffix("/") { published.removeLast() }
        guard published == base else { throw .rejected("the issuer calls itself \(metadata.issuer)") }
        let addresses = [
            metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri,
            metadata.userinfo_endpoint ?? metadata.jwks_uri,
        ]
        guard addresses.allSatisfy({ Self.isTrustworthy($0) }) else {
            throw .rejected("an address of the provider's is not https")
        }
        cache.withLock { $0.metadata = (metadata, now) }
        return metadata
    }

    /// - Parameter isSearch: whether a token names a key that is not among the cached keys.
    private func keys(_ metadata: Metadata, isSearch: Bool) async throws(ProviderRefusal) -> JSONWebKeys {
        let now = now()
        let patience = isSearch ? Self.searchSeconds : Self.freshSeconds
        if let known = cache.withLock({ $0.keys }), now - known.readAt < patience { return known.value }
        let response = try await fetch(metadata.jwks_uri, headers: [], form: nil)
        guard response.status == 200, let keys = JSONWebKeys(json: response.body) else {
            throw .unreachable("the provider publishes no keys (\(response.status))")
        }
        cache.withLock { $0.keys = (keys, now) }
        return keys
    }

    private func fetch(_ address: String, headers: [(String, String)], form: String?)
        async throws(ProviderRefusal) -> HTTPResponse
    {
        var request = HTTPRequest("GET", address, headers: headers.map { (name: $0.0, value: $0.1) })
        if let form {
            // A code can be redeemed once: the request is not repeatable.
            (request.method, request.isRepeatable) = ("POST", false)
            request.headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            request.body = Array(form.utf8)
        }
        do { return try await http.send(request) } catch {
            throw .unreachable("\(address): \(error)")
        }
    }

    // MARK: Helpers

    /// Marks a state or nonce as used.
    /// - Returns: false if it was used before.
    private func use(_ what: String, until end: Int64) -> Bool {
        let now = now()
        return used.withLock { $0.use(what, until: end, now: now) }
    }

    private static func isTrustworthy(_ address: String) -> Bool {
        guard let url = URLComponents(string: address), let host = url.host, !host.isEmpty else {
            return false
        }
        return ProtectedAddress.accepts(scheme: url.scheme, host: host)
    }

    private static func isHeaderSafe(_ text: String) -> Bool {
        text.utf8.count <= 16 << 10 && text.utf8.allSatisfy { (33...126).contains($0) }
    }

    /// The displayable part of a provider's text, shortened.
    private static func shown(_ text: String?, _ most: Int) -> String? {
        guard let text else { return nil }
        let clean = String(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.prefix(most))
        return clean.isEmpty ? nil : clean
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }
}
