// The boxes of a file of the ISO base media format (ISO/IEC 14496-12, section 4.2), such as HEIC.

/// The boxes of a file, or of the content of a box.
struct BoxFile {
    struct Box: Hashable {
        /// Each of the four bytes is a letter.
        var name: String
        var start: Int
        /// The content without size and name.
        var content: Range<Int>
    }

    private(set) var boxes: [Box] = []
    /// The place behind the last box. Bytes behind it are no box.
    private(set) var end: Int

    /// - Parameter most: the greatest number of boxes that are read.
    init(in range: Range<Int>, of content: some ByteSource, most: Int = 1_000) {
        end = range.lowerBound
        while boxes.count < most, let box = Self.box(at: end, in: range, of: content) {
            boxes.append(box)
            end = box.content.upperBound
        }
    }

    /// The content of the first box of a name.
    subscript(name: String) -> Range<Int>? { boxes.first { $0.name == name }?.content }

    /// The boxes of a content that has a version and flags before them.
    static func afterVersion(_ range: Range<Int>, of content: some ByteSource) -> BoxFile {
        BoxFile(in: min(range.lowerBound + 4, range.upperBound)..<range.upperBound, of: content)
    }

    private static func box(at start: Int, in range: Range<Int>, of content: some ByteSource) -> Box? {
        guard start + 8 <= range.upperBound else { return nil }
        let head = content.bytes(at: start, count: 16)
        guard var size = head.number(at: 0, bytes: 4), head.count >= 8 else { return nil }
        var header = 8
        if size == 1 {
            // No file has 4 GB.
            guard head.number(at: 8, bytes: 4) == 0, let low = head.number(at: 12, bytes: 4) else {
                return nil
            }
            (size, header) = (low, 16)
        }
        let end = size == 0 ? range.upperBound : start + size
        guard end >= start + header, end <= range.upperBound else { return nil }
        let name = String(String.UnicodeScalarView(head[4..<8].map { Unicode.Scalar($0) }))
        return Box(name: name, start: start, content: start + header..<end)
    }
}
