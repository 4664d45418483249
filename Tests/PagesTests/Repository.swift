// The files of the repository that the tests of pages look into.

import Foundation
import Testing

/// Templates and static files as they are in the repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Every template by its name without the ending.
    static func templates() throws -> [String: String] {
        let folder = root.appending(path: "Resources/templates")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: [String: String] = [:]
        for case let file as URL in files where file.pathExtension == "mustache" {
            let name = file.path.dropFirst(folder.path.count + 1).dropLast(".mustache".count)
            found[String(name)] = try String(contentsOf: file, encoding: .utf8)
        }
        return found
    }
}
