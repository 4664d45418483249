// All books in one file, and back.

import Book
import Cloud
public import Devices
import Foundation

/// Copies and checks a data folder, also while a server works on it.
public enum Backup {
    /// Writes every book, the register of devices, the accounts and the server's secret into one tar file. Each book in it is of
    /// one moment; a server may go on meanwhile.
    /// - Throws: `AppError.backup`, `AppError.folder`; no file is left then.
    public static func write(_ data: String, to target: String) throws(AppError) {
        let files = FileManager.default
        guard !members(of: data).isEmpty else {
            throw .backup("there is nothing to back up in \(data).")
        }
        guard !files.fileExists(atPath: target) else {
            throw .backup("\(target) exists already: choose another name.")
        }
        let partial = target + ".partial"
        do {
            guard files.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600])
            else {
                throw AppError.backup("\(target) cannot be written.")
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: partial))
            defer { try? handle.close() }
            let archive = ArchiveWriter(handle)
            for name in members(of: data) {
                let copy = partial + ".part"
                try? files.removeItem(atPath: copy)
                defer { try? files.removeItem(atPath: copy) }
                if name.hasSuffix(".sqlite") {
                    do { try Book.copy(at: "\(data)/\(name)", to: copy) } catch {
                        // A user who signs out meanwhile takes the book along.
                        if name.hasPrefix("devices/"), !files.fileExists(atPath: "\(data)/\(name)") {
                            continue
                        }
                        throw error
                    }
                } else {
                    try files.copyItem(atPath: "\(data)/\(name)", toPath: copy)
                }
                try archive.add(name, copy)
            }
            try archive.end()
            try handle.synchronize()
            try files.moveItem(atPath: partial, toPath: target)
        } catch {
            try? files.removeItem(atPath: partial)
            throw error as? AppError ?? .backup("the backup failed: \(error)")
        }
    }

    /// Puts a backup back. What is in the folder moves aside, into a folder of its own within it.
    /// - Parameter stamp: names that folder.
    /// - Returns: the folder that the old data moved to; nil where there was none.
    /// - Throws: `AppError.backup` where the file is not a whole, sound backup: the folder is as it was then.
    public static func restore(
        _ source: String,
        to data: String,
        stamp: String,
        dependencies: Dependencies
    ) throws(AppError) -> String? {
        let lock: DataFolder
        do { lock = try DataFolder.lock(data) } catch { throw .folder(error.sentence) }
        let files = FileManager.default
        let fresh = lock.path + "/restoring-\(stamp)"
        do {
            try unpack(source, to: fresh)
            for name in members(of: fresh) where name.hasSuffix(".sqlite") {
                let findings = try Book.checkIntegrity(at: "\(fresh)/\(name)")
                guard findings.isEmpty else {
                    throw AppError.backup("\(name) in the backup is damaged: \(findings[0])")
                }
            }
            if files.fileExists(atPath: fresh + "/cloud.sqlite") {
                // Devices that have seen more than the backup holds are to know.
                let directory = try Directory.open(fresh, dependencies, takesNewAccounts: false)
                defer { directory.close() }
                try directory.noteRestored()
                // It is where it belongs: the next start must not take it for an older one.
                try directory.mark()
            }
            let old = try files.contentsOfDirectory(atPath: lock.path)
                .filter { $0 != "lock" && !$0.hasPrefix("restoring-") && !$0.hasPrefix("before-restore-") }
            let aside = lock.path + "/before-restore-\(stamp)"
            if !old.isEmpty {
                try files.createDirectory(atPath: aside, withIntermediateDirectories: false)
                for name in old {
                    try files.moveItem(atPath: "\(lock.path)/\(name)", toPath: "\(aside)/\(name)")
                }
            }
            for name in try files.contentsOfDirectory(atPath: fresh) {
                try files.moveItem(atPath: "\(fresh)/\(name)", toPath: "\(lock.path)/\(name)")
            }
            try files.removeItem(atPath: fresh)
            return old.isEmpty ? nil : aside
        } catch {
            try? files.removeItem(atPath: fresh)
            throw error as? AppError ?? .backup("the backup could not be put back: \(error)")
        }
    }

    /// Looks at every file of a data folder.
    /// - Returns: a line for each file, and whether all is well.
    public static func examine(_ data: String) throws(AppError) -> (lines: [String], isSound: Bool) {
        guard FileManager.default.fileExists(atPath: data) else {
            throw .folder("\(data): there is no such folder.")
        }
        let isFree = (try? DataFolder.lock(data)) != nil
        var lines = [isFree ? "\(data): no server works on it" : "\(data): a server works on it"]
        var isSound = true
        for name in members(of: data) where name.hasSuffix(".sqlite") {
            var findings: [String] = []
            do { findings = try Book.checkIntegrity(at: "\(data)/\(name)") } catch { findings = ["\(error)"] }
            lines.append(findings.isEmpty ? "\(name): sound" : "\(name): \(findings.joined(separator: "; "))")
            if !findings.isEmpty { isSound = false }
        }
        return (lines, isSound)
    }

    /// The files of a data folder that hold data, by name.
    private static func members(of data: String) -> [String] {
        let fixed = ofTheServer.filter {
            FileManager.default.fileExists(atPath: "\(data)/\($0)")
        }
        let books = (FileManager.default.subpaths(atPath: data + "/devices") ?? [])
            .filter { $0.hasSuffix(".sqlite") }.map { "devices/" + $0 }
        return fixed + books.sorted()
    }

    /// What is the server's and no device's.
    private static let ofTheServer = ["cloud.sqlite", "secret.key", "sessions.sqlite"]

    private static func unpack(_ source: String, to folder: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: source) else {
            throw AppError.backup("\(source): there is no such file.")
        }
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        var count = 0
        try Archive.read(source) { name, pieces in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), parts.count <= 3,
                ofTheServer.contains(name)
                    || (name.hasPrefix("devices/") && name.hasSuffix(".sqlite"))
            else { throw AppError.backup("\(source) holds '\(name)', which is no part of a backup.") }
            let path = "\(folder)/\(name)"
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try files.createDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
                withIntermediateDirectories: true,
                attributes: attributes
            )
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw AppError.backup("\(path) cannot be written.")
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            while let piece = try pieces() { try handle.write(contentsOf: piece) }
            try handle.synchronize()
            count += 1
        }
        guard count > 0 else { throw AppError.backup("\(source) holds nothing.") }
    }
}
