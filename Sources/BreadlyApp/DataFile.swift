// A file of a data folder, inspected from outside.

import Foundation

/// The length and the beginning of a file.
struct DataFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The length; nil if there is no such file.
    var bytes: Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The first hundred bytes.
    var header: [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        return Array((try? handle.read(upToCount: 100)) ?? Data())
    }
}
