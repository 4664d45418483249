// Changes and values in words, as a person would say them.

import Book
import Ledger
import Pages
import SyncCore

/// Puts changes of synced rows into words.
struct ChangeWords {
    let formats: Formats
    let catalog: Catalog
    /// UTC seconds.
    let now: Int64
    /// The user's day of a moment.
    let day: (Int64) -> CivilDate

    init(_ context: RequestContext) throws {
        formats = try context.formats()
        catalog = context.catalog(try context.book().choices())
        now = context.site.devices.dependencies.now
        let zone = try context.preferences().timeZone
        let dependencies = context.site.devices.dependencies
        day = { dependencies.day(of: $0, in: zone) }
    }

    /// A change on its way.
    func line(_ change: PendingChange) -> ChangeLine {
        ChangeLine(
            id: change.id,
            title: title(change.kind, change.row),
            detail: detail(change.action, change.kind, change.row, change.fields, before: change.before),
            waiting: waiting(change.at),
            refusal: change.refusal?.words,
            // A deletion of a row that this version cannot show is none that it could take back.
            canRevert: change.kind != "conflict" && !(change.action == .delete && change.row.isEmpty)
        )
    }

    /// The kinds of rows that this version shows.
    private static let kinds: Set<String> = [
        "account", "budget", "category", "conflict", "preferences", "transaction",
    ]

    /// The name of a row.
    func title(_ kind: String, _ row: Fields) -> String {
        switch kind {
        case "transaction":
            if let payee = row.text("payee"), !payee.isEmpty { return payee }
            if let category = row.text("category").flatMap({ EntityID($0) }).flatMap({ catalog.category($0) })
            {
                return category.name
            }
            return row.text("kind").map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Transaction"
        case "account", "category": return row.text("name") ?? "?"
        case "budget":
            let category = row.text("category").flatMap { EntityID($0) }
            let name = category.flatMap { catalog.category($0)?.name }
            return name.map { "Budget for \($0.isolated)" } ?? "Budget"
        case "preferences": return "Preferences"
        case "conflict": return "A decision"
        default: return "An entry of a newer version of Breadly"
        }
    }

    /// The change of a row.
    func detail(
        _ action: Operation.Action,
        _ kind: String,
        _ row: Fields,
        _ fields: Fields,
        before: Fields
    ) -> String {
        let amount = main(kind, row)
        switch action {
        case .create: return amount.map { "\($0) added" } ?? "added"
        case .delete: return amount.map { "\($0) deleted" } ?? "deleted"
        case .patch:
            // Nobody here knows what its fields mean.
            guard Self.kinds.contains(kind) else { return "changed" }
            // What goes along with another field is not said.
            let shown = fields.all.filter { $0.name != "accountAmount" || fields["amount"] == nil }
            let parts = shown.prefix(3).map { field in
                let before = value(field.name, before[field.name] ?? .null, kind, row)
                let after = value(field.name, field.value, kind, row)
                let arrow = "\(before) → \(after)"
                return field.name == "amount" || field.name == "limit"
                    ? arrow : "\(label(field.name)) \(arrow)"
            }
            return parts.joined(separator: ", ") + (shown.count > 3 ? ", and more" : "")
        }
    }

    private func main(_ kind: String, _ row: Fields) -> String? {
        switch kind {
        case "transaction": value("amount", row["amount"] ?? .null, kind, row)
        case "budget": value("limit", row["limit"] ?? .null, kind, row)
        default: nil
        }
    }

    /// A field's name, within a sentence.
    func label(_ field: String) -> String {
        switch field {
        case "accountAmount": "amount on the account"
        case "toAccount": "to"
        case "toAmount": "amount that arrives"
        case "opening": "opening balance"
        case "baseCurrency": "default currency"
        case "secondaryCurrencies": "other currencies"
        case "weekStart": "start of the week"
        case "conflictPolicy": "what happens when two devices differ"
        case "timeZone": "time zone"
        case "from": "from"
        default: field
        }
    }

    /// A value as a person reads it.
    func value(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> String {
        switch (field, value) {
        case (_, .null): return "nothing"
        case ("amount", .integer(let minor)), ("limit", .integer(let minor)),
            ("opening", .integer(let minor)),
            ("accountAmount", .integer(let minor)), ("toAmount", .integer(let minor)):
            let currency = row.text("currency").flatMap { CurrencyCode($0) } ?? formats.base
            return field == "accountAmount" || field == "toAmount"
                ? formats.plain(minor, accountCurrency(field, row) ?? currency)
                : formats.money(minor, currency)
        case ("date", .integer(let number)):
            return formats.longDay(CivilDate(dayNumber: Int32(clamping: number)))
        case ("from", .integer(let index)): return formats.monthTitle(YearMonth(index: Int(index)))
        case ("rollover", .integer(let on)): return on == 1 ? "on" : "off"
        case ("account", .text(let id)), ("toAccount", .text(let id)):
            return EntityID(id).flatMap { catalog.account($0)?.name.isolated } ?? "a deleted account"
        case ("category", .text(let id)), ("parent", .text(let id)):
            return EntityID(id).flatMap { catalog.category($0)?.name.isolated } ?? "a deleted category"
        case (_, .integer(let number)): return String(number)
        case ("conflictPolicy", .text(let text)):
            return text == ConflictPolicy.ask.rawValue ? "Ask me" : "The newest wins"
        case ("kind", .text(let word)), ("type", .text(let word)), ("color", .text(let word)),
            ("icon", .text(let word)), ("weekStart", .text(let word)), ("theme", .text(let word)):
            return word.isEmpty ? "nothing" : word.prefix(1).uppercased() + word.dropFirst()
        case ("tags", .text(let text)) where !text.isEmpty:
            return text.split(separator: ",").map { "#\($0)" }.joined(separator: " ")
        case (_, .text(let text)): return text.isEmpty ? "nothing" : text.isolated
        case (_, .other): return "…"
        }
    }

    /// A value without its currency, for a sentence about a form that shows it beside the number.
    func plainValue(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> String {
        guard ["amount", "limit", "opening"].contains(field), case .integer(let minor) = value else {
            return self.value(field, value, kind, row)
        }
        return formats.plain(minor, row.text("currency").flatMap { CurrencyCode($0) } ?? formats.base)
    }

    private func accountCurrency(_ field: String, _ row: Fields) -> CurrencyCode? {
        row.text(field == "toAmount" ? "toAccount" : "account").flatMap { EntityID($0) }
            .flatMap { catalog.account($0)?.currency }
    }

    /// For how long it has waited.
    func waiting(_ since: Int64) -> String { "waiting \(Self.span(now.subtractingClamped(since)))" }

    /// How long ago a moment is.
    func ago(_ moment: Int64) -> String {
        let seconds = now.subtractingClamped(moment)
        if seconds < 60 { return "just now" }
        return seconds < 86_400 ? "\(Self.span(seconds)) ago" : "on \(formats.longDay(day(moment)))"
    }

    private static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "less than a minute"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: seconds < 172_800 ? "1 day" : "\(seconds / 86_400) days"
        }
    }
}

extension OperationResult.Code {
    /// Why a change was not taken, and what to do about it, as the user reads it.
    var words: String {
        let limits = AccountLimits()
        return switch self {
        case .tooLarge: "It is too large to be sent: shorten its note, then retry."
        case .rowTooLarge:
            "It would be larger than an entry may be on the cloud, which is \(limits.fields) fields and "
                + "\(limits.rowBytes >> 10) KB: shorten it, then retry."
        case .tooManyRows:
            "Your account on the cloud is full: it may hold \(limits.rows / 1_000_000) million entries. Delete what you "
                + "no longer need, then retry."
        case .accountFull:
            "Your account on the cloud is full: it may hold \(limits.bytes >> 30) GB. Delete what you no longer need, "
                + "then retry."
        case .dead: "It was deleted on another device."
        case .unknownRow: "The cloud does not know it: retry sends all of it."
        case .invalid, .held: "The cloud does not take it as it is."
        }
    }
}
