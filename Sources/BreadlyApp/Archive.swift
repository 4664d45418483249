// Tar files (POSIX.1-1988, ustar): the format of a backup, which standard tools can read.

import Foundation

/// Writes files in sequence.
struct ArchiveWriter {
    /// The modification time of the files, in UTC seconds.
    let at: Int64
    /// The consumer of the bytes.
    let sink: ([UInt8]) throws -> Void

    /// Begins a file. Its name has at most 100 bytes after the last slash, and 155 before. Its content follows with `write`, and then `endFile`.
    func beginFile(_ name: String, size: Int) throws {
        guard UInt64(size) < Archive.mostBytes else {
            throw AppError.backup("\(name) is too large for a tar file.")
        }
        try sink(Archive.header(name, size, at))
    }

    /// Pads the last block of a file.
    func endFile(size: Int) throws {
        let rest = size % Archive.blockBytes
        if rest > 0 { try sink([UInt8](repeating: 0, count: Archive.blockBytes - rest)) }
    }

    /// Ends the archive with two empty blocks.
    func end() throws { try sink([UInt8](repeating: 0, count: 2 * Archive.blockBytes)) }
}

/// Reads an archive in sequence.
struct ArchiveReader {
    /// Returns the next bytes, up to a number; empty at the end.
    let source: (_ most: Int) throws -> [UInt8]
    /// The name of the archive in errors.
    let name: String

    /// A file in the archive.
    struct Member {
        let name: String
        let size: Int
    }

    /// Calls `visit` with the name and size of each file, and with a closure that returns its content in
    /// pieces.
    func forEach(_ visit: (Member, _ pieces: () throws -> [UInt8]?) throws -> Void) throws {
        while true {
            let header = try whole(Archive.blockBytes)
            if header.allSatisfy({ $0 == 0 }) {
                guard try whole(Archive.blockBytes).allSatisfy({ $0 == 0 }) else { throw damaged }
                // The remainder of the last tape block is zeros too; any other data does not belong to the
                // archive.
                while case let rest = try source(1 << 20), !rest.isEmpty {
                    guard rest.allSatisfy({ $0 == 0 }) else { throw damaged }
                }
                return
            }
            guard let member = Archive.member(header) else { throw damaged }
            var left = member.size
            try visit(member) {
                guard left > 0 else { return nil }
                let piece = try source(min(left, 1 << 20))
                guard !piece.isEmpty else { throw endsEarly }
                left -= piece.count
                return piece
            }
            left += (Archive.blockBytes - member.size % Archive.blockBytes) % Archive.blockBytes
            while left > 0 { left -= try whole(min(left, 1 << 20)).count }
        }
    }

    private func whole(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try source(count - bytes.count)
            guard !piece.isEmpty else { throw endsEarly }
            bytes += piece
        }
        return bytes
    }

    private var endsEarly: AppError { .backup("\(name) ends too early: it is not a whole backup.") }
    private var damaged: AppError { .backup("\(name) is not a backup of Breadly, or it is damaged.") }
}

/// The blocks that an archive consists of.
enum Archive {
    static let blockBytes = 512
    /// The smallest size that twelve octal digits cannot represent.
    static let mostBytes: UInt64 = 1 << 36

    static func header(_ name: String, _ size: Int, _ at: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: blockBytes)
        func put(_ text: String, _ start: Int) {
            for (index, byte) in text.utf8.enumerated() { bytes[start + index] = byte }
        }
        let (folder, file) = split(name)
        put(String(file.utf8.prefix(100)) ?? "", 0)
        put(String(folder.utf8.prefix(155)) ?? "", 345)
        put("0000600\0", 100)
        put("0000000\0", 108)
        put("0000000\0", 116)
        put(padded(UInt64(size), 11) + "\0", 124)
        put(padded(UInt64(clamping: min(at, 1 << 33 - 1)), 11) + "\0", 136)
        put("0", 156)
        put("ustar\0" + "00", 257)
        put(padded(UInt64(checksum(bytes)), 6) + "\0 ", 148)
        return bytes
    }

    /// The two parts of a name, which have fields of their own: a short name is in one of them.
    private static func split(_ name: String) -> (folder: Substring, file: Substring) {
        guard name.utf8.count > 100, let slash = name.lastIndex(of: "/") else { return ("", name[...]) }
        return (name[..<slash], name[name.index(after: slash)...])
    }

    /// Parses a header. Nil if it is damaged or not of a plain file: a link could lead out of the folder.
    static func member(_ header: [UInt8]) -> ArchiveReader.Member? {
        guard octal(header[148..<156]) == checksum(header),
            header[156] == UInt8(ascii: "0") || header[156] == 0,
            let size = octal(header[124..<136]), UInt64(size) < mostBytes,
            let name = String(validating: header[0..<100].prefix { $0 != 0 }, as: UTF8.self), !name.isEmpty,
            let folder = String(validating: header[345..<500].prefix { $0 != 0 }, as: UTF8.self)
        else { return nil }
        return ArchiveReader.Member(name: folder.isEmpty ? name : "\(folder)/\(name)", size: size)
    }

    /// The sum of the header's bytes, with spaces in the field of the sum.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        bytes.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
    }

    /// A number in the format of a header; nil for any other text, including one with a sign.
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
