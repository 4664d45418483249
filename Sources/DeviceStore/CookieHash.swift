// The hash of a cookie: the only part of it that is stored.
import Foundation
import GRDB

/// The SHA-256 of a device's cookie: 32 bytes.
public struct CookieHash: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Nil for anything but 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The hash that a digest of 32 bytes amounts to, given as four words.
    public init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        bytes = [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) }
        }
    }
}

extension CookieHash {
    var column: DatabaseValue { Data(bytes).databaseValue }
}
