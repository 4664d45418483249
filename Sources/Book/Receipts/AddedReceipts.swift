// Adding receipts to a transaction that is recorded or still being entered. Receipts that do not fit are named.
import GRDB
public import Ledger
import Storage

/// A transaction that receipts are added to.
public enum ReceiptTarget: Hashable, Sendable {
    case recorded(EntityID)
    /// A transaction that is still being entered, by the id that it gets when it is recorded.
    case entered(EntityID)

    package var transaction: EntityID {
        switch self {
        case .recorded(let id), .entered(let id): id
        }
    }
}

/// The fate of receipts that were to be added.
public struct AddedReceipts: Hashable, Sendable {
    /// The number of new receipts.
    public var new = 0
    /// The number of receipts whose content was there already, which makes no further receipt.
    public var known = 0
    /// The receipts of `known` that have a file on this device. The file was placed once more: it may have been missing
    /// or damaged.
    public var placedAgain: [EntityID] = []
    /// The receipts that were not added because the transaction has as many as it may have.
    public var tooMany: [EntityID] = []
    /// The receipts that were not added because the files of the book would use more bytes than they may.
    public var withoutRoom: [EntityID] = []

    /// None so far.
    public init() {}
}

extension Book {
    /// Adds receipts in their order, as many as fit: a receipt that does not fit leaves its place to the receipts
    /// behind it. Their files must be durable; `placeFile` gives each its name, and the rows follow in the same
    /// transaction. A process that dies in between leaves a file without a row, and never a row without its file.
    ///
    /// If the transaction has a receipt with the same content already, no receipt is added. The file is placed
    /// nevertheless: the present file may be missing or damaged, and is whole then.
    /// - Parameters:
    ///   - quota: the greatest number of bytes of all files of the book.
    ///   - placeFile: gives the file of a receipt its name. It is called before the rows are durable; an error undoes all.
    /// - Throws: `unknownTransaction`; an error of `placeFile` as `failed`, unless it is a `BookError`.
    public func add(
        _ receipts: [Receipt],
        to target: ReceiptTarget,
        quota: Int64,
        placing placeFile: (Receipt) throws -> Void
    ) throws(BookError) -> AddedReceipts {
        for receipt in receipts { try receipt.checkShape() }
        let now = clock()
        var added = AddedReceipts()
        switch target {
        case .recorded(let transaction):
            try changeAsUser { db in
                guard let (_, isDeleted) = try db.storedTransaction(transaction), !isDeleted else {
                    throw BookError.unknownTransaction(transaction)
                }
                let present = try db.receipts(of: transaction)
                added = try db.add(receipts, beside: present, quota: quota, placing: placeFile) {
                    receipt,
                    isNew in
                    if isNew { try db.insert(receipt) }
                    try db.noteFile(receipt.sha256, receipt.size, isCached: false, now)
                }
            }
        case .entered(let transaction):
            try updateLocalState { db in
                try db.removeForgottenDrafts(now)
                let present = try db.draftReceipts(of: transaction)
                added = try db.add(receipts, beside: present, quota: quota, placing: placeFile) {
                    receipt,
                    isNew in
                    if isNew { try db.insertDraft(receipt, of: transaction) }
                }
            }
        }
        return added
    }
}

extension BookDatabase {
    /// - Parameters:
    ///   - present: the receipts that are there.
    ///   - store: stores a receipt whose file was placed. Its second argument tells whether its content is new there.
    fileprivate func add(
        _ receipts: [Receipt],
        beside present: [Receipt],
        quota: Int64,
        placing placeFile: (Receipt) throws -> Void,
        store: (Receipt, _ isNew: Bool) throws -> Void
    ) throws -> AddedReceipts {
        var added = AddedReceipts()
        var contents = Set(present.map(\.sha256))
        var (placed, refused): (Set<String>, Set<String>) = ([], [])
        var repeated = 0
        var bytes = try receiptBytes()
        for receipt in receipts where !placed.contains(receipt.sha256) {
            // The reason why a content is not added holds for each file that has it.
            guard !refused.contains(receipt.sha256) else {
                repeated += 1
                continue
            }
            let isNew = !contents.contains(receipt.sha256)
            // There may be more than that: devices that add some at the same time do not know of each other.
            guard !isNew || contents.count < Receipt.mostOfTransaction else {
                added.tooMany.append(receipt.id)
                refused.insert(receipt.sha256)
                continue
            }
            // A file that is here already takes no further room.
            let wasHere = try hasFile(receipt.sha256) || hasDraft(receipt.sha256)
            let more =
                try hasFileOnDisk(receipt.sha256) || hasDraft(receipt.sha256) ? 0 : receipt.size
            guard (!isNew && wasHere) || bytes + more <= quota else {
                added.withoutRoom.append(receipt.id)
                refused.insert(receipt.sha256)
                continue
            }
            try placeFile(receipt)
            try store(receipt, isNew)
            bytes += more
            placed.insert(receipt.sha256)
            contents.insert(receipt.sha256)
            if isNew { added.new += 1 } else if wasHere { added.placedAgain.append(receipt.id) }
        }
        added.known = receipts.count - added.new - added.tooMany.count - added.withoutRoom.count - repeated
        return added
    }
}
