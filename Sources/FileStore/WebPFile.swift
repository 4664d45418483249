// The chunks of a WebP file (RFC 9649, section 2.3).

/// The chunks of a WebP file.
struct WebPFile {
    struct Chunk: Hashable {
        var name: String
        /// The place of the name.
        var start: Int
        var content: Range<Int>
    }

    private(set) var chunks: [Chunk] = []
    /// The place behind the picture; nil if the file ends before it, or has more chunks than are read.
    private(set) var end: Int?

    /// The greatest number of chunks. A moving picture has one for each of its frames.
    private static let mostChunks = 10_000

    /// Whether a content begins as a WebP file.
    static func isBegun(by content: some ByteSource) -> Bool {
        content.has("RIFF", at: 0) && content.has("WEBP", at: 8)
    }

    /// - Returns: nil if the content is no WebP file.
    init?(_ content: some ByteSource) {
        guard Self.isBegun(by: content), let size = content.littleNumber(at: 4, bytes: 4) else { return nil }
        let last = 8 + size
        var offset = 12
        while offset + 8 <= last {
            let head = content.bytes(at: offset, count: 8)
            guard chunks.count < Self.mostChunks, head.count == 8,
                let length = head.littleNumber(at: 4, bytes: 4)
            else { return }
            let body = offset + 8..<offset + 8 + length
            guard body.upperBound <= min(last, content.size) else { return }
            chunks.append(
                Chunk(name: String(decoding: head[..<4], as: UTF8.self), start: offset, content: body)
            )
            // A content of an odd length has one more byte behind it, which some programs leave out at the end.
            offset = body.upperBound + length & 1
        }
        end = max(last, offset)
    }

    /// The dimensions that the first chunk declares. It tells which of the three forms the file has.
    static func dimensions(in content: some ByteSource) -> (Int, Int)? {
        func little(_ offset: Int, _ count: Int) -> Int? { content.littleNumber(at: offset, bytes: count) }
        if content.has("VP8X", at: 12) {
            guard let width = little(24, 3), let height = little(27, 3) else { return nil }
            return (width + 1, height + 1)
        }
        if content.has("VP8L", at: 12) {
            guard content.bytes(at: 20, count: 1) == [0x2F], let bits = little(21, 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard content.has("VP8 ", at: 12), content.bytes(at: 23, count: 3) == [0x9D, 0x01, 0x2A],
            let width = little(26, 2), let height = little(28, 2)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }
}
