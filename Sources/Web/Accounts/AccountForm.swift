// The form that adds or changes an account.

import Ledger
import Links
import Templates
import Texts

/// The fields of an account. It posts `csrf`, `once`, `name`, `type`, `currency`, `opening`, `opening_day`, `owed=on` where
/// ticked, and `closed` as it was when the form was shown.
struct AccountForm: EntityForm {
    let state: FormState
    let editing: EntityID?
    let once: String
    let currencies: [Choice]
    /// The words about the day of the opening balance.
    let dayHint: Text

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the account that it changes; nil to add one.
    ///   - once: an id made for this form, so that sending it twice adds one account.
    ///   - firstDay: the day of the account's first transaction; nil without any.
    init(
        state: FormState,
        editing: EntityID?,
        once: String,
        catalog: Catalog,
        formats: Formats,
        firstDay: CivilDate? = nil
    ) {
        self.state = state
        self.editing = editing
        self.once = once
        currencies = formats.currencyChoices(first: formats.usedCurrencies(catalog))
        let suggestion = firstDay.map {
            Text("accounts.first-transaction-is-of", ["day": .string(formats.style.shortDay($0))])
        }
        dayHint = .sentences(
            [Text("accounts.transactions-before-that-day")] + [suggestion].compactMap(\.self)
        )
    }

    /// A new bank account in the base currency, whose opening balance is that of today.
    static func blank(formats: Formats) -> FormState {
        FormState(values: [
            "type": AccountType.bank.rawValue, "currency": formats.base.rawValue,
            "opening_day": "\(formats.today)",
        ])
    }

    /// A stored account as the form would have been typed.
    static func values(of account: Account, formats: Formats) -> FormState {
        FormState(values: [
            "name": account.name,
            "type": account.type.rawValue,
            "currency": account.currency.rawValue,
            "opening": formats.plain(account.openingMinor, account.currency),
            "opening_day": account.openingDay.map { "\($0)" } ?? "",
            "closed": account.isClosed ? "1" : "",
        ])
    }

    static let keys = Keys<AccountForm>.form(of: .accounts, Link.account, add: Text("accounts.add-account"))
        .model("name", of: Field.self) { $0.state.field("name") }
        .model("type", of: Field.self) { $0.state.field("type", options: Self.types) }
        .model("currency", of: Field.self) { $0.state.field("currency", options: $0.currencies) }
        .model("opening", of: Field.self) { $0.state.field("opening") }
        .model("opening_day", of: Field.self) { $0.state.field("opening_day") }
        .message("day_hint") { $0.dayHint }
        .flag("owed") { $0.state["owed"] == "on" }
        .model("owed_field", of: Field.self) { $0.state.field("owed") }
        .text("closed") { $0.state["closed"] }

    private static let types = AccountType.allCases.map { Choice($0.rawValue, $0.label) }
}
