// The file that a backup is written to.

import Foundation

/// The target of a backup: a file that gets its name when it is complete, or standard output.
final class BackupOutput {
    private let handle: FileHandle
    private let target: String?
    /// The path of a temporary copy of a book.
    let scratch: String
    private var buffer: [UInt8] = []
    private static let bufferBytes = 1 << 20

    private let partial: String

    init() {
        handle = .standardOutput
        target = nil
        partial = ""
        scratch = NSTemporaryDirectory() + "/breadly-backup-\(UUID().uuidString).part"
    }

    init(_ target: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: target) else {
            throw AppError.backup("\(target) exists already: choose another name.")
        }
        // Each backup has its own file, even if two have the same target.
        partial = "\(target).partial-\(UUID().uuidString)"
        guard files.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw AppError.backup("\(target) cannot be written: \(String(cString: strerror(errno))).")
        }
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: partial))
        self.target = target
        scratch = partial + ".part"
    }

    func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    private func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try handle.write(contentsOf: Data(buffer))
    }

    func finish() throws {
        try flush()
        guard let target else { return }
        try handle.synchronize()
        try handle.close()
        // A hard link never replaces another file; not every file system supports it.
        if link(partial, target) == 0 {
            unlink(partial)
        } else {
            guard errno != EEXIST, access(target, F_OK) != 0 else {
                throw AppError.backup("\(target) exists by now: choose another name.")
            }
            guard rename(partial, target) == 0 else {
                throw AppError.backup("\(target) cannot be written: \(String(cString: strerror(errno))).")
            }
        }
        synchronizeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }

    func discard() {
        try? FileManager.default.removeItem(atPath: scratch)
        guard target != nil else { return }
        try? handle.close()
        try? FileManager.default.removeItem(atPath: partial)
    }
}

/// Makes the names in a folder durable.
func synchronizeFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}
