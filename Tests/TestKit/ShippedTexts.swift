// The sentences as they are shipped.
import Foundation

/// The files of the English catalogue by their names, for a `TextCatalogue`.
public func shippedTexts() throws -> [String: [UInt8]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let folder = root.appending(path: "Resources/texts/en")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    return try Dictionary(
        uniqueKeysWithValues: names.filter { $0.hasSuffix(".txt") }.map { name in
            (name, Array(try Data(contentsOf: folder.appending(path: name))))
        }
    )
}
