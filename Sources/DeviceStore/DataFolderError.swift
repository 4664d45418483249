// The errors of the data folder.

/// Why a data folder cannot be used.
public enum DataFolderError: Error, Hashable, Sendable {
    /// Another server works on this folder: stop it, or choose another folder.
    case inUse(String)
    /// The folder cannot be written: check owner, permissions, and whether the disk is mounted read-only.
    case readOnly(String)
    /// The disk is full, or the quota used up.
    case diskFull(String)
    /// The path leads to something that is no folder.
    case notAFolder(String)
    /// The operating system refused in another way; the text says how.
    case unusable(String)
}

extension DataFolderError: CustomStringConvertible {
    /// A few words for the log.
    public var description: String {
        switch self {
        case .inUse(let path): "another server works on \(path)"
        case .readOnly(let path): "\(path) cannot be written"
        case .diskFull(let path): "there is no room on the disk of \(path)"
        case .notAFolder(let path): "\(path) is not a folder"
        case .unusable(let text): text
        }
    }
}
