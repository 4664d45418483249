// The folders of files beside the books of devices.

public import Book
public import FileStore
public import Ledger

extension Device {
    /// The folder of the files of this device's book. It may only be changed during a change of the book.
    public var files: FileFolder { services.files(of: id) }

    /// Removes the files of deleted receipts at once. Their deletion cannot be undone on this device any more.
    /// - Parameter book: the device's book.
    /// - Returns: the files that were removed for it.
    public func removeDeletedReceipts(from book: Book) throws(BookError) -> ReceiptSpace.Part {
        // A restored transaction takes its receipts along.
        _ = try book.moveStrayReceipts()
        let before = try book.receiptSpace().deleted
        try book.giveUpDeletedReceipts()
        try services.collectFiles(of: id, book)
        let after = try book.receiptSpace().deleted
        return ReceiptSpace.Part(count: before.count - after.count, bytes: before.bytes - after.bytes)
    }

    /// Removes a file of a transaction that is still being entered. Its bytes count no more, so that they must go at once:
    /// a device that adds and removes files again and again would fill the disk.
    /// - Parameter book: the device's book.
    public func removeDraftReceipt(_ receipt: EntityID, from book: Book) throws(BookError) {
        guard try book.deleteDraftReceipt(receipt) else { return }
        try services.collectFiles(of: id, book)
    }

    /// As `removeDraftReceipt`, for all files of a transaction that was not recorded.
    public func removeDraftReceipts(of transaction: EntityID, from book: Book) throws(BookError) {
        try book.deleteDraftReceipts(of: transaction)
        try services.collectFiles(of: id, book)
    }
}

extension DeviceManager {
    /// An existing folder for files that arrive, on the file system of the books. A device of this server, whose request
    /// the file is a part of, has a book there.
    public var incomingFolder: String { services.folder.booksPath }

    /// The limits of files beside transactions.
    public var receiptLimits: ReceiptLimits { limits.receipts }
}

/// The limits of files beside transactions.
public struct ReceiptLimits: Hashable, Sendable {
    /// The greatest size of one file, in bytes.
    public var fileBytes = 10 << 20
    /// The greatest size of all files of a device, in bytes.
    public var deviceBytes: Int64 = 1 << 30
    /// The greatest size of the files of a device that were fetched from the cloud, in bytes.
    public var cacheBytes: Int64 = 256 << 20
    /// The time that a device which is about to remove its files waits for the cloud's word about them, in milliseconds.
    var leavingCheckMilliseconds: Int64 = 5_000
    var downloads = DownloadQueue.Limits()

    /// The limits above.
    init() {}
}

extension DeviceServices {
    /// The folder of the files of a device's book.
    func files(of device: EntityID) -> FileFolder { FileFolder(besides: folder.bookPath(of: device)) }

    /// Removes the files beside a book that no row needs: a process that died between the two leaves such a file, and so
    /// does a deletion that cannot be undone any more.
    func collectFiles(of device: EntityID, _ book: Book) throws(BookError) {
        let files = files(of: device)
        let removed = try book.collectReceiptFiles {
            do throws(FileStoreError) { return try files.list().map(\.description) } catch {
                throw BookError(error)
            }
        } remove: { name in
            if let hash = ContentHash(name) { files.remove(hash) }
        }
        if !removed.isEmpty {
            dependencies.log("removed \(removed.count) files that no receipt needs (device \(device))")
        }
    }
}

extension BookError {
    /// The error of a change of the book that could not be made because of its files.
    package init(_ error: FileStoreError) {
        self =
            switch error {
            case .diskFull: .diskFull
            case .readOnly: .readOnly
            case .busy: .busy
            case .failed(let reason): .failed(reason)
            }
    }
}
