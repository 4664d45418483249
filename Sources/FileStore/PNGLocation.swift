// The parts of a PNG file that may hold the place where a photo was taken.

import Compression

extension LocationEdits {
    /// A chunk that programs pass over, of no standard, which may be copied without being understood.
    private static let blank = "blNk"
    /// The chunks that a program may pass over and that hold no place: colours, sizes, times and moving pictures.
    private static let harmless: Set<String> = [
        "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "bKGD",
        "hIST",
        "pHYs", "sPLT", "tIME", "acTL", "fcTL", "fdAT", "oFFs", "pCAL", "sCAL", "sTER", blank,
    ]

    mutating func editPNG(_ content: some ByteSource) {
        guard let file = PNGFile(content) else { return leave() }
        if let end = file.end { truncate(content, to: end) } else { leave() }
        var hasExif = false
        for chunk in file.chunks {
            // A chunk with a capital is part of the picture.
            guard chunk.name.utf8.first.map({ $0 & 0x20 != 0 }) == true else { continue }
            switch chunk.name {
            case "eXIf" where !hasExif:
                hasExif = true
                editExif(chunk, content)
            case "tEXt", "zTXt", "iTXt":
                if Self.textMayNamePlace(chunk, content) { blank(chunk, content) }
            case let name where Self.harmless.contains(name): break
            default: blank(chunk, content)
            }
        }
    }

    private mutating func editExif(_ chunk: PNGFile.Chunk, _ content: some ByteSource) {
        let block = Self.withoutExifName(chunk.content, in: content)
        guard let bytes = editExif(in: block, of: content) else {
            return blank(chunk, content)
        }
        let before = content.bytes(
            at: chunk.content.lowerBound,
            count: block.lowerBound - chunk.content.lowerBound
        )
        let sum = Self.checksum(chunk.name, before + bytes, zeros: block.count - bytes.count)
        replace(sum, at: chunk.content.upperBound, in: content)
    }

    /// Whether a text may name the place. The words of a person stay.
    private static func textMayNamePlace(_ chunk: PNGFile.Chunk, _ content: some ByteSource) -> Bool {
        // A keyword has 79 letters at most.
        let head = content.bytes(at: chunk.content.lowerBound, count: min(80, chunk.content.count))
        guard let end = head.firstIndex(of: 0) else { return true }
        let keyword = String(decoding: head[..<end], as: UTF8.self)
        if keyword == "XML:com.adobe.xmp" {
            // Packets are not compressed by the standard, so that others go unread.
            let isPlain = chunk.name == "iTXt" && end + 1 < head.count && head[end + 1] == 0
            return !isPlain || namesPlace(in: chunk.content, of: content)
        }
        // ImageMagick's copies of the segments of a JPEG file.
        let profile = "Raw profile type "
        if keyword.hasPrefix(profile) {
            return !["icc", "icm"].contains(keyword.dropFirst(profile.count).lowercased())
        }
        return namesPlace(head[..<end])
    }

    /// Turns a chunk into one of zeros without a meaning.
    private mutating func blank(_ chunk: PNGFile.Chunk, _ content: some ByteSource) {
        replace(Array(Self.blank.utf8), at: chunk.start, in: content)
        fill(chunk.content, in: content)
        let sum = Self.checksum(Self.blank, [], zeros: chunk.content.count)
        replace(sum, at: chunk.content.upperBound, in: content)
    }

    /// The checksum of a chunk that ends with zeros.
    private static func checksum(_ name: String, _ bytes: [UInt8], zeros: Int) -> [UInt8] {
        let piece = [UInt8](repeating: 0, count: 1 << 16)
        var sum = Deflate.checksum(Array(name.utf8) + bytes)
        var left = zeros
        while left > 0 {
            sum = piece.prefix(left).withUnsafeBytes { Deflate.checksum($0, after: sum) }
            left -= piece.count
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
