// Which transaction of the book is which row of a bank, where only amounts and days can tell.
public import Ledger

/// A row of a bank or a transaction of the book, by which the two are compared.
struct BankPairingRow {
    let id: EntityID
    let date: CivilDate
    /// A hidden row gets a transaction only if no other one does.
    let isHidden: Bool
}

/// Rows of one amount on one account, each with the transaction that is perhaps the same.
///
/// The nearest days are paired first. Then as many further pairs as possible are made by changing earlier pairs: of two
/// purchases that the bank has booked two days late, the first may look nearer to the second.
struct BankPairing {
    private let rows: [BankPairingRow]
    private let entries: [EnteredTransaction]
    private let answers: Set<BankAnswer>
    /// The places of the entries by the places of the rows, and the reverse.
    private var ofRow: [Int: Int] = [:]
    private var ofEntry: [Int: Int] = [:]

    /// The transactions by the ids of the rows.
    var pairs: [EntityID: EnteredTransaction] {
        Dictionary(
            ofRow.map { (rows[$0].id, entries[$1]) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// - Parameters:
    ///   - entries: if the days are equally near, the first entry is paired first.
    ///   - answers: pairs that are not the same.
    init(_ rows: [BankPairingRow], _ entries: [EnteredTransaction], but answers: Set<BankAnswer>) {
        (self.rows, self.entries, self.answers) = (rows, entries, answers)
        for ofHidden in [false, true] {
            let places = rows.indices.filter { rows[$0].isHidden == ofHidden }
            for distance in 0...BankRows.mostDaysApart {
                for row in places where ofRow[row] == nil {
                    guard let entry = candidates(row, at: distance).first(where: { ofEntry[$0] == nil })
                    else {
                        continue
                    }
                    pair(row, entry)
                }
            }
            for row in places where ofRow[row] == nil {
                var visited: Set<Int> = []
                _ = makeRoom(for: row, &visited)
            }
        }
    }

    private mutating func pair(_ row: Int, _ entry: Int) { (ofRow[row], ofEntry[entry]) = (entry, row) }

    private func candidates(_ row: Int, at distance: Int) -> [Int] {
        entries.indices.filter { entry in
            abs(Int(entries[entry].date.dayNumber) - Int(rows[row].date.dayNumber)) == distance
                && !answers.contains(BankAnswer(entered: entries[entry].id, record: rows[row].id))
        }
    }

    /// Pairs a row, if need be by giving another transaction to the row that has one of its candidates.
    private mutating func makeRoom(for row: Int, _ visited: inout Set<Int>) -> Bool {
        for distance in 0...BankRows.mostDaysApart {
            for entry in candidates(row, at: distance) where visited.insert(entry).inserted {
                guard let holder = ofEntry[entry] else {
                    pair(row, entry)
                    return true
                }
                if makeRoom(for: holder, &visited) {
                    pair(row, entry)
                    return true
                }
            }
        }
        return false
    }
}

/// A transaction that was entered, and the record or the row of a bank, which the user has said to be two.
struct BankAnswer: Hashable {
    let entered: EntityID
    let record: EntityID
}

extension Book {
    /// Notes that a transaction is not the same as a record of a bank. It is not asked again on this device.
    /// - Parameter record: the id of the record, or of a row, which is the id of its record.
    public func note(_ entered: EntityID, isNot record: EntityID) throws(BookError) {
        // The rows of banks are compared with the book once for each state of the lookups.
        try lookups.changing { () throws(BookError) in
            try updateLocalState { db in try db.note(entered, isNot: record) }
        }
    }
}

extension BookDatabase {
    /// Notes that a transaction is not the same as a record of a bank, or as what a schedule would record. It is not asked
    /// again on this device.
    func note(_ entered: EntityID, isNot record: EntityID) throws {
        let sql = """
            INSERT INTO bank_answers (entered, record, is_two) VALUES (?, ?, 1)
            ON CONFLICT DO UPDATE SET is_two = 1
            """
        try change(sql, [entered.column, record.column])
    }

    /// The pairs that the user has said to be two.
    func bankAnswers() throws -> Set<BankAnswer> {
        Set(
            try all("SELECT entered, record FROM bank_answers WHERE is_two = 1") {
                BankAnswer(entered: try $0.id(0), record: try $0.id(1))
            }
        )
    }

    /// Notes that a transaction is perhaps a row whose amount is another one, unless the user has answered already.
    func notePerhaps(_ entered: EntityID, is record: EntityID) throws {
        try change(
            "INSERT INTO bank_answers (entered, record, is_two) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
            [entered.column, record.column]
        )
    }

    /// The transactions that are perhaps rows with another amount, by the ids of the rows. Each is live, and the record of
    /// no row.
    func perhapsEntered() throws -> [EntityID: EnteredTransaction] {
        let sql = """
            SELECT a.record, t.id, t.date FROM bank_answers a JOIN transactions t ON t.id = a.entered
            WHERE a.is_two = 0 AND t.deleted_at IS NULL AND t.bank_transaction IS NULL ORDER BY t.id DESC
            """
        var entered: [EntityID: EnteredTransaction] = [:]
        try forEach(sql) {
            entered[try $0.id(0)] = EnteredTransaction(
                id: try $0.id(1),
                date: $0.date(2),
                confirmation: .always
            )
        }
        return entered
    }
}
