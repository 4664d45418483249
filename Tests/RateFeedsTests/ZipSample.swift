// Zip files made by hand, so that each of their fields can be wrong.
import Compression

/// One file of a zip file.
struct ZipSample {
    var name = "eurofxref.csv"
    var content: [UInt8]
    /// Deflated unless the method is 0.
    var method: UInt16 = 8
    var flags: UInt16 = 0
    /// The fields that the directory has instead of the right ones.
    var checksum: UInt32?
    var size: UInt32?
    var packedSize: UInt32?
    /// Bytes between the content and the directory.
    var behind: [UInt8] = []

    init(_ content: [UInt8]) { self.content = content }

    /// A zip file of these files.
    static func zip(_ files: [ZipSample], comment: String = "") -> [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let packed = file.packed
            // Method, time, date, checksum, both sizes, lengths of the name and of the extra field.
            var fields = little16(file.method)
            fields += [0, 0, 0, 0]
            fields += little32(file.checksum ?? Deflate.checksum(file.content))
            fields += little32(file.packedSize ?? UInt32(packed.count))
            fields += little32(file.size ?? UInt32(file.content.count))
            fields += little16(UInt16(file.name.utf8.count))
            fields += [0, 0]
            let start = UInt32(bytes.count)
            bytes += little32(0x0403_4B50)
            bytes += [20, 0]
            bytes += little16(file.flags)
            bytes += fields
            bytes += file.name.utf8
            bytes += packed
            bytes += file.behind
            directory += little32(0x0201_4B50)
            directory += [20, 0, 20, 0]
            directory += little16(file.flags)
            directory += fields
            // The length of the comment, the disk, attributes, and the offset.
            directory += [UInt8](repeating: 0, count: 10)
            directory += little32(start)
            directory += file.name.utf8
        }
        let (length, offset) = (UInt32(directory.count), UInt32(bytes.count))
        bytes += directory
        bytes += little32(0x0605_4B50)
        bytes += [0, 0, 0, 0]
        // Files on this disk, and in total.
        bytes += little16(UInt16(files.count))
        bytes += little16(UInt16(files.count))
        bytes += little32(length)
        bytes += little32(offset)
        bytes += little16(UInt16(comment.utf8.count))
        bytes += comment.utf8
        return bytes
    }

    /// A zip file of this file alone.
    var zip: [UInt8] { Self.zip([self]) }

    /// A gzip stream is deflated bytes between ten bytes of header and eight of trailer.
    private var packed: [UInt8] {
        method == 0 ? content : Array(Gzip.compress(content, level: 9).dropFirst(10).dropLast(8))
    }

    private static func little16(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

    private static func little32(_ number: UInt32) -> [UInt8] {
        little16(UInt16(number & 0xFFFF)) + little16(UInt16(number >> 16))
    }
}
