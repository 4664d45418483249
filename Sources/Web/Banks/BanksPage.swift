// The connections to banks, with their accounts as the banks report them.

import Ledger
import Links
import Templates
import Texts

/// The connections to banks on this device.
struct BanksPage: Page {
    static let template = "banks/index"
    let chrome: Chrome
    let connections: [BankConnectionLine]
    /// The names of the providers that the operator has set up.
    let providers: [String]
    /// The most refreshes of a connection within 24 hours without the user.
    var refreshesPerDay: Int = 1

    static let keys = Keys<BanksPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .flag("has_providers") { !$0.providers.isEmpty }
        // Options are the same in every language.
        .text("truelayer_id_option") { _ in "--truelayer-client-id ID" }
        .text("truelayer_secret_option") { _ in "--truelayer-client-secret-file FILE" }
        .text("simplefin_options") { _ in "--simplefin on" }
        .flag("can_connect") { !$0.providers.isEmpty && $0.chrome.tier != .guest }
        .flag("has_connections") { !$0.connections.isEmpty }
        .optionalMessage("limits") { page in
            page.connections.isEmpty
                ? nil : Text("banks.refreshed-by-itself", ["count": .count(page.refreshesPerDay)])
        }
        .list("connections", of: BankConnectionLine.self) { $0.connections }
}

/// A connection with its accounts and its buttons.
struct BankConnectionLine: TemplateModel {
    /// The names of states for scripts and tests, as in the state machine.
    enum State: String, CaseIterable, Sendable {
        case connecting, connected, refreshing
        case needsReconnect = "needs_reconnect"
        case failing, disconnected
    }

    let id: EntityID
    /// The names of the banks, or of the provider.
    let title: Text
    let state: State
    /// The state with its time, as text.
    let status: Text
    /// Further sentences: the end of the consent, and messages of the provider.
    let notes: [Text]
    let accounts: [BankAccountLine]
    /// Whether no account of the book is joined to one of the bank.
    var isUnused: Bool = false
    /// The future of each account of the book when the connection ends.
    var afterDisconnecting: [Text] = []

    static let keys = Keys<BankConnectionLine>()
        .text("id") { $0.id.description }
        .message("title") { $0.title }
        .text("state") { $0.state.rawValue }
        .message("status") { $0.status }
        .flag("needs_user") { $0.state == .needsReconnect || $0.state == .connecting }
        .flag("is_connecting") { $0.state == .connecting }
        .flag("is_disconnected") { $0.state == .disconnected }
        .flag("can_refresh") { $0.state == .connected || $0.state == .failing }
        .messages("notes") { $0.notes }
        .list("accounts", of: BankAccountLine.self) { $0.accounts }
        .flag("has_accounts") { !$0.accounts.isEmpty }
        .flag("is_unused") { $0.isUnused && $0.state == .connected }
        .messages("after_disconnecting") { $0.afterDisconnecting }
        .link("choose_accounts", to: Link.bankAccounts) { $0.id }
        .link("connect") { Link.bankConnect.adding(query: [("connection", "\($0.id)")]) }
        .link("refresh", to: Link.bankRefresh) { $0.id }
        .link("disconnect", to: Link.bankDisconnect) { $0.id }
}

/// An account as its bank reports it.
struct BankAccountLine: TemplateModel {
    let name: String
    let details: Text
    let balance: Money?
    let amount: String

    /// - Parameters:
    ///   - details: the bank, the age of the balance and the number of transactions, as text.
    ///   - balance: nil if the bank reports none, or it was removed because of its age.
    init(name: String, details: Text, balance: Money?, formats: Formats) {
        self.name = name
        self.details = details
        self.balance = balance
        amount = balance.map { formats.money($0) } ?? ""
    }

    static let keys = Keys<BankAccountLine>()
        .text("name") { $0.name }
        .message("details") { $0.details }
        .flag("has_balance") { $0.balance != nil }
        .text("amount") { $0.amount }
        .integer("minor") { $0.balance?.minor ?? 0 }
        .text("currency") { $0.balance?.currency.rawValue ?? "" }
        .flag("is_negative") { ($0.balance?.minor ?? 0) < 0 }
        // A bank's balance is not converted.
        .optional("rate_date") { _ in nil }
}
