// Restoring a backup: atomically, even if the process is interrupted at any time.

import Cloud
import DeviceStore
public import Devices
import Foundation

extension Backup {
    /// The result of a restore.
    public struct Restored: Hashable, Sendable {
        /// The folder of the previous data; nil if there was none.
        public let previousData: String?
        /// Whether this call only finished an earlier restore that was interrupted.
        public let isFinishedOnly: Bool
        /// Books and files that were damaged, missing or unreadable when they were saved, a line each.
        public let faults: [String]
    }

    /// Restores a backup. The present content of the folder moves into a folder of its own inside it.
    ///
    /// If an earlier restore was interrupted, it is finished, and this one is not begun.
    /// - Throws: `AppError.backup` if the file is not a complete, intact backup; the folder is unchanged
    ///   then.
    public static func restore(_ source: String, to data: String, dependencies: Dependencies) throws(AppError)
        -> Restored
    {
        let lock: DataFolder
        do { lock = try DataFolder.lock(data) } catch { throw .folder(error.sentence) }
        defer { lock.release() }
        if let swap = try RestoreSwap.finish(lock.path) {
            return Restored(previousData: "\(lock.path)/\(swap.displaced)", isFinishedOnly: true, faults: [])
        }
        let files = FileManager.default
        let stamp = dependencies.now
        let swap = RestoreSwap(fresh: "restoring-\(stamp)", displaced: "before-restore-\(stamp)", phase: .out)
        let fresh = "\(lock.path)/\(swap.fresh)"
        do {
            // A restore that was killed while it unpacked has changed nothing, and left this folder.
            for name in try files.contentsOfDirectory(atPath: lock.path)
            where name.hasPrefix(RestoreSwap.freshPrefix) {
                try files.removeItem(atPath: "\(lock.path)/\(name)")
            }
            let faults: [String]
            do {
                let content = try BackupContent(source, into: fresh)
                faults = try content.check(in: fresh, isThorough: false) + content.unreadable
                if files.fileExists(atPath: fresh + "/cloud.sqlite") {
                    // Devices that have seen more than the backup contains will get `cursorAhead`.
                    let directory = try Directory.open(fresh, dependencies, acceptsNewAccounts: false)
                    defer { directory.close() }
                    try directory.noteRestored()
                    // The file is in its final place: the next start must not mistake it for an older one.
                    try directory.mark()
                }
                // One call for all files: syncing ten thousand one by one would take minutes.
                sync()
            } catch {
                try? files.removeItem(atPath: fresh)
                throw error
            }
            let hadData = try !swap.present(in: lock.path).isEmpty
            try swap.begin(in: lock.path)
            return Restored(
                previousData: hadData ? "\(lock.path)/\(swap.displaced)" : nil,
                isFinishedOnly: false,
                faults: faults
            )
        } catch { throw error as? AppError ?? .backup("the backup could not be put back: \(words(error))") }
    }
}

/// The exchange of a folder's content for the content of a folder inside it. The state is in `restore.json` before the
/// first name is moved, so that any later process can finish the exchange.
///
///     out: every name moves into the folder of the old content ─▶ in: every new name moves up ─▶ done
///
/// While the state is `out`, all present content is old; while it is `in`, all is new. Each step can be repeated. Only names
/// move, and the space that they need is allocated before: a full disk stops the exchange before anything has changed. A
/// name that cannot be moved out causes a rollback.
struct RestoreSwap: Codable {
    enum Phase: String, Codable { case out, `in` }

    /// The folder with the new content, by name.
    let fresh: String
    /// The folder that the old content moves to, by name.
    let displaced: String
    var phase: Phase

    /// The names in `restore.json`, which a later version may have to read.
    private enum CodingKeys: String, CodingKey {
        case fresh
        case displaced = "aside"
        case phase
    }

    static let freshPrefix = "restoring-"
    static let displacedPrefix = "before-restore-"
    static let noteName = "restore.json"
    /// The path of the next state, which replaces the first one between the phases.
    private static let nextName = "restore.json.next"

    /// Whether a restore was interrupted in a folder.
    static func isUnfinished(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(noteName)")
    }

    /// - Throws: `AppError.folder` if a restore was interrupted: half of the folder is old, and half is new.
    static func refuse(_ folder: String) throws(AppError) {
        guard isUnfinished(folder) else { return }
        throw .folder(
            "a restore of \(folder) was interrupted: start the server, or run breadly restore again, to finish it."
        )
    }

    /// Finishes an interrupted restore.
    /// - Parameter folder: a folder that this process has locked.
    /// - Returns: nil if no restore was interrupted.
    static func finish(_ folder: String) throws(AppError) -> RestoreSwap? {
        guard isUnfinished(folder) else { return nil }
        do {
            guard let note = FileManager.default.contents(atPath: "\(folder)/\(noteName)") else {
                throw AppError.folder("\(folder)/\(noteName) cannot be read: check its owner and its rights.")
            }
            let swap = try JSONDecoder().decode(RestoreSwap.self, from: note)
            try swap.go(in: folder)
            return swap
        } catch {
            throw error as? AppError
                ?? .folder(
                    "the restore of \(folder) that was interrupted cannot be finished: \(Backup.words(error))"
                )
        }
    }

    /// Stores the state, and performs the exchange.
    /// - Parameter step: called before each change of the folder; a test throws there.
    func begin(in folder: String, step: () throws -> Void = {}) throws {
        try step()
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(displaced)",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try step()
        try RestoreSwap(fresh: fresh, displaced: displaced, phase: .in).write(
            to: "\(folder)/\(Self.nextName)"
        )
        try step()
        try write(to: "\(folder)/\(Self.noteName).partial")
        try step()
        try move("\(Self.noteName).partial", to: Self.noteName, in: folder)
        synchronizeFolder(folder)
        try go(in: folder, step: step)
    }

    /// The names that are part of the data. Other files do not belong to Breadly, and stay.
    func present(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            name == "devices" || name == Backup.cloudFiles
                || Backup.ofTheServer.contains {
                    name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".")
                }
        }.sorted()
    }

    func go(in folder: String, step: () throws -> Void = {}) throws {
        let files = FileManager.default
        let (fresh, displaced) = ("\(folder)/\(fresh)", "\(folder)/\(displaced)")
        if phase == .out {
            try moveOut(in: folder, step)
            synchronizeFolder(displaced)
            synchronizeFolder(folder)
            try step()
            try move(Self.nextName, to: Self.noteName, in: folder)
            synchronizeFolder(folder)
        }
        if files.fileExists(atPath: fresh) {
            for name in try files.contentsOfDirectory(atPath: fresh).sorted() {
                try step()
                try move("\(self.fresh)/\(name)", to: name, in: folder)
            }
            synchronizeFolder(folder)
            try step()
            try files.removeItem(atPath: fresh)
        }
        // The backup contains no file of the name.
        if try files.contentsOfDirectory(atPath: displaced).isEmpty {
            try step()
            try files.removeItem(atPath: displaced)
        }
        try step()
        try files.removeItem(atPath: "\(folder)/\(Self.noteName)")
        synchronizeFolder(folder)
    }

    private func moveOut(in folder: String, _ step: () throws -> Void) throws {
        for name in try present(in: folder) {
            try step()
            do { try move(name, to: "\(displaced)/\(name)", in: folder) } catch {
                // The folder is unchanged, except for the folder with the new files, which the next restore
                // removes.
                let files = FileManager.default
                for moved in try files.contentsOfDirectory(atPath: "\(folder)/\(displaced)")
                where !files.fileExists(atPath: "\(folder)/\(moved)") {
                    try move("\(displaced)/\(moved)", to: moved, in: folder)
                }
                try FileManager.default.removeItem(atPath: "\(folder)/\(Self.noteName)")
                try? FileManager.default.removeItem(atPath: "\(folder)/\(displaced)")
                throw error
            }
        }
    }

    /// - Throws: `AppError.folder` with the name and the system's reason.
    private func move(_ name: String, to other: String, in folder: String) throws {
        guard rename("\(folder)/\(name)", "\(folder)/\(other)") == 0 else {
            throw AppError.folder("\(folder)/\(name) cannot be moved: \(String(cString: strerror(errno))).")
        }
    }

    private func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.synchronize()
    }
}
