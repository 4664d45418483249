// Detects that an older copy of the cloud's file replaced the file that this server wrote.
//
// Marks, each a number and random text, are written into `cloud.sqlite` and then into `cloud.sqlite.mark`
// beside it: at each start, once an hour, and at the end. At the next start the mark beside the file must be
// among the marks in the file.
//
//   beside the file         in the file
//   none                    none                 a new file: accepted
//   none                    some                 the file was moved here: probably an older copy
//   a mark                  the same mark        accepted, also with later marks: the server was killed
//   a mark                  another mark         an older copy, or a copy that was used elsewhere since
//
// A copy that was made after the last mark and put back before the next one is not detected here, nor is a
// folder that was put back as a whole. A device that has seen more than the file contains is still detected
// by its sequences, and other differences by the hashes of the rows.

public import CloudProtocol
import Foundation
import GRDB
import Storage

extension Directory {
    /// The number of marks in the file. A mark that is older than all of them belongs to this file.
    private static let keptMarks: Int64 = 1_000

    private var markPath: String { path + ".mark" }

    /// Compares the file with the mark beside it. Must be called before any request is answered, and by one
    /// process only.
    /// - Returns: whether the file is an older one. Its replicas will then get `cursorAhead`, and compare
    ///   their rows with it.
    /// - Throws: `failed`.
    public func checkMark() throws(CloudError) -> Bool {
        let beside = FileManager.default.contents(atPath: markPath).flatMap { Mark(encoded: $0) }
        let isOlder = try reading { db in
            guard
                let first = try db.first("SELECT min(number) FROM file_marks", [], { $0.optionalInt64(0) })
                    ?? nil
            else { return beside != nil }
            guard let beside else { return true }
            let known = try db.first("SELECT chance FROM file_marks WHERE number = ?", [beside.number]) {
                $0.text(0)
            }
            return known != beside.chance && beside.number >= first
        }
        if isOlder { try noteOlder() }
        return isOlder
    }

    /// Marks the file as the newest one.
    /// - Throws: `failed` if the mark cannot be written beside it. The file then contains none, so that a
    ///   start without a mark is not mistaken for an older file.
    public func mark() throws(CloudError) {
        let chance = newID().description
        let number = try changing { db in
            let number = Int64(try db.number("SELECT ifnull(max(number), 0) FROM file_marks")).addingClamped(
                1
            )
            try db.change("INSERT INTO file_marks (number, chance) VALUES (?, ?)", [number, chance])
            try db.change("DELETE FROM file_marks WHERE number <= ?", [number - Self.keptMarks])
            return number
        }
        do { try Mark(number: number, chance: chance).write(to: markPath) } catch {
            unlink(markPath)
            _ = try changing { db in try db.change("DELETE FROM file_marks") }
            throw .failed("\(markPath) cannot be written: \(error.localizedDescription)")
        }
    }

    /// As after restoring a backup. In addition, each replica gets `cursorAhead` once, independent of its
    /// sequence: the file may have been used elsewhere and have assigned the same sequences to other changes.
    private func noteOlder() throws(CloudError) {
        try noteRestored()
        try changing { db in
            try db.change("UPDATE replicas SET is_behind = 1")
            try db.change("UPDATE sync_accounts SET was_older = 1")
        }
    }
}

extension Database {
    /// Marks a replica that the file does not contain, but that has seen the account before the file was
    /// replaced by an older one.
    func noteUnknownReplica(_ replica: Int64, of account: Int64, seen: Int64) throws {
        guard seen > 0 else { return }
        try change(
            """
            UPDATE replicas SET is_behind = 1
            WHERE number = ? AND EXISTS (SELECT 1 FROM sync_accounts WHERE number = ? AND was_older = 1)
            """,
            [replica, account]
        )
    }
}

/// A mark: a number and random text.
private struct Mark {
    let number: Int64
    let chance: String

    init(number: Int64, chance: String) { (self.number, self.chance) = (number, chance) }

    init?(encoded data: Data) {
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let number = Int64(words[0]) else { return nil }
        self.init(number: number, chance: String(words[1]))
    }

    /// Writes the file atomically.
    func write(to path: String) throws {
        let (files, partial) = (FileManager.default, path + ".partial")
        guard files.createFile(atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: partial))
        try handle.write(contentsOf: Data("\(number) \(chance)\n".utf8))
        try handle.synchronize()
        try handle.close()
        guard rename(partial, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
