// Files of a form that are written to the disk as they arrive, and never are in memory as a whole.

/// A file that receives the content of an upload. A file that is released before its upload is complete should remove
/// what it has.
public protocol UploadTarget: AnyObject, Sendable {
    /// Appends bytes. It is called on the worker of the connection.
    func append(_ bytes: ArraySlice<UInt8>) throws(UploadFault)
}

/// The reason why the content of a file was refused. The rest of the form arrives nevertheless.
public enum UploadFault: Error, Hashable, Sendable {
    /// The file exceeds its limit.
    case tooLarge
    /// The form has more files than it may have.
    case tooMany
    /// There is no room on the disk.
    case diskFull
    /// Too many files are arriving, from this sender or at all, or too many are open.
    case busy
    /// Another failure of the system, for the log.
    case failed(String)
}

/// The rules of the files of a form.
public struct UploadRules: Sendable {
    /// The greatest number of bytes of one file.
    public var fileBytes: Int
    /// The greatest number of files.
    public var fileCount: Int
    /// The greatest number of bytes of the whole form, besides its fields.
    var bodyBytes: Int
    /// The key by which the share of the disk space is counted: the key of a device. Nil counts the network of the
    /// client.
    public var sender: String?
    /// Creates the file for a content, on the worker of the connection.
    public var open: @Sendable () throws(UploadFault) -> any UploadTarget

    /// - Parameter bodyBytes: by default three times what the files may have. What exceeds a limit is read and not
    ///   stored, because a browser shows the page about it only after it has sent everything.
    public init(
        fileBytes: Int,
        fileCount: Int,
        bodyBytes: Int? = nil,
        sender: String? = nil,
        open: @escaping @Sendable () throws(UploadFault) -> any UploadTarget
    ) {
        self.fileBytes = fileBytes
        self.fileCount = fileCount
        self.sender = sender
        self.bodyBytes = bodyBytes ?? fileBytes * fileCount * 3
        self.open = open
    }
}

/// Writes the content of one file, until it breaks a rule. It belongs to the worker of its connection.
final class UploadWriter {
    private let rules: UploadRules
    private let share: UploadShare?
    private(set) var target: (any UploadTarget)?
    private(set) var fault: UploadFault?
    private(set) var size = 0
    private var reserved = 0
    /// Whether no byte has arrived.
    private(set) var isEmpty = true

    /// - Parameters:
    ///   - share: the space that the form may use; nil for no limit.
    ///   - number: the number of files before this one.
    init(_ rules: UploadRules, _ share: UploadShare?, number: Int) {
        (self.rules, self.share) = (rules, share)
        if number >= rules.fileCount { fault = .tooMany }
    }

    func write(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        isEmpty = false
        guard fault == nil else { return }
        do throws(UploadFault) {
            guard size + bytes.count <= rules.fileBytes else { throw .tooLarge }
            guard share?.reserve(bytes.count) ?? true else { throw .busy }
            reserved += bytes.count
            let file: any UploadTarget
            if let target { file = target } else { file = try rules.open() }
            target = file
            try file.append(bytes)
            size += bytes.count
        } catch {
            // The file is removed with its last owner.
            (target, fault) = (nil, error)
            share?.giveBack(reserved)
            reserved = 0
        }
    }
}
