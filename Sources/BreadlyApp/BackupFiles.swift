// The files of receipts in a backup: each is read once, and compared with its name and with the rows.

import Book
import Cloud
import CloudProtocol
import FileStore
import Foundation
import Storage

extension BackupWriter {
    /// Adds the files of the cloud's accounts. They come after its database, like the files of a book after the book.
    mutating func addCloudFiles() throws {
        var damaged: [String] = []
        for user in list(Backup.cloudFiles).sorted() {
            let folder = "\(Backup.cloudFiles)/\(user)"
            // A file that the cloud has displaced may be the last copy.
            let names = list(folder).filter {
                ContentHash($0) != nil || FileFolder.hash(ofDisplaced: $0) != nil
            }
            damaged += try names.sorted().filter { try !add($0, in: folder) }
        }
        let (path, now) = ("\(data)/cloud.sqlite", dependencies.now)
        func find() -> FileService.Faults? { try? FileService.faults(besides: path, isInUse: true, now: now) }
        var found = find()
        // A file may be collected between the look into the database and that into the folder.
        if found?.missing.isEmpty == false { found = find() }
        let missing = (found?.missing ?? []).map { String($0.suffix(64)) }
        damaged += (found?.damaged ?? []).map { String($0.suffix(64)) }
        for (names, what) in [(missing, "missing"), (damaged, "damaged")] where !names.isEmpty {
            let what = "\(what) files of accounts (\(names.count))"
            note(Backup.cloudFiles, what, names, ReceiptFileAdvice.cloud)
        }
    }

    /// Adds the files beside a book. They come after it: a file that is added meanwhile has no row in the backup, and a
    /// row in it has its file.
    /// - Parameter isChecked: whether to look for missing files of a book without a folder, too. Opening each book takes
    ///   longer than saving it; `verify` opens each and looks for them.
    mutating func addFiles(besides book: String, isChecked: Bool) throws {
        guard book.hasPrefix("devices/"), book.hasSuffix(".sqlite") else { return }
        let folder = FileFolder(besides: book).path
        let names = list(folder).filter { FileFolder.isOfFile($0) }
        let damaged = try names.sorted().filter { try !add($0, in: folder) }
        let (path, now) = ("\(data)/\(book)", dependencies.now)
        guard isChecked || access("\(data)/\(folder)", F_OK) == 0 else { return }
        guard case .success(let found?) = Book.receiptFaults(beside: path, isInUse: true, now: now) else {
            return
        }
        if !found.missing.isEmpty {
            let what = "receipts without a file (\(found.missing.count))"
            note(book, what, found.missing, ReceiptFileAdvice.missing(folder))
        }
        let needed = damaged.compactMap { found.stored[$0] }
        if !needed.isEmpty {
            note(folder, "damaged files (\(needed.count))", needed, ReceiptFileAdvice.damaged)
        }
    }

    private mutating func note(_ path: String, _ what: String, _ names: [String], _ todo: String) {
        manifest.faults = (manifest.faults ?? []) + ["\(path): \(what): \(Doctor.listed(names)); \(todo)"]
    }

    /// The names in a folder, which is empty if it cannot be listed. The backup lacks its files then.
    private mutating func list(_ folder: String) -> [String] {
        do throws(FileStoreError) { return try FileFolder.list("\(data)/\(folder)") } catch {
            manifest.unreadable.append("\(folder): the folder cannot be read: \(error)")
            return []
        }
    }

    /// Adds a file of a receipt, or its small picture. Bytes that the disk cannot read are zeros in the backup.
    /// - Returns: false if its name belongs to another content.
    private mutating func add(_ fileName: String, in folder: String) throws -> Bool {
        try Task.checkCancellation()
        let name = "\(folder)/\(fileName)"
        let file: StoredFile
        do throws(FileStoreError) {
            // A user who signs out or deletes an account during the backup removes the files.
            guard let opened = try StoredFile.open("\(data)/\(name)") else { return true }
            file = opened
        } catch {
            manifest.unreadable.append("\(name): \(error)")
            return true
        }
        var (digest, offset) = (Digest(), 0)
        try archive.beginFile(name, size: file.size)
        while offset < file.size {
            let count = min(1 << 16, file.size - offset)
            var piece = file.bytes(at: offset, count: count)
            piece += [UInt8](repeating: 0, count: count - piece.count)
            digest.add(piece)
            try archive.sink(piece)
            offset += count
        }
        try archive.endFile(size: file.size)
        let sha256 = digest.text
        manifest.members.append(.init(name: name, bytes: file.size, sha256: sha256))
        return ContentHash(fileName) == nil || fileName == sha256
    }
}
