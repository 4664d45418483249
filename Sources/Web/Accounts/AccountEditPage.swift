// The page that changes or deletes an account.

import Ledger
import Links
import Templates
import Texts

/// An account on a page of its own.
struct AccountEditPage: Page {
    static let template = "accounts/edit"
    let chrome: Chrome
    let line: AccountLine
    let recorded: MoneySum?
    let formats: Formats
    let form: AccountForm
    let deleteError: Obstacle?

    /// A page around a form.
    /// - Parameters:
    ///   - recordedMinor: the sum of the transactions of an account at a bank, which is its balance once it is closed; nil for
    ///     another account.
    ///   - deleteError: why the account could not be deleted, after it was tried.
    init(
        chrome: Chrome,
        formats: Formats,
        account: AccountBalance,
        recordedMinor: Int128? = nil,
        form: AccountForm,
        deleteError: Obstacle? = nil
    ) {
        self.chrome = chrome.on(.accounts)
        self.formats = formats
        recorded = recordedMinor.map { MoneySum(minor: $0, currency: account.account.currency) }
        self.form = form
        self.deleteError = deleteError
        line = AccountLine(account, formats: formats)
    }

    static let keys = Keys<AccountEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("name") { $0.line.name }
        .link("list_href", to: Link.accountTransactions) { $0.line.id }
        .optionalMessage("unknown") { $0.line.unknown }
        .text("amount") { $0.line.amount }
        .sum("minor") { $0.line.balance.minor }
        .list("to_come", of: ToComeLine.self) { $0.line.toCome.map { [$0] } ?? [] }
        .text("currency") { $0.line.balance.currency.rawValue }
        .flag("is_negative") { $0.line.balance.minor < 0 }
        .model("form", of: AccountForm.self) { $0.form }
        .flag("is_closed") { $0.line.isClosed }
        .link("close_action", to: Link.accountClose) { $0.line.id }
        .link("reopen_action", to: Link.accountReopen) { $0.line.id }
        .flag("is_bank") { $0.line.isBank }
        .link("leave_bank_action", to: Link.accountLeaveBank) { $0.line.id }
        .flag("has_recorded") { $0.recorded != nil }
        .text("recorded") { page in page.recorded.map { page.formats.money($0) } ?? "" }
        .flag("has_balance") { $0.line.balance.minor != 0 || $0.line.toCome != nil }
        .optionalLink("move_href") { $0.line.count > 0 ? Link.accountMove($0.line.id) : nil }
        .link("delete_action", to: Link.accountDelete) { $0.line.id }
        .optionalMessage("delete_error") { $0.deleteError?.text }
        .model("delete_way", of: Way.self) { $0.deleteError?.way }
        .message("delete_text") { page in
            page.chrome.cloud.isIncomplete && page.line.count == 0
                ? Text("overview.not-all-is-here")
                : Text("accounts.transactions-on-it", ["count": .count(page.line.count)])
        }
}
