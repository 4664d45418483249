// The errors of files that users store.

import Glibc

/// The reason why a file could not be stored or read.
public enum FileStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The disk is full, or the quota of the file system is used up.
    case diskFull
    /// The folder cannot be written: its owner and permissions should be checked.
    case readOnly
    /// The process or the system cannot open another file at present. It can once others are closed.
    case busy
    /// Another failure of the system, for the log.
    case failed(String)

    /// The error for the current `errno` and a path.
    init(errnoAt path: String) {
        let code = errno
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EACCES, EPERM, EROFS: self = .readOnly
        case EMFILE, ENFILE, ENOMEM, EAGAIN: self = .busy
        default: self = .failed("\(path): \(String(cString: strerror(code)))")
        }
    }

    /// A line for the log.
    public var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .readOnly: "the folder for files cannot be written"
        case .busy: "too many files are open at present"
        case .failed(let what): what
        }
    }
}
