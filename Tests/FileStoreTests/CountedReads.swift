// A content that says how often it was read.

@testable import FileStore

/// Counts how often it is read.
final class CountedReads: ByteSource {
    private let content: [UInt8]
    private(set) var reads = 0

    init(_ content: [UInt8]) { self.content = content }

    var size: Int { content.count }

    func bytes(at offset: Int, count: Int) -> [UInt8] {
        reads += 1
        return content.bytes(at: offset, count: count)
    }
}
