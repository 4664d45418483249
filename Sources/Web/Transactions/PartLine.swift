// The parts of a split transaction in a row of a list.

import Ledger
import Templates
import Texts

/// A part: its category, its amount and its note.
struct PartLine: TemplateModel {
    private let number: Int
    private let amount: Money
    let text: Text

    /// The parts that a row shows, and what must be said about them. Nothing for a transaction that is not split.
    static func lines(of transaction: Transaction, catalog: Catalog, style: any WritingStyle) -> [PartLine] {
        guard let split = transaction.split else { return [] }
        var parts = split.parts
        if case .missing(let minor) = transaction.splitBalance {
            parts.append(SplitPart(category: nil, minor: minor))
        }
        return parts.enumerated().map { index, part in
            let amount = Money(minor: part.minor, currency: transaction.amount.currency)
            return PartLine(
                number: index + 1,
                amount: amount,
                text: text(
                    category: part.category == nil || catalog.category(part.category) != nil
                        ? catalog.categoryName(part.category).isolated
                        : Text("categories.a-deleted-category"),
                    amount: style.money(amount),
                    note: part.note
                )
            )
        }
    }

    /// The words for parts that do not count; nil if they do.
    static func caution(_ transaction: Transaction) -> Text? {
        switch transaction.splitBalance {
        case .exceeding: Text("splits.does-not-count")
        case .tooLarge: Text("splits.is-too-large")
        case .unreadable: Text("splits.of-a-newer-version")
        case .exact, .missing, nil: nil
        }
    }

    /// `Groceries €36.50 (soap)`.
    static func text(category: Text, amount: String, note: String) -> Text {
        guard !note.isEmpty else {
            return Text("splits.part", ["category": .text(category), "amount": .string(amount)])
        }
        return Text(
            "splits.part-with-note",
            ["category": .text(category), "amount": .string(amount), "note": .string(note.isolated)]
        )
    }

    /// The subtitle of a split transaction: `Split in 3 parts`.
    static func summary(_ split: Split) -> Text {
        split.parts.isEmpty
            ? Text("splits.split") : Text("splits.in-parts", ["count": .count(split.parts.count)])
    }

    static let keys = Keys<PartLine>()
        .integer("number") { Int64($0.number) }
        .integer("minor") { $0.amount.minor }
        .text("currency") { $0.amount.currency.rawValue }
        .message("text") { $0.text }
}
