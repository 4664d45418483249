// Texts as rules compare them: without case, accents, compatibility forms and runs of white space.

import Encoding

/// A text in the form in which rules compare it.
struct FoldedText: Hashable, Sendable {
    /// UTF-8 with single spaces between words and none around them.
    let bytes: [UInt8]
    let signature: TextSignature

    init(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        func append(_ byte: UInt8) {
            if byte > 0x20 {
                bytes.append(byte)
            } else if let last = bytes.last, last != 0x20 {
                bytes.append(0x20)
            }
        }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
        } else {
            // The form of a search has only ASCII spaces, because other ones are compatible with them.
            for byte in text.searchForm.utf8 { append(byte) }
        }
        if bytes.last == 0x20 { bytes.removeLast() }
        self.bytes = bytes
        signature = TextSignature(bytes)
    }

    /// Whether a test of this text with another one holds.
    func passes(_ test: RuleTest, _ wanted: FoldedText) -> Bool {
        guard signature.contains(wanted.signature), wanted.bytes.count <= bytes.count else { return false }
        return switch test {
        case .equals: bytes == wanted.bytes
        case .contains: contains(wanted.bytes)
        case .begins: has(wanted.bytes, at: 0)
        case .ends: has(wanted.bytes, at: bytes.count - wanted.bytes.count)
        case .matches, .less, .more, .between: false
        }
    }

    private func contains(_ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first else { return true }
        var at = 0
        while at <= bytes.count - wanted.count {
            if bytes[at] == first, has(wanted, at: at) { return true }
            at += 1
        }
        return false
    }

    private func has(_ wanted: [UInt8], at start: Int) -> Bool {
        for index in wanted.indices where bytes[start + index] != wanted[index] { return false }
        return true
    }
}

/// The pairs of neighbouring bytes of a text as a set of 128 bits. A text with a part has all bits of the part.
struct TextSignature: Hashable, Sendable {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0

    init() {}

    init(_ bytes: [UInt8]) {
        guard var last = bytes.first else { return }
        for byte in bytes.dropFirst() {
            let hash = (UInt32(last) << 8 | UInt32(byte)) &* 0x9E37_79B1
            let bit = UInt64(1) << UInt64(hash >> 25 & 63)
            if hash >> 31 == 0 { low |= bit } else { high |= bit }
            last = byte
        }
    }

    /// The number of bits.
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// Whether it has all bits of another one.
    func contains(_ other: TextSignature) -> Bool {
        other.low & ~low == 0 && other.high & ~high == 0
    }

    /// The bits of both.
    func union(_ other: TextSignature) -> TextSignature {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }
}
