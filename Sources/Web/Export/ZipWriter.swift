// A zip file that is written in one pass, with its files stored as they are: pictures and PDF files are compressed already.

import Ledger

/// The reason why a zip file cannot be written.
enum ZipError: Error {
    /// A file has 4 GB or more, which most programs cannot read.
    case fileTooLarge
    /// A file ended early.
    case fileUnreadable
}

/// Writes a zip file (APPNOTE 6.3.10). Numbers that do not fit into its older fields are written as zip64.
struct ZipWriter {
    private struct Entry {
        let name: [UInt8]
        let offset: UInt64
        /// The fields of the header from the version on, which the list at the end repeats.
        let header: [UInt8]
    }

    private let out: ExportWriter
    private var entries: [Entry] = []

    /// The place of checksum and sizes behind the beginning of a header.
    private static let measures: UInt64 = 14

    init(_ out: ExportWriter) { self.out = out }

    /// Adds a file.
    /// - Parameters:
    ///   - name: a path with `/`, in UTF-8.
    ///   - day: the date of the file.
    ///   - write: appends the content to the output.
    mutating func add(_ name: String, on day: CivilDate, _ write: () throws -> Void) throws {
        let (bytes, offset) = (Array(name.utf8.prefix(Int(UInt16.max))), try out.position())
        // The first version with folders; names are in UTF-8; stored; midnight.
        let start = Self.two(20) + Self.two(0x0800) + Self.two(0) + Self.two(0) + Self.two(Self.date(day))
        let lengths = Self.two(UInt64(bytes.count)) + Self.two(0)
        out.append(Self.four(0x0403_4b50) + start + [UInt8](repeating: 0, count: 12) + lengths + bytes)
        let (size, checksum) = try out.measure(write)
        guard size < UInt64(UInt32.max) else { throw ZipError.fileTooLarge }
        let measures = Self.four(UInt64(checksum)) + Self.four(size) + Self.four(size)
        try out.overwrite(measures, at: offset + Self.measures)
        entries.append(Entry(name: bytes, offset: offset, header: start + measures + lengths.prefix(2)))
    }

    /// Writes the list of the files.
    func end() throws {
        let start = try out.position()
        for entry in entries {
            let isFar = entry.offset >= UInt64(UInt32.max)
            // The offset in 64 bits.
            let extra = isFar ? Self.two(1) + Self.two(8) + Self.eight(entry.offset) : []
            // Written on Unix, so that the permissions count: anyone may read the file, and its owner may write it.
            out.append(Self.four(0x0201_4b50) + Self.two(0x0300 | 45) + entry.header)
            out.append(Self.two(UInt64(extra.count)) + Self.two(0) + Self.two(0) + Self.two(0))
            out.append(Self.four(0o100_644 << 16) + Self.four(isFar ? UInt64(UInt32.max) : entry.offset))
            out.append(entry.name + extra)
        }
        let (count, list) = (UInt64(entries.count), try out.position())
        if count >= UInt64(UInt16.max) || list >= UInt64(UInt32.max) {
            out.append(Self.four(0x0606_4b50) + Self.eight(44) + Self.two(45) + Self.two(45))
            out.append(Self.four(0) + Self.four(0) + Self.eight(count) + Self.eight(count))
            out.append(Self.eight(list - start) + Self.eight(start))
            out.append(Self.four(0x0706_4b50) + Self.four(0) + Self.eight(list) + Self.four(1))
        }
        let shown = Self.two(min(count, UInt64(UInt16.max)))
        out.append(Self.four(0x0605_4b50) + Self.two(0) + Self.two(0) + shown + shown)
        out.append(
            Self.four(min(list - start, UInt64(UInt32.max))) + Self.four(min(start, UInt64(UInt32.max)))
        )
        out.append(Self.two(0))
    }

    /// A date of MS-DOS, from 1980 to 2107.
    private static func date(_ day: CivilDate) -> UInt64 {
        let (year, month, day) = day.components
        return UInt64(min(max(year - 1_980, 0), 127) << 9 | month << 5 | day)
    }

    private static func two(_ number: UInt64) -> [UInt8] { bytes(number, 2) }
    private static func four(_ number: UInt64) -> [UInt8] { bytes(number, 4) }
    private static func eight(_ number: UInt64) -> [UInt8] { bytes(number, 8) }

    /// The least significant byte first.
    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
