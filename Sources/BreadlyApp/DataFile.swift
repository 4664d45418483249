// A file of a data folder, looked at from outside.

import Foundation

/// A file, as far as its length and its beginning are concerned.
struct DataFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Its length; nil where there is no such file.
    var bytes: Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Its first hundred bytes.
    var header: [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        return Array((try? handle.read(upToCount: 100)) ?? Data())
    }
}
