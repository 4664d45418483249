// The files of receipts, beside the books and in the cloud: each is read as a whole.

import Book
import Cloud
import CloudProtocol
import FileStore
import Foundation

extension Doctor {
    private static let rights = "check its owner and its rights"

    /// Files of receipts without a row, rows without a file, and files that the disk has damaged.
    mutating func examineFiles(besides book: String) {
        let shown = FileFolder(besides: book).path
        switch Book.receiptFaults(beside: "\(folder)/\(book)", isInUse: isInUse, now: now) {
        case .failure: return add(.fault, shown, "the folder cannot be read", Self.rights)
        // The finding about the book says why it cannot be read.
        case .success(nil): return
        case .success(let found?):
            if !found.missing.isEmpty {
                let what =
                    "receipts without a file (\(found.missing.count)): \(Self.listed(found.missing))"
                add(.fault, book, what, ReceiptFileAdvice.missing(shown))
            }
            if !found.unneeded.isEmpty {
                let what =
                    "\(found.unneeded.count) files that no receipt needs; they are removed when its book is opened"
                add(.note, shown, what)
            }
            let sound = read(found.stored.keys.sorted().map { "\(folder)/\(shown)/\($0)" })
            unreadable(sound.unreadable, shown)
            let names = sound.damaged.map { found.stored[$0] ?? $0 }
            guard !names.isEmpty else { return }
            let what = "damaged files (\(names.count)): \(Self.listed(names))"
            add(.fault, shown, what, ReceiptFileAdvice.damaged)
        }
    }

    /// Rows of files without bytes, bytes without a row, and files that the disk has damaged.
    mutating func examineCloudFiles(besides path: String) throws(CloudError) {
        var faults = try FileService.faults(besides: path, isInUse: isInUse, now: now)
        // A file may be collected between the look into the database and that into the folder.
        if isInUse, !faults.missing.isEmpty {
            faults = try FileService.faults(besides: path, isInUse: isInUse, now: now)
        }
        for path in faults.unreadable {
            add(.fault, String(path.dropFirst(folder.count + 1)), "the folder cannot be read", Self.rights)
        }
        if !faults.missing.isEmpty {
            let what = "missing files of accounts (\(faults.missing.count))"
            add(.fault, Backup.cloudFiles, what, ReceiptFileAdvice.cloud)
        }
        if !faults.unlisted.isEmpty {
            let what = "\(faults.unlisted.count) files that no account has; a running server removes them"
            add(.note, Backup.cloudFiles, what)
        }
        if faults.unsent > 0 {
            let what = "\(faults.unsent) files of receipts are on devices only; each device sends what it has"
            add(.note, Backup.cloudFiles, what)
        }
        let sound = read(faults.stored)
        unreadable(sound.unreadable, Backup.cloudFiles)
        let damaged = faults.damaged + sound.damaged
        guard !damaged.isEmpty else { return }
        let names = damaged.map { $0.suffix(64) }.joined(separator: ", ")
        let what = "damaged files of accounts (\(damaged.count)): \(names)"
        add(.fault, Backup.cloudFiles, what, ReceiptFileAdvice.cloud)
    }

    private mutating func unreadable(_ count: Int, _ path: String) {
        guard count > 0 else { return }
        add(.fault, path, "\(count) of its files cannot be opened", "check their owner and their rights")
    }

    /// Reads files piece by piece, and compares their content with their names.
    /// - Returns: the names of the damaged files, and the number of files that cannot be opened.
    private mutating func read(_ paths: [String]) -> (damaged: [String], unreadable: Int) {
        var (damaged, unreadable): ([String], Int) = ([], 0)
        for path in paths {
            let name = String(path.suffix(64))
            do throws(FileStoreError) {
                // It may have been removed since.
                guard let file = try StoredFile.open(path), let hash = ContentHash(name) else { continue }
                files += 1
                bytesOfFiles += Int64(file.size)
                if file.hash() != hash { damaged.append(name) }
            } catch { unreadable += 1 }
        }
        return (damaged, unreadable)
    }

    static func listed(_ names: [String]) -> String {
        names.prefix(3).map { "'\(printable($0))'" }.joined(separator: ", ") + (names.count > 3 ? " …" : "")
    }
}

extension Book {
    /// Compares the receipts of a book with the files beside it; nil if the book cannot be read.
    /// - Parameter path: of the book.
    static func receiptFaults(beside path: String, isInUse: Bool, now: Int64) -> Result<
        ReceiptFaults?, FileStoreError
    > {
        func find() -> Result<ReceiptFaults?, FileStoreError> {
            do throws(FileStoreError) {
                let present = Set(try FileFolder(besides: path).list().map(\.description))
                return .success(try? receiptFaults(at: path, present: present, isInUse: isInUse, now: now))
            } catch { return .failure(error) }
        }
        let faults = find()
        // A receipt may be added between the look into the folder and that into the book.
        guard isInUse, case .success(let found?) = faults, !found.missing.isEmpty else { return faults }
        return find()
    }
}

/// The answer to damaged or missing files of receipts.
enum ReceiptFileAdvice {
    static let damaged =
        "open them in Breadly, which fetches them again if the cloud has them, or put them back from an earlier backup"
    static let cloud =
        "a running server asks devices that have them to send them again; or put them back from an earlier backup, into the same folders"

    static func missing(_ folder: String) -> String {
        "put the files back from an earlier backup, into \(folder)"
    }
}
