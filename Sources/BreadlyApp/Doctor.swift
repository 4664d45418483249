// Examines a data folder: the expected files, their integrity and their permissions.

import Book
import Cloud
import CloudProtocol
import DeviceStore
public import Devices
import Foundation
import Ledger
import Storage

/// The findings about a data folder. The examination creates and changes no file.
public struct Doctor: Sendable, Encodable {
    /// One finding.
    public struct Finding: Hashable, Sendable, Encodable {
        /// The severity of a finding.
        public enum Weight: String, Sendable, Encodable, CaseIterable {
            /// Information; no action is necessary.
            case note
            /// No data is lost, and the operator should act.
            case warning
            /// A file is damaged, missing or unusable.
            case fault
        }

        /// The severity of the finding.
        public let weight: Weight
        /// The path within the data folder.
        public let path: String
        /// The finding, in words.
        public let what: String
        /// The remedy; nil if no action is necessary.
        public let todo: String?
    }

    /// The path of the data folder.
    public let folder: String
    /// Whether a server works on it.
    public let isInUse: Bool
    /// The number of books.
    public private(set) var books = 0
    /// The most severe first.
    public private(set) var findings: [Finding] = []

    /// Whether no action is necessary.
    public var isSound: Bool { !findings.contains { $0.weight != .note } }
    /// Whether a file is damaged, missing or unusable.
    public var hasFaults: Bool { findings.contains { $0.weight == .fault } }

    private let now: Int64

    private enum CodingKeys: String, CodingKey { case folder, isInUse, books, findings }

    /// Examines a data folder, also while a server works on it.
    /// - Throws: `AppError.folder` if the folder does not exist or cannot be read.
    public init(_ data: String, dependencies: Dependencies) throws(AppError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: data) else {
            throw .folder("\(data): there is no such folder, or it cannot be read: name it with --data.")
        }
        folder = data
        isInUse = DataFolder.isInUse(data)
        now = dependencies.now
        examineNames(names)
        examineRights()
        examineRoom()
        let isKnown = examineDeviceStore()
        examineCloud()
        examineBooks(isKnown: isKnown)
        let order = Finding.Weight.allCases
        findings = findings.enumerated().sorted { left, right in
            let weights = [left, right].map { order.firstIndex(of: $0.element.weight) ?? 0 }
            return weights[0] == weights[1] ? left.offset < right.offset : weights[0] > weights[1]
        }.map(\.element)
    }

    private mutating func add(_ weight: Finding.Weight, _ path: String, _ what: String, _ todo: String? = nil)
    {
        findings.append(Finding(weight: weight, path: path, what: what, todo: todo))
    }

    private static let bringBack = "bring back a copy with breadly restore"
}

// MARK: - The folder

extension Doctor {
    /// Every file of Breadly in the folder, by level. A folder that cannot be read is a finding of its own.
    private var ownPaths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = names.filter { name in
            Backup.ofTheServer.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
        }
        guard names.contains("devices") else { return own.sorted() }
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/devices")) ?? [])
            .filter { $0.count == 2 }.map { "devices/" + $0 }
        let files = folders.flatMap { parent in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(parent)")) ?? []).map {
                "\(parent)/\($0)"
            }
        }
        return own.sorted() + ["devices"] + folders.sorted() + files.sorted()
    }

    private mutating func examineNames(_ names: [String]) {
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
    private mutating func examineRights() {
        var owner = stat()
        guard stat(folder, &owner) == 0 else { return }
        if owner.st_mode & 0o077 != 0 {
            add(
                .warning,
                ".",
                "others on this machine may look into the folder",
                "chmod 700 \(quoted(folder))"
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
            let target = quoted(folder + "/")
            add(.fault, first, what, "chown -R --reference=\(target) \(target)")
        }
        if let first = open.first {
            let what = "others may read \(open.count == 1 ? "it" : "\(open.count) files")"
            add(.warning, first, what, "chmod -R go= \(quoted(folder))")
        }
    }

    private mutating func examineRoom() {
        guard let room = DiskSpace(folder) else { return }
        let todo = "make room on the disk of \(folder)"
        if room.bytes < Self.leastBytes {
            add(.fault, ".", "\(room.bytes >> 20) MB are free: nothing can be recorded", todo)
        } else if room.bytes < Self.fewBytes {
            add(.warning, ".", "only \(room.bytes >> 20) MB are free", todo)
        }
        if let files = room.files, files < 1_000 {
            add(.warning, ".", "only \(files) more files fit on the disk", todo)
        }
    }

    private static let leastBytes = 16 << 20
    private static let fewBytes = 256 << 20

    /// A path quoted for a shell.
    private func quoted(_ path: String) -> String { "'" + path.replacing("'", with: "'\\''") + "'" }
}

// MARK: - The server's own files

extension Doctor {
    /// - Returns: whether the device store can be read.
    private mutating func examineDeviceStore() -> Bool {
        let name = "sessions.sqlite"
        let path = "\(folder)/\(name)"
        let hasBooks = (try? DataFolder.books(in: folder).isEmpty) == false
        examineKey(hasBooks: hasBooks)
        guard FileManager.default.fileExists(atPath: path) else {
            if hasBooks {
                add(
                    .fault,
                    name,
                    "it is missing, and says whose the books are",
                    "\(Self.bringBack), or put it back by hand"
                )
            }
            return false
        }
        do throws(DeviceStoreError) {
            for finding in try DeviceStore.checkIntegrity(at: path, isInUse: isInUse, now: now) {
                add(.fault, name, finding, Self.bringBack)
            }
            return true
        } catch {
            add(.fault, name, "\(error)", Self.advice(error))
            return false
        }
    }

    private mutating func examineKey(hasBooks: Bool) {
        let name = "secret.key"
        let path = "\(folder)/\(name)"
        let isNeeded = hasBooks || FileManager.default.fileExists(atPath: "\(folder)/sessions.sqlite")
        let todo = "put it back from a backup: without it every signed-in device has to sign in again"
        guard FileManager.default.fileExists(atPath: path) else {
            if isNeeded { add(.fault, name, "it is missing", todo) }
            return
        }
        guard let key = FileManager.default.contents(atPath: path) else {
            return add(.fault, name, "it cannot be read", "check its owner and its rights")
        }
        if key.count != 32, isNeeded { add(.fault, name, "it has \(key.count) bytes instead of 32", todo) }
    }

    private mutating func examineCloud() {
        let name = "cloud.sqlite"
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else {
            if FileManager.default.fileExists(atPath: path + ".mark") {
                add(.fault, name, "it is missing, and was here", "\(Self.bringBack), or put it back by hand")
            }
            return
        }
        do throws(CloudError) {
            for finding in try Directory.checkIntegrity(at: path, isInUse: isInUse, now: now) {
                add(.fault, name, finding, Self.bringBack)
            }
            let age = Self.mostRateDays
            if let day = try Directory.staleRates(at: path, olderThan: age, isInUse: isInUse, now: now) {
                let what = "the exchange rates are of \(day), and requests for newer ones find none"
                add(.warning, name, what, "read the log, or bring newer ones with breadly rates import")
            }
        } catch {
            if case .failed(let what) = error {
                add(.fault, name, what, Self.bringBack)
            } else {
                add(.fault, name, "\(error)", Self.bringBack)
            }
        }
    }

    /// The age of rates in days that no public holidays explain.
    private static let mostRateDays = 7

    private static func advice(_ error: DeviceStoreError) -> String? {
        switch error {
        case .storage(.newerSchema): nil
        case .storage(.readOnly): "check its owner and its rights"
        case .storage(.busy): "try again"
        default: bringBack
        }
    }

    private static func advice(_ error: BookError) -> String? {
        switch error {
        // The error's own text contains the advice.
        case .newerSchema: nil
        case .readOnly: "check its owner and its rights"
        case .busy: "try again"
        default: bringBack
        }
    }
}

// MARK: - Books

extension Doctor {
    /// - Parameter isKnown: whether the device store can be read.
    private mutating func examineBooks(isKnown: Bool) {
        let paths: [String]
        do throws(DataFolderError) { paths = try DataFolder.books(in: folder) } catch {
            return add(
                .fault,
                "devices",
                error.sentence,
                "check the owner and the rights of the folder that it names"
            )
        }
        // The books are listed first, because the device store contains a device before its book exists.
        let store = isKnown ? devices : nil
        var missing = store?.filter { $0.value.hasBook == true } ?? [:]
        for path in paths {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            guard let device = EntityID(name), path == "devices/\(name.suffix(2))/\(name).sqlite" else {
                add(.warning, path, "no book of a device is called that", "move it out of the folder")
                continue
            }
            missing[device] = nil
            // A user may sign out during the examination.
            guard DataFile("\(folder)/\(path)").bytes != nil else { continue }
            books += 1
            if let store, store[device] == nil {
                let what = "no browser can open it: its device is not in sessions.sqlite"
                add(
                    .warning,
                    path,
                    what,
                    "it is kept; move it away, or bring back the sessions.sqlite of its time with breadly restore"
                )
            }
            examineBook(path, isMade: store?[device]?.hasBook == true)
        }
        examineLogs()
        // The device store no longer knows a book that was removed since it was read.
        let present = missing.isEmpty ? nil : devices
        for device in missing.keys.sorted(by: { $0.description < $1.description }) {
            let path = "devices/\(device.description.suffix(2))/\(device).sqlite"
            guard DataFile("\(folder)/\(path)").bytes == nil, present?[device]?.hasBook == true else {
                continue
            }
            let whose =
                missing[device]?.isSignedIn == true ? "a user is signed in on its device" : "it is a guest's"
            add(.fault, path, "it is missing (\(whose))", "\(Self.bringBack), or put it back by hand")
        }
    }

    private mutating func examineBook(_ path: String, isMade: Bool) {
        do throws(BookError) {
            for finding in try Book.checkIntegrity(at: "\(folder)/\(path)", isInUse: isInUse, now: now) {
                // A server may be about to create it, or was killed before: it contains no data that could be
                // lost.
                guard finding != Examination.blank || isMade else { continue }
                // A book that was being created is complete now.
                if finding == Examination.blank, isInUse,
                    (try Book.checkIntegrity(at: "\(folder)/\(path)", isInUse: isInUse, now: now)) != [
                        Examination.blank
                    ]
                {
                    continue
                }
                add(.fault, path, finding, Self.bringBack)
            }
        } catch {
            if DataFile("\(folder)/\(path)").bytes != nil {
                add(.fault, path, "\(error)", Self.advice(error))
            }
        }
    }

    /// Every device in the device store; nil if it cannot be read.
    private var devices: [EntityID: DeviceStore.BookEntry]? {
        let path = folder + "/sessions.sqlite"
        guard let entries = try? DeviceStore.entries(at: path, isInUse: isInUse, now: now) else {
            return nil
        }
        return Dictionary(entries.map { ($0.device, $0) }) { $1 }
    }

    /// A log without its book contains the last changes, but not the book that they belong to.
    private mutating func examineLogs() {
        for path in ownPaths where path.hasPrefix("devices/") && path.hasSuffix(".sqlite-wal") {
            let book = DataFile("\(folder)/\(path.dropLast("-wal".count))")
            guard book.bytes == nil, (DataFile("\(folder)/\(path)").bytes ?? 0) > 0 else { continue }
            add(.fault, path, "the log of a book that is missing", "put the book back beside it")
        }
    }
}
