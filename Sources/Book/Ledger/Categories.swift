// Categories: their creation, change and deletion, and moving transactions from one category to another.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Adds a category. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`, `invalid`; `unknownCategory`, `categoryKind` or `categoryNesting` for its parent.
    @discardableResult
    public func add(_ category: Ledger.Category) throws(BookError) -> Recorded {
        try category.checkShape()
        return try changeAsUser { db in try db.add(category) }
    }

    /// Marks a category as deleted. A repeated call does nothing.
    ///
    /// A category in use cannot be deleted, so that old transactions never lose their category. `move` moves
    /// its transactions first.
    /// - Throws: `unknownCategory`; `categoryInUse`.
    public func deleteCategory(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in try db.deleteCategory(id, now) }
    }

    /// Takes a category away from its transactions, from parts of transactions, from schedules and from notes on
    /// transactions of banks, and deletes it, as one change.
    /// - Returns: the number of the change in the history; nil if the category was deleted already.
    /// - Throws: as `deleteCategory`, for budgets and subcategories.
    public func deleteCategoryOfTransactions(_ id: EntityID) throws(BookError) -> Int64? {
        let now = clock()
        return try changeAsUser { db in
            guard let isDeleted = try db.isDeleted(id, in: "categories") else {
                throw BookError.unknownCategory(id)
            }
            guard !isDeleted else { return nil }
            _ = try db.moveTransactions(of: id, to: nil)
            try db.deleteCategory(id, now)
            return try db.presentChange()
        }
    }

    /// Reverts a deletion. The call does nothing on a live category. A parent that was deleted in the
    /// meantime, or has become a child, is left out.
    /// - Returns: the id of the restored category. It is another one if the cloud may know of the deletion,
    ///   because a row that is deleted there stays deleted.
    /// - Throws: `unknownCategory`.
    @discardableResult
    public func restoreCategory(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in try db.restoreCategory(id) }
    }

    /// Moves all live transactions of one category, parts of transactions, schedules and notes on transactions of banks to
    /// another category, or to none.
    /// - Returns: the number of moved transactions.
    /// - Throws: `unknownCategory`; `categoryKind` if the two categories are of different kinds.
    @discardableResult
    public func move(transactionsOf source: EntityID, to target: EntityID?) throws(BookError) -> Int {
        guard source != target else { return 0 }
        return try changeAsUser { db in
            guard let kind = try db.categoryKind(source) else { throw BookError.unknownCategory(source) }
            if let target {
                guard let targetKind = try db.categoryKind(target) else {
                    throw BookError.unknownCategory(target)
                }
                guard kind == targetKind else { throw BookError.categoryKind }
            }
            return try db.moveTransactions(of: source, to: target)
        }
    }

    /// Archives a category, or brings it back: an archived one keeps its transactions and counts in figures, and forms do
    /// not offer it, nor those below it.
    /// - Returns: the number of the change in the history; nil if nothing changed.
    /// - Throws: `unknownCategory`.
    public func archiveCategory(_ id: EntityID, _ isArchived: Bool = true) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let category = try db.liveCategory(id) else { throw BookError.unknownCategory(id) }
            guard category.isArchived != isArchived else { return nil }
            try db.patch(["archived": isArchived ? 1 : nil], Category.entityKind, id)
            return try db.presentChange()
        }
    }

    /// All live categories with the number of their transactions, in the order of lists: expense before income.
    public func categoryUses() throws(BookError) -> [CategoryUse] {
        try reading { db in
            let sql = """
                SELECT \(Category.columns),
                  (SELECT ifnull(sum(count), 0) FROM category_months WHERE month = 0 AND category = id),
                  EXISTS (SELECT 1 FROM budgets b WHERE b.category = categories.id AND b.deleted_at IS NULL)
                    OR EXISTS (SELECT 1 FROM schedules s WHERE s.category = categories.id AND s.deleted_at IS NULL)
                    OR EXISTS (SELECT 1 FROM bank_notes n WHERE n.category = categories.id AND n.deleted_at IS NULL)
                FROM categories WHERE deleted_at IS NULL \(Category.order)
                """
            var uses = try db.all(sql) {
                CategoryUse(
                    category: try Category($0),
                    transactionCount: $0.int(Category.columnCount),
                    isReferred: $0.int(Category.columnCount + 1) != 0
                )
            }
            let shared = try db.sharedCounts()
            let children = Dictionary(grouping: uses.filter { $0.category.parent != nil }) {
                $0.category.parent
            }
            for index in uses.indices {
                let below = children[uses[index].category.id] ?? []
                uses[index].countWithChildren =
                    uses[index].transactionCount + below.reduce(0) { $0 + $1.transactionCount }
                    - (shared[uses[index].category.id] ?? 0)
                if below.contains(where: { $0.isReferred || $0.transactionCount > 0 }) {
                    uses[index].isReferred = true
                }
            }
            return uses
        }
    }

    /// A live category, or nil.
    public func category(_ id: EntityID) throws(BookError) -> Ledger.Category? {
        try reading { db in try db.liveCategory(id) }
    }
}

extension Ledger.Category {
    static let columns = "id, \(SyncedEntity.category.columns)"
    /// The number of `columns`.
    static let columnCount = Int32(SyncedEntity.category.fields.count + 1)
    static let order = "ORDER BY kind, position IS NULL, position, name COLLATE NOCASE, id"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            name: row.text(1),
            kind: try row.word(2),
            icon: row.text(3),
            color: row.text(4),
            parent: row.optionalID(5),
            position: row.optionalText(6),
            isArchived: row.int64(7) == 1
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [
            name.inNormalForm, kind.rawValue, icon, color, parent.column, position,
            isArchived ? Int64(1) : nil,
        ]
    }

    /// Checks the name (1 to 80 characters), the icon and the colour (at most 100 characters each), and that
    /// the category is not its own parent.
    public func checkShape() throws(BookError) {
        guard !name.isEmpty, name.isStorable(upTo: 80) else { throw .invalid(.name) }
        guard icon.isStorable(upTo: 100), icon.unicodeScalars.count <= 100 else { throw .invalid(.icon) }
        guard color.isStorable(upTo: 100), color.unicodeScalars.count <= 100 else { throw .invalid(.color) }
        guard parent != id else { throw .categoryNesting }
    }
}

/// The numbers of live rows that refer to a category.
struct CategoryReferences {
    var transactions = 0
    var budgets = 0
    var children = 0

    var isNone: Bool { transactions == 0 && budgets == 0 && children == 0 }
}

extension BookDatabase {
    func add(_ category: Ledger.Category) throws -> Recorded {
        let sql = "SELECT \(Category.columns) FROM categories WHERE id = ?"
        if let stored = try first(sql, [category.id.column], { try Category($0) }) {
            guard stored == category else { throw BookError.idTaken(category.id) }
            return .already
        }
        try checkParent(of: category)
        try change(
            "INSERT INTO categories (\(Category.columns)) VALUES (\(SyncedEntity.category.marks))",
            StatementArguments([category.id.column] + category.values)
        )
        return .new
    }

    func liveCategory(_ id: EntityID) throws -> Ledger.Category? {
        let sql = "SELECT \(Category.columns) FROM categories WHERE id = ? AND deleted_at IS NULL"
        return try first(sql, [id.column]) { try Category($0) }
    }

    /// Checks the new content of a live category. The kind of a category in use cannot change, and a category
    /// with children cannot get a parent.
    func check(_ category: Ledger.Category, before: Ledger.Category) throws {
        let uses = try uses(ofCategory: category.id)
        guard before.kind == category.kind || uses.isNone else { throw BookError.categoryKindInUse }
        // An unchanged parent is not checked again, because it may have been deleted since.
        guard category.parent != before.parent || category.kind != before.kind else { return }
        guard category.parent == nil || uses.children == 0 else { throw BookError.categoryNesting }
        try checkParent(of: category)
    }

    func deleteCategory(_ id: EntityID, _ now: Int64) throws {
        guard let isDeleted = try isDeleted(id, in: "categories") else { throw BookError.unknownCategory(id) }
        guard !isDeleted else { return }
        let uses = try uses(ofCategory: id)
        guard uses.isNone else {
            throw BookError.categoryInUse(
                transactions: uses.transactions,
                budgets: uses.budgets,
                children: uses.children
            )
        }
        try change("UPDATE categories SET deleted_at = ? WHERE id = ?", [now, id.column])
    }

    func restoreCategory(_ id: EntityID) throws -> EntityID {
        guard let isDeleted = try isDeleted(id, in: "categories") else { throw BookError.unknownCategory(id) }
        guard isDeleted else { return id }
        let (living, isDone) = try revivable(id, "category")
        guard !isDone else { return living }
        try change(
            """
            UPDATE categories SET
              deleted_at = NULL,
              parent = (SELECT p.id FROM categories p
                        WHERE p.id = categories.parent AND p.kind = categories.kind
                          AND p.deleted_at IS NULL AND p.parent IS NULL)
            WHERE id = ?
            """,
            [living.column]
        )
        return living
    }

    func categories() throws -> [Ledger.Category] {
        try all("SELECT \(Category.columns) FROM categories WHERE deleted_at IS NULL \(Category.order)") {
            try Category($0)
        }
    }

    /// The number by which the transactions of a category and those of the categories below it are together more than the
    /// transactions of all of them: those with parts in several.
    fileprivate func sharedCounts() throws -> [EntityID: Int] {
        let sql = """
            SELECT top, sum(count - 1) FROM (
              SELECT ifnull(c.parent, c.id) AS top, count(*) AS count
              FROM split_shares s JOIN categories c ON c.id = s.category
              WHERE c.deleted_at IS NULL GROUP BY top, s.id HAVING count(*) > 1
            ) GROUP BY top
            """
        return Dictionary(uniqueKeysWithValues: try all(sql) { (try $0.id(0), $0.int(1)) })
    }

    /// The kind of a live category.
    func categoryKind(_ id: EntityID) throws -> String? {
        try first("SELECT kind FROM categories WHERE id = ? AND deleted_at IS NULL", [id.column]) {
            $0.text(0)
        }
    }

    fileprivate func checkParent(of category: Ledger.Category) throws {
        guard let parent = category.parent else { return }
        let sql = "SELECT kind, parent FROM categories WHERE id = ? AND deleted_at IS NULL"
        guard let (kind, isTop) = try first(sql, [parent.column], { ($0.text(0), $0.isNull(1)) }) else {
            throw BookError.unknownCategory(parent)
        }
        guard kind == category.kind.rawValue else { throw BookError.categoryKind }
        guard isTop else { throw BookError.categoryNesting }
    }

    /// Gives transactions, parts of transactions, schedules and notes on transactions of banks another category, or none.
    /// - Returns: the number of transactions.
    func moveTransactions(of source: EntityID, to target: EntityID?) throws -> Int {
        let counts = try ["transactions", "schedules", "bank_notes"].map { table in
            try change(
                "UPDATE \(table) SET category = ? WHERE category = ? AND deleted_at IS NULL",
                [target.column, source.column]
            )
        }
        return try counts[0] + moveParts(of: source, to: target)
    }

    /// The number of notes that give a category to transactions of banks which are not recorded: a recorded one has the
    /// category itself.
    private func noteCount(ofCategory id: EntityID) throws -> Int {
        try number(
            """
            SELECT count(*) FROM bank_notes n WHERE n.deleted_at IS NULL AND n.category = ? AND NOT EXISTS (
              SELECT 1 FROM transactions t INDEXED BY transactions_by_bank
              WHERE t.bank_transaction = n.bank_transaction AND t.deleted_at IS NULL
            )
            """,
            [id.column]
        )
    }

    fileprivate func uses(ofCategory id: EntityID) throws -> CategoryReferences {
        CategoryReferences(
            transactions: try number(
                "SELECT ifnull(sum(count), 0) FROM category_months WHERE month = 0 AND category = ?",
                [id.column]
            ) + scheduleCount(ofCategory: id) + noteCount(ofCategory: id),
            budgets: try number(
                "SELECT count(*) FROM budgets WHERE category = ? AND deleted_at IS NULL",
                [id.column]
            ),
            children: try number(
                "SELECT count(*) FROM categories WHERE parent = ? AND deleted_at IS NULL",
                [id.column]
            )
        )
    }
}
