// An answer that is too long for memory: a file without a name, which goes away with its descriptor.

import Glibc

/// The system refused a temporary file, or has no more room for it.
public struct SpoolError: Error, Sendable, CustomStringConvertible {
    let reason: String

    /// One line for the log.
    public var description: String { "an answer cannot be written to a temporary file: \(reason)" }
}

/// A file in the system's folder for temporary ones.
///
/// Safe to send: it belongs to one task at a time, which writes it and hands it on to the worker that sends it.
public final class SpoolFile: @unchecked Sendable {
    private var descriptor: Int32
    private var size: UInt64 = 0

    /// An empty file.
    public init() throws(SpoolError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // Some file systems know no files without a name; those are made and unlinked.
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

    /// Adds what it is given.
    public func write(_ memory: OwnedMemory) throws(SpoolError) {
        defer { free(memory.pointer) }
        var written = 0
        while written < memory.count {
            // The memory is as long as its count says, and is nobody else's.
            let count = Glibc.write(descriptor, memory.pointer.map { $0 + written }, memory.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
            written += count
        }
        size += UInt64(written)
    }

    /// The answer, which takes the file over.
    public func body() throws(SpoolError) -> Body {
        defer { descriptor = -1 }
        return .file(descriptor: descriptor, size: size)
    }
}

/// O_TMPFILE, which glibc shows with _GNU_SOURCE only.
private let namelessFile: Int32 = 0o20_000_000 | 0o200_000
