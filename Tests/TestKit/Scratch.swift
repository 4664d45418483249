// A folder for the files of one test.
import Foundation

/// A folder that is removed with its value.
public final class Scratch {
    /// The folder, without a slash at its end.
    public let path: String

    /// A new folder. Without one, the first file that a test writes to it is an error.
    public init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in it.
    public func callAsFunction(_ name: String) -> String { path + "/" + name }
}
