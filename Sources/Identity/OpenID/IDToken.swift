// Verifies ID tokens: issuer, audience, times and signature.

import Encoding
import Foundation

/// The claims of a verified ID token.
struct IDToken: Hashable, Sendable {
    /// The provider's issuer URL, as it publishes it.
    let issuer: String
    /// The id of the user at the provider.
    let subject: String
    /// For display only.
    let email: String?
    /// For display only.
    let name: String?
    /// The end of its validity, in UTC seconds.
    let expiresAt: Int64

    /// The reason why a token is refused.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case malformed
        case algorithm(String)
        case unknownKey(String)
        case signature
        case issuer
        case audience
        case expired
        case fromTheFuture
        case nonce
        /// The provider was asked to authenticate its user again, and does not say that it has.
        case notAuthenticatedAgain

        /// A short phrase for the log. It contains only harmless parts of the token, whose text comes from an
        /// untrusted source.
        var description: String {
            switch self {
            case .malformed: "it is malformed"
            case .algorithm(let name): "it is signed with \(name)"
            case .unknownKey(let id): "the provider has no key \(id)"
            case .signature: "its signature is wrong"
            case .issuer: "it is of another issuer"
            case .audience: "it is for another client"
            case .expired: "it has expired"
            case .fromTheFuture: "it is from the future"
            case .nonce: "it belongs to another sign-in"
            case .notAuthenticatedAgain: "it does not say that the user was authenticated again"
            }
        }
    }

    /// The values that a token must have.
    struct Expectation: Sendable {
        /// The exact issuer.
        let issuer: String
        /// The client that the token must be for.
        let clientID: String
        /// The nonce that the token must contain.
        let nonce: String
        /// UTC seconds.
        let now: Int64
    }

    /// The greatest difference between clocks, in seconds.
    static let leewaySeconds: Int64 = 60
    /// The greatest age of a token, in seconds.
    static let mostSeconds: Int64 = 600
    /// The greatest length of a token in bytes.
    private static let mostBytes = 16 << 10

    private struct Header: Decodable {
        var alg: String
        var kid: String?
        /// The extensions that a reader must support (RFC 7515, section 4.1.11). This one supports none.
        var crit: [String]?
    }

    private struct Claims: Decodable {
        var iss: String
        var sub: String
        var aud: Audience
        var azp: String?
        var exp: Double
        var iat: Double
        var nbf: Double?
        var auth_time: Double?
        var nonce: String?
        var email: String?
        var name: String?
        var preferred_username: String?
    }

    /// One client, or several.
    private struct Audience: Decodable {
        let clients: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                clients = [one]
            } else {
                clients = try container.decode([String].self)
            }
        }
    }

    /// Decodes a token in its compact form (RFC 7515, section 7.1) and verifies it as OpenID Connect Core 1.0
    /// requires in section 3.1.3.7.
    /// - Throws: the first fault.
    init(_ text: String, keys: JSONWebKeys, _ expected: Expectation) throws(Fault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.mostBytes, parts.count == 3,
            let head = Base64.url.decode(parts[0]), let body = Base64.url.decode(parts[1]),
            let signature = Base64.url.decode(parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(head)), header.crit == nil
        else { throw .malformed }
        guard let algorithm = JSONWebKeys.Algorithm(rawValue: header.alg) else {
            throw .algorithm(header.alg)
        }
        let content = Array("\(parts[0]).\(parts[1])".utf8)
        guard keys.verify(signature, of: content, by: algorithm, key: header.kid) else {
            if let kid = header.kid, !keys.contains(kid) { throw .unknownKey(kid) }
            throw .signature
        }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(body)) else { throw .malformed }
        guard Self.isIssuer(claims.iss, expected.issuer) else { throw .issuer }
        guard claims.aud.clients.contains(expected.clientID),
            claims.azp == nil || claims.azp == expected.clientID,
            claims.aud.clients.count == 1 || claims.azp != nil
        else { throw .audience }
        guard let expiresAt = Self.seconds(claims.exp) else { throw .malformed }
        guard expected.now < expiresAt + Self.leewaySeconds else { throw .expired }
        guard let issuedAt = Self.seconds(claims.iat) else { throw .malformed }
        // A sign-in takes at most this time; an older token belongs to an earlier sign-in, perhaps of another
        // user.
        guard expected.now - issuedAt <= Self.mostSeconds + Self.leewaySeconds else { throw .expired }
        // A provider that was asked to authenticate its user again must report when it did (OpenID Connect Core
        // 1.0, section 2). An earlier time means a session that anyone at the browser could use.
        if let nonce = FreshNonce(expected.nonce) {
            guard let seen = claims.auth_time.flatMap({ Self.seconds($0) }),
                seen + Self.leewaySeconds >= nonce.begunAt, expected.now - nonce.begunAt <= Self.mostSeconds
            else { throw .notAuthenticatedAgain }
        }
        for time in [claims.iat, claims.nbf].compactMap({ $0 }) {
            guard let time = Self.seconds(time) else { throw .malformed }
            guard time <= expected.now + Self.leewaySeconds else { throw .fromTheFuture }
        }
        guard claims.nonce == expected.nonce, !expected.nonce.isEmpty else { throw .nonce }
        guard (1...255).contains(claims.sub.utf8.count) else { throw .malformed }
        // The issuer as published: the user account must not depend on the spelling in a token.
        issuer = expected.issuer
        subject = claims.sub
        email = claims.email
        name = claims.name ?? claims.preferred_username
        self.expiresAt = expiresAt
    }

    /// The id of the key that a token names; nil if it names none or is malformed.
    static func keyID(of text: String) -> String? {
        guard let head = text.split(separator: ".").first.flatMap({ Base64.url.decode($0) }) else {
            return nil
        }
        return (try? JSONDecoder().decode(Header.self, from: Data(head)))?.kid
    }

    /// Google also issues tokens as `accounts.google.com`.
    private static func isIssuer(_ claimed: String, _ expected: String) -> Bool {
        claimed == expected || (expected == "https://accounts.google.com" && claimed == "accounts.google.com")
    }

    private static func seconds(_ value: Double) -> Int64? {
        value.isFinite && abs(value) < 1e12 ? Int64(value) : nil
    }
}
