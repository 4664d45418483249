// The calls for the bytes of files, and their endpoints. The rows of files are synced like all others.

import SyncCore

/// The calls for the bytes of files.
public protocol FilesAPI: Sendable {
    /// Sends a part of a file, or asks how much of the file has arrived. A part that has arrived already changes
    /// nothing. When the last part has arrived, the content is compared with its hash.
    /// - Throws: `fileGap` if bytes before the part are missing; `wrongContent` if the whole file has another hash, in
    ///   which case all of it is discarded; `fileTooLarge`, `quotaExceeded`; `busy` while another request writes to the
    ///   file, while too many others of the account are arriving, and while the disk has no room; `sessionRevoked`,
    ///   `accountGone`; `subscriptionRequired`; `failed`, `unreachable`.
    func put(_ part: FilePart, _ token: SessionToken) async throws(CloudError) -> FileProgress

    /// Returns bytes of a file of the account.
    /// - Throws: `noSuchFile` if the cloud does not have the whole file, or not these bytes; `sessionRevoked`,
    ///   `accountGone`; `subscriptionRequired` without premium; `failed`, `unreachable`.
    func bytes(_ range: FileRange, _ token: SessionToken) async throws(CloudError) -> [UInt8]

    /// Names the files that receipts of the account refer to and that the cloud does not have, in the order of their
    /// names: the files that no device has sent yet, and the files that the cloud has lost. A cloud may be restored
    /// from a backup, and its disk may lose a file, so that no answer to `put` holds for ever.
    /// - Parameter key: the answer begins behind this name; nil for the first page.
    /// - Throws: `notSupported` by an older cloud; `sessionRevoked`, `accountGone`; `subscriptionRequired`; `failed`,
    ///   `unreachable`.
    func missingFiles(after key: FileKey?, _ token: SessionToken) async throws(CloudError) -> MissingFiles
}

extension Endpoints {
    static let files: [any AnyEndpoint] = [putFile, fileBytes, missingFiles]

    private static let filePath = "/attachments/*"

    /// As `FilesAPI.put`.
    public static let putFile = Endpoint<FilePart, FileProgress>(
        "putFile",
        "PUT",
        filePath,
        .bulk,
        bodyLimit: FilePart.mostBytes,
        request: RequestCoding(
            encode: { part in
                var encoded = EncodedRequest(body: part.bytes)
                encoded.key = part.key
                encoded.isBinary = true
                encoded.headers = ["Content-Range": part.range]
                return encoded
            },
            decode: { received in
                guard let key = received.key, let range = received.header("Content-Range") else { return nil }
                return FilePart(key, range: range, bytes: received.body)
            }
        ),
        response: .json({ WireFileProgress($0) }, \.progress),
        .session { cloud, part, token, _ async throws(CloudError) in try await cloud.put(part, token) }
    )

    /// As `FilesAPI.bytes`.
    public static let fileBytes = Endpoint<FileRange, [UInt8]>(
        "fileBytes",
        "GET",
        filePath,
        .bulk,
        isBinary: true,
        request: RequestCoding(
            encode: { asked in
                var encoded = EncodedRequest()
                encoded.key = asked.key
                encoded.headers = ["Range": asked.range]
                return encoded
            },
            decode: { received in
                guard let key = received.key, let range = received.header("Range") else { return nil }
                return FileRange(key, range: range)
            }
        ),
        response: ResponseCoding(encode: { $0 }, decode: { $0.isEmpty ? nil : $0 }),
        .session { cloud, range, token, _ async throws(CloudError) in try await cloud.bytes(range, token) }
    )

    /// As `FilesAPI.missingFiles`.
    public static let missingFiles = Endpoint<FileKey?, MissingFiles>(
        "missingFiles",
        "GET",
        "/attachments",
        .bulk,
        request: RequestCoding(
            encode: { key in EncodedRequest(query: key.map { "after=\($0)" } ?? "") },
            decode: { received in
                guard let after = received.field("after") else { return .some(nil) }
                return FileKey(after).map { .some($0) }
            }
        ),
        response: .json({ WireMissingFiles($0) }, \.files),
        .session { cloud, key, token, _ async throws(CloudError) in
            try await cloud.missingFiles(after: key, token)
        }
    )
}

extension RelayingCloud {
    /// As `FilesAPI`.
    public func put(_ part: FilePart, _ token: SessionToken) async throws(CloudError) -> FileProgress {
        try await send(Endpoints.putFile, part, Caller(token))
    }

    /// As `FilesAPI`.
    public func bytes(_ range: FileRange, _ token: SessionToken) async throws(CloudError) -> [UInt8] {
        try await send(Endpoints.fileBytes, range, Caller(token))
    }

    /// As `FilesAPI`.
    public func missingFiles(after key: FileKey?, _ token: SessionToken) async throws(CloudError)
        -> MissingFiles
    {
        try await send(Endpoints.missingFiles, key, Caller(token))
    }
}

/// The answer to `PUT attachments`.
struct WireFileProgress: Codable, Sendable {
    var received: Int64
    var isComplete: Bool

    init(_ progress: FileProgress) { (received, isComplete) = (progress.received, progress.isComplete) }

    /// The decoded value; nil if a field is malformed.
    var progress: FileProgress? {
        received < 0 ? nil : FileProgress(received: received, isComplete: isComplete)
    }
}

/// The answer to `GET attachments`.
struct WireMissingFiles: Codable, Sendable {
    var missing: [String]
    var isComplete: Bool

    init(_ files: MissingFiles) {
        (missing, isComplete) = (files.keys.map(\.description), files.isComplete)
    }

    /// The decoded value; nil if a name is malformed, or if the next page would be the same one.
    var files: MissingFiles? {
        let keys = missing.compactMap { FileKey($0) }
        guard keys.count == missing.count, keys.count <= MissingFiles.most, isComplete || !keys.isEmpty else {
            return nil
        }
        return MissingFiles(keys, isComplete: isComplete)
    }
}
