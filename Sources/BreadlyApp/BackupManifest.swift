// The description that a backup carries: its first file names the format, its last one lists the content.

import Crypto
import Encoding
import Foundation

/// The first file of a backup, `breadly-backup.json`. Backups from before the manifest have none.
struct BackupMark: Codable {
    static let name = "breadly-backup.json"
    /// The newest known format.
    static let format = 2

    /// The format of the backup; a greater one is of a newer version.
    var format = BackupMark.format
    /// The version of the program that wrote it.
    let version: String
    /// The start of the backup, in UTC seconds.
    let at: Int64
}

/// The last file of a backup, `manifest.json`: every other file with its size and its SHA-256. A truncated
/// backup has none.
struct BackupManifest: Codable {
    static let name = "manifest.json"

    /// A file of the backup.
    struct Member: Codable, Hashable {
        let name: String
        let bytes: Int
        /// The SHA-256 as 64 hexadecimal digits.
        let sha256: String
    }

    var members: [Member] = []
    /// Books that were removed during the backup.
    var skipped: [String] = []
    /// Books, files and folders that could not be read, each with the reason.
    var unreadable: [String] = []
    /// Files of receipts that were damaged or missing, with what can be done. Backups of earlier versions have no such list.
    var faults: [String]?
}

/// Computes the SHA-256 of a stream.
struct Digest {
    private var hash = SHA256()

    mutating func add(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// As 64 hexadecimal digits.
    var text: String { Hex.encode(hash.finalize()) }
}
