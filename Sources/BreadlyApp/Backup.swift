// All books in one file.

import Compression
import DeviceStore
public import Devices
import Foundation
import Storage
import Synchronization

/// Copies of a data folder.
public enum Backup {
    /// How a backup went.
    public struct Report: Hashable, Sendable {
        /// How many files are in it.
        public internal(set) var files = 0
        /// Books that went away while it was made, because somebody signed out or a guest was forgotten; and files that
        /// hold nothing yet.
        public internal(set) var skipped: [String] = []
        /// Books that are missing or cannot be read, each with the reason. Everything else is in the backup.
        public internal(set) var unreadable: [String] = []
    }

    /// Writes every book, the device store, the accounts and the server's secret into one tar file. Each book in it is of
    /// one moment; a server may go on meanwhile.
    /// - Parameters:
    ///   - target: the file, which must not exist; `-` for standard output.
    ///   - compresses: whether it is written as gzip.
    ///   - isChecked: whether each book is gone through, page by page; else `verify` does so with the backup.
    ///   - cores: how many it may keep busy; nil for all. A server that goes on meanwhile leaves the others alone.
    ///
    /// A book that cannot be read does not keep the others from being saved; it is in the report.
    /// - Throws: `AppError.backup`, `AppError.folder`, where anything else cannot be read, or the target not be written; no
    ///   file is left then.
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

    /// The files of a data folder that hold data, by name; the device store before the books, so that a book which is made
    /// meanwhile is at worst one that no browser knows.
    static func members(of data: String) throws(AppError) -> [String] {
        guard access(data, R_OK | X_OK) == 0 else {
            throw .folder("\(data) cannot be read: check its owner and its rights.")
        }
        let fixed = ofTheServer.filter { FileManager.default.fileExists(atPath: "\(data)/\($0)") }
        do { return fixed + (try DataFolder.books(in: data)) } catch { throw .folder(error.sentence) }
    }

    /// The files and folders that a restore replaces, by name.
    private static func identity(of data: String) -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        for name in ofTheServer + ["devices"] {
            var status = stat()
            if stat("\(data)/\(name)", &status) == 0 { found[name] = UInt64(status.st_ino) }
        }
        return found
    }

    /// What is the server's and no device's.
    static let ofTheServer = ["cloud.sqlite", "secret.key", "sessions.sqlite"]

    /// An error in words: those of Foundation with the file and the system's reason.
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

/// Puts the files of a data folder into an archive.
private struct BackupWriter {
    let data: String
    let output: BackupOutput
    let archive: ArchiveWriter
    let gzip: GzipWriter?
    let dependencies: Dependencies
    var manifest = BackupManifest()
    var report = Backup.Report()
    /// The books that are there and cannot be read, by name.
    private var unreadable: [String] = []

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
    mutating func add(_ names: [String], isChecked: Bool, cores: Int) throws {
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
            // A user who signs out meanwhile takes the book along. One that is empty was begun and never made, unless its
            // device has had one.
            if DataFile(path).bytes ?? 0 == 0 {
                manifest.skipped.append(name)
            } else {
                unreadable.append(name)
                manifest.unreadable.append("\(name): \(error)")
            }
        }
    }

    /// Compares what was found with the device store: a book that a device has had and that is missing is told.
    mutating func noteMissing() throws {
        let store = data + "/sessions.sqlite"
        guard FileManager.default.fileExists(atPath: store) else { return }
        let present = Set(
            manifest.members.map(\.name) + unreadable
        )
        for entry in try DeviceStore.entries(at: store, isInUse: true, now: dependencies.now)
        where entry.hasBook == true {
            let name = "devices/\(entry.device.description.suffix(2))/\(entry.device).sqlite"
            // One that was made meanwhile is for the next backup.
            guard !present.contains(name), DataFile("\(data)/\(name)").bytes ?? 0 == 0 else { continue }
            manifest.skipped.removeAll { $0 == name }
            manifest.unreadable.append("\(name): it is missing or empty, and its device has had one")
        }
    }

    mutating func end() throws {
        report = Backup.Report(
            files: manifest.members.count - 1,
            skipped: manifest.skipped,
            unreadable: manifest.unreadable
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
