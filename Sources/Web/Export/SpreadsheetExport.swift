// The export of transactions for spreadsheets.

import Book
import HTTPServer
import Ledger
import SyncCore

/// `GET /export/transactions.csv`: one line for each transaction, and for each part of a split one, in UTF-8 with the
/// byte order mark that spreadsheets expect. Each field of a transaction is a column, the day first.
///
/// The lines of a split have the amounts and the category of their part, so that the sums of a column and of a
/// category are right.
enum SpreadsheetExport {
    static func answer(_ context: RequestContext) throws -> Response {
        try Export.answer(
            context,
            "text/csv; charset=utf-8",
            ExportName(base: "breadly-transactions", type: "csv")
        ) { exported, site, out in
            // A format that spreadsheets read in every locale: `-1234.50`.
            try write(exported.book, site.style(LocaleFacts.fallback.tag), out)
        }
    }

    static func write(_ book: Book, _ style: any WritingStyle, _ out: ExportWriter) throws {
        let names = Names(book.declaration)
        let receipts = try book.receiptNames()
        try book.export { entity in
            var columns = columns(of: entity, names, style)
            if !columns.isEmpty {
                columns.append(("attachments", { row, _ in text(receipts[row.id] ?? "") }))
            }
            guard !columns.isEmpty else { return names.reader(of: entity) }
            out.append("\u{FEFF}" + columns.map(\.title).joined(separator: ",") + "\r\n")
            let places = PartPlaces(entity)
            return { row in
                for line in places.lines(of: row) {
                    for (place, column) in columns.enumerated() {
                        if place > 0 { out.append(",") }
                        out.append(column.cell(row, line))
                    }
                    out.append("\r\n")
                }
            }
        }
    }

    /// A line of a transaction: the sign of its amounts, and its part of a split.
    fileprivate struct Line {
        var sign: Int64
        var part: (share: CategoryShare, number: Int, count: Int)?
    }

    /// The indexes of the fields that differ among the parts of a transaction.
    private struct PartPlaces {
        let kind, amount, account, split: Int?

        init(_ entity: SyncedEntity) {
            func place(_ name: String) -> Int? { entity.fields.firstIndex { $0.name == name } }
            kind = place("kind")
            amount = place("amount")
            account = place("accountAmount")
            split = place("split")
        }

        func lines(of row: ExportedRow) -> [Line] {
            let isIncome = kind.flatMap { row.text($0) } == TransactionKind.income.rawValue
            let whole = Line(sign: isIncome ? 1 : -1)
            guard let text = split.flatMap({ row.text($0) }),
                let amount = amount.flatMap({ row.integer($0) }),
                let account = account.flatMap({ row.integer($0) }),
                let shares = Split(text: text).shares(of: amount, accountMinor: account)
            else { return [whole] }
            return shares.enumerated().map { place, share in
                Line(sign: whole.sign, part: (share, place + 1, shares.count))
            }
        }
    }

    private typealias Column = (title: String, cell: (ExportedRow, Line) -> String)

    private static func columns(of entity: SyncedEntity, _ names: Names, _ style: any WritingStyle)
        -> [Column]
    {
        guard entity.kind == Transaction.entityKind else { return [] }
        let shown = entity.fields.enumerated().filter { $0.element.name != "bankTransaction" }
        let isDay = { (field: EnumeratedSequence<[SyncedField]>.Element) in field.element.name == "date" }
        return (shown.filter(isDay) + shown.filter { !isDay($0) }).flatMap { place, field -> [Column] in
            let title = field.columnTitle
            switch field.name {
            case "split":
                return [
                    ("part", { _, line in line.part.map { "\($0.number) of \($0.count)" } ?? "" }),
                    ("part_note", { _, line in text(line.part?.share.note ?? "") }),
                ]
            case "category":
                let whole = cell(place, field.form, names)
                let list = names.list(of: Ledger.Category.entityKind)
                return [
                    (
                        title,
                        { row, line in
                            guard let part = line.part else { return whole(row, line) }
                            return text(part.share.category.flatMap { list.title("\($0)") } ?? "")
                        }
                    )
                ]
            default: break
            }
            guard case .money(let source) = field.form else {
                return [(title, cell(place, field.form, names))]
            }
            let isAccounts = field.name == "accountAmount"
            // An amount that is spent is negative, and a part has its share. The amount that arrives in another account is neither.
            let isSpent = isAccounts || field.isMain
            let currency = currency(source, of: entity, names)
            let amount: Column = (
                title,
                { row, line in
                    guard let whole = row.integer(place), let code = currency(row) else { return "" }
                    let part = line.part.map { isAccounts ? $0.share.accountMinor : $0.share.minor }
                    let minor = isSpent ? line.sign &* (part ?? whole) : whole
                    return style.plain(Money(minor: minor, currency: code))
                }
            )
            guard case .account = source else { return [amount] }
            let code: Column = (
                title.replacing("_amount", with: "_currency"), { row, _ in currency(row)?.rawValue ?? "" }
            )
            return [amount, code]
        }
    }

    /// The currency of an amount; nil if its account was deleted.
    private static func currency(_ source: FieldForm.Currency, of entity: SyncedEntity, _ names: Names)
        -> (ExportedRow) -> CurrencyCode?
    {
        func place(_ name: String) -> Int? { entity.fields.firstIndex { $0.name == name } }
        switch source {
        case .field(let name):
            let place = place(name)
            return { row in place.flatMap { row.text($0) }.flatMap { CurrencyCode($0) } }
        case .account(let name):
            let (place, accounts) = (place(name), names.list(of: Account.entityKind))
            return { row in place.flatMap { row.text($0) }.flatMap { accounts.rows[$0]?.currency } }
        }
    }

    /// The cell of a field that is not an amount.
    private static func cell(_ place: Int, _ form: FieldForm, _ names: Names) -> (ExportedRow, Line) -> String
    {
        switch form {
        case .text, .choice, .id, .currency, .parts: { row, _ in text(row.text(place) ?? "") }
        case .list, .tags:
            { row, _ in text((row.text(place) ?? "").split(separator: ",").joined(separator: ", ")) }
        case .reference(let kind):
            { [list = names.list(of: kind)] row, _ in text(row.text(place).flatMap { list.title($0) } ?? "") }
        case .day:
            { row, _ in row.integer(place).map { "\(CivilDate(dayNumber: Int32(clamping: $0)))" } ?? "" }
        case .month: { row, _ in row.integer(place).map { "\(YearMonth(index: Int($0)))" } ?? "" }
        case .flag: { row, _ in row.integer(place).map { $0 != 0 ? "true" : "false" } ?? "" }
        case .mark: { row, _ in row.integer(place) == 1 ? "true" : "false" }
        case .money, .number: { row, _ in row.integer(place).map { String($0) } ?? "" }
        }
    }

    /// The names of the rows that transactions refer to. The kinds of these rows precede transactions in the
    /// export.
    private final class Names {
        private let lists: [String: List]

        init(_ declaration: SyncedSchema) {
            lists = Dictionary(uniqueKeysWithValues: declaration.entities.map { ($0.kind, List()) })
        }

        func list(of kind: String) -> List { lists[kind] ?? List() }

        /// Collects the rows of a kind; nil for a kind without a name.
        func reader(of entity: SyncedEntity) -> ((ExportedRow) -> Void)? {
            guard case .fields(let names, _) = entity.title, let list = lists[entity.kind] else {
                return nil
            }
            func place(_ isWanted: (SyncedField) -> Bool) -> Int? {
                entity.fields.firstIndex(where: isWanted)
            }
            guard let name = place({ $0.name == names.first }) else { return nil }
            let parent = place { $0.form == .reference(to: entity.kind) }
            let currency = place { $0.name == "currency" }
            return { row in
                list.rows[row.id] = (
                    row.text(name) ?? "", parent.flatMap { row.text($0) },
                    currency.flatMap { row.text($0) }.flatMap { CurrencyCode($0) }
                )
            }
        }

        /// The rows of one kind by their ids.
        final class List {
            var rows: [String: (name: String, parent: String?, currency: CurrencyCode?)] = [:]

            /// The name of a row, after the name of its parent; nil if the row was deleted.
            func title(_ id: String) -> String? {
                rows[id].map { row in
                    (row.parent.flatMap { rows[$0]?.name }.map { "\($0): " } ?? "") + row.name
                }
            }
        }
    }

    /// A cell of text, quoted if necessary (RFC 4180). A text that a spreadsheet would evaluate as a formula
    /// gets an apostrophe in front, as OWASP's "CSV Injection" advises. The first scalar decides, because a
    /// sign with a combining mark is another character, but the same formula. Full-width signs count too,
    /// because some programs accept them as well.
    static func text(_ text: String) -> String {
        let safe = withoutFormulas(text)
        // Compares scalars as well: a quotation mark with a combining mark is a quotation mark to a CSV
        // reader.
        let mustQuote = safe.unicodeScalars.contains {
            [",", "\"", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0)
        }
        return mustQuote ? "\"" + safe.replacing(scalar: "\"", with: "\"\"") + "\"" : safe
    }

    /// The text with an apostrophe before each sign with which a formula would begin: at the beginning, and after a
    /// semicolon, where the cells of a file end for programs of many countries.
    private static func withoutFormulas(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { formulaSigns.contains($0) }) else { return text }
        var result = String.UnicodeScalarView()
        var (isFirst, isAfterSemicolon) = (true, false)
        for scalar in text.unicodeScalars {
            if isFirst || isAfterSemicolon, formulaSigns.contains(scalar) { result.append("'") }
            result.append(scalar)
            // Such programs take quotation marks and spaces away.
            isAfterSemicolon = scalar == ";" || (isAfterSemicolon && (scalar == " " || scalar == "\""))
            isFirst = false
        }
        return String(result)
    }

    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}

extension SyncedField {
    /// The title of its column: `to_account` for `toAccount`.
    fileprivate var columnTitle: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}

extension String {
    /// Replaces each occurrence of a scalar by a text, also if a combining mark follows the scalar.
    func replacing(scalar sign: Unicode.Scalar, with other: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == sign {
                result.append(contentsOf: other.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
