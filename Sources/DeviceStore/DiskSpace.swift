// The disk of the data folder: how much room it has, and whether it can be written.
import Glibc

extension DataFolder {
    /// How many bytes are left for this process.
    /// - Throws: `DataFolderError`, where the system does not say.
    public func freeBytes() throws(DataFolderError) -> Int64 {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { throw Self.failure(path) }
        return Int64(
            clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
                .partialValue
        )
    }

    /// Writes one byte into a new file and removes it: a disk that is full, that has become read-only after a fault, or
    /// whose quota is used up refuses that.
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
