// The files of a data folder: their names, owners and permissions, and the room on the disk.

import Encoding
import FileStore
import Foundation
import Storage

extension Doctor {
    /// Every file of Breadly in the folder, by level. A folder that cannot be read is a finding of its own.
    var ownPaths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = names.filter { name in
            Backup.ofTheServer.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
        }
        let ofCloud = names.contains(Backup.cloudFiles) ? cloudPaths : []
        guard names.contains("devices") else { return own.sorted() + ofCloud }
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/devices")) ?? [])
            .filter { $0.count == 2 }.map { "devices/" + $0 }
        let files = folders.flatMap { parent in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(parent)")) ?? []).map {
                "\(parent)/\($0)"
            }
        }
        return own.sorted() + ofCloud + ["devices"] + folders.sorted() + files.sorted()
    }

    /// The folder of the cloud's files, the folders of the accounts in it, and their files.
    private var cloudPaths: [String] {
        let root = Backup.cloudFiles
        let folders = FileFolder.names(in: "\(folder)/\(root)").map { "\(root)/\($0)" }
        let files = folders.flatMap { parent in
            FileFolder.names(in: "\(folder)/\(parent)").map { "\(parent)/\($0)" }
        }
        return [root] + folders.sorted() + files.sorted()
    }

    mutating func examineNames(_ names: [String]) {
        if names.contains(RestoreSwap.noteName) {
            let todo = "start the server, or run breadly restore again, to finish it"
            add(.fault, RestoreSwap.noteName, "a restore was interrupted in the middle", todo)
        }
        for name in names.sorted() {
            if name.hasPrefix(RestoreSwap.freshPrefix), !names.contains(RestoreSwap.noteName), !isInUse {
                let what = "a restore was interrupted before it changed anything"
                add(.warning, name, what, "run breadly restore again, or remove this folder")
            } else if name.hasPrefix(RestoreSwap.displacedPrefix) {
                add(.note, name, "what was there before a restore; remove it when it is not needed any more")
            } else if name.hasSuffix(".partial") || name.hasSuffix(".part") {
                add(.note, name, "left over from something that was interrupted; it can be removed")
            }
        }
    }

    /// Whether the server, which runs as the folder's owner, can use the files, and other users cannot read
    /// them.
    mutating func examineRights() {
        var owner = stat()
        guard stat(folder, &owner) == 0 else { return }
        if owner.st_mode & 0o077 != 0 {
            add(
                .warning,
                ".",
                "others on this machine may look into the folder",
                "chmod 700 \(ShellWord.quote(path: folder))"
            )
        }
        var (foreign, open): ([String], [String]) = ([], [])
        var isOwners = false
        for path in ownPaths {
            var status = stat()
            guard stat("\(folder)/\(path)", &status) == 0 else { continue }
            if status.st_uid != owner.st_uid { foreign.append(path) } else { isOwners = true }
            if status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 { open.append(path) }
        }
        // If all files belong to another user, that user runs the server, and the folder's permissions allow
        // it.
        if isOwners, let first = foreign.first {
            let what =
                "\(foreign.count == 1 ? "it belongs" : "\(foreign.count) files and folders belong") to another user than the folder"
            let target = ShellWord.quote(path: folder + "/")
            add(.fault, first, what, "chown -R --reference=\(target) \(target)")
        }
        if let first = open.first {
            let what = "others may read \(open.count == 1 ? "it" : "\(open.count) files")"
            add(.warning, first, what, "chmod -R go= \(ShellWord.quote(path: folder))")
        }
    }

    mutating func examineRoom() {
        guard let room = DiskSpace(folder) else { return }
        let todo = "make room on the disk of \(folder)"
        if room.bytes < Self.almostNoBytes {
            add(.fault, ".", "only \(room.bytes >> 10) KB are free: changes may be refused", todo)
        } else if room.bytes < room.alarm {
            let what =
                "only \(room.bytes >> 20) MB are free: changes are still recorded, and files of receipts may be refused"
            add(.warning, ".", what, todo)
        } else if room.bytes < Self.fewBytes {
            add(.warning, ".", "only \(room.bytes >> 20) MB are free", todo)
        }
        if let files = room.files, files < 1_000 {
            add(.warning, ".", "only \(files) more files fit on the disk", todo)
        }
    }

    private static let almostNoBytes = 1 << 20
    private static let fewBytes = 256 << 20

}
