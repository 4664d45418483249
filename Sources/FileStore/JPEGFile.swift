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
            let head = content.bytes(at: offset, count: 4)
            guard head.count == 4, head[0] == 0xFF else { return nil }
            // Any number of bytes may fill the space before a marker.
            if head[1] == 0xFF {
                offset = Self.lastOfFill(from: offset, in: content)
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            let end = offset + 2 + length
            // Markers without a segment do not come before a scan.
            guard head[1] >= 0xC0, !(0xD0...0xD9).contains(head[1]), length >= 2, end <= content.size else {
                return nil
            }
            if head[1] == 0xDA {
                scans = offset
                return
            }
            segments.append(Segment(marker: head[1], start: offset, content: offset + 4..<end))
            offset = end
        }
        return nil
    }

    /// The place of the last of the bytes 0xFF from an offset on. A hostile file may consist of nothing else.
    private static func lastOfFill(from start: Int, in content: some ByteSource) -> Int {
        var offset = start
        while true {
            let piece = content.bytes(at: offset, count: 1 << 12)
            guard !piece.isEmpty else { return offset }
            if let other = piece.firstIndex(where: { $0 != 0xFF }) { return offset + other - 1 }
            offset += piece.count
        }
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
