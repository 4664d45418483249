// The reason why a file of a receipt is not in the cloud, with the code that a book stores.

/// The reason why a file is not in the cloud. Unless a case says otherwise, it is not sent again by itself, and its user
/// can try again.
public enum UploadFailure: Hashable, Sendable {
    /// The file of this device is missing or cannot be read.
    case missing
    /// The file on this device has another content than its name says.
    case wrongContent
    /// The cloud accepts smaller files only, up to a number of bytes.
    case tooLarge(limit: Int64)
    /// The files of the account use up the room that it has, in bytes. The device adds the number of files that it knows
    /// to be in the cloud.
    case quota(used: Int64, limit: Int64, files: Int? = nil)
    /// The cloud takes no files, because it is older. The upload is tried again by itself.
    case notSupported
    /// The cloud refuses the file for a reason that this version does not know.
    case refused

    /// The same reason with the number of files in the cloud.
    public func counting(_ files: Int) -> UploadFailure {
        if case .quota(let used, let limit, _) = self {
            .quota(used: used, limit: limit, files: files)
        } else {
            self
        }
    }

    /// The code in the book.
    public var code: String {
        switch self {
        case .missing: ReceiptFile.missing
        case .wrongContent: "wrong_content"
        case .tooLarge(let limit): "too_large \(limit)"
        case .quota(let used, let limit, nil): "quota \(used) \(limit)"
        case .quota(let used, let limit, let files?): "quota \(used) \(limit) \(files)"
        case .notSupported: "not_supported"
        case .refused: "refused"
        }
    }

    /// The reason for a code; `refused` for one of another version.
    public init(code: String) {
        let words = code.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int64($0) }
        self =
            switch (words.first ?? "", numbers.count) {
            case ("missing", 0): .missing
            case ("wrong_content", 0): .wrongContent
            case ("not_supported", 0): .notSupported
            case ("too_large", 1): .tooLarge(limit: numbers[0])
            case ("quota", 2): .quota(used: numbers[0], limit: numbers[1])
            case ("quota", 3):
                .quota(used: numbers[0], limit: numbers[1], files: Int(clamping: numbers[2]))
            default: .refused
            }
    }
}
