// Descriptions of `StorageError` for the log.

extension StorageError: CustomStringConvertible {
    /// A short phrase for the log.
    public var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .readOnly: "the file cannot be written"
        case .damaged(let what): "the file is damaged: \(what)"
        case .newerSchema(let schema): "\(schema)"
        case .migrationRefused(let why): why
        case .overflow: "a sum exceeds 64 bits"
        case .refused(let rule): "a value is not allowed: \(rule)"
        case .busy: "another process has locked the file"
        case .closed: "the file is closed"
        case .failed(let what): what
        }
    }
}
