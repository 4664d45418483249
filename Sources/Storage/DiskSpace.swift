// The free space on the disk of a file or folder, and how much of it is kept for whom.
import Glibc

/// The space on the disk of a file or folder, for users other than root.
public struct DiskSpace: Sendable {
    /// The free bytes.
    public let bytes: Int64
    /// The size of the disk in bytes.
    public let size: Int64
    /// The number of further files; nil if the file system does not count them.
    package let files: Int?

    /// A space of a test.
    public init(bytes: Int64, size: Int64) { (self.bytes, self.size, files) = (bytes, size, nil) }

    /// - Returns: nil if the system does not report it; the reason is then in `errno`.
    package init?(_ path: String) {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        func bytes(_ blocks: some BinaryInteger) -> Int64 {
            let (size, isTooLarge) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
            return isTooLarge ? .max : Int64(clamping: size)
        }
        self.bytes = bytes(figures.f_bavail)
        size = bytes(figures.f_blocks)
        files = figures.f_files == 0 ? nil : Int(clamping: figures.f_favail)
    }

    /// The free bytes that guests leave to users: 1 GB, or a tenth of a disk of less than 10 GB.
    package var usersReserve: Int64 { min(1 << 30, size / 10) }

    /// The free bytes that only entries, sessions and sync may use, and no file, download or copy: 64 MB, or a
    /// twentieth of a disk of less than 1.3 GB.
    package var entriesReserve: Int64 { min(64 << 20, size / 20) }

    /// The free bytes below which the operator has to act: somewhat before files are refused. SQLite's logs need 16 MB on
    /// any disk.
    package var alarm: Int64 { max(16 << 20, entriesReserve / 4 * 5) }
}
