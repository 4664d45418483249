// The words for changes and values.

import Book
import CloudProtocol
import Ledger
import Pages
import SyncCore

/// Describes changes of synced rows.
struct ChangeWords {
    /// The kinds of rows that this version can show.
    let declaration: SyncedSchema
    let formats: Formats
    let catalog: Catalog
    /// The current time in UTC seconds.
    let now: Int64
    /// The day in the user's time zone of a time in UTC seconds.
    let day: (Int64) -> CivilDate

    /// The line of a change that has no result yet, or that the cloud refused.
    func line(_ change: PendingChange) -> ChangeLine {
        ChangeLine(
            id: change.id,
            title: title(change.kind, change.row),
            detail: detail(change.action, change.kind, change.row, change.fields, before: change.before),
            waiting: waiting(change.at),
            refusal: change.refusal?.words,
            // The deletion of a row that this version cannot show cannot be reverted.
            canRevert: change.kind != "conflict" && !(change.action == .delete && change.row.isEmpty)
        )
    }

    /// The title of a row.
    func title(_ kind: String, _ row: Fields) -> String {
        switch declaration[kind]?.title {
        case .fixed(let title): return title
        case .fields(let names, let prefix, let fallback):
            for field in names {
                guard let said = name(in: field, kind, row) else { continue }
                return prefix.isEmpty ? said : prefix + said.isolated
            }
            return fallback
        case nil: return "An entry of a newer version of Breadly"
        }
    }

    /// The part of a title that a field provides; nil if it has nothing to show.
    private func name(in field: String, _ kind: String, _ row: Fields) -> String? {
        guard let text = row.text(field), !text.isEmpty else { return nil }
        switch declaration[kind]?.field(field)?.form {
        case .reference(let kind): return name(of: text, kind)
        case .choice(let shown): return shown[text] ?? text.capitalizedFirst
        default: return text
        }
    }

    /// The name of a row that another one refers to; nil if it was deleted.
    private func name(of id: String, _ kind: String) -> String? {
        switch kind {
        case Account.entityKind: EntityID(id).flatMap { catalog.account($0)?.name }
        case Ledger.Category.entityKind: EntityID(id).flatMap { catalog.category($0)?.name }
        default: nil
        }
    }

    /// The change of a row in a few words.
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
            // The fields of an unknown kind have no meaning in this version.
            guard let entity = declaration[kind] else { return "changed" }
            let changed = Set(fields.all.map(\.name))
            let shown = fields.all.filter { !entity.isSilent($0.name, among: changed, inHistory: true) }
            let parts = shown.prefix(3).map { field in
                let before = value(field.name, before[field.name] ?? .null, kind, row)
                let after = value(field.name, field.value, kind, row)
                let arrow = "\(before) → \(after)"
                return field.name == entity.main?.name ? arrow : "\(label(field.name, kind)) \(arrow)"
            }
            return parts.joined(separator: ", ") + (shown.count > 3 ? ", and more" : "")
        }
    }

    private func main(_ kind: String, _ row: Fields) -> String? {
        declaration[kind]?.main.map { value($0.name, row[$0.name] ?? .null, kind, row) }
    }

    /// The name of a field within a sentence.
    func label(_ field: String, _ kind: String) -> String { declaration[kind]?.field(field)?.label ?? field }

    /// The displayed text of a value.
    func value(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> String {
        switch (declaration[kind]?.field(field)?.form ?? .text, value) {
        case (_, .null): return "nothing"
        case (.money(in: .field), .integer(let minor)): return formats.money(minor, currency(row))
        case (.money(in: .account(let account)), .integer(let minor)):
            let account = row.text(account).flatMap { EntityID($0) }.flatMap { catalog.account($0) }
            return formats.plain(minor, account?.currency ?? currency(row))
        case (.day, .integer(let number)):
            return formats.longDay(CivilDate(dayNumber: Int32(clamping: number)))
        case (.month, .integer(let index)): return formats.monthTitle(YearMonth(index: Int(index)))
        case (.flag, .integer(let on)): return on == 1 ? "on" : "off"
        case (.reference(let kind), .text(let id)):
            return name(of: id, kind)?.isolated ?? "a deleted \(declaration[kind]?.label.one ?? "entry")"
        case (.choice(let shown), .text(let word)) where !word.isEmpty:
            return shown[word] ?? word.capitalizedFirst
        case (.tags, .text(let text)) where !text.isEmpty:
            return text.split(separator: ",").map { "#\($0)" }.joined(separator: " ")
        case (_, .integer(let number)): return String(number)
        case (_, .text(let text)): return text.isEmpty ? "nothing" : text.isolated
        case (_, .other): return "…"
        }
    }

    /// A value without its currency, for a sentence above a form that shows the currency beside the number.
    func plainValue(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> String {
        guard case .money(in: .field) = declaration[kind]?.field(field)?.form,
            case .integer(let minor) = value
        else { return self.value(field, value, kind, row) }
        return formats.plain(minor, currency(row))
    }

    /// The currency of a row's amounts.
    private func currency(_ row: Fields) -> CurrencyCode {
        row.text("currency").flatMap { CurrencyCode($0) } ?? formats.base
    }

    /// The time since a change was captured, such as `waiting 5 min`.
    /// - Parameter since: UTC seconds.
    func waiting(_ since: Int64) -> String { "waiting \(Self.span(now.subtractingClamped(since)))" }

    /// The time since an event, such as `5 min ago`; the day if it is a day or longer.
    /// - Parameter time: UTC seconds.
    func ago(_ time: Int64) -> String {
        let seconds = now.subtractingClamped(time)
        if seconds < 60 { return "just now" }
        return seconds < 86_400 ? "\(Self.span(seconds)) ago" : "on \(formats.longDay(day(time)))"
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

extension ChangeWords {
    init(_ context: RequestContext) throws {
        let (book, dependencies) = (try context.book(), context.site.devices.dependencies)
        let zone = try context.preferences().timeZone
        self.init(
            declaration: book.declaration,
            formats: try context.formats(),
            catalog: context.catalog(try book.choices()),
            now: dependencies.now,
            day: { dependencies.day(of: $0, in: zone) }
        )
    }
}

extension String {
    /// The text with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension OperationResult.Code {
    /// The reason why the cloud refused a change, with the remedy, as the user reads it.
    var words: String {
        let limits = AccountLimits()
        return switch self {
        case .tooLarge: "It is too large to be sent: shorten its note, then retry."
        case .rowTooLarge:
            "It would be larger than an entry may be on the cloud, which is \(limits.fields) fields and "
                + "\(limits.rowBytes >> 10) KB: shorten it, then retry."
        case .tooManyRows:
            "Your account on the cloud is full: it may hold \(limits.rows / 1_000_000) million entries. "
                + "Delete what you no longer need, then retry."
        case .accountFull:
            "Your account on the cloud is full: it may hold \(limits.bytes >> 30) GB. "
                + "Delete what you no longer need, then retry."
        case .dead: "It was deleted on another device."
        case .unknownRow: "The cloud does not know it: retry sends all of it."
        case .invalid, .held: "The cloud does not take it as it is."
        }
    }
}
