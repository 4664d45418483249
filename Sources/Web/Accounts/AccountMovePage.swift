// The page that moves all transactions of an account: the choice of the other account, and the confirmation.

import Ledger
import Links
import Templates
import Texts

/// Moving the transactions of an account, in two steps on one page.
struct AccountMovePage: Page {
    static let template = "accounts/move"
    let chrome: Chrome
    let account: Account
    let state: FormState
    let targets: [Choice]
    let plan: Plan?

    /// - Parameters:
    ///   - account: the account that the transactions are on.
    ///   - state: the chosen account as `to`, with the reason why it was refused.
    ///   - plan: the effect of the move; nil as long as no fitting account is chosen.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        account: Account,
        state: FormState,
        plan: TransactionMove?
    ) {
        self.chrome = chrome.on(.accounts)
        self.account = account
        self.state = state
        targets = catalog.accounts.filter {
            $0.id != account.id && $0.currency == account.currency && !$0.isClosed
        }
        .map { Choice("\($0.id)", .verbatim($0.name)) }
        self.plan = plan.map { Plan($0, catalog: catalog, formats: formats) }
    }

    static let keys = Keys<AccountMovePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("name") { $0.account.name }
        .text("currency") { $0.account.currency.rawValue }
        .link("action", to: Link.accountMove) { $0.account.id }
        .link("back_href", to: Link.account) { $0.account.id }
        .flag("has_targets") { !$0.targets.isEmpty }
        .optionalMessage("notice") { $0.state.notice }
        .model("to", of: Field.self) { $0.state.field("to", options: $0.targets) }
        .list("plan", of: Plan.self) { $0.plan.map { [$0] } ?? [] }

    /// The confirmation.
    struct Plan: TemplateModel {
        let move: TransactionMove
        let formats: Formats
        let transfers: [TransactionRow]

        init(_ move: TransactionMove, catalog: Catalog, formats: Formats) {
            self.move = move
            self.formats = formats
            transfers = move.transfers.map { TransactionRow($0, catalog: catalog, formats: formats) }
        }

        static let keys = Keys<Plan>()
            .text("to") { "\($0.move.target.account.id)" }
            .text("count") { "\($0.move.count)" }
            .flag("can_move") { $0.move.count > 0 }
            .message("submit") { Text("accounts.move-them", ["count": .count($0.move.count)]) }
            .message("summary") { $0.summary }
            .list("sums", of: MoveSum.self) { $0.sums }
            .optionalMessage("staying") { plan in
                let count = plan.move.transferCount
                return count > 0 ? Text("accounts.transfers-stay", ["count": .count(count)]) : nil
            }
            .optionalMessage("before_opening") { plan in
                let count = plan.move.beforeOpeningCount
                let target: Text.Argument = .string(plan.move.target.account.name.isolated)
                return count > 0
                    ? Text("accounts.move-before-the-opening", ["count": .count(count), "target": target])
                    : nil
            }
            .list("transfers", of: TransactionRow.self) { $0.transfers }

        private var summary: Text {
            let from: Text.Argument = .string(move.source.account.name.isolated)
            let to: Text.Argument = .string(move.target.account.name.isolated)
            guard move.count > 0 else {
                return Text("accounts.nothing-to-move", ["source": from, "target": to])
            }
            return Text(
                "accounts.that-many-move",
                ["count": .count(move.count), "source": from, "target": to]
            )
        }

        private var sums: [MoveSum] {
            func sum(_ label: Text, _ minor: Int128, unknown: Text? = nil) -> MoveSum {
                let money = MoneySum(minor: minor, currency: move.source.account.currency)
                return MoveSum(label: label, money: money, amount: formats.money(money), unknown: unknown)
            }
            func afterwards(_ side: AccountBalance, _ minor: Int128) -> MoveSum? {
                let account = side.account
                // The balance that a bank reports does not follow what moves in the book.
                guard account.bank.key == nil || account.isClosed || side.unknown != nil else { return nil }
                return sum(
                    Text("accounts.balance-afterwards", ["account": .string(account.name.isolated)]),
                    minor,
                    unknown: formats.words(for: side.unknown)
                )
            }
            // The balances are of today.
            let moved = move.sumMinor - move.toComeMinor
            let left = move.source.balanceMinor - moved
            let grown = move.target.balanceMinor + moved
            let sides = [afterwards(move.source, left), afterwards(move.target, grown)]
            let toCome =
                move.toComeMinor == 0 ? [] : [sum(Text("accounts.of-it-to-come"), move.toComeMinor)]
            return [sum(Text("accounts.together"), move.sumMinor)] + toCome + sides.compactMap(\.self)
        }
    }
}

/// An amount of the confirmation under its label.
struct MoveSum: TemplateModel {
    let label: Text
    let money: MoneySum
    let amount: String
    /// The words in the place of an amount that is unknown.
    let unknown: Text?

    static let keys = Keys<MoveSum>()
        .message("label") { $0.label }
        .optionalMessage("unknown") { $0.unknown }
        .sum("minor") { $0.money.minor }
        .text("currency") { $0.money.currency.rawValue }
        .text("amount") { $0.amount }
}
