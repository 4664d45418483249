// The question whether an opening balance contains a transaction of an earlier day.

import Ledger
import Texts

/// Asks about the opening balances of later days on the accounts of a transaction.
struct OpeningQuestion {
    /// The accounts with these opening balances: one, or both of a transfer.
    let accounts: [Account]

    static let fieldName = "in_opening"
    private static let (inside, outside) = ("in", "out")

    /// Nil without such accounts.
    init?(_ accounts: [Account]) {
        guard !accounts.isEmpty else { return nil }
        self.accounts = accounts
    }

    /// The question of an earlier answer; nil without one.
    init?(answer: String, _ catalog: Catalog) {
        let words = answer.split(separator: " ").map { String($0) }
        guard let first = words.first, [Self.inside, Self.outside].contains(first) else { return nil }
        self.init(
            words.dropFirst().compactMap { catalog.account(EntityID($0)) }.filter { $0.openingDay != nil }
        )
    }

    /// The answers. Each names the accounts, so that it is none about another account that is chosen later.
    var choices: [Choice] {
        [
            Choice(answer(Self.inside), Text("transactions.in-the-opening")),
            Choice(answer(Self.outside), Text("transactions.beside-the-opening")),
        ]
    }

    private func answer(_ word: String) -> String {
        ([word] + accounts.map { "\($0.id)" }).joined(separator: " ")
    }

    /// Whether an answer says that the opening balances contain the transaction; nil for none.
    func isContained(_ given: String) -> Bool? {
        switch given {
        case answer(Self.inside): true
        case answer(Self.outside): false
        default: nil
        }
    }

    /// Asks whether the amount was already in the opening balances, which it names with their days.
    func words(_ formats: Formats) -> Text {
        func place(_ account: Account) -> Text.Argument {
            .text(
                Text(
                    "transactions.account-on-day",
                    [
                        "account": .string(account.name.isolated),
                        "day": .string(account.openingDay.map(formats.style.shortDay) ?? ""),
                    ]
                )
            )
        }
        guard let first = accounts.first, let last = accounts.last, first.id != last.id else {
            return Text("transactions.before-the-opening", ["place": accounts.first.map(place) ?? ""])
        }
        return Text("transactions.before-two-openings", ["place": place(first), "other": place(last)])
    }
}
