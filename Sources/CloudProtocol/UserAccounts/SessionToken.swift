// The token of a session.

import Encoding

/// Proves a device's session to the cloud. The token is opaque, and the cloud stores only its hash.
public struct SessionToken: Hashable, Sendable {
    /// 64 hexadecimal digits in lower case.
    public let text: String

    /// A random token of 256 bits.
    public init(using generator: inout some RandomNumberGenerator) {
        text = Hex.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Nil for anything but 64 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, Hex.decode(text) != nil else { return nil }
        self.text = text
    }
}
