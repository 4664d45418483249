// A backup in the place of what is there: all of it or nothing, also where it is interrupted at any moment.

import Cloud
import DeviceStore
public import Devices
import Foundation

extension Backup {
    /// How a restore went.
    public struct Restored: Hashable, Sendable {
        /// Where the data from before is; nil where there was none.
        public let aside: String?
        /// Whether this finished an earlier restore that was interrupted, and did nothing else.
        public let isFinishedOnly: Bool
        /// Books that were not sound when they were saved, or could not be, a line each.
        public let faults: [String]
    }

    /// Puts a backup back. What is in the folder moves aside, into a folder of its own within it.
    ///
    /// Where an earlier one was interrupted in the middle, that one is finished, and nothing else is done.
    /// - Throws: `AppError.backup` where the file is not a whole, sound backup: the folder is as it was then.
    public static func restore(_ source: String, to data: String, dependencies: Dependencies) throws(AppError)
        -> Restored
    {
        let lock: DataFolder
        do { lock = try DataFolder.lock(data) } catch { throw .folder(error.sentence) }
        defer { lock.release() }
        if let swap = try RestoreSwap.finish(lock.path) {
            return Restored(aside: "\(lock.path)/\(swap.aside)", isFinishedOnly: true, faults: [])
        }
        let files = FileManager.default
        let stamp = dependencies.now
        let swap = RestoreSwap(fresh: "restoring-\(stamp)", aside: "before-restore-\(stamp)", phase: .out)
        let fresh = "\(lock.path)/\(swap.fresh)"
        do {
            // One that was killed while it unpacked has changed nothing, and left this.
            for name in try files.contentsOfDirectory(atPath: lock.path)
            where name.hasPrefix(RestoreSwap.freshPrefix) {
                try files.removeItem(atPath: "\(lock.path)/\(name)")
            }
            let faults: [String]
            do {
                let content = try BackupContent(source, into: fresh)
                faults = try content.check(in: fresh, isThorough: false) + content.unreadable
                if files.fileExists(atPath: fresh + "/cloud.sqlite") {
                    // Devices that have seen more than the backup holds are to know.
                    let directory = try Directory.open(fresh, dependencies, takesNewAccounts: false)
                    defer { directory.close() }
                    try directory.noteRestored()
                    // It is where it belongs: the next start must not take it for an older one.
                    try directory.mark()
                }
                // All of it at once: ten thousand files one after another would take minutes.
                sync()
            } catch {
                try? files.removeItem(atPath: fresh)
                throw error
            }
            let hadData = try !swap.present(in: lock.path).isEmpty
            try swap.begin(in: lock.path)
            return Restored(
                aside: hadData ? "\(lock.path)/\(swap.aside)" : nil,
                isFinishedOnly: false,
                faults: faults
            )
        } catch { throw error as? AppError ?? .backup("the backup could not be put back: \(words(error))") }
    }
}

/// The exchange of a folder's content for another one, which lies in it as a folder of its own. It is noted in
/// `restore.json` before the first name is moved: whoever finds that file finishes it.
///
///     out: every name moves into the folder aside ─▶ in: every name of the fresh folder moves out of it ─▶ done
///
/// While the note says `out`, all that is there is old; while it says `in`, all is new. Each step can be done again. Only
/// names move, and what they need is made before: a full disk stops it before anything has changed. A name that cannot be
/// moved aside takes all of it back.
struct RestoreSwap: Codable {
    enum Phase: String, Codable { case out, `in` }

    /// The folder with the new content, by name.
    let fresh: String
    /// The folder that the old content moves to, by name.
    let aside: String
    var phase: Phase

    static let freshPrefix = "restoring-"
    static let asidePrefix = "before-restore-"
    static let noteName = "restore.json"
    /// The next note, which takes the place of the first one between the phases.
    private static let nextName = "restore.json.next"

    /// Whether a restore was interrupted here.
    static func isUnfinished(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(noteName)")
    }

    /// - Throws: `AppError.folder` where a restore was interrupted: half of the folder is old, and half is new.
    static func refuse(_ folder: String) throws(AppError) {
        guard isUnfinished(folder) else { return }
        throw .folder(
            "a restore of \(folder) was interrupted: start the server, or run breadly restore again, to finish it."
        )
    }

    /// Finishes what was interrupted.
    /// - Parameter folder: one that this process holds.
    /// - Returns: nil where there was nothing to finish.
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

    /// Notes what is to be done, and does it.
    /// - Parameter step: called before each change of the folder; a test ends there.
    func begin(in folder: String, step: () throws -> Void = {}) throws {
        try step()
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(aside)",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try step()
        try RestoreSwap(fresh: fresh, aside: aside, phase: .in).write(to: "\(folder)/\(Self.nextName)")
        try step()
        try write(to: "\(folder)/\(Self.noteName).partial")
        try step()
        try move("\(Self.noteName).partial", to: Self.noteName, in: folder)
        synchronizeFolder(folder)
        try go(in: folder, step: step)
    }

    /// The names that are part of the data. Whatever else lies there is not ours, and stays.
    func present(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            name == "devices"
                || Backup.ofTheServer.contains {
                    name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".")
                }
        }.sorted()
    }

    func go(in folder: String, step: () throws -> Void = {}) throws {
        let files = FileManager.default
        let (fresh, aside) = ("\(folder)/\(fresh)", "\(folder)/\(aside)")
        if phase == .out {
            try moveOut(in: folder, step)
            synchronizeFolder(aside)
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
        // There was nothing to put there.
        if try files.contentsOfDirectory(atPath: aside).isEmpty {
            try step()
            try files.removeItem(atPath: aside)
        }
        try step()
        try files.removeItem(atPath: "\(folder)/\(Self.noteName)")
        synchronizeFolder(folder)
    }

    private func moveOut(in folder: String, _ step: () throws -> Void) throws {
        for name in try present(in: folder) {
            try step()
            do { try move(name, to: "\(aside)/\(name)", in: folder) } catch {
                // All is as it was, but for the folder with the new files, which the next restore removes.
                let files = FileManager.default
                for moved in try files.contentsOfDirectory(atPath: "\(folder)/\(aside)")
                where !files.fileExists(atPath: "\(folder)/\(moved)") {
                    try move("\(aside)/\(moved)", to: moved, in: folder)
                }
                try FileManager.default.removeItem(atPath: "\(folder)/\(Self.noteName)")
                try? FileManager.default.removeItem(atPath: "\(folder)/\(aside)")
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
