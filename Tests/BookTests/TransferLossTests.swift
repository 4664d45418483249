// The values that two sides have that the transfer made of them does not have.
import Ledger
import Testing

@testable import Book

@Suite struct LossesOfTransfers {
    private static func side(
        _ kind: TransactionKind,
        category: Int? = nil,
        note: String = "",
        tags: [String] = [],
        split: Split? = nil,
        paid: Money? = nil
    ) -> Transaction {
        var side = Transaction.sample(50, kind, category: category, note: note, tags: tags)
        side.split = split
        if let paid { side.amount = paid }
        return side
    }

    private struct Expected: Equatable {
        var parts: [String] = []
        var categories: [Int] = []
        var note = ""
        var tags: [String] = []
        var isPaidOtherwise = false
        var isUnreadable = false
    }

    private static let parts = Split.parts([
        SplitPart(category: .number(11), minor: 800, note: "March"), SplitPart(category: nil, minor: 450),
    ])

    private static let cases: [(Transaction, Transaction, Bool, Expected)] = [
        (side(.income), side(.expense), true, Expected()),
        (side(.income), side(.expense, note: "mine", tags: ["a"]), true, Expected()),
        (side(.income), side(.expense, split: parts), true, Expected(parts: ["March", ""])),
        (side(.expense), side(.income, split: parts), true, Expected(parts: ["March", ""])),
        (side(.income), side(.expense, split: .unreadable("?")), true, Expected(isUnreadable: true)),
        (
            side(.income, category: 12), side(.expense, category: 11), true,
            Expected(categories: [11, 12])
        ),
        (
            side(.income, note: "row", tags: ["a", "b"]), side(.expense, note: "mine", tags: ["b"]), true,
            Expected(note: "row", tags: ["a"])
        ),
        (side(.income, note: "row", tags: ["a"]), side(.expense), true, Expected()),
        (side(.income, note: "same"), side(.expense, note: "same"), true, Expected()),
        (
            side(.income), side(.expense, paid: Money(minor: 1_400, currency: .usd)), true,
            Expected(isPaidOtherwise: true)
        ),
        // Of two rows, the one that the money leaves becomes the transfer.
        (
            side(.income, note: "in", tags: ["a"]), side(.expense, note: "out", tags: ["b"]), false,
            Expected(note: "in", tags: ["a"])
        ),
        (
            side(.expense, note: "out"), side(.income, category: 12, note: "in"), false,
            Expected(categories: [12], note: "in")
        ),
    ]

    @Test(arguments: cases.indices) func theyAreNamed(place: Int) {
        let (row, other, isRecorded, expected) = Self.cases[place]
        let losses = TransferLosses(row, other, isRecorded: isRecorded)
        let found = Expected(
            parts: losses.parts.map(\.note),
            categories: (11...12).filter { losses.categories.contains(.number($0)) },
            note: losses.note,
            tags: losses.tags,
            isPaidOtherwise: losses.paid != nil,
            isUnreadable: losses.hasUnreadableParts
        )
        #expect(found == expected)
        #expect(losses.isNone == (expected == Expected()))
    }
}
