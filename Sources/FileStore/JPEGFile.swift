// The segments of a JPEG file (ITU T.81, annex B) before its first scan, and the end of the picture.

/// The segments of a JPEG file up to its first scan.
struct JPEGFile {
    struct Segment: Hashable {
        /// The second byte of the marker.
        var marker: UInt8
        /// The place of the marker.
        var start: Int
        /// The content without marker and length.
        var content: Range<Int>
    }

    private(set) var segments: [Segment] = []
    /// The place of the first scan.
    private let scans: Int

    /// The greatest number of segments. A picture has a dozen, one with a large colour profile some more.
    private static let mostSegments = 1_000

    /// - Returns: nil if the content is no JPEG file.
    init?(_ content: some ByteSource) {
        guard content.bytes(at: 0, count: 2) == [0xFF, 0xD8] else { return nil }
        var offset = 2
        while segments.count < Self.mostSegments {
            guard let start = Self.nextMarker(from: offset, in: content) else { return nil }
            let head = content.bytes(at: start, count: 4)
            guard head.count == 4 else { return nil }
            let length = Int(head[2]) << 8 | Int(head[3])
            let end = start + 2 + length
            // A picture neither begins nor ends before its scan.
            guard head[1] >= 0xC0, ![0xD8, 0xD9].contains(head[1]), length >= 2, end <= content.size else {
                return nil
            }
            if head[1] == 0xDA {
                scans = start
                return
            }
            segments.append(Segment(marker: head[1], start: start, content: start + 4..<end))
            offset = end
        }
        return nil
    }

    /// The place of the next marker that has a segment. As in libjpeg, any number of bytes 0xFF may stand before it, and
    /// stray bytes and markers without a segment are passed over: a hostile file may consist of nothing else.
    private static func nextMarker(from start: Int, in content: some ByteSource) -> Int? {
        var offset = start
        // Nearly always the marker is right there.
        var count = 4
        while true {
            let piece = content.bytes(at: offset, count: count)
            guard piece.count > 1 else { return nil }
            let found = piece.indices.dropLast().first { piece[$0] == 0xFF && hasSegment(piece[$0 + 1]) }
            if let found { return offset + found }
            // The last byte may be the first half of a marker.
            offset += piece.count - 1
            count = min(count * 16, 1 << 16)
        }
    }

    /// Whether a second byte after 0xFF is that of a marker with a segment: not of fill, of a zero, of TEM or of a restart.
    private static func hasSegment(_ byte: UInt8) -> Bool {
        byte > 0x01 && byte < 0xFF && !(0xD0...0xD7).contains(byte)
    }

    /// The dimensions that the frame declares.
    func dimensions(in content: some ByteSource) -> (Int, Int)? {
        let frame = segments.first { segment in
            // The others in this range are tables and not frames.
            (0xC0...0xCF).contains(segment.marker) && ![0xC4, 0xC8, 0xCC].contains(segment.marker)
        }
        guard let frame, frame.content.count >= 6,
            let height = content.number(at: frame.content.lowerBound + 1, bytes: 2),
            let width = content.number(at: frame.content.lowerBound + 3, bytes: 2)
        else { return nil }
        return (width, height)
    }

    /// The place behind the end marker of the picture; nil if it has none.
    func end(in content: some ByteSource) -> Int? {
        var offset = scans
        while true {
            let piece = content.bytes(at: offset, count: 1 << 16)
            guard piece.count > 1 else { return nil }
            var index = 0
            while let mark = piece[index...].firstIndex(of: 0xFF), mark + 1 < piece.count {
                if piece[mark + 1] == 0xD9 { return offset + mark + 2 }
                index = mark + 1
            }
            // The last byte may be the first half of a marker.
            offset += piece.count - 1
        }
    }
}
