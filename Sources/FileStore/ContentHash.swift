// The SHA-256 of a file's content, by which the file is found.

import Crypto

/// The SHA-256 of a content, in 64 hexadecimal digits of lower case. It is safe as the name of a file.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    public let description: String

    /// Parses 64 digits in lower case; nil for any other text, which another device may have sent.
    public init?(_ text: String) {
        let isHash =
            text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isHash else { return nil }
        description = text
    }

    /// The hash of bytes in memory.
    public init(of bytes: [UInt8]) { self.init(SHA256.hash(data: bytes)) }

    init(_ digest: SHA256.Digest) {
        let digits = Array("0123456789abcdef".utf8)
        description = String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
