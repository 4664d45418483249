// The refusals of the calls about files.

/// The reason why the cloud refused a file, or a part of one.
public enum FileRefusal: Hashable, Sendable {
    /// The account has no such file, or not the whole of it.
    case noSuchFile
    /// Bytes before the part of a file are missing; the number of bytes that have arrived.
    case fileGap(received: Int64)
    /// The content of a file does not have the hash that is its name. What had arrived was discarded.
    case wrongContent
    /// The file is larger than the cloud accepts; the maximum in bytes.
    case fileTooLarge(max: Int64)
    /// The file does not fit beside the other files of the account; the bytes that are in use, and the maximum.
    case quotaExceeded(used: Int64, quota: Int64)
}

extension FileRefusal: Refusal {
    var wire: WireRefusal {
        switch self {
        case .noSuchFile: WireRefusal("no_such_file", 404, "the cloud does not have the file")
        case .fileGap(let bytes):
            WireRefusal("file_gap", 409, "the cloud has only the first \(bytes) bytes of the file")
        case .wrongContent:
            WireRefusal("wrong_content", 422, "the content of the file has another hash than its name")
        case .fileTooLarge(let most):
            WireRefusal("file_too_large", 413, "the file is larger than \(most) bytes")
        case .quotaExceeded(let used, let quota):
            WireRefusal(
                "quota_exceeded",
                507,
                "the files of the account have \(used) of \(quota) bytes, and there is no room for another one"
            )
        }
    }

    func fill(_ message: inout FailureMessage) {
        switch self {
        case .fileGap(let bytes): message.received = bytes
        case .fileTooLarge(let most): message.maxBytes = most
        case .quotaExceeded(let bytes, let most): (message.used, message.quota) = (bytes, most)
        case .noSuchFile, .wrongContent: break
        }
    }

    init?(_ message: FailureMessage) {
        switch message.code {
        case "no_such_file": self = .noSuchFile
        case "wrong_content": self = .wrongContent
        case "file_gap":
            guard let received = message.received else { return nil }
            self = .fileGap(received: max(0, received))
        case "file_too_large":
            guard let most = message.maxBytes else { return nil }
            self = .fileTooLarge(max: max(0, most))
        case "quota_exceeded":
            guard let used = message.used, let quota = message.quota else { return nil }
            self = .quotaExceeded(used: max(0, used), quota: max(0, quota))
        default: return nil
        }
    }
}
