// The user's notes on transactions of banks.
import Crypto
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// The note on a transaction of a bank; one without content if there is none.
    public func bankNote(of transaction: BankTransactionKey) throws(BookError) -> BankNote {
        try reading { db in try db.bankNote(of: transaction) ?? .empty(on: transaction) }
    }

    /// Writes the values of a note that the user changed in a form, and no others. The first value adds the note.
    /// - Parameters:
    ///   - version: the values that the form showed; nil to write every value.
    ///   - isKeptEmpty: whether a note without content is added too. A row with a note is not hidden by a rule.
    /// - Throws: `unknownCategory`, `invalid`.
    @discardableResult
    public func write(
        _ note: BankNote,
        shown version: EntityVersion? = nil,
        isKeptEmpty: Bool = false
    ) throws(BookError) -> Edit {
        try note.checkShape()
        return try changeAsUser { db in
            let stored = try db.bankNote(of: note.transaction)
            if let category = note.category, category != stored?.category,
                try db.categoryKind(category) == nil
            {
                throw BookError.unknownCategory(category)
            }
            var new = note
            if let stored {
                new.id = stored.id
                return try db.edit(new, version)
            }
            new.id = try db.freeNoteID(note.transaction)
            guard isKeptEmpty || new != .empty(on: note.transaction, id: new.id) else { return Edit() }
            try db.change(
                "INSERT INTO bank_notes (\(BankNote.columns)) VALUES (\(SyncedEntity.bankNote.marks))",
                StatementArguments([new.id.column] + new.values)
            )
            return Edit(change: try db.presentChange())
        }
    }
}

extension BankNote: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "bankNote"

    static let columns = "id, \(SyncedEntity.bankNote.columns)"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            transaction: BankTransactionKey(text: row.text(1)),
            category: row.optionalID(2),
            payee: row.text(3),
            note: row.text(4),
            tags: Transaction.tags(row.text(5)),
            isHidden: row.int64(6) == 1
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [
            transaction.description, category.column, payee.inNormalForm, note.inNormalForm,
            tags.joined(separator: ",").inNormalForm,
            isHidden ? Int64(1) : nil,
        ]
    }

    /// Checks that the texts are within the limits of a transaction's texts.
    public func checkShape() throws(BookError) {
        guard payee.isStorable(upTo: 200) else { throw .invalid(.payee) }
        guard note.isStorable(upTo: 2_000) else { throw .invalid(.note) }
        guard Transaction.areStorable(tags) else { throw .invalid(.tags) }
    }

    static func empty(on transaction: BankTransactionKey, id: EntityID? = nil) -> BankNote {
        BankNote(id: id ?? .derived(from: "note", transaction.description), transaction: transaction)
    }
}

extension BookDatabase {
    /// The live note on a transaction; nil if there is none. After a deletion on two devices there may be several:
    /// that with the least id counts on all devices.
    func bankNote(of transaction: BankTransactionKey) throws -> BankNote? {
        let sql = """
            SELECT \(BankNote.columns) FROM bank_notes INDEXED BY bank_notes_by_transaction
            WHERE bank_transaction = ? AND deleted_at IS NULL ORDER BY id LIMIT 1
            """
        return try first(sql, [transaction.description]) { try BankNote($0) }
    }

    /// The id of a new note. A deleted one keeps its id, because the cloud may know of the deletion.
    fileprivate func freeNoteID(_ transaction: BankTransactionKey) throws -> EntityID {
        var id = EntityID.derived(from: "note", transaction.description)
        while try isDeleted(id, in: "bank_notes") != nil { id = id.copy }
        return id
    }
}

extension EntityID {
    /// The id of what a device makes of something at a bank: the same on all devices.
    static func derived(from purpose: String, _ text: String) -> EntityID {
        let digest = SHA256.hash(data: Array("\(purpose) \(text)".utf8))
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return EntityID(high: number(digest.prefix(8)), low: number(digest.dropFirst(8).prefix(8)))
    }
}
