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

    /// The coordinates that stand in `exif`.
    public static let latitude: [UInt8] = [
        52, 0, 0, 0, 1, 0, 0, 0, 31, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0,
    ]

    /// An Exif segment with a maker, a location, and a second directory.
    public static func exif(isLittle: Bool = true, hasLocation: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isLittle ? little(value, count) : big(value, count)
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
        }
        let entries = hasLocation ? 3 : 2
        // 8: the first directory; then the second one, the location, and the values.
        let second = 8 + 2 + entries * 12 + 4
        let gps = second + 2 + 12 + 4
        let values = gps + 2 + 24 + 4
        var bytes = (isLittle ? Array("II".utf8) : Array("MM".utf8)) + number(42, 2) + number(8, 4)
        bytes += number(entries, 2) + entry(0x010F, 2, 8, values + 24)
        if hasLocation { bytes += entry(0x8825, 4, 1, gps) }
        bytes += entry(0x9003, 2, 4, 0) + number(second, 4)
        bytes += number(1, 2) + entry(0x0112, 3, 1, 1) + number(0, 4)
        bytes += number(2, 2) + entry(1, 2, 2, 0x4E) + entry(2, 5, 3, values) + number(0, 4)
        return segment(0xE1, Array("Exif\0\0".utf8) + bytes + latitude + Array("Camera\0\0".utf8))
    }

    /// The beginning of a PNG file.
    public static func png(width: Int = 10, height: Int = 20) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8) + big(width, 4)
            + big(height, 4) + [8, 6, 0, 0, 0] + big(0, 4)
    }

    /// A WebP file with one chunk of a form.
    public static func webP(_ form: String, _ content: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(12 + content.count, 4) + Array("WEBP\(form)".utf8)
            + little(content.count, 4) + content
    }

    /// A box of a HEIC file.
    public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// A HEIC file with a small picture before the large one.
    /// - Parameter others: the compatible brands, four characters each.
    public static func heic(
        width: Int = 4_032,
        height: Int = 3_024,
        brand: String = "heic",
        others: String = "mif1heic"
    ) -> [UInt8] {
        func size(_ width: Int, _ height: Int) -> [UInt8] {
            box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
        }
        let list = box("ipco", box("hvcC", [1, 2, 3]) + size(512, 512) + size(width, height))
        return box("ftyp", Array(brand.utf8) + big(0, 4) + Array(others.utf8))
            + box("meta", big(0, 4) + box("hdlr", [0]) + box("iprp", list)) + box("mdat", [0, 0, 0])
    }

    /// A PDF file.
    public static let pdf = Array("%PDF-1.7\n1 0 obj\n%%EOF\n".utf8)
}
