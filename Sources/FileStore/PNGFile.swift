// The chunks of a PNG file (RFC 2083, section 3).

/// The chunks of a PNG file.
struct PNGFile {
    struct Chunk: Hashable {
        /// Four letters, whose cases say how a program may treat the chunk.
        var name: String
        /// The place of the name.
        var start: Int
        /// The checksum is behind it.
        var content: Range<Int>
    }

    private(set) var chunks: [Chunk] = []
    /// The place behind the last chunk, IEND; nil if the file has no end, or more chunks than are read.
    private(set) var end: Int?

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The greatest number of chunks. Many programs write a large picture in chunks of 8 KB.
    private static let mostChunks = 10_000

    /// Whether a content begins as a PNG file.
    static func isBegun(by content: some ByteSource) -> Bool {
        content.bytes(at: 0, count: signature.count) == signature
    }

    /// - Returns: nil if the content is no PNG file.
    init?(_ content: some ByteSource) {
        guard Self.isBegun(by: content) else { return nil }
        var offset = Self.signature.count
        while end == nil, chunks.count < Self.mostChunks {
            let head = content.bytes(at: offset, count: 8)
            guard head.count == 8, let length = head.number(at: 0, bytes: 4) else { return }
            let body = offset + 8..<offset + 8 + length
            guard body.upperBound + 4 <= content.size else { return }
            let name = String(decoding: head[4...], as: UTF8.self)
            chunks.append(Chunk(name: name, start: offset + 4, content: body))
            offset = body.upperBound + 4
            if name == "IEND" { end = offset }
        }
    }

    /// The dimensions that the first chunk declares.
    static func dimensions(in content: some ByteSource) -> (Int, Int)? {
        guard content.has("IHDR", at: 12), let width = content.number(at: 16, bytes: 4),
            let height = content.number(at: 20, bytes: 4)
        else { return nil }
        return (width, height)
    }
}
