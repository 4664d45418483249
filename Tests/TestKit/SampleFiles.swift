// Small files of each type, made byte by byte.

/// Small files of each type.
public enum SampleFiles {
    /// A number, the most significant byte first.
    public static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// A number, the least significant byte first.
    public static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    /// A segment of a JPEG file.
    public static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2, 2) + content
    }

    /// A JPEG file with the segments of a camera.
    public static func jpeg(width: Int = 64, height: Int = 48, segments: [[UInt8]] = [], after: [UInt8] = [])
        -> [UInt8]
    {
        let frame = segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
        let scan =
            segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9]
        return [0xFF, 0xD8] + segments.flatMap { $0 } + frame + scan + after
    }

    /// A chunk of a PNG file with its checksum.
    public static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let bytes = Array(name.utf8) + content
        return big(content.count, 4) + bytes + big(Int(checksum(bytes)), 4)
    }

    /// The CRC-32 of bytes (RFC 2083, section 15), bit by bit.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    /// A PNG file.
    /// - Parameter chunks: whole chunks before the picture.
    public static func png(
        width: Int = 10,
        height: Int = 20,
        chunks: [[UInt8]] = [],
        after: [UInt8] = []
    ) -> [UInt8] {
        let header = chunk("IHDR", big(width, 4) + big(height, 4) + [8, 6, 0, 0, 0])
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunks.flatMap { $0 }
            + chunk("IDAT", [1, 2, 3]) + chunk("IEND", []) + after
    }

    /// A WebP file with one chunk of a form.
    public static func webP(_ form: String, _ content: [UInt8]) -> [UInt8] {
        webP(chunks: [(form, content)])
    }

    /// A WebP file.
    public static func webP(chunks: [(name: String, content: [UInt8])], after: [UInt8] = []) -> [UInt8] {
        var bytes = Array("WEBP".utf8)
        for (name, content) in chunks {
            bytes += Array(name.utf8) + little(content.count, 4) + content
            if !content.count.isMultiple(of: 2) { bytes.append(0) }
        }
        return Array("RIFF".utf8) + little(bytes.count, 4) + bytes + after
    }

    /// A WebP file of 300 × 200 pixels with the chunks of a camera, which its flags name.
    public static func webP(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, after: [UInt8] = []) -> [UInt8] {
        let flags: UInt8 = (exif == nil ? 0 : 8) | (xmp == nil ? 0 : 4)
        let form = [flags, 0, 0, 0] + little(299, 3) + little(199, 3)
        var chunks: [(String, [UInt8])] = [("VP8X", form), ("VP8L", [0x2F, 1, 2, 3, 4])]
        if let exif { chunks.append(("EXIF", exif)) }
        if let xmp { chunks.append(("XMP ", xmp)) }
        return webP(chunks: chunks, after: after)
    }

    /// A PDF file.
    public static let pdf = Array("%PDF-1.7\n1 0 obj\n%%EOF\n".utf8)
}
