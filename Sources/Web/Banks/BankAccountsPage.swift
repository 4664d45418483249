// The page that joins the accounts of a bank to accounts of the book.

import Ledger
import Links
import Templates
import Texts

/// The accounts of one connection, each with the account of the book that it is joined to. The form posts `csrf`, and
/// for each account `account-` and its identifier: `new`, `skip`, or the id of an account.
struct BankAccountsPage: Page {
    static let template = "banks/accounts"
    let chrome: Chrome
    /// The names of the banks, or of the provider.
    let title: Text
    let connection: EntityID
    let accounts: [BankAccountChoice]

    static let keys = Keys<BankAccountsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .message("title") { $0.title }
        .link("action", to: Link.bankAccounts) { $0.connection }
        .flag("is_unsaved") { page in page.accounts.contains { $0.field.error != nil } }
        .list("accounts", of: BankAccountChoice.self) { $0.accounts }
}

/// The choice for one account at a bank.
struct BankAccountChoice: TemplateModel {
    /// The value for a new account.
    static let new = "new"
    /// The value for no account.
    static let skip = "skip"

    /// The name of the field of an account: the provider's identifier, if it is unique within the connection.
    /// - Parameter all: the accounts of the connection.
    static func field(of account: BankAccount, among all: [BankAccount]) -> String {
        let isUnique = all.count { $0.ownID == account.ownID } == 1
        return "account-" + (isUnique ? account.ownID : account.id)
    }

    let name: String
    let details: Text
    let field: Field

    /// - Parameters:
    ///   - all: the accounts of the connection.
    ///   - number: the number of the account on the page.
    ///   - accounts: the accounts that can be chosen.
    ///   - value: the chosen value.
    ///   - error: the reason why it was refused.
    init(
        _ account: BankAccount,
        among all: [BankAccount],
        number: Int,
        accounts: [Account],
        value: String,
        error: Text?,
        isFirstError: Bool
    ) {
        name = account.name
        let kind = Text(
            "accounts.kind-and-currency",
            ["kind": .text(account.kind.label), "currency": .string(account.currency.rawValue)]
        )
        // With one bank, its name is the title.
        let isOneOfSeveral = Set(all.map(\.institution)).count > 1
        details =
            (isOneOfSeveral ? account.institution : nil).map {
                Text("banks.at-bank", ["bank": .string($0), "rest": .text(kind)])
            } ?? kind
        let choices = accounts.map { Choice("\($0.id)", .verbatim($0.name)) }
        field = Field(
            name: Self.field(of: account, among: all),
            id: "account-\(number)",
            value: value,
            error: error,
            isFirstError: isFirstError,
            options: [
                Choice(Self.new, Text("banks.a-new-account")), Choice(Self.skip, Text("banks.no-account")),
            ] + choices
        )
    }

    static let keys = Keys<BankAccountChoice>()
        .text("name") { $0.name }
        .message("details") { $0.details }
        .text("field_id") { $0.field.id }
        .model("choice", of: Field.self) { $0.field }
}

extension BankAccountKind {
    fileprivate var label: Text {
        switch self {
        case .current: Text("banks.current-account")
        case .savings: Text("banks.savings-account")
        case .card: Text("banks.card")
        case .other: Text("banks.other-account")
        }
    }
}
