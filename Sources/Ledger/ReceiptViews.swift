// Receipts as pages show them: with the status of their files on this device.

/// The status of a file on its way to the cloud.
public enum ReceiptStatus: String, Hashable, Sendable, CaseIterable {
    /// The file is on this device only.
    case localOnly = "local_only"
    /// A part of the file may be in the cloud already.
    case uploading
    /// The cloud has confirmed the whole file.
    case uploaded
    /// The cloud has refused the file, or it could not be sent; the user can try again.
    case failed
}

/// A file of a receipt on this device.
public struct ReceiptFile: Hashable, Sendable {
    /// The hash of its content, by which it is found.
    public var sha256: String
    /// The size in bytes.
    public var size: Int64
    /// Whether the cloud has it.
    public var status: ReceiptStatus
    /// The number of bytes that the cloud has confirmed of an unfinished upload.
    public var sent: Int64
    /// The code of the reason why an upload failed.
    public var failure: String?
    /// Whether the file was fetched from the cloud, and may be removed to make room.
    public var isCached: Bool

    /// The code of `failure` for a file that should be on this device and is not.
    public static let missing = "missing"

    /// Whether the disk of the server has damaged the file, as was found when it was last read.
    public var isDamaged: Bool { failure == UploadFailure.wrongContent.code }

    /// A file on this device only, unless stated otherwise.
    public init(
        sha256: String,
        size: Int64,
        status: ReceiptStatus = .localOnly,
        sent: Int64 = 0,
        failure: String? = nil,
        isCached: Bool = false
    ) {
        self.sha256 = sha256
        self.size = size
        self.status = status
        self.sent = sent
        self.failure = failure
        self.isCached = isCached
    }
}

/// A receipt with the status of its file on this device.
public struct ShownReceipt: Hashable, Sendable {
    /// The row.
    public var receipt: Receipt
    /// The file on this device; nil if it is on another device only.
    public var file: ReceiptFile?
    /// Whether the cloud has the file, if this device does not; nil if that is not known.
    public var isInCloud: Bool?

    /// Whether the file can be read here: this device has added or fetched it, and has not lost it since.
    public var isOnDevice: Bool { file.map { $0.failure != ReceiptFile.missing } ?? false }

    /// A receipt and its file.
    public init(_ receipt: Receipt, file: ReceiptFile?, isInCloud: Bool? = nil) {
        (self.receipt, self.file, self.isInCloud) = (receipt, file, isInCloud)
    }
}

/// A receipt with its transaction.
public struct ReceiptEntry: Hashable, Sendable {
    /// The row of the file, and where its bytes are.
    public var shown: ShownReceipt
    /// The transaction that it is beside.
    public var transaction: Transaction
    /// Whether the transaction was deleted. Its receipts are not.
    public var isTransactionDeleted: Bool

    /// A receipt beside a transaction.
    public init(_ shown: ShownReceipt, beside transaction: Transaction, isDeleted: Bool = false) {
        (self.shown, self.transaction, isTransactionDeleted) = (shown, transaction, isDeleted)
    }
}

/// A page of the list of all receipts.
public struct ReceiptPage: Sendable {
    /// The entries, the latest first.
    public var entries: [ReceiptEntry]
    /// The position of the next page, if there is one.
    public var next: ReceiptCursor?

    /// A page in the order of the list.
    public init(entries: [ReceiptEntry], next: ReceiptCursor?) { (self.entries, self.next) = (entries, next) }
}

/// The bytes that the files of receipts take on a device.
public struct ReceiptSpace: Hashable, Sendable {
    /// A number of files, and their bytes.
    public struct Part: Hashable, Sendable {
        /// The number of files.
        public var count: Int
        /// Their bytes.
        public var bytes: Int64

        /// A part of the files.
        public init(count: Int, bytes: Int64) { (self.count, self.bytes) = (count, bytes) }
    }

    /// The files of receipts that are not deleted.
    public var live: Part
    /// The files that stay only because the deletion of their receipts can still be undone.
    public var deleted: Part
    /// The files that were fetched from the cloud. They may be removed at any time, and have a limit of their own.
    public var cached: Part

    /// The parts.
    public init(live: Part, deleted: Part, cached: Part = Part(count: 0, bytes: 0)) {
        (self.live, self.deleted, self.cached) = (live, deleted, cached)
    }

    /// The bytes of all files except the fetched files.
    public var bytes: Int64 { live.bytes + deleted.bytes }
}
