// Finding changes in the history: by kind, device and day, and by words.
//
// The history has no index for these. Its entries are read from the newest on until a page is full. Kind, device and day are
// compared by SQLite, about 100,000 entries in 0.1 s. For words, the changed row is read as it was, which is many
// times slower; one page therefore looks at a limited number of entries, and the next one continues from there.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

/// A page of the history.
public struct HistoryList: Hashable, Sendable {
    /// The changes, newest first.
    public var changes: [HistoryChange] = []
    /// The number of the last change that was looked at, after which the next page begins; nil if there is none.
    public var next: Int64?
    /// Whether the page ends because enough entries were looked at, although it is not full.
    public var endsEarly = false
}

extension Book {
    /// The number of entries that a search for words looks at.
    public static let mostSearchedEntries = 10_000

    /// The changes that match, newest first.
    /// - Parameters:
    ///   - before: returns only changes with a lower number.
    ///   - limit: the maximum number of changes.
    ///   - most: the number of entries after which a search for words ends the page.
    ///   - day: the day of a time in UTC seconds, in the user's zone.
    public func history(
        _ query: HistoryQuery,
        before: Int64? = nil,
        limit: Int,
        searching most: Int = mostSearchedEntries,
        day: (Int64) -> CivilDate
    ) throws(BookError) -> HistoryList {
        try reading { db, lookups in
            let words =
                try query.text.map { try HistoryWord.all(of: $0, query.decimalSign, db, lookups) } ?? []
            return try db.history(query, words, before: before, limit: limit, searching: most, day: day)
        }
    }

    /// The names of other devices in the newest changes, by name.
    public func devicesOfHistory() throws(BookError) -> [String] {
        try reading { db in
            let sql = """
                SELECT DISTINCT device FROM (SELECT device FROM history ORDER BY seq DESC LIMIT 5000)
                WHERE device IS NOT NULL ORDER BY device
                """
            return try db.all(sql) { $0.text(0) }
        }
    }
}

/// A word of a search.
private struct HistoryWord {
    /// As texts are compared.
    let text: String
    /// The amount that it may mean, in ten-thousandths; nil for none.
    let amount: String?
    /// The accounts and categories with it in their names.
    let named: Set<String>

    static func all(of text: String, _ decimalSign: Character, _ db: BookDatabase, _ lookups: Lookups) throws
        -> [HistoryWord]
    {
        // Deleted ones are looked for by their ids as well.
        let names = try ["accounts", "categories"].flatMap { table in
            try db.all("SELECT id, name FROM \(table)") { ($0.text(0), $0.text(1).searchForm) }
        }
        return text.split(whereSeparator: \.isWhitespace).prefix(20).map { word in
            let form = String(word).searchForm
            return HistoryWord(
                text: form,
                amount: SearchWord.amount(of: String(word), decimalSign),
                named: Set(names.filter { $0.1.contains(form) }.map(\.0))
            )
        }
    }
}

/// The texts, amounts and references of a row that words are compared with.
private struct SearchedRow {
    private var texts = ""
    private var amounts: Set<String> = []
    private var references: Set<String> = []

    /// - Parameter row: the fields from which amounts get their currency.
    mutating func add(_ fields: Fields, of entity: SyncedEntity, in row: Fields) {
        for field in fields.all {
            switch (entity.field(field.name)?.form, field.value) {
            case (.text, .text(let text)), (.tags, .text(let text)), (.list, .text(let text)):
                texts += "\(text.searchForm)\n"
            case (.reference, .text(let id)): references.insert(id)
            case (.parts, .text(let text)):
                texts += "\(text.searchForm)\n"
            case (.money(in: .field(let name)), .integer(let minor)):
                guard let code = (fields.text(name) ?? row.text(name)).flatMap({ CurrencyCode($0) }) else {
                    break
                }
                amounts.insert(Self.tenThousandths(minor.magnitude, code))
            default: break
            }
        }
    }

    private static func tenThousandths(_ minor: UInt64, _ currency: CurrencyCode) -> String {
        "\(minor)" + String(repeating: "0", count: max(0, 4 - currency.decimals))
    }

    func has(_ word: HistoryWord) -> Bool {
        texts.contains(word.text) || word.amount.map(amounts.contains) == true
            || !references.isDisjoint(with: word.named)
    }
}

extension BookDatabase {
    fileprivate func history(
        _ query: HistoryQuery,
        _ words: [HistoryWord],
        before: Int64?,
        limit: Int,
        searching most: Int,
        day: (Int64) -> CivilDate
    ) throws -> HistoryList {
        var entries = SQLPiece(
            "SELECT tx, at, seq, kind, id, before, after FROM history INDEXED BY history_by_tx WHERE tx < ? AND tx > ?",
            [try historyEnd()]
        )
        if let kind = query.kind { entries.and("kind = ?", [kind]) }
        switch query.device {
        case .this: entries.and("device IS NULL")
        case .other(let name): entries.and("device = ?", [name])
        case nil: break
        }
        if let days = query.days {
            // A day in a zone is within a day of the same day in UTC.
            let (first, last) = (Int64(days.lowerBound.dayNumber) - 1, Int64(days.upperBound.dayNumber) + 2)
            entries.and("at >= ? AND at < ?", [first * 86_400, last * 86_400])
        }
        let sql = "\(entries.sql) ORDER BY tx DESC"
        var list = HistoryList()
        var (last, searched) = (before ?? .max, 0)
        while true {
            let start = last
            var found: Int64?
            // A change that matches is found by its first entry that does: its others are not read.
            try forEachWhile(sql, StatementArguments([start] + entries.arguments)) { entry in
                let number = entry.int64(0)
                if list.changes.count >= limit || (searched >= most && number != last) {
                    (list.next, list.endsEarly) = (last, list.changes.count < limit)
                    return false
                }
                last = number
                if let days = query.days, !days.contains(day(entry.int64(1))) { return true }
                if !words.isEmpty {
                    searched += 1
                    guard try has(words, entry) else { return true }
                }
                found = number
                return false
            }
            guard let found else { return list }
            // Most changes touch one or two rows, and the list shows only these rows.
            try historyChange(found, rows: 10).map { list.changes.append($0) }
        }
    }

    /// Whether a row had all words before or after an entry.
    private func has(_ words: [HistoryWord], _ entry: Columns) throws -> Bool {
        let kind = entry.text(3)
        guard let entity = schema.declaration[kind] else { return false }
        let row = try asOf(entry.int64(2), kind, entry.id(4))
        var searched = SearchedRow()
        searched.add(row, of: entity, in: row)
        for text in [entry.optionalText(5), entry.optionalText(6)] {
            if let text { searched.add(try Fields(stored: text), of: entity, in: row) }
        }
        return words.allSatisfy(searched.has)
    }
}
