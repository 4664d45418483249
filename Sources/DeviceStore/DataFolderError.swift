// The errors of the data folder.

/// The reason why a data folder cannot be used.
public enum DataFolderError: Error, Hashable, Sendable {
    /// Another server works on this folder: stop it, or choose another folder.
    case inUse(String)
    /// The folder cannot be written: check owner, permissions, and whether the disk is mounted read-only.
    case readOnly(String)
    /// The disk is full, or the quota is used up.
    case diskFull(String)
    /// The path does not name a folder.
    case notAFolder(String)
    /// Another failure of the operating system, described by the text.
    case unusable(String)
}

extension DataFolderError: CustomStringConvertible {
    /// A short phrase for the log.
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
