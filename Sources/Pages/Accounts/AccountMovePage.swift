// The page that moves all transactions of an account: the choice of the other account, and the confirmation.

public import Ledger
import Links
public import Templates
import Texts

/// Moving the transactions of an account, in two steps on one page.
public struct AccountMovePage: Page {
    /// The name of the page's template.
    public static let template = "accounts/move"
    let chrome: Chrome
    let account: Account
    let state: FormState
    let targets: [Choice]
    let plan: Plan?

    /// - Parameters:
    ///   - account: the account that the transactions are on.
    ///   - state: the chosen account as `to`, with the reason why it was refused.
    ///   - plan: the effect of the move; nil as long as no fitting account is chosen.
    public init(
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

    /// The values for the template.
    public static let keys = Keys<AccountMovePage>()
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
            .messages("sentences") { $0.sentences }
            .optionalMessage("staying") { plan in
                let count = plan.move.transferCount
                return count > 0 ? Text("accounts.transfers-stay", ["count": .count(count)]) : nil
            }
            .list("transfers", of: TransactionRow.self) { $0.transfers }

        private var sentences: [Text] {
            let (source, target) = (move.source.account, move.target.account)
            let from: Text.Argument = .string(source.name.isolated)
            let to: Text.Argument = .string(target.name.isolated)
            guard move.count > 0 else {
                return [Text("accounts.nothing-to-move", ["source": from, "target": to])]
            }
            func money(_ minor: Int64) -> Text.Argument { .string(formats.money(minor, source.currency)) }
            let left = move.source.balanceMinor.subtractingClamped(move.sumMinor)
            let arrived = move.target.balanceMinor.addingClamped(move.sumMinor)
            return [
                Text(
                    "accounts.that-many-move",
                    ["count": .count(move.count), "source": from, "target": to]
                ),
                Text(
                    "accounts.balances-after-the-move",
                    [
                        "sum": money(move.sumMinor), "source": from, "left": money(left), "target": to,
                        "arrived": money(arrived),
                    ]
                ),
                Text("accounts.the-move-can-be-undone"),
            ]
        }
    }
}
