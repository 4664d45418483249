// Gzip (RFC 1952), by zlib: what is sent takes fewer bytes, and what comes never more memory than it may.

import CZlib

/// Compresses and inflates in one go.
public enum Gzip {
    /// The bytes as gzip; empty where zlib had no memory.
    /// - Parameter level: 1 for speed, 9 for size.
    public static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        let capacity = Int(breadly_gzip_bound(UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { source in
            // zlib writes at most `capacity` bytes and says how many; both buffers live through the call.
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

    /// Why bytes were not inflated.
    public enum Failure: Error, Hashable, Sendable {
        /// They are no gzip, or were cut off.
        case malformed
        /// They would become more than is taken: nothing beyond that was made of them.
        case tooLong
    }

    /// What was compressed.
    /// - Parameter most: how many bytes it may become.
    /// - Throws: `Failure`.
    public static func inflate(_ bytes: [UInt8], upTo most: Int) throws(Failure) -> [UInt8] {
        var status: Int32 = 0
        let inflated = bytes.withUnsafeBufferPointer { source in
            // One byte more than is taken tells that there would be more. zlib writes at most so many, and says how many.
            [UInt8](unsafeUninitializedCapacity: most + 1) { target, count in
                count = Int(
                    breadly_gunzip(
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
