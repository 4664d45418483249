// The export of transactions for spreadsheets.

import Book
import HTTPServer
import Ledger
import SyncCore

/// `GET /export/transactions.csv`: one line for each transaction, and for each part of a split one, in UTF-8 with the
/// byte order mark that spreadsheets expect. Each field of a transaction is a column, the day first.
///
/// The lines of a split have the amounts and the category of their part, and a transfer has a line for each of its
/// accounts, so that the sums of a column, of a category and of an account are right.
///
/// With the filters of the list of transactions in the address, only what the list has: whole transactions, in the order of
/// the days.
enum SpreadsheetExport {
    static func answer(_ context: RequestContext) throws -> Response {
        let sheet = try context.sheet()
        let query =
            context.request.query.names.contains(where: TransactionsPage.fields.contains)
            ? try TransactionsShow.query(context, context.formats()) : nil
        return try Export.answer(
            context,
            Sheet.contentType,
            ExportName(base: "breadly-transactions", type: "csv")
        ) { exported, _, out in
            try write(exported.book, sheet, out, only: query)
        }
    }

    /// - Parameter query: the filters of the list; nil for all transactions.
    static func write(
        _ book: Book,
        _ sheet: Sheet,
        _ out: ExportWriter,
        only query: TransactionQuery? = nil
    ) throws {
        let wanted = try query.map { Set(try book.ids(of: $0).map { "\($0)" }) }
        let names = Names(book.declaration)
        let receipts = try book.receiptNames()
        try book.export { entity in
            var columns = columns(of: entity, names)
            guard !columns.isEmpty else { return names.reader(of: entity) }
            columns.append(("attachments", { row, _ in .text(receipts[row.id] ?? "") }))
            out.append(Sheet.mark + sheet.line(columns.map { .text($0.title) }))
            let places = Places(entity)
            return { row in
                guard wanted?.contains(row.id) != false else { return }
                for line in places.lines(of: row) {
                    out.append(sheet.line(columns.map { $0.cell(row, line) }))
                }
            }
        }
    }

    /// A line of a transaction.
    fileprivate struct Line {
        /// The sign of its amounts.
        var sign: Int64
        /// Its part of a split.
        var part: (share: CategoryShare, number: Int, count: Int)?
        /// Whether it is the line of the account at which a transfer arrives.
        var isTarget = false
    }

    /// The indexes of the fields that decide about the lines of a transaction.
    private struct Places {
        let kind, amount, account, split: Int?

        init(_ entity: SyncedEntity) {
            func place(_ name: String) -> Int? { entity.fields.firstIndex { $0.name == name } }
            kind = place("kind")
            amount = place("amount")
            account = place("accountAmount")
            split = place("split")
        }

        func lines(of row: ExportedRow) -> [Line] {
            let kind = kind.flatMap { row.text($0) }.flatMap { TransactionKind(rawValue: $0) }
            let whole = Line(sign: kind == .income ? 1 : -1)
            // Nothing is spent or earned: the amount leaves one account and arrives at the other.
            if kind == .transfer { return [whole, Line(sign: 1, isTarget: true)] }
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

    private typealias Column = (title: String, cell: (ExportedRow, Line) -> SheetCell)

    /// The fields of the account that a transfer leaves, with those of the account at which it arrives.
    private static let targets = ["account": "toAccount", "accountAmount": "toAmount"]

    private static func columns(of entity: SyncedEntity, _ names: Names) -> [Column] {
        guard entity.kind == Transaction.entityKind else { return [] }
        let hidden: Set = ["bankTransaction", "occurrence", "starred", "rule"]
        let shown = entity.fields.enumerated().filter { !hidden.contains($0.element.name) }
        let isDay = { (field: EnumeratedSequence<[SyncedField]>.Element) in field.element.name == "date" }
        return (shown.filter(isDay) + shown.filter { !isDay($0) }).flatMap { place, field -> [Column] in
            let own = columns(of: field, at: place, of: entity, names)
            if let name = targets[field.name],
                let place = entity.fields.firstIndex(where: { $0.name == name })
            {
                let others = columns(of: entity.fields[place], at: place, of: entity, names)
                return zip(own, others).map { own, other in
                    (own.title, { row, line in (line.isTarget ? other : own).cell(row, line) })
                }
            }
            guard targets.values.contains(field.name) else { return own }
            return own.map { own in (own.title, { $1.isTarget ? .none : own.cell($0, $1) }) }
        }
    }

    private static func columns(
        of field: SyncedField,
        at place: Int,
        of entity: SyncedEntity,
        _ names: Names
    ) -> [Column] {
        let title = field.columnTitle
        switch field.name {
        case "split":
            return [
                ("part", { _, line in .text(line.part.map { "\($0.number) of \($0.count)" } ?? "") }),
                ("part_note", { _, line in .text(line.part?.share.note ?? "") }),
            ]
        case "category":
            let whole = cell(place, field.form, names)
            let list = names.list(of: Ledger.Category.entityKind)
            return [
                (
                    title,
                    { row, line in
                        guard let part = line.part else { return whole(row, line) }
                        return .text(part.share.category.flatMap { list.title("\($0)") } ?? "")
                    }
                )
            ]
        default: break
        }
        guard case .money(let source) = field.form else { return [(title, cell(place, field.form, names))] }
        let isAccounts = field.name == "accountAmount"
        // An amount that is spent is negative, and a part has its share. The amount that arrives in another account is neither.
        let isSpent = isAccounts || field.isMain
        let currency = currency(source, of: entity, names)
        let amount: Column = (
            title,
            { row, line in
                guard let whole = row.integer(place), let code = currency(row) else { return .none }
                let part = line.part.map { isAccounts ? $0.share.accountMinor : $0.share.minor }
                let minor = isSpent ? line.sign &* (part ?? whole) : whole
                return .amount(Money(minor: minor, currency: code))
            }
        )
        guard case .account = source else { return [amount] }
        let code: Column = (
            title.replacing("_amount", with: "_currency"),
            { row, _ in .text(currency(row)?.rawValue ?? "") }
        )
        return [amount, code]
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
    private static func cell(_ place: Int, _ form: FieldForm, _ names: Names)
        -> (ExportedRow, Line) -> SheetCell
    {
        func text(_ write: @escaping (ExportedRow) -> String?) -> (ExportedRow, Line) -> SheetCell {
            { row, _ in .text(write(row) ?? "") }
        }
        switch form {
        case .text, .choice, .id, .currency, .parts: return text { $0.text(place) }
        case .list, .tags:
            return text { $0.text(place)?.split(separator: ",").joined(separator: ", ") }
        case .reference(let kind):
            let list = names.list(of: kind)
            return text { $0.text(place).flatMap { list.title($0) } }
        case .day:
            return text { $0.integer(place).map { "\(CivilDate(dayNumber: Int32(clamping: $0)))" } }
        case .month: return text { $0.integer(place).map { "\(YearMonth(index: Int($0)))" } }
        case .flag: return text { $0.integer(place).map { $0 != 0 ? "true" : "false" } }
        case .mark: return text { $0.integer(place) == 1 ? "true" : "false" }
        case .money, .number: return { row, _ in row.integer(place).map { .whole($0) } ?? .none }
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
}

extension SyncedField {
    /// The title of its column: `to_account` for `toAccount`.
    fileprivate var columnTitle: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}
