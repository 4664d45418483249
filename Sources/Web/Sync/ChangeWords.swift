// The words for changes and values.

import Book
import CloudProtocol
import Ledger
import Links
import SyncCore
import Texts

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

    /// The limit that a new limit of a budget replaces, from the fields of the new row; nil if it replaces none.
    var replacedLimit: (Fields) -> Money? = { _ in nil }
    /// The schedules that a rule can name.
    var schedules: () -> [Schedule] = { [] }

    /// The line of a change that has no result yet, or that the cloud refused.
    func line(_ change: PendingChange) -> ChangeLine {
        ChangeLine(
            id: change.id,
            title: title(change.kind, change.row),
            detail: detail(change.action, change.kind, change.row, change.fields, before: change.before),
            waiting: waiting(change.at),
            refusal: refusal(of: change),
            // The deletion of a row that this version cannot show cannot be reverted.
            canRevert: change.kind != "conflict" && !(change.action == .delete && change.row.isEmpty),
            href: change.action == .delete || change.row.isEmpty
                ? nil : Link.page(of: change.kind, change.entity)
        )
    }

    private func refusal(of change: PendingChange) -> Text? {
        guard change.refusal == .invalid, let field = change.refusedField else { return change.refusal?.text }
        return Text("sync.refused-field", ["field": .text(label(field, change.kind))])
    }

    /// The line of a row of the cloud that this book cannot read.
    func line(_ row: UnreadableRow) -> UnreadableLine {
        UnreadableLine(
            kind: row.kind,
            id: row.id.description,
            title: title(row.kind, row.fields),
            reason: row.field.map { Text("sync.unreadable-field", ["field": .text(label($0, row.kind))]) }
                ?? Text("sync.unreadable-entry")
        )
    }

    func title(_ kind: String, _ row: Fields) -> Text {
        switch declaration[kind]?.title {
        case .fixed: return .declared("title.\(kind)", otherwise: kind.capitalizedFirst)
        case .fields(let names, let isInSentence):
            for field in names {
                guard let said = name(in: field, kind, row) else { continue }
                guard isInSentence, case .verbatim(let name) = said else { return said }
                let words: [String: Text.Argument] = ["name": .string(name.isolated)]
                return .declared("title.\(kind).named", words, otherwise: name.isolated)
            }
            return .declared("title.\(kind)", otherwise: kind.capitalizedFirst)
        case nil: return Text("changes.entry-of-a-newer-version")
        }
    }

    /// The part of a title that a field provides; nil if it has nothing to show.
    private func name(in field: String, _ kind: String, _ row: Fields) -> Text? {
        guard let text = row.text(field), !text.isEmpty else { return nil }
        switch declaration[kind]?.field(field)?.form {
        case .reference(let kind): return name(of: text, kind).map { .verbatim($0) }
        case .choice: return choice(field, kind, text)
        default: return .verbatim(text)
        }
    }

    private func choice(_ field: String, _ kind: String, _ word: String) -> Text {
        // A key has no slash, as types of files have.
        .declared(
            "choice.\(kind).\(field).\(word.replacing("/", with: "-"))",
            otherwise: word.capitalizedFirst
        )
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
    ) -> Text {
        let amount = main(kind, row)
        switch action {
        case .create:
            if let amount, isRefund(kind, row) {
                return Text("changes.amount-refunded", ["amount": .text(amount)])
            }
            if let amount, let limit = newLimit(kind, row, amount) { return limit }
            return amount.map { Text("changes.amount-added", ["amount": .text($0)]) }
                ?? Text("changes.added")
        case .delete:
            return amount.map { Text("changes.amount-deleted", ["amount": .text($0)]) }
                ?? Text("changes.deleted")
        case .patch:
            // The fields of an unknown kind have no meaning in this version.
            guard let entity = declaration[kind] else { return Text("changes.changed") }
            let changed = Set(fields.all.map(\.name))
            let shown = fields.all.filter { !entity.isSilent($0.name, among: changed, inHistory: true) }
            let parts: [Text] = shown.prefix(3).map { field in
                let arguments: [String: Text.Argument] = [
                    "field": .text(label(field.name, kind)),
                    "before": .text(value(field.name, before[field.name] ?? .null, kind, row)),
                    "after": .text(value(field.name, field.value, kind, row)),
                ]
                if entity.field(field.name)?.form == .mark {
                    let words: [String: Text.Argument] = ["field": .text(label(field.name, kind))]
                    return field.value == 1
                        ? Text("changes.now", words) : Text("changes.no-longer", words)
                }
                return field.name == entity.main?.name
                    ? Text("changes.before-and-after", arguments)
                    : Text("changes.field-before-and-after", arguments)
            }
            let all = Text.joined(parts) {
                Text("changes.one-change-after-another", ["first": .text($0), "next": .text($1)])
            }
            guard let joined = all else { return .verbatim("") }
            return shown.count > 3 ? Text("changes.and-more", ["changes": .text(joined)]) : joined
        }
    }

    /// Whether a row is income that reduces the spending of its category.
    private func isRefund(_ kind: String, _ row: Fields) -> Bool {
        guard kind == Transaction.entityKind,
            row.text("kind") == Ledger.TransactionKind.income.rawValue
        else { return false }
        return catalog.isSpending(row.text("category").flatMap { EntityID($0) })
    }

    /// A further limit of a budget as a change of its limit; nil for other rows.
    private func newLimit(_ kind: String, _ row: Fields, _ amount: Text) -> Text? {
        guard kind == Budget.entityKind, let month = row["from"], let replaced = replacedLimit(row) else {
            return nil
        }
        return Text(
            "changes.limit-from-month",
            [
                "before": .string(formats.money(replaced)), "after": .text(amount),
                "month": .text(value("from", month, kind, row)),
            ]
        )
    }

    private func main(_ kind: String, _ row: Fields) -> Text? {
        declaration[kind]?.main.map { value($0.name, row[$0.name] ?? .null, kind, row) }
    }

    /// The name of a field within a sentence.
    func label(_ field: String, _ kind: String) -> Text {
        .declared("field.\(kind).\(field)", otherwise: field)
    }

    /// The name of a field at the beginning of a sentence or on its own.
    func heading(_ field: String, _ kind: String) -> Text {
        .declared("field.\(kind).\(field).heading", otherwise: field.capitalizedFirst)
    }

    /// The displayed text of a value.
    func value(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> Text {
        switch (declaration[kind]?.field(field)?.form ?? .text, value) {
        case (.mark, let value): return value == 1 ? Text("changes.yes") : Text("changes.no")
        case (_, .null): return Text("changes.nothing")
        case (.money(in: .field), .integer(let minor)):
            return .verbatim(formats.money(minor, currency(row)))
        case (.money(in: .account(let account)), .integer(let minor)):
            let account = row.text(account).flatMap { EntityID($0) }.flatMap { catalog.account($0) }
            return .verbatim(formats.plain(minor, account?.currency ?? currency(row)))
        case (.day, .integer(let number)):
            return .verbatim(formats.longDay(CivilDate(dayNumber: Int32(clamping: number))))
        case (.month, .integer(let index)):
            return .verbatim(formats.monthTitle(YearMonth(index: Int(index))))
        case (.flag, .integer(let on)): return on == 1 ? Text("changes.on") : Text("changes.off")
        case (.parts, .text(let text)): return parts(text, currency(row))
        case (.reference(let kind), .text(let id)):
            if let known = name(of: id, kind) { return .verbatim(known.isolated) }
            guard declaration[kind] != nil else { return Text("changes.a-deleted-entry") }
            return Text(
                "changes.a-deleted-kind",
                ["kind": .text(.declared("entity.\(kind)", otherwise: kind))]
            )
        case (.choice, .text(let word)) where !word.isEmpty: return choice(field, kind, word)
        case (.tags, .text(let text)) where !text.isEmpty:
            return .verbatim(text.split(separator: ",").map { "#\($0)" }.joined(separator: " "))
        case (_, .integer(let number)): return .verbatim(String(number))
        case (_, .text(let text)) where kind == Rule.entityKind:
            return ruleWords(field, text, row) ?? .verbatim(text.isolated)
        case (_, .text(let text)): return text.isEmpty ? Text("changes.nothing") : .verbatim(text.isolated)
        case (_, .other): return .verbatim("…")
        }
    }

    /// A value without its currency, for a sentence above a form that shows the currency beside the number.
    func plainValue(_ field: String, _ value: FieldValue, _ kind: String, _ row: Fields) -> Text {
        guard case .money(in: .field) = declaration[kind]?.field(field)?.form,
            case .integer(let minor) = value
        else { return self.value(field, value, kind, row) }
        return .verbatim(formats.plain(minor, currency(row)))
    }

    /// The currency of a row's amounts.
    private func currency(_ row: Fields) -> CurrencyCode {
        row.text("currency").flatMap { CurrencyCode($0) } ?? formats.base
    }

    /// The time since a change was captured, such as `waiting 5 min`.
    /// - Parameter since: UTC seconds.
    func waiting(_ since: Int64) -> Text {
        let seconds = now.subtractingClamped(since)
        switch seconds {
        case ..<60: return Text("sync.waiting-less-than-a-minute")
        case ..<3_600: return Text("sync.waiting-minutes", ["count": .count(Int(seconds / 60))])
        case ..<86_400: return Text("sync.waiting-hours", ["count": .count(Int(seconds / 3_600))])
        default: return Text("sync.waiting-days", ["count": .count(Int(seconds / 86_400))])
        }
    }

    /// The time since an event, such as `5 min ago`; the day if it is a day or longer.
    /// - Parameter time: UTC seconds.
    func ago(_ time: Int64) -> Text {
        let seconds = now.subtractingClamped(time)
        if seconds < 60 { return Text("sync.just-now") }
        return Self.shortlyAgo(seconds) ?? Text("sync.on-day", ["day": .string(formats.longDay(day(time)))])
    }

    /// The same at the start of a line, such as `Just now`.
    /// - Parameter time: UTC seconds.
    func agoTitle(_ time: Int64) -> Text {
        let seconds = now.subtractingClamped(time)
        if seconds < 60 { return Text("sync.just-now-title") }
        return Self.shortlyAgo(seconds)
            ?? Text("sync.on-day-title", ["day": .string(formats.longDay(day(time)))])
    }

    /// Minutes or hours; nil from a day on.
    private static func shortlyAgo(_ seconds: Int64) -> Text? {
        switch seconds {
        case ..<3_600: Text("sync.minutes-ago", ["count": .count(Int(seconds / 60))])
        case ..<86_400: Text("sync.hours-ago", ["count": .count(Int(seconds / 3_600))])
        default: nil
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
            day: { dependencies.day(of: $0, in: zone) },
            replacedLimit: { row in
                guard let limit = row.integer("limit"), let from = row.integer("from") else { return nil }
                let month = YearMonth(index: Int(clamping: from))
                let budgets = (try? book.allBudgets()) ?? []
                let replaced = budgets.filter { other in
                    other.category?.description == row.text("category") && other.from < month
                        && other.isOpen(in: month.previous)
                }
                .max { ($0.from, $0.id) < ($1.from, $1.id) }
                guard let replaced, replaced.limit.currency.rawValue == row.text("currency"),
                    replaced.limit.minor != limit
                else { return nil }
                return replaced.limit
            },
            schedules: { (try? book.schedules()) ?? [] }
        )
    }
}

extension String {
    /// The text with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension OperationResult.Code {
    /// The reason why the cloud refused a change, with the remedy, as the user reads it.
    var text: Text {
        let limits = UserAccountLimits()
        return switch self {
        case .tooLarge: Text("sync.refused-too-large")
        case .rowTooLarge:
            Text(
                "sync.refused-row-too-large",
                ["fields": .count(limits.fields), "size": .count(limits.rowBytes >> 10)]
            )
        case .tooManyRows: Text("sync.refused-too-many-rows", ["count": .count(limits.rows / 1_000_000)])
        case .accountFull: Text("sync.refused-account-full", ["size": .count(Int(limits.bytes >> 30))])
        case .dead: Text("sync.refused-deleted")
        case .unknownRow: Text("sync.refused-unknown")
        case .invalid, .held: Text("sync.refused")
        }
    }
}
