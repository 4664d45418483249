// An answer that is too long for memory: a file without a name, which disappears with its descriptor.

import Compression
import Glibc

/// The system refused a temporary file, or the file system is full.
public struct SpoolError: Error, Sendable, CustomStringConvertible {
    let reason: String

    /// One line for the log.
    public var description: String { "an answer cannot be written to a temporary file: \(reason)" }
}

/// A file in the folder for temporary files.
///
/// Safe to send: it belongs to one task at a time, which writes it and passes it to the worker that sends it.
public final class SpoolFile: @unchecked Sendable {
    private var descriptor: Int32
    /// The number of bytes.
    public private(set) var size: UInt64 = 0
    /// The CRC-32 of the bytes since `restartChecksum`, as zip files store it.
    public private(set) var checksum: UInt32 = 0

    /// The folder for temporary files.
    public static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// An empty file.
    public init() throws(SpoolError) {
        let folder = Self.folder
        // Some file systems have no nameless files; there the file gets a name and is unlinked.
        descriptor = open(folder, O_RDWR | O_CLOEXEC | namelessFile, 0o600)
        if descriptor < 0 {
            var template = Array("\(folder)/breadly-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            if descriptor >= 0 {
                unlink(template)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        guard descriptor >= 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends memory, and frees it.
    public func write(_ memory: OwnedMemory) throws(SpoolError) {
        defer { free(memory.pointer) }
        var written = 0
        while written < memory.count {
            // The memory is as long as its count, and has no other owner.
            let count = Glibc.write(descriptor, memory.pointer.map { $0 + written }, memory.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
            written += count
        }
        size += UInt64(written)
        checksum = Deflate.checksum(
            UnsafeRawBufferPointer(start: memory.pointer, count: memory.count),
            after: checksum
        )
    }

    /// Begins a new checksum at the end of the file.
    public func restartChecksum() { checksum = 0 }

    /// Replaces bytes that were written before. They do not count in the checksum.
    public func overwrite(_ bytes: [UInt8], at offset: UInt64) throws(SpoolError) {
        var (rest, place) = (bytes[...], off_t(offset))
        while !rest.isEmpty {
            // The memory is valid during the call, and as long as its count.
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
            rest = rest.dropFirst(count)
            place += off_t(count)
        }
    }

    /// The body of an answer, which now owns the file.
    public func body() throws(SpoolError) -> Body {
        defer { descriptor = -1 }
        return .file(descriptor: descriptor, size: size)
    }
}

/// O_TMPFILE, which glibc declares only with _GNU_SOURCE.
private let namelessFile: Int32 = 0o20_000_000 | 0o200_000
