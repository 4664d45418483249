// Backups of a data folder into one file.

import Compression
import DeviceStore
public import Devices
import Foundation
import Storage
import Synchronization

/// Backups of a data folder.
public enum Backup {
    /// The result of a backup.
    public struct Report: Hashable, Sendable {
        /// The number of files in it.
        public internal(set) var files = 0
        /// Books that were removed during the backup, because their user signed out or their guest was
        /// removed; and files without content.
        public internal(set) var skipped: [String] = []
        /// Books that are missing or cannot be read, and files and folders that cannot be read, each with the reason.
        /// Everything else is in the backup.
        public internal(set) var unreadable: [String] = []
        /// Files of receipts that are damaged or missing, a line for each folder with what can be done. Damaged files
        /// are in the backup as they are.
        public internal(set) var faults: [String] = []
    }

    /// Writes every book, the device store, the accounts and the server's secret into one tar file. Each book
    /// is a consistent snapshot; a server may work on the folder during the backup.
    /// - Parameters:
    ///   - target: the file, which must not exist; `-` for standard output.
    ///   - compresses: whether to write gzip.
    ///   - isChecked: whether to check all pages of each book; otherwise `verify` can check the backup.
    ///   - cores: the number of cores to use; nil for all. A backup beside a server leaves the others to it.
    ///
    /// A book that cannot be read does not stop the backup; it is in the report.
    /// - Throws: `AppError.backup`, `AppError.folder`, if any other file cannot be read or the target cannot
    ///   be written. No file is left then.
    public static func write(
        _ data: String,
        to target: String,
        compresses: Bool = false,
        isChecked: Bool = false,
        cores: Int? = nil,
        dependencies: Dependencies
    ) throws(AppError) -> Report {
        guard FileManager.default.fileExists(atPath: data) else {
            throw .folder("\(data): there is no such folder: name it with --data.")
        }
        try RestoreSwap.refuse(data)
        let members = try members(of: data)
        guard !members.isEmpty else { throw .backup("there is nothing to back up in \(data).") }
        let before = identity(of: data)
        do {
            let output = target == "-" ? BackupOutput() : try BackupOutput(target)
            var writer = BackupWriter(data, output, compresses: compresses, dependencies)
            do {
                try writer.add(
                    members,
                    isChecked: isChecked,
                    cores: cores ?? ProcessInfo.processInfo.activeProcessorCount
                )
                try writer.noteMissing()
                try RestoreSwap.refuse(data)
                guard identity(of: data) == before else {
                    throw AppError.backup("a restore of \(data) came in between: make the backup again.")
                }
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

    /// The files of a data folder that hold data, by name. The device store comes before the books, so that a
    /// book that is created during the backup is at worst one without a device.
    static func members(of data: String) throws(AppError) -> [String] {
        guard access(data, R_OK | X_OK) == 0 else {
            throw .folder("\(data) cannot be read: check its owner and its rights.")
        }
        let fixed = ofTheServer.filter { FileManager.default.fileExists(atPath: "\(data)/\($0)") }
        do { return fixed + (try DataFolder.books(in: data)) } catch { throw .folder(error.sentence) }
    }

    /// The identities (inodes) of the files and folders that a restore replaces, by name.
    private static func identity(of data: String) -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        for name in ofTheServer + ["devices"] {
            var status = stat()
            if stat("\(data)/\(name)", &status) == 0 { found[name] = UInt64(status.st_ino) }
        }
        return found
    }

    /// The server's own files.
    static let ofTheServer = ["cloud.sqlite", "secret.key", "sessions.sqlite"]

    /// The folder with the files of the cloud's accounts, a folder each.
    static let cloudFiles = "cloud.files"

    /// An error in words, for errors of Foundation with the file and the system's reason.
    static func words(_ error: any Error) -> String {
        guard error is CocoaError || error is POSIXError else { return "\(error)" }
        let error = error as NSError
        let below = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        let reason =
            below.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(clamping: below.code))) : error.localizedDescription
        let path =
            error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        return path.map { "\($0): \(reason)" } ?? reason
    }
}

/// Adds the files of a data folder to an archive.
struct BackupWriter {
    let data: String
    let output: BackupOutput
    let archive: ArchiveWriter
    let gzip: GzipWriter?
    let dependencies: Dependencies
    var manifest = BackupManifest()
    var report = Backup.Report()
    /// The books that exist and cannot be read, by name.
    private var unreadable: [String] = []

    /// The largest closed book that is read directly, in one piece; a larger one is copied first.
    private static let mostBytesInMemory = 4 << 20
    /// The number of books in memory.
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

    /// Reads several files concurrently and writes them in sequence.
    mutating func add(_ names: [String], isChecked: Bool, cores: Int) throws {
        let mark = BackupMark(version: breadlyVersion, at: dependencies.now)
        try add(BackupMark.name, Array(try JSONEncoder().encode(mark)))
        var left = names[...]
        while !left.isEmpty {
            // A server that is stopping does not wait for ten thousand books.
            try Task.checkCancellation()
            let batch = Array(left.prefix(cores > 1 ? Self.filesAtOnce : 1))
            left = left.dropFirst(batch.count)
            let images = Mutex<[String: Result<Image?, any Error>]>([:])
            let (data, now) = (data, dependencies.now)
            DispatchQueue.concurrentPerform(iterations: batch.count) { index in
                let name = batch[index]
                guard name.hasSuffix(".sqlite") else { return }
                // A server may open the book at any time, even a server that starts during the backup.
                let image = Result {
                    try Examination.image(
                        of: "\(data)/\(name)",
                        mostBytes: Self.mostBytesInMemory,
                        isChecked: isChecked || !name.hasPrefix("devices/"),
                        now: now
                    ).map(
                        Image.init
                    )
                }
                images.withLock { $0[name] = image }
            }
            for name in batch {
                try add(name, images.withLock { $0.removeValue(forKey: name) })
                try addFiles(besides: name, isChecked: isChecked)
                if name == "cloud.sqlite" { try addCloudFiles() }
            }
        }
    }

    /// The bytes of a file.
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
            if let image = try image.get() {
                guard name.hasPrefix("devices/"), Examination.isBlank(header: image.bytes.prefix(100)) else {
                    return try add(name, image)
                }
                manifest.skipped.append(name)
                return
            }
            let copy = output.scratch
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try DatabaseFile.copy(at: path, to: copy)
            guard name.hasPrefix("devices/"), Examination.isBlank(header: DataFile(copy).header) else {
                return try add(name, file: copy)
            }
            manifest.skipped.append(name)
        } catch let error as StorageError {
            guard name.hasPrefix("devices/") else {
                throw AppError.backup("\(name) cannot be read: \(error).")
            }
            // A user who signs out during the backup removes the book. An empty file is of a book that is being created,
            // and may have been completed since, or that never was, unless the device store knows the book.
            let wasEmpty = if case .damaged(Examination.blank) = error { true } else { false }
            if wasEmpty || DataFile(path).bytes ?? 0 == 0 {
                manifest.skipped.append(name)
            } else {
                unreadable.append(name)
                manifest.unreadable.append("\(name): \(error)")
            }
        }
    }

    /// Compares the found books with the device store, and reports a book that is missing.
    mutating func noteMissing() throws {
        let store = data + "/sessions.sqlite"
        guard FileManager.default.fileExists(atPath: store) else { return }
        let present = Set(
            manifest.members.map(\.name) + unreadable
        )
        for entry in try DeviceStore.entries(at: store, isInUse: true, now: dependencies.now)
        where entry.hasBook {
            let name = "devices/\(entry.device.description.suffix(2))/\(entry.device).sqlite"
            // A book that was created during the backup is for the next one.
            guard !present.contains(name), DataFile("\(data)/\(name)").bytes ?? 0 == 0 else { continue }
            manifest.skipped.removeAll { $0 == name }
            manifest.unreadable.append("\(name): it is missing or empty, and its device has had one")
        }
    }

    mutating func end() throws {
        report = Backup.Report(
            files: manifest.members.count - 1,
            skipped: manifest.skipped,
            unreadable: manifest.unreadable,
            faults: manifest.faults ?? []
        )
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
