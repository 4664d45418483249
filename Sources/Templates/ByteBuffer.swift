// The one buffer that a page is written into: raw memory, so that it can be handed on without a copy.
//
// It is the only place of this module that holds a pointer. Why that is safe: `base` comes from malloc or
// realloc and is never handed out but by `take`, which forgets it; every write goes through `reserve`, which
// makes `count + n <= capacity` true first; the memory below `count` is always initialised. The class is not
// Sendable, so that one render owns it; and no access to a property lasts while another is made, so that the
// check for that at run time, which costs as much as a short append, is left out.

#if canImport(Glibc)
    import Glibc
#endif

/// A growing run of bytes that a response can take over.
public final class ByteBuffer {
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>?
    /// How many bytes were written.
    @exclusivity(unchecked) public private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 0
    /// How many bytes may be written; what comes after is dropped and `isOverfull` is set.
    public let limit: Int
    /// Whether something was dropped.
    public private(set) var isOverfull = false

    /// An empty buffer.
    /// - Parameters:
    ///   - capacity: what is expected to be written, in bytes.
    ///   - limit: what may be written at most, in bytes.
    public init(capacity: Int = 32_768, limit: Int = 256 << 20) {
        self.limit = limit
        grow(to: max(64, min(capacity, limit)))
    }

    deinit { free(base) }

    /// Adds bytes as they are.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, reserve(bytes.count), let base else { return }
        (base + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Adds bytes as they are.
    public func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

    /// Adds a part of some bytes as they are.
    @inline(__always)
    func append(_ bytes: [UInt8], from start: Int, count: Int) {
        bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[start..<start + count])) }
    }

    /// Adds text as it is.
    public func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Adds one byte.
    @inline(__always)
    public func append(_ byte: UInt8) {
        guard reserve(1), let base else { return }
        base[count] = byte
        count += 1
    }

    /// Adds text with `& < > " '` written as character references, so that it is only ever text in HTML.
    public func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { appendEscaped($0) }
    }

    /// Adds a whole number in decimal digits.
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
        // Room for the text as it is and two references more: most text has none at all.
        guard reserve(bytes.count) else { return }
        var start = 0
        for (index, byte) in bytes.enumerated() {
            // All five are below the letters.
            guard byte <= UInt8(ascii: ">") else { continue }
            let reference: StaticString
            switch byte {
            case UInt8(ascii: "&"): reference = "&amp;"
            case UInt8(ascii: "<"): reference = "&lt;"
            case UInt8(ascii: ">"): reference = "&gt;"
            case UInt8(ascii: "\""): reference = "&quot;"
            case UInt8(ascii: "'"): reference = "&#39;"
            default: continue
            }
            append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            append(UnsafeBufferPointer(start: reference.utf8Start, count: reference.utf8CodeUnitCount))
            start = index + 1
        }
        append(UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    /// The bytes as an array.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// The bytes as text.
    public var text: String {
        String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Hands the memory over: the caller frees it with `free`. The buffer is empty afterwards.
    public func take() -> (memory: UnsafeMutableRawPointer?, count: Int) {
        defer {
            base = nil
            count = 0
            capacity = 0
        }
        return (UnsafeMutableRawPointer(base), count)
    }

    /// Whether so many bytes more fit; makes room for them.
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
