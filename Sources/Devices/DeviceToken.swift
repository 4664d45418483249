// The secret that makes a browser a device, and what is derived from it.

import Crypto
public import DeviceStore
import Encoding
import Synchronization

/// 256 random bits that a browser keeps in its cookie. The server stores only their hash.
public struct DeviceToken: Hashable, Sendable {
    private let bytes: [UInt8]

    /// A new token.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<4).flatMap { _ in
            let word = UInt64.random(in: .min ... .max, using: &generator)
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }

    /// Reads a cookie's value: 64 hexadecimal digits in lower case; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 64, let bytes = Hex.decode(text) else { return nil }
        self.bytes = bytes
    }

    /// The cookie's value.
    public var text: String { Hex.encode(bytes) }

    /// Its SHA-256: the only part that is stored.
    public var hash: CookieHash {
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in SHA256.hash(data: bytes).enumerated() where index < 32 {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        return CookieHash((words[0], words[1], words[2], words[3]))
    }
}

/// The server's own secret, which makes the tokens of forms.
public final class FormSeal: Sendable {
    private let key: SymmetricKey
    /// Tokens of late: every page carries its browser's, and making one takes some microseconds.
    private let known = Mutex<[CookieHash: String]>([:])
    private static let mostKnown = 1_000

    /// A seal with 32 random bytes that are kept from start to start. It has a key of its own made of them: what is made
    /// for one purpose says nothing about another's.
    public init(key: [UInt8]) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array("breadly forms".utf8),
            outputByteCount: 32
        )
    }

    /// The token that a form of this browser carries.
    public func token(for cookie: CookieHash) -> String {
        if let token = known.withLock({ $0[cookie] }) { return token }
        let token = Hex.encode(HMAC<SHA256>.authenticationCode(for: cookie.bytes, using: key).prefix(16))
        known.withLock { known in
            if known.count >= Self.mostKnown { known = [:] }
            known[cookie] = token
        }
        return token
    }

    /// Whether a form's token is this browser's. It takes the same time wherever they differ.
    public func accepts(_ token: String, for cookie: CookieHash) -> Bool {
        isEqualInConstantTime(token.utf8, self.token(for: cookie).utf8)
    }
}
