// The values of the calls for the bytes of files: which file, which part of it, and how much of it has arrived.

/// The name of a file on the wire: the SHA-256 of its content in 64 hexadecimal digits of lower case.
public struct FileKey: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    public let description: String

    /// Parses 64 digits in lower case; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let isKey =
            text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isKey else { return nil }
        description = String(text)
    }
}

/// A part of a file on its way to the cloud. Without bytes it only asks how much has arrived.
public struct FilePart: Hashable, Sendable, CustomStringConvertible {
    /// The greatest number of bytes of a part.
    public static let mostBytes = 1 << 20

    /// Names the file by its content.
    public var key: FileKey
    /// The number of bytes of the whole file.
    public var total: Int64
    /// The number of bytes before the part.
    public var offset: Int64
    /// The bytes; empty to ask.
    public var bytes: [UInt8]

    /// A part; without bytes, a question.
    public init(_ key: FileKey, total: Int64, offset: Int64 = 0, bytes: [UInt8] = []) {
        self.key = key
        self.total = total
        self.offset = offset
        self.bytes = bytes
    }

    /// The value of `Content-Range` (RFC 9110, section 14.4).
    var range: String {
        bytes.isEmpty ? "bytes */\(total)" : "bytes \(offset)-\(offset + Int64(bytes.count) - 1)/\(total)"
    }

    /// The place of the part, for logs: the bytes are the user's.
    public var description: String { "\(range) of \(key)" }

    /// - Returns: nil if the range is malformed or does not fit the bytes.
    init?(_ key: FileKey, range: String, bytes: [UInt8]) {
        guard range.hasPrefix("bytes ") else { return nil }
        let sides = range.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let total = Int64(digits: sides[1]), total > 0 else { return nil }
        guard sides[0] != "*" else {
            guard bytes.isEmpty else { return nil }
            self.init(key, total: total)
            return
        }
        guard let part = FileRange.bounds(sides[0]), part.count == bytes.count, part.upperBound <= total,
            bytes.count <= Self.mostBytes
        else { return nil }
        self.init(key, total: total, offset: part.lowerBound, bytes: bytes)
    }
}

/// How much of a file the cloud has.
public struct FileProgress: Hashable, Sendable {
    /// The number of bytes that have arrived, from the beginning of the file.
    public var received: Int64
    /// Whether the whole file is stored, and its content has the hash that is its name.
    public var isComplete: Bool

    /// The progress of an upload.
    public init(received: Int64, isComplete: Bool) {
        self.received = received
        self.isComplete = isComplete
    }
}

/// A question for some bytes of a file.
public struct FileRange: Hashable, Sendable {
    /// Names the file by its content.
    public var key: FileKey
    /// The number of bytes before the first one.
    public var offset: Int64
    /// The greatest number of bytes in the answer, at most `FilePart.mostBytes`.
    public var count: Int

    /// A question for bytes; more than `FilePart.mostBytes` are shortened to that.
    public init(_ key: FileKey, offset: Int64, count: Int = FilePart.mostBytes) {
        self.key = key
        self.offset = offset
        self.count = min(count, FilePart.mostBytes)
    }

    /// The value of `Range` (RFC 9110, section 14.2).
    var range: String { "bytes=\(offset)-\(offset + Int64(count) - 1)" }

    /// - Returns: nil if the range is malformed, or one without both ends.
    init?(_ key: FileKey, range: String) {
        guard range.hasPrefix("bytes="), let part = Self.bounds(range.dropFirst(6)) else { return nil }
        self.init(key, offset: part.lowerBound, count: Int(clamping: part.count))
    }

    /// The bytes of a text such as `0-99`.
    static func bounds(_ text: some StringProtocol) -> Range<Int64>? {
        let sides = text.split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, let first = Int64(digits: sides[0]), let last = Int64(digits: sides[1]),
            first <= last, last < Int64.max
        else { return nil }
        return first..<last + 1
    }
}

/// Files that the cloud does not have, though receipts refer to them.
public struct MissingFiles: Hashable, Sendable {
    /// The greatest number of names in an answer.
    public static let most = 1_000

    /// The names, in their order.
    public var keys: [FileKey]
    /// Whether there are none behind the last one.
    public var isComplete: Bool

    /// A page of names.
    public init(_ keys: [FileKey], isComplete: Bool) { (self.keys, self.isComplete) = (keys, isComplete) }
}

/// The limits of the files of a user account.
public struct FileLimits: Hashable, Sendable {
    /// The greatest number of bytes of one file.
    public var fileBytes: Int64
    /// The greatest number of bytes of all files that receipts refer to. Files that only history refers to may have
    /// the same number in addition.
    public var accountBytes: Int64
    /// The greatest number of files of an account that have not arrived completely. A device sends one at a time.
    public var unfinishedFiles = 32

    /// The limits of the cloud unless others are given.
    public init(fileBytes: Int64 = 10 << 20, accountBytes: Int64 = 1 << 30) {
        self.fileBytes = fileBytes
        self.accountBytes = accountBytes
    }
}

extension Int64 {
    /// A number in digits only, without a sign.
    fileprivate init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.init(text)
    }
}
