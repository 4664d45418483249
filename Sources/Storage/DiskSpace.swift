// The free space on the disk of a file or folder.
import Glibc

/// The free space on the disk of a file or folder, for users other than root.
package struct DiskSpace {
    package let bytes: Int64
    /// The number of further files; nil if the file system does not count them.
    package let files: Int?

    /// - Returns: nil if the system does not report it; the reason is then in `errno`.
    package init?(_ path: String) {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        let (size, isTooLarge) = UInt64(figures.f_bavail)
            .multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        bytes = isTooLarge ? .max : Int64(clamping: size)
        files = figures.f_files == 0 ? nil : Int(clamping: figures.f_favail)
    }
}
