// The free space on the disk of the data folder, and a test whether it can be written.
import Glibc
import Storage

extension DataFolder {
    /// The free bytes for this process.
    /// - Throws: `DataFolderError` if the system does not report them.
    public func freeBytes() throws(DataFolderError) -> Int64 {
        guard let space = DiskSpace(path) else { throw Self.failure(path) }
        return space.bytes
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
