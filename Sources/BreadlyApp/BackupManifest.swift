// The description that a backup carries: its first file names the format, its last one lists the content.

import Crypto
import Encoding
import Foundation

/// The first file of a backup, `breadly-backup.json`. A backup without it is from before there was a manifest.
struct BackupMark: Codable {
    static let name = "breadly-backup.json"
    /// The newest form that is known here.
    static let format = 2

    /// The form of the backup; a greater one is of a newer version.
    var format = BackupMark.format
    /// The version that wrote it.
    let version: String
    /// When it was begun, in UTC seconds.
    let at: Int64
}

/// The last file of a backup, `manifest.json`: every other file with its size and its SHA-256. A backup that was cut off has
/// none.
struct BackupManifest: Codable {
    static let name = "manifest.json"

    /// A file of the backup.
    struct Member: Codable, Hashable {
        let name: String
        let bytes: Int
        /// As 64 hexadecimal digits.
        let sha256: String
    }

    var members: [Member] = []
    /// Books that went away while the backup was made.
    var skipped: [String] = []
    /// Books that could not be read, each with the reason.
    var unreadable: [String] = []
}

/// The SHA-256 of what passes by.
struct Digest {
    private var hash = SHA256()

    mutating func add(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// As 64 hexadecimal digits.
    var text: String { Hex.encode(hash.finalize()) }
}
