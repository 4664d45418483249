// Bytes that are read in pieces, from a file or from memory.

/// Bytes that are read in pieces, so that a large file is never in memory as a whole.
public protocol ByteSource {
    /// The number of bytes.
    var size: Int { get }
    /// The bytes from an offset on: fewer than `count` at the end, none beyond it.
    func bytes(at offset: Int, count: Int) -> [UInt8]
}

extension ByteSource {
    /// A whole number of at most four bytes, the most significant first; nil beyond the end.
    func number(at offset: Int, bytes count: Int) -> Int? {
        let found = bytes(at: offset, count: count)
        return found.count == count ? found.reduce(0) { $0 << 8 | Int($1) } : nil
    }

    /// A whole number of at most four bytes, the least significant first; nil beyond the end.
    func littleNumber(at offset: Int, bytes count: Int) -> Int? {
        let found = bytes(at: offset, count: count)
        return found.count == count ? found.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    }

    /// Whether the bytes at an offset are the bytes of a text.
    func has(_ text: String, at offset: Int) -> Bool {
        bytes(at: offset, count: text.utf8.count).elementsEqual(text.utf8)
    }
}

extension Array: ByteSource where Element == UInt8 {
    /// The number of bytes.
    public var size: Int { count }
    /// A copy of a part.
    public func bytes(at offset: Int, count: Int) -> [UInt8] {
        offset >= 0 && offset < self.count ? Array(self[offset..<Swift.min(offset + count, self.count)]) : []
    }
}
