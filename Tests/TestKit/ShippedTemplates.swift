// The templates as they are shipped.
import Foundation

/// The templates by their names without the ending, for a library of pages.
public func shippedTemplates() throws -> [String: [UInt8]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let folder = root.appending(path: "Resources/templates")
    var found: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    where path.hasSuffix(".mustache") {
        let name = path.dropLast(".mustache".count)
        found[String(name)] = Array(try Data(contentsOf: folder.appending(path: path)))
    }
    return found
}
