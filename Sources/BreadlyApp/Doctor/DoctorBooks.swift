// The books of the devices.

import Book
import DeviceStore
import FileStore
import Foundation
import Ledger
import Storage

extension Doctor {
    /// - Parameter isKnown: whether the device store can be read.
    mutating func examineBooks(isKnown: Bool) {
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
        var missing = store?.filter { $0.value.hasBook } ?? [:]
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
            examineFiles(besides: path)
        }
        examineLogs()
        examineFilesWithoutBook()
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

    private mutating func examineFilesWithoutBook() {
        for path in ownPaths where path.hasPrefix("devices/") && path.hasSuffix(".files") {
            guard DataFile("\(folder)/\(path.dropLast(".files".count)).sqlite").bytes == nil else { continue }
            add(
                .warning,
                path,
                "the files of a book that is missing",
                "put the book back beside them, or remove them"
            )
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

    private static func advice(_ error: BookError) -> String? {
        switch error {
        // The error's own text contains the advice.
        case .newerSchema, .migrationRefused: nil
        case .readOnly: "check its owner and its rights"
        case .busy: "try again"
        default: bringBack
        }
    }
}
