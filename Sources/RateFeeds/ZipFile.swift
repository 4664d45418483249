// Reads a zip file with exactly one file (APPNOTE 6.3.10): stored or deflated, without encryption, zip64 or
// parts.
//
// The sizes come from the central directory and are checked before anything is unpacked. Names are skipped:
// the content is returned in memory, and no path is ever used.

import Compression

/// The content of a zip file.
enum ZipFile {
    private static let localSignature: UInt32 = 0x0403_4B50
    private static let centralSignature: UInt32 = 0x0201_4B50
    private static let endSignature: UInt32 = 0x0605_4B50
    private static let localSize = 30
    private static let centralSize = 46
    private static let endSize = 22
    /// Encryption (bits 0, 6 and 13) and patches (bit 5).
    private static let refusedFlags: UInt16 = 0x2061
    /// The sizes are behind the content (bit 3), and in the central directory as always.
    private static let sizesFollow: UInt16 = 0x0008

    /// Whether the bytes begin as a zip file, also as one without files.
    static func isZip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// Unpacks the only file.
    /// - Parameters:
    ///   - most: the greatest size of the content, in bytes.
    ///   - ratio: the greatest ratio of the content to its packed size.
    static func onlyContent(of bytes: [UInt8], upTo most: Int, ratio: Int) throws(RateFileError) -> [UInt8] {
        let entry = try onlyEntry(of: bytes)
        // The ratio limits the memory that a short file can claim.
        guard entry.size <= most, entry.size / max(1, ratio) <= entry.packed.count else {
            throw RateFileError(.tooLarge)
        }
        let content: [UInt8]
        switch entry.method {
        case 0: content = Array(entry.packed)
        case 8:
            do {
                content = try Deflate.inflate(Array(entry.packed), upTo: entry.size)
            } catch {
                throw RateFileError(.damagedZip)
            }
        default: throw RateFileError(.unsupportedZip)
        }
        guard content.count == entry.size, Deflate.checksum(content) == entry.checksum else {
            throw RateFileError(.damagedZip)
        }
        return content
    }

    /// One file as the central directory describes it.
    private struct Entry {
        var method: UInt16
        var checksum: UInt32
        /// The size of the content.
        var size: Int
        var packed: ArraySlice<UInt8>
    }

    private static func onlyEntry(of bytes: [UInt8]) throws(RateFileError) -> Entry {
        let end = try endOfDirectory(of: bytes)
        // Numbers of disks; entries on this disk and in total; size and offset of the directory.
        let count = try bytes.littleEndian16(at: end + 10)
        guard try bytes.littleEndian32(at: end + 4) == 0, try bytes.littleEndian16(at: end + 8) == count
        else { throw RateFileError(.unsupportedZip) }
        guard count == 1 else { throw RateFileError(.fileCount(Int(count))) }
        let length = try Int(bytes.littleEndian32(at: end + 12))
        let central = try Int(bytes.littleEndian32(at: end + 16))
        // Name, extra field and comment follow the header of the file in the directory.
        var expected = centralSize
        for field in [28, 30, 32] { expected += try Int(bytes.littleEndian16(at: central + field)) }
        guard central + length == end,
            try bytes.littleEndian32(at: central) == centralSignature,
            length == expected
        else { throw RateFileError(.damagedZip) }

        let flags = try bytes.littleEndian16(at: central + 8)
        let packedSize = try bytes.littleEndian32(at: central + 20)
        let size = try bytes.littleEndian32(at: central + 24)
        // The greatest numbers refer to the fields of zip64.
        guard flags & refusedFlags == 0, packedSize != .max, size != .max else {
            throw RateFileError(.unsupportedZip)
        }
        let start = try startOfContent(of: bytes, before: central)
        guard start + Int(packedSize) <= central else { throw RateFileError(.damagedZip) }
        // A description of 12 or 16 bytes may be behind the content, and nothing else.
        let gap = central - start - Int(packedSize)
        guard gap == 0 || (flags & sizesFollow != 0 && [12, 16].contains(gap)) else {
            throw RateFileError(.damagedZip)
        }
        return Entry(
            method: try bytes.littleEndian16(at: central + 10),
            checksum: try bytes.littleEndian32(at: central + 16),
            size: Int(size),
            packed: bytes[start..<start + Int(packedSize)]
        )
    }

    /// The offset of the record at the end, which a comment of up to 65,535 bytes may follow.
    private static func endOfDirectory(of bytes: [UInt8]) throws(RateFileError) -> Int {
        var offset = bytes.count - endSize
        while offset >= max(0, bytes.count - endSize - Int(UInt16.max)) {
            if try bytes.littleEndian32(at: offset) == endSignature,
                try offset + endSize + Int(bytes.littleEndian16(at: offset + 20)) == bytes.count
            {
                return offset
            }
            offset -= 1
        }
        throw RateFileError(.truncated)
    }

    /// The offset behind the header of the file, which is at the beginning.
    private static func startOfContent(of bytes: [UInt8], before central: Int) throws(RateFileError) -> Int {
        guard try bytes.littleEndian32(at: 0) == localSignature,
            try bytes.littleEndian32(at: central + 42) == 0,
            try bytes.littleEndian16(at: 8) == bytes.littleEndian16(at: central + 10),
            try bytes.littleEndian16(at: 6) == bytes.littleEndian16(at: central + 8)
        else { throw RateFileError(.damagedZip) }
        return try localSize + Int(bytes.littleEndian16(at: 26)) + Int(bytes.littleEndian16(at: 28))
    }
}

extension [UInt8] {
    /// Two bytes as a number, the lowest first.
    fileprivate func littleEndian16(at offset: Int) throws(RateFileError) -> UInt16 {
        guard offset >= 0, offset + 2 <= count else { throw RateFileError(.damagedZip) }
        return UInt16(self[offset + 1]) << 8 | UInt16(self[offset])
    }

    /// Four bytes as a number, the lowest first.
    fileprivate func littleEndian32(at offset: Int) throws(RateFileError) -> UInt32 {
        let low = UInt32(try littleEndian16(at: offset))
        let high = UInt32(try littleEndian16(at: offset + 2))
        return high << 16 | low
    }
}
