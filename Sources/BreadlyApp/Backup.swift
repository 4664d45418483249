// All books in one file.

import Book
import Compression
public import Devices
import Foundation
import Synchronization

/// Copies of a data folder.
public enum Backup {
    /// How a backup went.
    public struct Report: Hashable, Sendable {
        /// How many files are in it.
        public internal(set) var files = 0
        /// Books that went away while it was made: somebody signed out, or a guest was forgotten.
        public internal(set) var skipped: [String] = []
    }

    /// Writes every book, the register of devices, the accounts and the server's secret into one tar file. Each book in it is of
    /// one moment; a server may go on meanwhile.
    /// - Parameters:
    ///   - target: the file, which must not exist; `-` for standard output.
    ///   - compresses: whether it is written as gzip.
    ///   - cores: how many it may keep busy; nil for all. A server that goes on meanwhile leaves the others alone.
    /// - Throws: `AppError.backup`, `AppError.folder`, where anything cannot be read or written; no file is left then.
    public static func write(
        _ data: String,
        to target: String,
        compresses: Bool = false,
        cores: Int? = nil,
        dependencies: Dependencies
    ) throws(AppError) -> Report {
        guard FileManager.default.fileExists(atPath: data) else {
            throw .folder("\(data): there is no such folder: name it with --data.")
        }
        try RestoreSwap.refuse(data)
        let members = members(of: data)
        guard !members.isEmpty else { throw .backup("there is nothing to back up in \(data).") }
        do {
            let output = target == "-" ? BackupOutput() : try BackupOutput(target)
            var writer = BackupWriter(data, output, compresses: compresses, dependencies)
            do {
                try writer.add(members, cores: cores ?? ProcessInfo.processInfo.activeProcessorCount)
                try writer.end()
                try output.finish()
                return writer.report
            } catch {
                output.discard()
                throw error
            }
        } catch {
            throw error as? AppError ?? .backup("the backup failed: \(words(error))")
        }
    }

    /// The files of a data folder that hold data, by name; the register before the books, so that a book which is made
    /// meanwhile is at worst one that no browser knows.
    static func members(of data: String) -> [String] {
        let fixed = ofTheServer.filter { FileManager.default.fileExists(atPath: "\(data)/\($0)") }
        let books = (FileManager.default.subpaths(atPath: data + "/devices") ?? [])
            .filter { $0.hasSuffix(".sqlite") }.map { "devices/" + $0 }
        return fixed + books.sorted()
    }

    /// What is the server's and no device's.
    static let ofTheServer = ["cloud.sqlite", "secret.key", "sessions.sqlite"]

    /// An error of the system in its own words.
    static func words(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError: error.localizedDescription
        default: "\(error)"
        }
    }
}

/// Puts the files of a data folder into an archive.
private struct BackupWriter {
    let data: String
    let output: BackupOutput
    let archive: ArchiveWriter
    let gzip: GzipWriter?
    let dependencies: Dependencies
    var manifest = BackupManifest()
    var report = Backup.Report()

    /// A closed book up to that size is read as it lies there, in one go; a greater one is copied first.
    private static let mostBytesInMemory = 4 << 20
    /// So many are in memory at most.
    private static let filesAtOnce = 16

    init(_ data: String, _ output: BackupOutput, compresses: Bool, _ dependencies: Dependencies) {
        self.data = data
        self.output = output
        self.dependencies = dependencies
        let gzip = compresses ? GzipWriter { try output.write($0) } : nil
        self.gzip = gzip
        archive = ArchiveWriter(at: dependencies.now) { bytes in
            if let gzip { try gzip.write(bytes) } else { try output.write(bytes) }
        }
    }

    /// Reads some files at once and writes them one after another.
    mutating func add(_ names: [String], cores: Int) throws {
        let mark = BackupMark(version: breadlyVersion, at: dependencies.now)
        try add(BackupMark.name, Array(try JSONEncoder().encode(mark)))
        var left = names[...]
        while !left.isEmpty {
            // A server that is told to stop does not wait for ten thousand books.
            try Task.checkCancellation()
            let batch = Array(left.prefix(cores > 1 ? Self.filesAtOnce : 1))
            left = left.dropFirst(batch.count)
            let images = Mutex<[String: Result<Image?, any Error>]>([:])
            let (data, now) = (data, dependencies.now)
            DispatchQueue.concurrentPerform(iterations: batch.count) { index in
                let name = batch[index]
                guard name.hasSuffix(".sqlite") else { return }
                // A server may open the book at any moment, also one that is started only now.
                let image = Result {
                    try Book.image(at: "\(data)/\(name)", mostBytes: Self.mostBytesInMemory, now: now).map(
                        Image.init
                    )
                }
                images.withLock { $0[name] = image }
            }
            for name in batch { try add(name, images.withLock { $0.removeValue(forKey: name) }) }
        }
    }

    /// A file as it lies there.
    private struct Image {
        let bytes: [UInt8]
        let sha256: String

        init(_ bytes: [UInt8]) {
            var digest = Digest()
            digest.add(bytes)
            (self.bytes, sha256) = (bytes, digest.text)
        }
    }

    private mutating func add(_ name: String, _ image: Result<Image?, any Error>?) throws {
        let path = "\(data)/\(name)"
        do {
            guard let image else { return try add(name, try bytes(path)) }
            if let image = try image.get() { return try add(name, image) }
            let copy = output.scratch
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try Book.copy(at: path, to: copy)
            try add(name, file: copy)
        } catch let error as BookError {
            // A user who signs out meanwhile takes the book along.
            if name.hasPrefix("devices/"), !FileManager.default.fileExists(atPath: path) {
                manifest.skipped.append(name)
                return
            }
            throw AppError.backup("\(name) cannot be read: \(error).")
        }
    }

    mutating func end() throws {
        report = Backup.Report(files: manifest.members.count - 1, skipped: manifest.skipped)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = Array(try encoder.encode(manifest))
        try archive.beginFile(BackupManifest.name, size: bytes.count)
        try archive.sink(bytes)
        try archive.endFile(size: bytes.count)
        try archive.end()
        try gzip?.end()
    }

    private mutating func add(_ name: String, _ bytes: [UInt8]) throws { try add(name, Image(bytes)) }

    private mutating func add(_ name: String, _ image: Image) throws {
        try archive.beginFile(name, size: image.bytes.count)
        try archive.sink(image.bytes)
        try archive.endFile(size: image.bytes.count)
        manifest.members.append(.init(name: name, bytes: image.bytes.count, sha256: image.sha256))
    }

    private mutating func add(_ name: String, file: String) throws {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        defer { try? handle.close() }
        let size = Int(clamping: try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        var (digest, written) = (Digest(), 0)
        try archive.beginFile(name, size: size)
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
            let bytes = Array(piece)
            digest.add(bytes)
            written += bytes.count
            try archive.sink(bytes)
        }
        guard written == size else { throw AppError.backup("\(name) changed while it was read.") }
        try archive.endFile(size: size)
        manifest.members.append(.init(name: name, bytes: size, sha256: digest.text))
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw AppError.backup("\(path) cannot be read: check its owner and its rights.")
        }
        return Array(content)
    }
}

/// Where a backup goes: a file that appears under its name when it is whole, or standard output.
private final class BackupOutput {
    private let handle: FileHandle
    private let target: String?
    /// For copies of books, one at a time.
    let scratch: String
    private var buffer: [UInt8] = []
    private static let bufferBytes = 1 << 20

    private static func partial(_ target: String) -> String { target + ".partial" }

    init() {
        handle = .standardOutput
        target = nil
        scratch = NSTemporaryDirectory() + "/breadly-backup-\(getpid()).part"
    }

    init(_ target: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: target) else {
            throw AppError.backup("\(target) exists already: choose another name.")
        }
        let partial = Self.partial(target)
        try? files.removeItem(atPath: partial)
        guard files.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw AppError.backup("\(target) cannot be written: check its folder and who may write there.")
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
        guard rename(Self.partial(target), target) == 0 else {
            throw AppError.backup("\(target) cannot be written: \(String(cString: strerror(errno))).")
        }
        synchronizeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }

    func discard() {
        try? FileManager.default.removeItem(atPath: scratch)
        guard let target else { return }
        try? handle.close()
        try? FileManager.default.removeItem(atPath: Self.partial(target))
    }
}

/// Has the disk keep the names in a folder.
func synchronizeFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}
