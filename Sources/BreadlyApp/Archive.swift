// A tar file (POSIX.1-1988, ustar): the form of a backup, so that any tool can look into it.

import Foundation

/// Writes files one after another.
struct ArchiveWriter {
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    /// Adds a file under a name of at most 100 bytes.
    func add(_ name: String, _ file: String) throws {
        let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        defer { try? source.close() }
        let size = try source.seekToEnd()
        try source.seek(toOffset: 0)
        guard size < Archive.mostBytes else {
            throw AppError.backup("\(name) is too large for a tar file.")
        }
        try handle.write(contentsOf: Archive.header(name, size))
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
            try handle.write(contentsOf: piece)
        }
        let rest = Int(size % 512)
        if rest > 0 { try handle.write(contentsOf: Data(count: 512 - rest)) }
    }

    /// Two empty blocks end the archive.
    func end() throws { try handle.write(contentsOf: Data(count: 1_024)) }
}

/// Reads an archive.
enum Archive {
    /// The first size that twelve octal digits cannot say.
    static let mostBytes: UInt64 = 1 << 36

    /// Hands each file's name and its content, piece by piece, to `visit`.
    static func read(_ path: String, _ visit: (_ name: String, _ pieces: () throws -> Data?) throws -> Void)
        throws
    {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        while true {
            guard let header = try handle.read(upToCount: 512), header.count == 512 else {
                throw AppError.backup("\(path) ends too early: it is not a whole backup.")
            }
            if header.allSatisfy({ $0 == 0 }) { return }
            let bytes = Array(header)
            guard checksum(bytes) == octal(bytes[148..<156]), let size = octal(bytes[124..<136]) else {
                throw AppError.backup("\(path) is not a backup of Breadly, or it is damaged.")
            }
            let name = String(decoding: bytes[0..<100].prefix { $0 != 0 }, as: UTF8.self)
            var left = size
            try visit(name) {
                guard left > 0 else { return nil }
                guard let piece = try handle.read(upToCount: min(left, 1 << 20)), !piece.isEmpty else {
                    throw AppError.backup("\(path) ends too early: it is not a whole backup.")
                }
                left -= piece.count
                return piece
            }
            try handle.seek(toOffset: try handle.offset() + UInt64(left + (512 - size % 512) % 512))
        }
    }

    static func header(_ name: String, _ size: UInt64) -> Data {
        var bytes = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ start: Int) {
            for (index, byte) in text.utf8.enumerated() { bytes[start + index] = byte }
        }
        put(String(name.utf8.prefix(100)) ?? "", 0)
        put("0000600\0", 100)
        put("0000000\0", 108)
        put("0000000\0", 116)
        put(padded(size, 11) + "\0", 124)
        put("00000000000\0", 136)
        put("0", 156)
        put("ustar\0" + "00", 257)
        put(padded(UInt64(checksum(bytes)), 6) + "\0 ", 148)
        return Data(bytes)
    }

    /// The sum of the header's bytes with the field of the sum itself as spaces.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        bytes.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
    }

    /// A number as a header writes it; nil for anything else, a sign in front of it too.
    private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.prefix { $0 != 0 && $0 != 32 }
        guard digits.allSatisfy({ (48...55).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func padded(_ value: UInt64, _ width: Int) -> String {
        let text = String(value, radix: 8)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
