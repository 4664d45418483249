// The files of the repository that the tests of pages look into.

import Foundation
import TestKit
import Testing
import Texts

/// Templates and static files as they are in the repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files that the style sheet is joined of, by path.
    static func styles() throws -> [String: String] { try texts(in: "public/css") }

    /// The files that the script is joined of, by path.
    static func scripts() throws -> [String: String] { try texts(in: "public/js") }

    private static func texts(in folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        #expect(!names.isEmpty)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ("\(folder)/\($0)", try text("\(folder)/\($0)")) }
        )
    }

    /// Every template by its name without the ending.
    static func templates() throws -> [String: String] {
        try shippedTemplates().mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// The sentences of the pages.
    static func texts() throws -> TextCatalogue {
        try TextCatalogue(language: "en", files: try shippedTexts())
    }
}
