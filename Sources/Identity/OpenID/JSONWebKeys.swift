// The keys that a provider signs with (RFC 7517), as far as they are for RS256 and ES256.

import Crypto
import CryptoExtras
import Encoding
import Foundation

/// A provider's published keys.
struct JSONWebKeys: Sendable {
    /// How an ID token may be signed (RFC 7518, section 3.1). There is no other: neither `none` nor a shared secret.
    enum Algorithm: String {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    private struct Key: Sendable {
        enum Material: Sendable {
            case rsa(_RSA.Signing.PublicKey)
            case p256(P256.Signing.PublicKey)
        }

        let id: String?
        let material: Material
    }

    private struct Written: Decodable {
        struct Key: Decodable {
            var kty: String?
            var use: String?
            var alg: String?
            var kid: String?
            var n: String?
            var e: String?
            var crv: String?
            var x: String?
            var y: String?
        }

        var keys: [Key]
    }

    private let keys: [Key]
    /// Keys beyond so many are not looked at.
    private static let mostKeys = 50

    /// Reads a key set; keys of other kinds in it are left out. Nil for what is none.
    init?(json: [UInt8]) {
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(json)) else { return nil }
        keys = written.keys.prefix(Self.mostKeys).compactMap(Self.key)
    }

    /// Whether there is a key of this name.
    func knows(_ id: String) -> Bool { keys.contains { $0.id == id } }

    /// Whether one of the keys made a signature.
    /// - Parameter id: the key's name; nil where the token names none: then each may have made it.
    func verify(_ signature: [UInt8], of content: [UInt8], by algorithm: Algorithm, key id: String?) -> Bool {
        let digest = SHA256.hash(data: content)
        return keys.contains { key in
            guard id == nil || key.id == nil || key.id == id else { return false }
            switch (algorithm, key.material) {
            case (.rs256, .rsa(let key)):
                let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
                return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
            case (.es256, .p256(let key)):
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: digest)
            default: return false
            }
        }
    }

    private static func key(_ written: Written.Key) -> Key? {
        guard written.use == nil || written.use == "sig" else { return nil }
        switch written.kty {
        case "RSA":
            guard written.alg == nil || written.alg == Algorithm.rs256.rawValue,
                let modulus = written.n.flatMap({ Base64.url.decode($0) }),
                let exponent = written.e.flatMap({ Base64.url.decode($0) }),
                // RFC 7518, section 3.3: 2,048 bits or more; more than 16,384 only costs time.
                (256...2_048).contains(modulus.count), exponent.count <= 8,
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            return Key(id: written.kid, material: .rsa(key))
        case "EC":
            guard written.alg == nil || written.alg == Algorithm.es256.rawValue, written.crv == "P-256",
                let x = written.x.flatMap({ Base64.url.decode($0) }),
                let y = written.y.flatMap({ Base64.url.decode($0) }),
                x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { return nil }
            return Key(id: written.kid, material: .p256(key))
        default: return nil
        }
    }
}
