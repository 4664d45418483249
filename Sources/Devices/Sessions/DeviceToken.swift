// The secret that identifies a browser's device, and the values derived from it.

import Crypto
public import DeviceStore
import Encoding
import Synchronization

/// 256 random bits that a browser keeps in its cookie. The server stores only their hash.
public struct DeviceToken: Hashable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter generator: the source of the 256 random bits.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<4).flatMap { _ in
            let word = UInt64.random(in: .min ... .max, using: &generator)
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }

    /// Decodes a cookie's value: 64 hexadecimal digits in lower case; nil for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 64, let bytes = Hex.decode(text) else { return nil }
        self.bytes = bytes
    }

    /// The cookie's value.
    public var text: String { Hex.encode(bytes) }

    /// The SHA-256, which is the only stored form.
    public var hash: CookieHash {
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in SHA256.hash(data: bytes).enumerated() where index < 32 {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        return CookieHash((words[0], words[1], words[2], words[3]))
    }
}

extension DeviceToken {
    /// Eight hexadecimal digits for the names of cookies, which differ between servers and reveal nothing about the key.
    /// - Parameter key: the server's 32 random bytes.
    static func mark(of key: [UInt8]) -> String {
        let info = Array("breadly cookie names".utf8)
        let material = SymmetricKey(data: key)
        return HKDF<SHA256>.deriveKey(inputKeyMaterial: material, info: info, outputByteCount: 4)
            .withUnsafeBytes { Hex.encode($0) }
    }
}

/// The server's secret that signs the tokens of forms. A token is an authentication code alone: it has no
/// content to decode.
public final class FormSeal: Sendable {
    private let key: SymmetricKey
    /// Recent tokens: every page contains its browser's, and computing one takes some microseconds.
    private let known = Mutex<[CookieHash: String]>([:])
    private static let mostKnown = 1_000

    /// A signer with the server's 32 random bytes. It derives a key of its own, so that tokens of one purpose
    /// reveal nothing about tokens of another purpose.
    public init(key: [UInt8]) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array("breadly forms".utf8),
            outputByteCount: 32
        )
    }

    /// The token for the forms of this browser.
    public func token(for cookie: CookieHash) -> String {
        if let token = known.withLock({ $0[cookie] }) { return token }
        let token = Hex.encode(HMAC<SHA256>.authenticationCode(for: cookie.bytes, using: key).prefix(16))
        known.withLock { known in
            if known.count >= Self.mostKnown { known = [:] }
            known[cookie] = token
        }
        return token
    }

    /// Whether the token of a form belongs to this browser. The comparison takes constant time.
    public func accepts(_ token: String, for cookie: CookieHash) -> Bool {
        isEqualInConstantTime(token.utf8, self.token(for: cookie).utf8)
    }
}
