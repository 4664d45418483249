// The accounts with their balances, and the form that adds one.

import Ledger
import Templates
import Texts

/// All accounts.
struct AccountsPage: Page {
    static let template = "accounts/index"
    let chrome: Chrome
    let accounts: [AccountLine]
    let closed: [AccountLine]
    let totals: [SumLine]
    let originals: [SumLine]
    let unknownCount: Int
    let rates: RatesLine?
    let upgrade: Text?
    let form: AccountForm

    /// Accounts in the order given, closed accounts in a list of their own. One sum in the base currency for a user
    /// with rates, otherwise sums by currency, the base currency first. Closed accounts count in the sums, and balances
    /// that are unknown do not.
    /// - Parameter banks: the lines about the banks of accounts.
    init(
        chrome: Chrome,
        formats: Formats,
        accounts: [AccountBalance],
        banks: [EntityID: BankBadge] = [:],
        form: AccountForm
    ) {
        self.chrome = chrome.on(.accounts)
        self.form = form
        let isPart = chrome.cloud.isIncomplete
        let lines = accounts.map {
            AccountLine($0, bank: banks[$0.account.id], formats: formats, isPart: isPart)
        }
        self.accounts = lines.filter { !$0.isClosed }
        closed = lines.filter(\.isClosed)
        let balances = accounts.knownAmounts
        upgrade = formats.upgradeOffer(chrome.tier, balances)
        let later = accounts.amountsToCome.byCurrency
        unknownCount = accounts.count { $0.unknown != nil }
        let byCurrency = balances.ofEachCurrency.sorted {
            ($0.currency != formats.base ? 1 : 0, $0.currency)
                < ($1.currency != formats.base ? 1 : 0, $1.currency)
        }
        if !byCurrency.isEmpty, let together = formats.together(byCurrency) {
            let missing = Set(together.leftOut.map(\.currency))
            totals = [
                SumLine(
                    together.sum,
                    formats: formats,
                    isConverted: together.isConverted,
                    toCome: ToComeLine(ofAccounts: accounts, formats)
                )
            ]
            originals = byCurrency.filter {
                $0.currency != formats.base && $0.minor != 0 && !missing.contains($0.currency)
            }
            .map { SumLine($0, formats: formats) }
            rates = formats.ratesLine(
                isConverted: together.isConverted,
                leftOut: together.leftOut.map { formats.listed($0) }
            )
        } else {
            totals = byCurrency.map { sum in
                let toCome = MoneySum(minor: later[sum.currency] ?? 0, currency: sum.currency)
                let line = ToComeLine(toCome, of: .asCharged, formats)
                return SumLine(sum, formats: formats, toCome: line)
            }
            (originals, rates) = ([], nil)
        }
    }

    static let keys = Keys<AccountsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("accounts", of: AccountLine.self) { $0.accounts }
        .flag("has_accounts") { !$0.accounts.isEmpty }
        .flag("can_be_ordered") { $0.accounts.count > 1 }
        .list("closed", of: AccountLine.self) { $0.closed }
        .flag("has_closed") { !$0.closed.isEmpty }
        .flag("is_empty") { $0.accounts.isEmpty && $0.closed.isEmpty }
        .flag("are_all_closed") { $0.accounts.isEmpty && !$0.closed.isEmpty }
        .list("totals", of: SumLine.self) { $0.totals }
        .list("originals", of: SumLine.self) { $0.originals }
        .optionalMessage("without_text") { Text.withoutUnknown($0.unknownCount) }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("upgrade_text") { $0.upgrade }
        .model("form", of: AccountForm.self) { $0.form }
}
