// The file of a book that takes the place of a device's book once its user is let in.

import FileStore
import Glibc
public import Ledger
import Storage

extension DataFolder {
    /// The path at which a next book is made: `devices/<aa>/<id>.next-<number>`. Each attempt has a number of its own,
    /// because an earlier one may still be writing.
    public func loadingBookPath(of device: EntityID, attempt: EntityID) -> String {
        "\(nextBookPath(of: device))-\(attempt)"
    }

    /// The path of the next book: `devices/<aa>/<id>.next`.
    public func nextBookPath(of device: EntityID) -> String {
        String(bookPath(of: device).dropLast(".sqlite".count)) + ".next"
    }

    /// Whether there is a next book.
    public func hasNextBook(of device: EntityID) -> Bool { access(nextBookPath(of: device), F_OK) == 0 }

    /// Makes a book that was loaded the next one, in place of an earlier one. It must not be open.
    public func keepNextBook(of device: EntityID, from loading: String) throws(DataFolderError) {
        let next = nextBookPath(of: device)
        // A log that is still there could not be written into the file for want of room.
        guard DatabaseFile.size(of: loading + "-wal") <= 0 else { throw .diskFull(path) }
        guard rename(loading, next) == 0 else { throw Self.failure(next) }
        // The state that uses it is stored in another file, which must not be newer than this one.
        guard DatabaseFile.synchronize(DatabaseFile.folder(of: next)) else { throw Self.failure(next) }
    }

    /// Puts the next book in the place of a device's book; neither may be open. A process that dies meanwhile leaves either
    /// the one or the other.
    public func replaceBook(of device: EntityID) throws(DataFolderError) {
        let (path, next) = (bookPath(of: device), nextBookPath(of: device))
        // They are empty, because the book was closed. Beside the new file they would not be.
        try Self.remove(path, ["-wal", "-shm"])
        guard rename(next, path) == 0 else { throw Self.failure(path) }
        // The same holds for the state that follows.
        guard DatabaseFile.synchronize(DatabaseFile.folder(of: path)) else { throw Self.failure(path) }
        do { try SchemaCopies.remove(of: path) } catch { throw .unusable("\(error)") }
        do { try FileFolder(besides: path).removeAll() } catch { throw .unusable("\(error)") }
    }

    /// Removes what an attempt left at its path, and nothing of another attempt.
    public func removeLoadingBook(at path: String) throws(DataFolderError) {
        try Self.remove(path, ["-wal", "-shm", ""])
    }

    /// Removes the next book of a device, and what attempts that have ended left of one.
    public func removeNextBooks(of device: EntityID) throws(DataFolderError) {
        let next = nextBookPath(of: device)
        let folder = DatabaseFile.folder(of: next)
        let prefix = "\(device).next"
        for name in DatabaseFile.names(in: folder) where name.hasPrefix(prefix) {
            try Self.remove("\(folder)/\(name)", [""])
        }
    }
}
