// Parses the parts of a transaction's form.

import Ledger
import Texts

/// The parts that a form sends: a category, an amount and a note for each row, in order. Empty rows are left out. The rest
/// goes to the category of the form, as the first part; without one, to the row with an empty amount. An amount may be a
/// share, such as `40%`.
struct SplitEntry {
    /// The names of the fields, each of which comes once a row.
    static let lists = ["split_category", "split_amount", "split_note"]

    /// The parts; nil if the form has none, or if they have an error.
    private(set) var split: Split?
    /// The errors by field. The fields of a row have its number after their name: `split_amount-2`.
    private(set) var errors: [(field: String, text: Text)] = []

    private let kind: TransactionKind?
    private let rest: EntityID?
    private let catalog: Catalog
    private let amounts: AmountParser
    private let formats: Formats
    /// The categories of the stored parts, which may be deleted.
    private let kept: Set<EntityID>

    /// The greatest number of rows that one of the fields was sent with.
    static func rowCount(_ lists: [String: [String]]) -> Int {
        Self.lists.map { lists[$0]?.count ?? 0 }.max() ?? 0
    }

    /// Whether any row has a value.
    static func isFilled(in state: FormState) -> Bool { !filledRows(state.lists).isEmpty }

    /// Whether any row has a value, and the rows are not those with which the form was shown.
    static func isEntered(in state: FormState) -> Bool {
        isFilled(in: state) && filledRows(state.lists) != filledRows(state.shownLists)
    }

    private static func filledRows(_ lists: [String: [String]]) -> [[String]] {
        let rows = (0..<rowCount(lists)).map { index in
            Self.lists.map { name in
                let values = lists[name] ?? []
                return index < values.count ? values[index] : ""
            }
        }
        return rows.filter { $0.contains { !$0.isEmpty } }
    }

    /// - Parameters:
    ///   - lists: the values of `Self.lists`.
    ///   - amount: the amount of the transaction; nil if it has an error.
    ///   - rest: the category of what is in no part; nil if the parts are the whole.
    ///   - stored: the parts before the form.
    init(
        _ lists: [String: [String]],
        kind: TransactionKind?,
        amount: Money?,
        rest: EntityID?,
        stored: Split?,
        catalog: Catalog,
        amounts: AmountParser,
        formats: Formats
    ) {
        self.kind = kind
        self.rest = rest
        self.catalog = catalog
        self.amounts = amounts
        self.formats = formats
        kept = Set((stored?.parts ?? []).compactMap(\.category))
        let counts = Set(Self.lists.map { lists[$0]?.count ?? 0 })
        guard counts.count == 1 else {
            errors = [("split", Text("splits.rows-are-incomplete"))]
            return
        }
        let rows = (0..<Self.rowCount(lists)).compactMap { Row($0, lists) }
        guard !rows.isEmpty else {
            // The form of parts that this version cannot read has empty rows.
            if case .unreadable? = stored { split = stored }
            return
        }
        let count = rows.count + (rest == nil ? 0 : 1)
        guard count > 1 else {
            errors = [("split", Text("splits.at-least-two"))]
            return
        }
        guard count <= Split.counts.upperBound else {
            errors = [("split", Text("splits.too-many", ["limit": .count(Split.counts.upperBound)]))]
            return
        }
        read(rows, amount)
    }

    /// A row in which anything was entered.
    private struct Row {
        let number: Int
        let category: String
        let amount: String
        let note: String

        init?(_ index: Int, _ lists: [String: [String]]) {
            func value(_ name: String) -> String { lists[name]?[index] ?? "" }
            number = index + 1
            category = value("split_category")
            amount = value("split_amount").asLine
            note = value("split_note").asLine
            if category.isEmpty, amount.isEmpty, note.isEmpty { return nil }
        }
    }

    private mutating func read(_ rows: [Row], _ amount: Money?) {
        var parts: [SplitPart] = []
        var empty: [(row: Row, place: Int)] = []
        var sum: Int128 = 0
        var shares: [SplitShare] = []
        for row in rows {
            let category = readCategory(row)
            if !row.note.fits(TextLimit.partNote) {
                let text = Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.partNote)])
                errors.append(("split_note-\(row.number)", text))
            }
            if row.amount.isEmpty { empty.append((row, parts.count)) }
            if let share = SplitShare(row.amount) { shares.append(share) }
            let minor = amount.flatMap { readAmount(row, of: $0) } ?? 0
            sum += Int128(minor)
            parts.append(SplitPart(category: category, minor: minor, note: row.note))
        }
        guard let amount, errors.isEmpty else { return }
        // Shares that are the whole leave nothing, whatever was rounded.
        if shares.count == parts.count, SplitShare.areWhole(shares), let last = parts.indices.last {
            parts[last].minor = amount.minor - parts.dropLast().reduce(0) { $0 + $1.minor }
            sum = Int128(amount.minor)
            if parts[last].minor <= 0, let row = rows.last {
                errors = [("split_amount-\(row.number)", Text("splits.not-zero"))]
                return
            }
        }
        let rest = Int128(amount.minor) - sum
        if let category = self.rest, rest >= 0 {
            guard rest > 0, !rest.isTooLarge, empty.isEmpty else {
                errors = [("category", Text("transactions.each-part-has-its-category"))]
                return
            }
            parts.insert(SplitPart(category: category, minor: Int64(rest)), at: 0)
            return accept(parts, amount)
        }
        switch empty.count {
        case 0 where rest > 0:
            errors = [("split", Text("splits.not-assigned-yet", ["amount": said(rest, amount.currency)]))]
        case 0 where rest < 0:
            let text = Text("splits.too-much", ["amount": said(-rest, amount.currency)])
            errors = [("split", .saying(rest, in: text))]
        case 0: accept(parts, amount)
        case 1 where rest > 0 && !rest.isTooLarge:
            parts[empty[0].place].minor = Int64(rest)
            accept(parts, amount)
        case 1 where rest < 0:
            let text = Text("splits.others-exceed", ["amount": said(-rest, amount.currency)])
            errors = [("split_amount-\(empty[0].row.number)", .saying(rest, in: text))]
        case 1:
            let text = rest == 0 ? Text("splits.nothing-is-left") : Text("amounts.too-large")
            errors = [("split_amount-\(empty[0].row.number)", text)]
        default:
            errors = empty.map { ("split_amount-\($0.row.number)", Text("splits.enter-an-amount")) }
        }
    }

    private mutating func accept(_ parts: [SplitPart], _ amount: Money) {
        let split = Split.parts(parts)
        if split.balance(with: amount.minor, accountMinor: amount.minor) == .exact {
            self.split = split
        } else {
            errors = [("split", Text("splits.is-too-large"))]
        }
    }

    private func said(_ minor: Int128, _ currency: CurrencyCode) -> Text.Argument {
        .string(formats.money(minor, currency))
    }

    private mutating func readCategory(_ row: Row) -> EntityID? {
        guard !row.category.isEmpty else { return nil }
        let id = EntityID(row.category)
        if let id, kept.contains(id), catalog.category(id) == nil { return id }
        guard let category = catalog.category(id) else {
            errors.append(("split_category-\(row.number)", Text("forms.choose-a-category")))
            return nil
        }
        // The parts of income may be refunds.
        guard kind != .expense || category.kind == .expense else {
            let text = Text("transactions.category-of-income", ["name": .string(category.name)])
            errors.append(("split_category-\(row.number)", text))
            return nil
        }
        return category.id
    }

    private mutating func readAmount(_ row: Row, of whole: Money) -> Int64? {
        guard !row.amount.isEmpty else { return nil }
        let (field, currency) = ("split_amount-\(row.number)", whole.currency)
        if let share = SplitShare(row.amount) {
            let minor = share.minor(of: whole.minor)
            if minor == 0 { errors.append((field, Text("splits.not-zero"))) }
            return minor
        }
        do {
            let money = try amounts.parse(row.amount, expecting: currency).money
            if money.currency != currency {
                errors.append((field, Text("splits.in-the-same-currency", ["currency": "\(currency)"])))
            } else if money.minor == 0 {
                errors.append((field, Text("splits.not-zero")))
            } else {
                return money.minor
            }
        } catch {
            errors.append((field, error.text))
        }
        return nil
    }
}
