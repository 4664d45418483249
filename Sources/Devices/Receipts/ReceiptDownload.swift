// Fetching the file of a receipt from the cloud, when it is looked at on a device that does not have it.

import Book
import CloudProtocol
public import FileStore
public import Ledger
import SyncCore

/// The reason why a file could not be fetched.
public enum FileFetchError: Error, Hashable, Sendable {
    /// The device is not synced, or the receipt was deleted in the meantime.
    case notAvailable
    /// The cloud does not have the file: the device that has it has not sent it yet.
    case notSentYet
    /// The cloud has sent another content.
    case corrupted
    /// The cloud cannot be reached, or cannot answer at present.
    case cloudAway
    /// The cloud does not pass files on, because it is older.
    case notSupported
    /// The file of this device is damaged, and none could be fetched in its place.
    case damaged
    /// There is no room for it on the disk of this server.
    case diskFull
    /// As many files as may be are being fetched, or this one takes long. It may be there at the next attempt.
    case busy
    /// Another failure, for the log.
    case failed(String)
}

extension Device {
    /// Whether the cloud hands out files to this device, as far as the session tells.
    public var canFetchFiles: Bool { session.map { $0.isAttached && !$0.isRevoked } ?? false }

    /// Whether it is remembered that a file of this device is sound, so that it can be shown without being read before.
    public func isKnownSound(_ file: StoredFile) -> Bool {
        services.soundFiles.isKnown(file, at: services.dependencies.now)
    }

    /// Whether a file of this device has the content of a hash. It may be read as a whole for that.
    public func isSound(_ file: StoredFile, _ hash: ContentHash) -> Bool {
        services.soundFiles.isSound(file, hash, at: services.dependencies.now)
    }

    /// The file of a receipt: the file on this device, or a fetched file if the file here is missing or damaged. A
    /// damaged file without a replacement stays as it is: the pages say what has become of it.
    /// - Parameters:
    ///   - stored: the file of this device, which may be damaged; nil without one.
    ///   - limit: as of `fetchFile`.
    public func file(of receipt: Receipt, _ stored: StoredFile?, limit: Int64) async throws(FileFetchError)
        -> StoredFile
    {
        guard let stored, let hash = ContentHash(receipt.sha256) else {
            return try await fetchFile(of: receipt, limit: limit)
        }
        if isSound(stored, hash) { return stored }
        let isAvailable: Bool
        do throws(FileFetchError) {
            let file = try await fetchFile(of: receipt, limit: limit)
            services.dependencies.log.warning(
                "files: \(hash) was damaged on the disk, and is fetched again (device \(id))"
            )
            return file
        } catch {
            services.dependencies.log.error(
                "files: \(hash) is damaged on the disk, and cannot be fetched: \(error) (device \(id))"
            )
            guard error.leavesDamage else { throw error }
            isAvailable = error != .notAvailable
        }
        do throws(DevicesError) {
            try await withBook { book throws(BookError) in
                try noteDamage(of: receipt.sha256, isAvailable: isAvailable, in: book)
            }
        } catch { throw .failed("\(error)") }
        throw .damaged
    }

    /// Fetches the file of a receipt from the cloud, part by part onto the disk, and stores it in the cache of this device.
    /// Several calls for the same file wait for one download (`DownloadQueue`).
    /// - Parameter limit: the greatest number of bytes of the cache.
    public func fetchFile(of receipt: Receipt, limit: Int64) async throws(FileFetchError) -> StoredFile {
        guard let session, session.isAttached, !session.isRevoked, let token = session.token,
            let hash = ContentHash(receipt.sha256), let key = FileKey(receipt.sha256), receipt.size > 0
        else { throw .notAvailable }
        let download = DownloadQueue.Key(device: id, token: token, hash: hash, size: receipt.size)
        let outcome = await services.downloads.file(download) { [self] in
            do throws(FileFetchError) {
                return .success(try await fetch(hash, key, of: receipt, token, limit))
            } catch {
                if error == .notSentYet {
                    noteAbsence(of: receipt.sha256)
                    runner?.noteFilesAwaited()
                }
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func fetch(
        _ hash: ContentHash,
        _ key: FileKey,
        of receipt: Receipt,
        _ token: SessionToken,
        _ limit: Int64
    ) async throws(FileFetchError) -> StoredFile {
        // A download that has ended since the request looked for the file.
        if let stored = try stored(hash), isSound(stored, hash) { return stored }
        let file = try await download(key, size: receipt.size, token)
        // Another device may have stated any size and any hash.
        guard file.hash() == hash else { throw .corrupted }
        let folder = files
        do throws(FileStoreError) { try file.synchronize() } catch { throw FileFetchError(error) }
        do throws(DevicesError) {
            let isPlaced = try await withBook { book throws(BookError) -> Bool in
                let isPlaced = try book.cacheReceiptFile(
                    receipt.sha256,
                    size: receipt.size,
                    limit: limit
                ) {
                    do throws(FileStoreError) { try folder.place(file) } catch {
                        throw BookError(error)
                    }
                } removing: { name in
                    if let other = ContentHash(name) { folder.remove(other) }
                }
                // The one in its place may have been damaged.
                try recountDamage(in: book)
                return isPlaced
            }
            guard isPlaced else { throw DevicesError.book(.unknownReceipt(receipt.id)) }
        } catch {
            switch error {
            case .book(.unknownReceipt): throw .notAvailable
            case .book(.diskFull): throw .diskFull
            default: throw .failed("\(error)")
            }
        }
        guard let stored = try stored(hash) else { throw .notAvailable }
        return stored
    }

    private func stored(_ hash: ContentHash) throws(FileFetchError) -> StoredFile? {
        do throws(FileStoreError) { return try files.file(hash) } catch { throw FileFetchError(error) }
    }

    private func download(_ key: FileKey, size: Int64, _ token: SessionToken) async throws(FileFetchError)
        -> IncomingFile
    {
        guard services.room.acceptsFiles else { throw .diskFull }
        let file: IncomingFile
        do throws(FileStoreError) { file = try IncomingFile(in: services.folder.booksPath) } catch {
            throw FileFetchError(error)
        }
        while Int64(file.size) < size {
            let rest = size - Int64(file.size)
            let range = FileRange(
                key,
                offset: Int64(file.size),
                count: Int(min(rest, Int64(FilePart.mostBytes)))
            )
            let bytes: [UInt8]
            do throws(CloudError) { bytes = try await services.cloud.bytes(range, token) } catch {
                throw FileFetchError(error)
            }
            guard !bytes.isEmpty, Int64(bytes.count) <= rest else { throw .corrupted }
            do throws(FileStoreError) { try file.write(bytes[...]) } catch { throw FileFetchError(error) }
        }
        return file
    }
}

extension FileFetchError {
    /// Whether a damaged file has to do for now, because a further attempt would end in the same way.
    var leavesDamage: Bool {
        switch self {
        case .busy, .diskFull: false
        case .notAvailable, .notSentYet, .corrupted, .cloudAway, .notSupported, .damaged, .failed: true
        }
    }

    init(_ error: FileStoreError) {
        self =
            switch error {
            case .diskFull: .diskFull
            case .busy: .busy
            case .readOnly, .failed: .failed("\(error)")
            }
    }

    init(_ error: CloudError) {
        switch error {
        case .file(.noSuchFile): self = .notSentYet
        case .notSupported: self = .notSupported
        case .unreachable, .timedOut, .cutOff, .failed, .busy: self = .cloudAway
        case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .subscriptionRequired:
            self = .notAvailable
        default: self = .failed("\(error)")
        }
    }
}
