// A folder for the files of one test.
import Glibc

/// A folder that is removed with its value.
public final class Scratch {
    /// The folder, without a slash at its end.
    public let path: String

    /// A new folder.
    public init() {
        var template = Array("/tmp/breadly-tests-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return "" }
            return String(cString: made)
        }
    }

    deinit { Self.remove(path) }

    /// The path of something in it.
    public func callAsFunction(_ name: String) -> String { path + "/" + name }

    private static func remove(_ path: String) {
        guard path.hasPrefix("/tmp/breadly-tests-") else { return }
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(folder)
        }
        _ = Glibc.remove(path)
    }
}
