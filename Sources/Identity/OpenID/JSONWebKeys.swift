// A provider's signature keys (RFC 7517) for RS256 and ES256.

import Crypto
import CryptoExtras
import Encoding
import Foundation

/// A provider's published keys.
struct JSONWebKeys: Sendable {
    /// The accepted signature algorithms (RFC 7518, section 3.1). Neither `none` nor algorithms with a shared
    /// secret are accepted.
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

    private struct EncodedKeySet: Decodable {
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
    /// The greatest number of keys that are read.
    private static let mostKeys = 50

    /// Decodes a key set without its keys of other kinds. Nil if the JSON is not a key set.
    init?(json: [UInt8]) {
        guard let encoded = try? JSONDecoder().decode(EncodedKeySet.self, from: Data(json)) else {
            return nil
        }
        keys = encoded.keys.prefix(Self.mostKeys).compactMap(Self.key)
    }

    /// Whether the set contains a key with the id.
    func contains(_ id: String) -> Bool { keys.contains { $0.id == id } }

    /// Whether a key of the set made a signature.
    /// - Parameter id: the key's id; nil if the token names none, and all keys are tried.
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

    private static func key(_ encoded: EncodedKeySet.Key) -> Key? {
        guard encoded.use == nil || encoded.use == "sig" else { return nil }
        switch encoded.kty {
        case "RSA":
            guard encoded.alg == nil || encoded.alg == Algorithm.rs256.rawValue,
                let modulus = encoded.n.flatMap({ Base64.url.decode($0) }),
                let exponent = encoded.e.flatMap({ Base64.url.decode($0) }),
                // RFC 7518, section 3.3: 2,048 bits or more; more than 16,384 only costs time.
                (256...2_048).contains(modulus.count), exponent.count <= 8,
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            return Key(id: encoded.kid, material: .rsa(key))
        case "EC":
            guard encoded.alg == nil || encoded.alg == Algorithm.es256.rawValue, encoded.crv == "P-256",
                let x = coordinate(encoded.x), let y = coordinate(encoded.y),
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { return nil }
            return Key(id: encoded.kid, material: .p256(key))
        default: return nil
        }
    }

    /// A coordinate of P-256 in its 32 bytes. Some providers leave leading zeros out, against RFC 7518, section 6.2.1.2:
    /// of one key in 128.
    private static func coordinate(_ encoded: String?) -> [UInt8]? {
        guard let bytes = encoded.flatMap({ Base64.url.decode($0) }), (1...32).contains(bytes.count) else {
            return nil
        }
        return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
    }
}
