// Selects the fields of a failed form that its page shows and sends again.

import HTTPServer
import Ledger
import Links
import Texts

extension PreservedForm {
    private static let secrets = [
        ("password", Text("user-account.password")), ("new_password", Text("user-account.new-password")),
        ("setup_token", Text("banks.setup-token")),
    ]
    /// Fields that users do not type.
    private static let plumbing: Set = [
        "csrf", "day", "once", "seen", "again", "sync", "over", "choose", "back", "decimal", "same_name",
        "count", "closed", "list", "file", "keep_location", "unusual_date", "unusual_end", "unusual_from",
        "unusual_opening_day", OpeningQuestion.fieldName, AmountPair.fieldName,
        "enabled", "match", "when_field", "when_test", "then_hide",
    ]

    /// The form of a request.
    /// - Parameters:
    ///   - action: the address to send it to again; nil if it cannot be sent again.
    ///   - csrf: the token to send with it.
    ///   - formats: the formats of days; nil to show days as they were sent.
    init(_ request: Request, action: Link?, csrf: String, formats: Formats?) {
        let form = request.form
        let carried = form.all.filter { field in
            field.name != "csrf" && !Self.secrets.contains { $0.0 == field.name }
        }
        self.init(
            action: action,
            csrf: csrf,
            fields: carried,
            typed: carried.compactMap { field in
                guard !Self.plumbing.contains(field.name), !field.value.isEmpty, EntityID(field.value) == nil
                else { return nil }
                return TypedField(
                    name: field.name,
                    label: Self.label(of: field.name),
                    value: Self.value(of: field.name, field.value, formats)
                )
            },
            secrets: Self.secrets.filter { form.names.contains($0.0) }
        )
    }

    /// A value as pages show it: a browser sends another text for a choice or a day than it shows.
    private static func value(of field: String, _ value: String, _ formats: Formats?) -> Text {
        switch field {
        case "kind": TransactionKind(rawValue: value).map(TransactionForm.label(of:)) ?? .verbatim(value)
        case "date", "opening_day": day(value, formats) ?? .verbatim(value)
        default: .verbatim(value)
        }
    }

    private static func day(_ value: String, _ formats: Formats?) -> Text? {
        guard let formats, let day = CivilDate(typed: value) else { return nil }
        return .verbatim(formats.style.shortDay(day))
    }

    /// The label of a field; its name for a field that no page has.
    private static func label(of field: String) -> Text {
        switch field {
        case "account": Text("transactions.account")
        case "amount": Text("transactions.amount")
        case "base_currency": Text("forms.base-currency")
        case "budgets": Text("common.budgets")
        case "category": Text("transactions.category")
        case "color": Text("forms.color")
        case "conflict_policy": Text("forms.conflict-policy")
        case "currencies": Text("forms.currencies")
        case "currency": Text("transactions.currency")
        case "date": Text("transactions.date")
        case "email": Text("forms.email")
        case "erase": Text("user-account.erase")
        case "from": Text("common.from")
        case "icon": Text("categories.icon")
        case "kind": Text("transactions.kind")
        case "limit": Text("forms.limit")
        case "locale": Text("forms.locale")
        case "name": Text("accounts.name")
        case "note": Text("transactions.note")
        case "on": Text("schedules.paid-on")
        case "opening": Text("forms.opening")
        case "opening_day": Text("accounts.at-the-beginning-of")
        case "owed": Text("accounts.i-owe-this")
        case "others": Text("forms.others")
        case "pace": Text("budgets.how-it-is-spent")
        case "passed": Text("schedules.what-has-passed")
        case "parent": Text("forms.parent")
        case "payee": Text("transactions.payee")
        case "rollover": Text("forms.rollover")
        case "secondary_currencies": Text("forms.secondary-currencies")
        case "since": Text("budgets.a-change-holds")
        case "tags": Text("transactions.tags")
        case "theme": Text("forms.theme")
        case "then_note": Text("rules.set-note")
        case "then_payee": Text("rules.rename-payee")
        case "then_split_share": Text("rules.share")
        case "then_tags": Text("rules.add-tags")
        case "time_zone": Text("settings.time-zone")
        case "to_account": Text("transactions.to-account")
        case "to_amount": Text("forms.to-amount")
        case "type": Text("forms.type")
        case "username": Text("forms.username")
        case "week_start": Text("forms.week-start")
        case "when_value": Text("rules.value")
        default: .verbatim(field.replacing("_", with: " ").capitalizedFirst)
        }
    }

    /// The form of a request that failed for a temporary reason, such as a full disk or a busy book. Nil if
    /// nothing was typed, and if a phrase was typed: the user must see again what the phrase confirms.
    /// - Parameter action: the address to send it to again.
    init?(
        afterFault request: Request,
        _ status: Status,
        csrf: String,
        action: Link,
        formats: Formats?
    ) {
        guard request.method == "POST", [429, 500, 503, 507].contains(status.rawValue) else { return nil }
        guard request.form.names.contains(where: { !Self.plumbing.contains($0) }),
            !request.form.names.contains("confirm")
        else { return nil }
        self.init(request, action: action, csrf: csrf, formats: formats)
    }
}
