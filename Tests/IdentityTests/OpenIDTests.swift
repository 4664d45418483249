// OpenID Connect against a provider of the test's own: what is believed, and everything that is not.
import CloudProtocol
import Crypto
import CryptoExtras
import Encoding
import Foundation
import Outbound
import Synchronization
import TestKit
import Testing

@testable import Identity

private let now: Int64 = 1_795_262_400
private let issuer = "https://id.example"

/// A provider without a network.
private final class Provider: HTTPSending {
    struct Book: Sendable {
        var metadata: [String: String] = [
            "issuer": issuer, "authorization_endpoint": "\(issuer)/authorize",
            "token_endpoint": "\(issuer)/token", "jwks_uri": "\(issuer)/keys",
            "userinfo_endpoint": "\(issuer)/me",
        ]
        var keys: [[String: String]] = []
        var profile: [String: String] = [:]
        var tokens: [String: String] = [:]
        var tokenStatus = 200
        var isAway = false
        var asked: [(address: String, headers: [String: String], form: String?)] = []
    }

    let book = Mutex(Book())
    let rsa: _RSA.Signing.PrivateKey
    let ec = P256.Signing.PrivateKey()

    init() throws {
        rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let keys = [try rsaKey("r"), ecKey("e")]
        change { $0.keys = keys }
    }

    func change(_ body: (inout Book) -> Void) { book.withLock { body(&$0) } }

    func count(_ address: String) -> Int { book.withLock { $0.asked.count { $0.address == address } } }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        do { return try answer(request) } catch { throw .failed("\(error)") }
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        try book.withLock { book in
            let (address, form) = (request.url, request.body.map { String(decoding: $0, as: UTF8.self) })
            book.asked.append((address, Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }, form))
            if book.isAway { throw CancellationError() }
            let answer: Any
            switch address {
            case "\(issuer)/.well-known/openid-configuration": answer = book.metadata
            case "\(issuer)/keys": answer = ["keys": book.keys]
            case "\(issuer)/me": answer = book.profile
            case "\(issuer)/token":
                let body = try JSONSerialization.data(withJSONObject: book.tokens)
                return HTTPResponse(status: book.tokenStatus, body: Array(body))
            default: return HTTPResponse(status: 404, body: [])
            }
            return HTTPResponse(status: 200, body: Array(try JSONSerialization.data(withJSONObject: answer)))
        }
    }

    func rsaKey(_ id: String?) throws -> [String: String] {
        let primitives = try rsa.publicKey.getKeyPrimitives()
        var key = [
            "kty": "RSA", "n": Base64.url.encode(primitives.modulus),
            "e": Base64.url.encode(primitives.publicExponent),
        ]
        key["kid"] = id
        return key
    }

    func ecKey(_ id: String?) -> [String: String] {
        let point = ec.publicKey.rawRepresentation
        var key = [
            "kty": "EC", "crv": "P-256", "x": Base64.url.encode(point.prefix(32)),
            "y": Base64.url.encode(point.suffix(32)),
        ]
        key["kid"] = id
        return key
    }

    /// A token as a good provider makes it, with some of it changed.
    func token(
        _ algorithm: String = "RS256",
        kid: String? = "r",
        header extra: [String: Any] = [:],
        claims changes: [String: Any?] = [:]
    ) throws -> String {
        var header: [String: Any] = ["alg": algorithm, "typ": "JWT"]
        header["kid"] = kid
        header.merge(extra) { $1 }
        var claims: [String: Any] = [
            "iss": issuer, "sub": "s-1", "aud": "breadly", "exp": now + 300, "iat": now, "nonce": "n",
            "email": "anna@x.test", "name": "Anna",
        ]
        for (name, value) in changes { claims[name] = value }
        let head = Base64.url.encode(try JSONSerialization.data(withJSONObject: header))
        let body = Base64.url.encode(try JSONSerialization.data(withJSONObject: claims))
        let content = Data("\(head).\(body)".utf8)
        let signature: Data =
            switch algorithm {
            case "ES256": try ec.signature(for: content).rawRepresentation
            case "HS256":
                // The public key as a shared secret: the oldest trick of all.
                Data(
                    HMAC<SHA256>.authenticationCode(
                        for: content,
                        using: SymmetricKey(data: rsa.publicKey.derRepresentation)
                    )
                )
            case "none": Data()
            default:
                try rsa.signature(for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
                    .rawRepresentation
            }
        return "\(head).\(body).\(Base64.url.encode(signature))"
    }
}

@Suite struct OpenIDConnect {
    private let provider: Provider
    private let clock = FixedClock(at: now)

    init() throws { provider = try Provider() }

    private func openID(_ change: (inout OpenIDProvider.Client) -> Void = { _ in }) -> OpenIDProvider {
        var client = OpenIDProvider.Client(issuer: issuer, id: "breadly", secret: "s:cret", name: "ID")
        change(&client)
        let clock = clock
        return OpenIDProvider(
            client,
            http: provider,
            now: { clock.now },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        )
    }

    private func verify(
        _ token: String,
        _ openID: OpenIDProvider? = nil,
        nonce: String = "n",
        access: String? = nil
    )
        async throws -> Identity
    {
        let judge = openID ?? self.openID()
        return try await judge.verify(.idToken(token, nonce: nonce, accessToken: access), from: "", known: [])
    }

    private func refuses(_ token: String, _ what: String = "", at place: SourceLocation = #_sourceLocation)
        async
    {
        await #expect(throws: CloudError.signIn(.wrongCredentials), "\(what)", sourceLocation: place) {
            try await verify(token)
        }
    }

    // MARK: ID tokens

    @Test func aKeyWithoutItsLeadingZerosIsRead() throws {
        let scalar = Hex.decode("02fb439a7dcba1f4a9f694f6de48c859a4e0b84c132c0f3dc354305698cbb2d1")
        let ec = try P256.Signing.PrivateKey(rawRepresentation: try #require(scalar))
        let point = Array(ec.publicKey.rawRepresentation)
        #expect(point[0] == 0)
        let signature = Array(try ec.signature(for: Data("told".utf8)).rawRepresentation)
        func believes(_ x: some Sequence<UInt8>) throws -> Bool {
            let key = [
                "kty": "EC", "crv": "P-256", "x": Base64.url.encode(Array(x)),
                "y": Base64.url.encode(Array(point[32...])),
            ]
            let set = try #require(JSONWebKeys(json: Array(try JSONEncoder().encode(["keys": [key]]))))
            return set.verify(signature, of: Array("told".utf8), by: .es256, key: nil)
        }
        #expect(try believes(point[..<32]))
        #expect(try believes(point[1..<32]))
        #expect(try !believes(point[2..<32]))
        #expect(try !believes([0] + point[..<32]), "33 bytes")
        #expect(try !believes([]))
    }

    @Test func aTokenOfEitherKindIsBelieved() async throws {
        let anna = Identity(issuer: issuer, subject: "s-1", email: "anna@x.test", name: "Anna")
        for (algorithm, kid) in [("RS256", "r"), ("ES256", "e")] {
            #expect(try await verify(try provider.token(algorithm, kid: kid)) == anna)
            #expect(try await verify(try provider.token(algorithm, kid: nil)) == anna, "without a key's name")
        }
        #expect(try await verify(try provider.token(claims: ["aud": ["breadly"]])) == anna)
        #expect(
            try await verify(try provider.token(claims: ["aud": ["breadly", "x"], "azp": "breadly"])) == anna
        )
        #expect(try await verify(try provider.token(claims: ["exp": now - 59])) == anna, "clocks differ")
        #expect(try await verify(try provider.token(claims: ["iat": now + 60, "nbf": now + 60])) == anna)
        #expect(try await verify(try provider.token(claims: ["email_verified": false])) == anna)
    }

    @Test func keysWithoutNamesAreTriedOneByOne() async throws {
        let keys = [provider.ecKey(nil), try provider.rsaKey(nil)]
        provider.change { $0.keys = keys }
        for algorithm in ["RS256", "ES256"] { _ = try await verify(try provider.token(algorithm, kid: nil)) }
    }

    @Test func whatTheClaimsSayMustFit() async throws {
        let wrong: [(String, [String: Any?])] = [
            ("another issuer", ["iss": "https://evil.example"]),
            ("the issuer with a slash", ["iss": issuer + "/"]),
            ("another audience", ["aud": "other"]), ("no audience", ["aud": nil]),
            ("an empty one", ["aud": [String]()]),
            ("several without an authorised party", ["aud": ["breadly", "x"]]),
            ("another authorised party", ["aud": ["breadly", "x"], "azp": "x"]), ("one alone", ["azp": "x"]),
            ("expired", ["exp": now - 60]), ("no end", ["exp": nil]),
            ("an end that is text", ["exp": "9999999999"]),
            ("issued in the future", ["iat": now + 61]), ("issued at no time", ["iat": nil]),
            ("issued more than ten minutes ago", ["iat": now - 661]), ("not yet valid", ["nbf": now + 61]),
            ("another nonce", ["nonce": "m"]), ("no nonce", ["nonce": nil]), ("no subject", ["sub": nil]),
            ("an empty subject", ["sub": ""]), ("a long one", ["sub": String(repeating: "s", count: 256)]),
            ("an end beyond all numbers", ["exp": 1e300]),
        ]
        for (what, changes) in wrong { await refuses(try provider.token(claims: changes), what) }
    }

    @Test func aConfirmationNeedsAnAuthenticationThatCameAfterItBegan() async throws {
        let judge = openID()
        let (address, pending) = try await judge.begin(redirect: "r", again: true)
        let query = try #require(URLComponents(string: address)?.queryItems)
        #expect(query.first { $0.name == "max_age" }?.value == "0")
        #expect(
            query.first { $0.name == "claims" }?.value == #"{"id_token":{"auth_time":{"essential":true}}}"#
        )
        func answer(_ seen: Any?, nonce: String? = nil, at later: Int64 = 0) async throws -> Bool {
            let nonce = nonce ?? pending.nonce
            let token = try provider.token(
                claims: ["nonce": nonce, "auth_time": seen, "iat": now + later, "exp": now + later + 300]
            )
            do {
                _ = try await verify(token, judge, nonce: nonce)
                return true
            } catch CloudError.signIn(.wrongCredentials) { return false }
        }
        #expect(try await !answer(nil), "a provider that does not say it")
        #expect(try await !answer("\(now)"), "a time that is text")
        #expect(try await !answer(now - 61), "a session from before")
        #expect(try await !answer(now, nonce: "fresh-abc"), "a sign-in that began at no time")
        #expect(try await !answer(now, nonce: "fresh-1-abc"), "a sign-in that began long ago")
        #expect(try await answer(now - 60), "clocks differ")
        clock.advance(by: 590)
        #expect(try await answer(now + 580, at: 590))
        clock.advance(by: 20)
        #expect(try await !answer(now + 580, at: 610), "ten minutes are over")
    }

    @Test func aSignatureMustBeTheProvidersOwn() async throws {
        let good = try provider.token()
        let parts = good.split(separator: ".").map(String.init)
        await refuses(try provider.token("none"), "none")
        await refuses(try provider.token("None"), "None")
        await refuses("\(parts[0]).\(parts[1]).", "no signature")
        await refuses(try provider.token("HS256"), "the public key as a secret")
        await refuses(try provider.token("HS256", kid: nil), "the same without a name")
        await refuses(try provider.token("RS512"), "another algorithm")
        await refuses(try provider.token("ES256", kid: "r"), "signed with one key and named after another")
        await refuses(try provider.token(header: ["crit": ["b64"]]), "what must be understood and is not")
        await refuses(
            "\(parts[0]).\(Base64.url.encode(Array(#"{"iss":"x"}"#.utf8))).\(parts[2])",
            "another body"
        )
        let attacker = try Provider()
        await refuses(try attacker.token(), "a attacker's key under the same name")
        for text in [
            "", ".", "..", "a.b", "a.b.c.d", String(repeating: "a", count: 17_000), good + "\n", " " + good,
        ] {
            await refuses(text, text.prefix(20).description)
        }
    }

    @Test func aWeakOrForeignKeyIsNone() throws {
        let small = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: weakKey)
        let primitives = try small.publicKey.getKeyPrimitives()
        let json: [String: Any] = [
            "keys": [
                ["kty": "RSA", "kid": "small", "n": Base64.url.encode(primitives.modulus), "e": "AQAB"],
                ["kty": "RSA", "kid": "enc", "use": "enc", "n": "AQAB", "e": "AQAB"],
                ["kty": "oct", "kid": "shared", "k": "AQAB"], ["kty": "EC", "kid": "curve", "crv": "P-384"],
                [:],
            ]
        ]
        let keys = try #require(JSONWebKeys(json: Array(try JSONSerialization.data(withJSONObject: json))))
        for id in ["small", "enc", "shared", "curve"] { #expect(!keys.contains(id), "\(id)") }
        #expect(JSONWebKeys(json: Array("[]".utf8)) == nil)
    }

    @Test func aTokenIsAcceptedOnce() async throws {
        let (token, judge) = (try provider.token(), openID())
        _ = try await verify(token, judge)
        await #expect(throws: CloudError.signIn(.wrongCredentials)) { try await verify(token, judge) }
    }

    @Test func aKeyThatIsNotKnownIsLookedForOnceAMinute() async throws {
        let judge = openID()
        _ = try await verify(try provider.token(), judge)
        #expect(provider.count("\(issuer)/keys") == 1)
        // The provider has changed its keys.
        let keys = [try provider.rsaKey("new")]
        provider.change { $0.keys = keys }
        let token = try provider.token(kid: "new", claims: ["nonce": "n2"])
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await verify(token, judge, nonce: "n2")
        }
        clock.advance(by: 60)
        _ = try await verify(token, judge, nonce: "n2")
        #expect(provider.count("\(issuer)/keys") == 2)
        for _ in 1...20 {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) {
                try await verify(try provider.token(kid: "forged"), judge)
            }
        }
        #expect(provider.count("\(issuer)/keys") == 2, "unknown keys cause no more requests")
    }

    @Test func whatIsMissingIsAskedForAndUsedForTheSameSubjectOnly() async throws {
        provider.change {
            $0.profile = ["sub": "s-1", "email": "asked@x.test", "preferred_username": "anna"]
        }
        let bare: [String: Any?] = ["email": nil, "name": nil]
        let told = try await verify(try provider.token(claims: bare), access: "at")
        #expect(told.email == "asked@x.test" && told.name == "anna")
        #expect(provider.book.withLock { $0.asked.last?.headers["Authorization"] } == "Bearer at")
        provider.change { $0.profile = ["sub": "s-2", "email": "other@x.test"] }
        #expect(try await verify(try provider.token(claims: bare), access: "at").email == nil)
        let safe = try await verify(try provider.token(claims: bare), access: "at\r\nX: y")
        #expect(safe.email == nil, "a token that would be a header of its own is not sent")
        let long = try await verify(
            try provider.token(claims: ["name": "A\u{0}B" + String(repeating: "x", count: 900)])
        )
        #expect(long.name?.count == 200 && long.name?.hasPrefix("ABx") == true)
    }

    @Test func googleSignsUnderTwoNames() throws {
        let google = "https://accounts.google.com"
        let json: [String: Any] = ["keys": [try provider.rsaKey("r")]]
        let keys = try #require(JSONWebKeys(json: Array(try JSONSerialization.data(withJSONObject: json))))
        let expected = IDToken.Expectation(issuer: google, clientID: "breadly", nonce: "n", now: now)
        for name in [google, "accounts.google.com"] {
            #expect(
                try IDToken(try provider.token(claims: ["iss": name]), keys: keys, expected).issuer == google
            )
        }
        let other = IDToken.Expectation(issuer: issuer, clientID: "breadly", nonce: "n", now: now)
        #expect(throws: IDToken.Fault.issuer) {
            try IDToken(try provider.token(claims: ["iss": "id.example"]), keys: keys, other)
        }
    }

    // MARK: The browser's way

    private func answer(
        _ pending: PendingSignIn,
        code: String? = "c",
        error: String? = nil,
        issuer: String? = nil
    )
        -> ProviderAnswer
    {
        ProviderAnswer(state: pending.state, code: code, error: error, issuer: issuer)
    }

    @Test func aBrowserIsSentWithWhatOnlyItCanBringBack() async throws {
        let (address, pending) = try await openID().begin(
            redirect: "https://b.example/sign-in/callback",
            again: false
        )
        let query = try #require(URLComponents(string: address)?.queryItems)
        let fields = Dictionary(query.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(address.hasPrefix("\(issuer)/authorize?"))
        #expect(fields["state"] == pending.state && fields["nonce"] == pending.nonce)
        #expect(fields["redirect_uri"] == "https://b.example/sign-in/callback")
        #expect(fields["code_challenge_method"] == "S256" && fields["response_type"] == "code")
        #expect(fields["code_challenge"] == Base64.url.encode(SHA256.hash(data: Data(pending.verifier.utf8))))
        #expect(!address.contains(pending.verifier))
        #expect(Set([pending.state, pending.nonce, pending.verifier]).count == 3)
    }

    @Test func theCodeIsExchangedWithTheVerifier() async throws {
        provider.change { $0.tokens = ["id_token": "x.y.z", "access_token": "at"] }
        let judge = openID()
        let (_, pending) = try await judge.begin(redirect: "https://b.example/cb", again: false)
        let credentials = try await judge.finish(pending, answer(pending, code: "c/+&", issuer: issuer))
        #expect(credentials == .idToken("x.y.z", nonce: pending.nonce, accessToken: "at"))
        let sent = try #require(provider.book.withLock { $0.asked.last })
        #expect(sent.form?.contains("code_verifier=\(pending.verifier)") == true)
        #expect(sent.form?.contains("code=c%2F%2B%26") == true)
        #expect(
            sent.headers["Authorization"] == "Basic " + Data("breadly:s%3Acret".utf8).base64EncodedString()
        )
        await #expect(throws: ProviderRefusal.replayed) { try await judge.finish(pending, answer(pending)) }
    }

    @Test func aClientWithoutASecretNamesItself() async throws {
        provider.change { $0.tokens = ["id_token": "x.y.z"] }
        let judge = openID { $0.secret = nil }
        let (_, pending) = try await judge.begin(redirect: "r", again: false)
        _ = try await judge.finish(pending, answer(pending))
        let sent = try #require(provider.book.withLock { $0.asked.last })
        #expect(sent.headers["Authorization"] == nil && sent.form?.contains("client_id=breadly") == true)
    }

    @Test func whatComesBackWrongIsNoSignIn() async throws {
        let judge = openID()
        let (_, pending) = try await judge.begin(redirect: "r", again: false)
        func refusal(_ answer: ProviderAnswer, _ pending: PendingSignIn) async -> ProviderRefusal? {
            do {
                _ = try await judge.finish(pending, answer)
                return nil
            } catch { return error }
        }
        var other = answer(pending)
        other.state = "x"
        #expect(await refusal(other, pending) == .expired)
        other.state = nil
        #expect(await refusal(other, pending) == .expired)
        clock.advance(by: 600)
        #expect(await refusal(answer(pending), pending) == .expired)
        for (error, expected) in [
            ("access_denied", ProviderRefusal.denied),
            ("server_error", .rejected("the provider says server_error")),
        ] {
            let (_, fresh) = try await judge.begin(redirect: "r", again: false)
            #expect(await refusal(answer(fresh, error: error), fresh) == expected)
        }
        for (change, named) in [
            ({ (a: inout ProviderAnswer) in a.code = nil }, "code"), ({ $0.code = "" }, "an empty code"),
            ({ $0.issuer = "https://evil.example" }, "issuer"),
        ] {
            let (_, fresh) = try await judge.begin(redirect: "r", again: false)
            var bad = answer(fresh)
            change(&bad)
            guard case .rejected? = await refusal(bad, fresh) else {
                Issue.record("\(named)")
                continue
            }
        }
        provider.change { ($0.tokenStatus, $0.tokens) = (400, ["error": "invalid_grant"]) }
        let (_, denied) = try await judge.begin(redirect: "r", again: false)
        #expect(
            await refusal(answer(denied), denied) == .rejected("the token endpoint answers 400 invalid_grant")
        )
        provider.change { $0.tokenStatus = 502 }
        let (_, broken) = try await judge.begin(redirect: "r", again: false)
        #expect(await refusal(answer(broken), broken) == .unreachable("the token endpoint answers 502"))
    }

    @Test func aProviderThatIsAwayOrTalksNonsenseIsUnreachable() async throws {
        provider.change { $0.isAway = true }
        await #expect(throws: ProviderRefusal.self) {
            _ = try await openID().begin(redirect: "r", again: false)
        }
        await #expect(throws: CloudError.self) { try await verify(try provider.token()) }
        provider.change { $0.isAway = false }
        for (name, value) in [
            ("issuer", "https://evil.example"), ("token_endpoint", "http://id.example/token"),
            ("jwks_uri", "file:///etc/passwd"), ("authorization_endpoint", "javascript:alert(1)"),
        ] {
            let good = provider.book.withLock { $0.metadata }
            provider.change { $0.metadata[name] = value }
            await #expect(throws: ProviderRefusal.self, "\(name)") {
                _ = try await openID().begin(redirect: "r", again: false)
            }
            provider.change { $0.metadata = good }
        }
        _ = try await openID { $0.issuer = issuer + "/" }.begin(redirect: "r", again: false)
    }
}

/// 1,024 bits: made with `openssl genrsa 1024`, for this test only.
private let weakKey = """
    -----BEGIN RSA PRIVATE KEY-----
    MIICXQIBAAKBgQC10d2e1RYGpGi/Bz8nup6jrbPZfykDCzG+/sXgd1P3W4s3gUhA
    mNq03GyCZglDKPkyPHkx8sF4oxSxdgCxUfB14C8wusmekf+RNAd+DLc+zc2JhPUC
    31xSXMdEAuAnk9X12xtTbc73G1be0kb5iDe4SWBNP8SZsXz0p8OHl0NiQQIDAQAB
    AoGBAIHscJBiNjYS3+K5m/CY02mk42KlEjphkm+oAOBQhMi6OrY0BNxcHdSlukhH
    /5BlRAUY34XIsWWyK0RQTVhodAmhwNdCnQ5POzO7TVGLxkAVvegDgb2XHWZ9musk
    HEVxnvkQA5PX/3RP0y5V8N1QnYNNids003KZ0ORxTYGF9EM9AkEA7IGMUU6Tc2fu
    vZ5TWDxg9K6/x161k4pr7iOJswgdGK+pUPd8a1AEKdAVgq96wfGPZRDJ/V/9pnMI
    z2PJpX4wnwJBAMTOZa/1QfJSdOst/6aO14HPWGK9xO+d+1dk18w/WT94TZsLVaG8
    40fP3Hb4mZ+HWQd8hmYaEmxmNc4vTfjpIR8CQQCE97jaJaFE6xQQy6j0HM4uAumT
    v626i8JumtBaNZ+WN3ysJthuxQfyMilF1j7gN111ZuEJcSR8poQ3hVTjlHTlAkBz
    lnFczeQEiW9H7UU4Mq7Z+8iCfchbn2LOKlkgCZjGUUbrJ9YMXx7xv2BRs6KuclTU
    s8tPzkJBzioNxfS6m1mrAkB8xt5sK0m/v3w1iEE9EgeGhf6acOiWxFkzMqo3HSjy
    HuSVk3siTvRF7KKmHNKbSQtyvcyIkIUI6tmAqBdTd83o
    -----END RSA PRIVATE KEY-----
    """
