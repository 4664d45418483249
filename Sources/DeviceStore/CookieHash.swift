// The hash of a cookie, which is its only stored form.
import Foundation
import GRDB

/// The SHA-256 of a device's cookie: 32 bytes.
public struct CookieHash: Hashable, Sendable {
    /// Exactly 32 bytes.
    public let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The hash for a digest of 32 bytes, given as four words.
    public init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        bytes = [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) }
        }
    }
}

extension CookieHash {
    var column: DatabaseValue { Data(bytes).databaseValue }
}
