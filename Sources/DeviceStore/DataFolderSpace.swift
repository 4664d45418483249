// The free space on the disk of the data folder, and a test whether it can be written.
import FileStore
import Glibc
package import Ledger
public import Storage

extension DataFolder {
    /// The space on the disk of the folder.
    /// - Throws: `DataFolderError` if the system does not report it.
    public func space() throws(DataFolderError) -> DiskSpace {
        guard let space = DiskSpace(path) else { throw Self.failure(path) }
        return space
    }

    /// The bytes that a device's book and its files use on the disk; 0 without a book.
    package func bytesOnDisk(of device: EntityID) -> Int64 {
        let book = bookPath(of: device)
        let files = FileFolder(besides: book).path
        let paths =
            [book, book + "-wal", book + "-shm"] + FileFolder.names(in: files).map { "\(files)/\($0)" }
        return paths.reduce(0) { sum, path in
            var status = stat()
            // The system counts in blocks of 512 bytes, whatever the size of the disk's blocks.
            return lstat(path, &status) == 0 ? sum + Int64(status.st_blocks) * 512 : sum
        }
    }

    /// Writes one byte into a new file and removes it. The write fails on a disk that is full or has become
    /// read-only after a fault, or if the quota is used up.
    /// - Throws: `DataFolderError`.
    public func tryWriting() throws(DataFolderError) {
        let file = path + "/probe"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file) }
        var byte: UInt8 = 0
        let isWritten = write(descriptor, &byte, 1) == 1
        let error = isWritten ? nil : Self.failure(file)
        Glibc.close(descriptor)
        unlink(file)
        if let error { throw error }
    }
}
