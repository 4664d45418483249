// Text snapshots beside the tests, so that a change of behaviour is a diff for a reviewer.
import Foundation

/// A folder of text snapshots.
public struct Snapshots: Sendable {
    private let folder: URL

    /// The folder `Snapshots` beside a file of tests.
    public init(beside file: String = #filePath) {
        folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Snapshots")
    }

    /// Whether the snapshots are written anew: `BREADLY_SNAPSHOTS=write`.
    public static var areWritten: Bool {
        ProcessInfo.processInfo.environment["BREADLY_SNAPSHOTS"] == "write"
    }

    /// The names of the stored snapshots.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { !$0.hasPrefix(".") }
    }

    /// Compares a text with its snapshot, or stores it where the environment asks for it.
    /// - Returns: the lines that differ, each with `-` or `+`; empty if the texts are equal.
    public func difference(_ text: String, _ name: String) throws -> String {
        let file = folder.appending(path: name)
        if Self.areWritten {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return ""
        }
        guard let stored = try? String(contentsOf: file, encoding: .utf8) else {
            return "there is no snapshot \(name): run with BREADLY_SNAPSHOTS=write"
        }
        guard stored != text else { return "" }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        let changes = lines(text).difference(from: lines(stored)).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }
        return "run with BREADLY_SNAPSHOTS=write, and read the difference\n"
            + changes.joined(separator: "\n")
    }
}
