// Deflate (RFC 1951) without a header, and CRC-32: the parts of a zip file.

import CZlib

/// Decompresses deflated bytes without the header and the checksum of gzip.
public enum Deflate {
    /// Decompresses a buffer.
    /// - Parameter most: the limit of the result, in bytes.
    /// - Throws: `Gzip.Failure`; bytes behind the end of the stream are `malformed`.
    public static func inflate(_ bytes: [UInt8], upTo most: Int) throws(Gzip.Failure) -> [UInt8] {
        try Gzip.inflate(bytes, windowBits: -15, upTo: most)
    }

    /// The CRC-32 of the bytes, as gzip and zip store it.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        // zlib reads `count` bytes; the buffer is valid during the call.
        bytes.withUnsafeBufferPointer { breadly_crc32(0, $0.baseAddress, UInt($0.count)) }
    }

    /// The CRC-32 of bytes that follow others.
    /// - Parameter before: the checksum of the other bytes; 0 if there are none.
    public static func checksum(_ bytes: UnsafeRawBufferPointer, after before: UInt32) -> UInt32 {
        // As above. zlib reads an empty buffer, which may have no address, as a question for its initial value, 0.
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return before }
        return breadly_crc32(before, start, UInt(bytes.count))
    }
}
