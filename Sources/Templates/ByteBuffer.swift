// The buffer that a page is rendered into: raw memory, so that the response can adopt it without a copy.
//
// All pointers of this module's buffer are confined to this file. Safety: `base` comes from malloc or realloc
// and leaves the class only through `release`, which clears it; every write goes through `reserve`, which
// establishes `count + n <= capacity`; the memory below `count` is always initialised. The class is not
// Sendable, so that one render owns it. No access to a property overlaps another one, so that the exclusivity
// check at run time, which costs as much as a short append, is left out.

#if canImport(Glibc)
    import Glibc
#endif

/// A growing sequence of bytes whose memory a response can adopt.
public final class ByteBuffer {
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>?
    /// The number of bytes in the buffer.
    @exclusivity(unchecked) public private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 0
    /// The greatest count. Bytes beyond it are dropped, and `isOverfull` is set.
    public let limit: Int
    /// Whether bytes were dropped.
    @exclusivity(unchecked) public private(set) var isOverfull = false

    /// An empty buffer.
    /// - Parameters:
    ///   - capacity: the expected number of bytes.
    ///   - limit: the greatest number of bytes.
    public init(capacity: Int = 32_768, limit: Int = 256 << 20) {
        self.limit = limit
        grow(to: max(64, min(capacity, limit)))
    }

    deinit { free(base) }

    /// Appends bytes unchanged.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, reserve(bytes.count), let base else { return }
        (base + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Appends bytes unchanged.
    public func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

    /// Appends text unchanged, as UTF-8.
    public func append(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil { append(Array(text.utf8)) }
    }

    /// Adds one byte.
    @inline(__always)
    public func append(_ byte: UInt8) {
        guard reserve(1), let base else { return }
        base[count] = byte
        count += 1
    }

    /// Appends text with `& < > " '` as character references, so that HTML never reads it as markup.
    public func appendEscaped(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ appendEscaped($0) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0) }
        }
    }

    /// Appends a whole number in decimal digits.
    public func append(_ number: Int64) {
        guard reserve(20), let base else { return }
        var magnitude = number.magnitude
        var digits = 1
        var power: UInt64 = 10
        while digits < 19, magnitude >= power {
            digits += 1
            power *= 10
        }
        if digits == 19, magnitude >= 10_000_000_000_000_000_000 { digits = 20 }
        if number < 0 {
            base[count] = UInt8(ascii: "-")
            count += 1
        }
        var position = count + digits
        count = position
        repeat {
            position -= 1
            base[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
            magnitude /= 10
        } while magnitude > 0
    }

    private func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while true {
            let end = Self.firstSpecial(of: bytes, from: start)
            append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
            guard end < bytes.count else { return }
            let reference: StaticString =
                switch bytes[end] {
                case UInt8(ascii: "&"): "&amp;"
                case UInt8(ascii: "<"): "&lt;"
                case UInt8(ascii: ">"): "&gt;"
                case UInt8(ascii: "\""): "&quot;"
                default: "&#39;"
                }
            append(UnsafeBufferPointer(start: reference.utf8Start, count: reference.utf8CodeUnitCount))
            start = end + 1
        }
    }

    /// The index of the first of `& < > " '`, or the end. Reads eight bytes at a time.
    @inline(__always)
    private static func firstSpecial(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var index = start
        while index + 8 <= bytes.count {
            let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
            // `"`; `&` and `'`, which differ in the lowest bit; `<` and `>`, which differ in the second.
            let quote = word ^ 0x2222_2222_2222_2222
            let ampersand = (word & 0xFEFE_FEFE_FEFE_FEFE) ^ 0x2626_2626_2626_2626
            let angle = (word & 0xFDFD_FDFD_FDFD_FDFD) ^ 0x3C3C_3C3C_3C3C_3C3C
            if holdsZero(quote) || holdsZero(ampersand) || holdsZero(angle) { break }
            index += 8
        }
        while index < bytes.count, !isSpecial(bytes[index]) { index += 1 }
        return index
    }

    /// Whether one of the eight bytes is zero.
    @inline(__always)
    private static func holdsZero(_ word: UInt64) -> Bool {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }

    /// All five characters are below 64 and have a bit each in this mask.
    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 64 && (0x5000_00C4_0000_0000 as UInt64) >> UInt64(byte) & 1 == 1
    }

    /// The bytes as an array.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// The bytes as text.
    public var text: String {
        String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Whether the bytes contain others.
    public func contains(_ bytes: [UInt8]) -> Bool {
        guard let base, let first = bytes.first else { return bytes.isEmpty }
        var place = 0
        while place + bytes.count <= count, let found = memchr(base + place, Int32(first), count - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            guard place + bytes.count <= count else { return false }
            if memcmp(base + place, bytes, bytes.count) == 0 { return true }
            place += 1
        }
        return false
    }

    /// Transfers the memory to the caller, who frees it with `free`. The buffer is empty afterwards.
    public func release() -> (memory: UnsafeMutableRawPointer?, count: Int) {
        defer {
            base = nil
            count = 0
            capacity = 0
        }
        return (UnsafeMutableRawPointer(base), count)
    }

    /// Whether that many more bytes fit, after growing the memory if necessary.
    @inline(__always)
    private func reserve(_ more: Int) -> Bool {
        if count + more <= capacity { return true }
        return makeRoom(more)
    }

    private func makeRoom(_ more: Int) -> Bool {
        guard count + more <= limit else {
            isOverfull = true
            return false
        }
        grow(to: min(limit, max(count + more, capacity * 2, 4_096)))
        return count + more <= capacity
    }

    private func grow(to wanted: Int) {
        guard let grown = realloc(base, wanted) else {
            isOverfull = true
            return
        }
        base = grown.assumingMemoryBound(to: UInt8.self)
        capacity = wanted
    }
}
