// The parts of a JPEG file that may hold the place where a photo was taken.

extension LocationEdits {
    private static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    /// The segments of programs that hold no place: colours, and how a brighter copy is to be shown.
    private static let harmless = ["ICC_PROFILE\0", "urn:iso:std:iso:ts:21496:-1\0"].map { Array($0.utf8) }
    /// The list of the pictures that follow this one.
    private static let pictures = Array("MPF\0".utf8)

    mutating func editJPEG(_ content: some ByteSource) {
        guard let file = JPEGFile(content) else { return leave() }
        if let end = file.end(in: content) { truncate(content, to: end) }
        var hasExif = false
        let hasOneOfPhotoshop = file.segments.count { $0.marker == 0xED } == 1
        // APP0 has the resolution, and APP14 the colours; a comment is the words of a person.
        for segment in file.segments where (0xE1...0xEF).contains(segment.marker) && segment.marker != 0xEE {
            // A segment has 64 KB at most.
            let bytes = content.bytes(at: segment.content.lowerBound, count: segment.content.count)
            switch segment.marker {
            // Browsers compare five bytes, and skip six. A photo has one; programs read the first.
            case 0xE1 where bytes.count >= 6 && bytes.starts(with: Array("Exif\0".utf8)) && !hasExif:
                hasExif = true
                let block = segment.content.lowerBound + 6..<segment.content.upperBound
                if editExif(in: block, of: content) == nil { blank(segment, content) }
            // A packet in several segments may begin within a name in any of them: it goes like all others.
            case 0xE1 where bytes.starts(with: Self.xmp) && !Self.namesPlace(bytes): break
            case 0xE2 where Self.harmless.contains { bytes.starts(with: $0) }: break
            case 0xE2 where length == nil && bytes.starts(with: Self.pictures): break
            // Blocks in several segments may begin anywhere.
            case 0xED where hasOneOfPhotoshop && !PhotoshopBlocks.mayNamePlace(bytes): break
            default: blank(segment, content)
            }
        }
    }

    /// Turns a segment into a comment of zeros.
    private mutating func blank(_ segment: JPEGFile.Segment, _ content: some ByteSource) {
        replace([0xFE], at: segment.start + 1, in: content)
        fill(segment.content, in: content)
    }
}

/// The blocks of a segment of Photoshop, one of which has the captions of the press (IPTC-IIM 4.1).
enum PhotoshopBlocks {
    private static let name = Array("Photoshop 3.0\0".utf8)
    private static let captions = 0x0404
    /// Copies of Exif and XMP.
    private static let copies = 0x0422...0x0424
    /// The data sets of the second record with a place: its code and name, city, part of it, state, and country.
    private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

    /// Whether a place may be in the content of a segment. It may be in one that is not understood.
    static func mayNamePlace(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: name) else { return true }
        var offset = name.count
        while offset < bytes.count {
            guard bytes.has("8BIM", at: offset), let block = bytes.number(at: offset + 4, bytes: 2),
                let letters = bytes.number(at: offset + 6, bytes: 1)
            else { return true }
            // The name and its length have an even number of bytes together.
            let start = offset + 6 + (letters + 2) / 2 * 2
            guard let size = bytes.number(at: start, bytes: 4), start + 4 + size <= bytes.count else {
                return true
            }
            let content = bytes[start + 4..<start + 4 + size]
            if copies.contains(block) || (block == captions && namesPlace(captions: content)) { return true }
            offset = start + 4 + (size + 1) / 2 * 2
        }
        return false
    }

    private static func namesPlace(captions: ArraySlice<UInt8>) -> Bool {
        var rest = captions
        while let mark = rest.first {
            let head = Array(rest.prefix(5))
            // Zeros fill the end. Lengths of more than two bytes are for whole pictures.
            guard mark == 0x1C, head.count == 5, head[3] < 0x80 else { return rest.contains { $0 != 0 } }
            if head[1] == 2, places.contains(head[2]) { return true }
            rest = rest.dropFirst(5 + Int(head[3]) << 8 + Int(head[4]))
        }
        return false
    }
}
