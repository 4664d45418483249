// Text snapshots beside the tests, so that a change of behaviour is a diff for a reviewer.
import Foundation

enum Snapshot {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots")

    /// The stored snapshot of a name.
    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// Keeps a text, where the environment asks for it.
    static func record(_ text: String, _ name: String) throws {
        guard ProcessInfo.processInfo.environment["BREADLY_RECORD"] == "1" else { return }
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
}
