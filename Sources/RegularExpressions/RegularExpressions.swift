// Regular expressions with PCRE2, whose work is limited.
//
// Safety: all pointers to PCRE2 are in this file. The memory of a compiled pattern and of the limits belongs to one
// object, which frees it in `deinit`; nothing changes it in between. PCRE2 only reads it during a match, and each match
// has memory of its own, so several threads can match at once ("Multithreading" in pcre2api(3)). The bytes of a text are
// valid during the call, and valid UTF-8, because they are those of a `String`.

import CPCRE2
public import Ledger

/// The regular expressions of rules.
public struct RegularExpressions: PatternCompiling {
    /// The limits of one match. A pattern with reasonable work on a text of 200 characters stays far below.
    static let limits = (calls: UInt32(20_000), depth: UInt32(10_000), kibibytes: UInt32(2_048))

    /// The library with the limits of rules.
    public init() {}

    /// Compiles a pattern for Unicode texts.
    public func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern {
        try RegularExpression(pattern)
    }
}

/// A pattern as the code of PCRE2, with the memory of its matches.
final class RegularExpression: CompiledPattern, @unchecked Sendable {
    // Sendable: both pointers are set once, and point to memory that nothing changes until `deinit`; see above.
    private let pattern: UnsafeMutableRawPointer
    private let limits: UnsafeMutableRawPointer

    init(_ text: String) throws(PatternFault) {
        var code: Int32 = 0
        var offset = 0
        var text = text
        let compiled = text.withUTF8 { bytes in
            // An empty text may have no address.
            withUnsafeBytes(of: UInt8(0)) { empty in
                let start = bytes.baseAddress ?? empty.bindMemory(to: UInt8.self).baseAddress
                return breadly_pcre_compile(start, bytes.count, &code, &offset)
            }
        }
        guard let compiled else {
            throw PatternFault(
                message: Self.message(code),
                position: Self.characters(of: text, before: offset)
            )
        }
        guard
            let limits = breadly_pcre_limits(
                RegularExpressions.limits.calls,
                RegularExpressions.limits.depth,
                RegularExpressions.limits.kibibytes
            )
        else {
            breadly_pcre_free(compiled)
            throw PatternFault(message: "memory is short", position: 0)
        }
        pattern = compiled
        self.limits = limits
    }

    deinit {
        breadly_pcre_free(pattern)
        breadly_pcre_free_limits(limits)
    }

    func match(in text: String) -> PatternMatch {
        var text = text
        let result = text.withUTF8 { bytes in
            withUnsafeBytes(of: UInt8(0)) { empty in
                let start = bytes.baseAddress ?? empty.bindMemory(to: UInt8.self).baseAddress
                return breadly_pcre_match(pattern, start, bytes.count, limits)
            }
        }
        return switch result {
        case 1: .found
        case 0: .notFound
        default: .tooCostly
        }
    }

    private static func message(_ code: Int32) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            // PCRE2 writes at most 256 bytes, the last of which is a null.
            breadly_pcre_message(code, buffer.baseAddress, 256)
            count = buffer.firstIndex(of: 0) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of characters before a place in the bytes of a text.
    private static func characters(of text: String, before offset: Int) -> Int {
        String(decoding: text.utf8.prefix(offset), as: UTF8.self).count
    }
}
