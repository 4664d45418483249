// The copies that upgrades save beside the files: their names and their removal.
import Glibc

/// The copies of a file from before its upgrades, `PATH.schema-N`.
package enum SchemaCopies {
    /// The path of the copy of a file from before an upgrade.
    /// - Parameter schema: the schema number of the copy.
    package static func path(of file: String, schema: Int) -> String { "\(file).schema-\(schema)" }

    /// The file that a path is a copy of; nil if the path does not name a copy.
    package static func original(of path: String) -> String? {
        guard let mark = path.firstRange(of: ".sqlite.schema-"), Int(path[mark.upperBound...]) != nil else {
            return nil
        }
        return path[..<mark.lowerBound] + ".sqlite"
    }

    /// Removes all copies of a file.
    package static func remove(of file: String) throws(StorageError) {
        let folder = DatabaseFile.folder(of: file)
        for name in DatabaseFile.names(in: folder) where original(of: "\(folder)/\(name)") == file {
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw DatabaseFile.systemError("\(folder)/\(name)")
            }
        }
    }
}

extension DatabaseFile {
    /// The names in a folder, except hidden names; empty if the folder cannot be read.
    package static func names(in path: String) -> [String] { (try? listing(of: path)) ?? [] }

    /// The names in a folder, except hidden names.
    /// - Throws: `failed` with the reason if the folder cannot be read.
    package static func listing(of path: String) throws(StorageError) -> [String] {
        guard let folder = opendir(path) else {
            throw .failed("\(path): \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
