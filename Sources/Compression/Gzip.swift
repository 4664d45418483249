// Gzip (RFC 1952) with zlib: saves bandwidth, and limits the memory for decompressed data.

import CZlib

/// Compresses and decompresses whole buffers.
public enum Gzip {
    /// The bytes as gzip; empty if zlib had no memory.
    /// - Parameter level: 1 for speed, 9 for size.
    public static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        let capacity = Int(breadly_gzip_bound(UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { source in
            // zlib writes at most `capacity` bytes and returns the number; both buffers are valid during the
            // call.
            [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
                count = Int(
                    breadly_gzip(
                        source.baseAddress,
                        UInt(source.count),
                        target.baseAddress,
                        UInt(capacity),
                        level
                    )
                )
            }
        }
    }

    /// The reason why bytes were not decompressed.
    public enum Failure: Error, Hashable, Sendable {
        /// The bytes are not gzip, or incomplete.
        case malformed
        /// The result would exceed the limit; decompression stopped there.
        case tooLong
    }

    /// Decompresses a buffer.
    /// - Parameter most: the limit of the result, in bytes.
    /// - Throws: `Failure`.
    public static func inflate(_ bytes: [UInt8], upTo most: Int) throws(Failure) -> [UInt8] {
        try Self.inflate(bytes, windowBits: 15 + 16, upTo: most)
    }

    /// - Parameter windowBits: selects the format, as in `inflateInit2` of zlib.
    static func inflate(_ bytes: [UInt8], windowBits: Int32, upTo most: Int) throws(Failure) -> [UInt8] {
        var status: Int32 = 0
        let inflated = bytes.withUnsafeBufferPointer { source in
            // One byte beyond the limit tells whether the result is longer. zlib writes at most that many
            // bytes, and returns the number.
            [UInt8](unsafeUninitializedCapacity: most + 1) { target, count in
                count = Int(
                    breadly_inflate(
                        windowBits,
                        source.baseAddress,
                        UInt(source.count),
                        target.baseAddress,
                        UInt(most + 1),
                        &status
                    )
                )
            }
        }
        if inflated.count > most { throw .tooLong }
        guard status == 1 else { throw .malformed }
        return inflated
    }
}
