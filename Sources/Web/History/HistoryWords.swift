// The lines of the history.

import Book
import Ledger
import Links
import Texts

/// Describes past changes.
struct HistoryWords {
    private let words: ChangeWords
    /// The time of day in the user's time zone, such as `14:05`, of a time in UTC seconds.
    let time: (Int64) -> String

    init(_ context: RequestContext) throws {
        words = try ChangeWords(context)
        let zone = try context.preferences().timeZone
        let dependencies = context.site.devices.dependencies
        time = { seconds in
            let minute = dependencies.minuteOfDay(seconds, in: zone)
            return "\(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10)"
        }
    }

    var formats: Formats { words.formats }

    func day(_ seconds: Int64) -> CivilDate { words.day(seconds) }

    /// The kinds of rows whose changes are recorded, by their names in the sync protocol.
    var kinds: [String] { words.declaration.entities.filter(\.isRecorded).map(\.kind) }

    /// The name of the device that made a change.
    func device(_ change: HistoryChange) -> Text {
        guard let name = change.device else { return Text("changes.this-device") }
        return name.isEmpty ? Text("changes.another-device") : .verbatim(name)
    }

    func canUndo(_ change: HistoryChange) -> Bool {
        if case .rows(let rows, _) = change.content { return !rows.isEmpty }
        return false
    }

    /// A change in one line. If it changed several rows, the line describes the first.
    func line(_ change: HistoryChange) -> HistoryLine {
        switch change.content {
        case .begun(let counts):
            return milestone(change, .begun, Text("history.book-was-begun"), counts)
        case .loaded(let counts):
            return milestone(change, .loaded, Text("history.all-was-downloaded"), counts)
        case .normalisedTexts:
            return milestone(change, .changed, Text("history.texts-have-one-form"), [:])
        case .rows(let rows, let more):
            guard let first = rows.first else {
                return milestone(change, .changed, Text("history.nothing-that-stayed"), [:])
            }
            return together(change, first) ?? line(change, first, more: rows.count - 1 + more)
        }
    }

    /// The change of many rows of one kind in one line: their number, and the values that they have in common; nil if the
    /// rows differ in kind or in what was done to them.
    /// - Parameter first: one of the rows.
    private func together(_ change: HistoryChange, _ first: HistoryRow) -> HistoryLine? {
        guard let together = change.together, together.count >= Self.many else { return nil }
        var line = line(change, first)
        line.target = Link.historyChange(change.id)
        line.title = .declared(
            "entity.\(first.kind).count",
            ["count": .count(together.count)],
            otherwise: "\(together.count) \(first.kind)"
        )
        switch first.action {
        case .create: line.detail = Text("changes.added")
        case .delete: line.detail = Text("changes.deleted")
        case .patch:
            let values = (together.hasOneContent ? first.after.all : []).map { field in
                Text(
                    "history.all-have",
                    [
                        "field": .text(words.label(field.name, first.kind)),
                        "value": .text(words.value(field.name, field.value, first.kind, first.row)),
                    ]
                )
            }
            line.detail =
                Text.joined(values) { Text("history.listed", ["first": .text($0), "next": .text($1)]) }
                ?? Text("changes.changed")
        }
        return line
    }

    /// The number of rows from which on a change is described as one of them together.
    private static let many = 4

    /// The change of one row in one line.
    /// - Parameter more: the number of further rows of the same change.
    func line(_ change: HistoryChange, _ row: HistoryRow, more: Int = 0) -> HistoryLine {
        let deed: HistoryLine.Deed =
            switch row.action {
            case .create: .added
            case .patch: .changed
            case .delete: .deleted
            }
        return HistoryLine(
            id: change.id,
            deed: deed,
            title: words.title(row.kind, row.row),
            detail: words.detail(row.action, row.kind, row.row, row.after, before: row.before),
            when: time(change.at),
            device: device(change),
            more: more,
            canUndo: canUndo(change),
            target: more > 0 ? Link.historyChange(change.id) : page(of: row)
        )
    }

    /// The page of a changed row; nil if there is none. That of a deleted one says so and restores it.
    private func page(of row: HistoryRow) -> Link? {
        switch row.kind {
        case Receipt.entityKind:
            row.row.text("transaction").flatMap { EntityID($0) }.map { Link.transaction($0) }
        case PayeeDefault.entityKind: row.row.text("name").map { Link.payee($0) }
        case Preferences.entityKind: .settings
        default: Link.page(of: row.kind, row.entity)
        }
    }

    private func milestone(
        _ change: HistoryChange,
        _ deed: HistoryLine.Deed,
        _ title: Text,
        _ counts: [String: Int]
    ) -> HistoryLine {
        let kinds = words.declaration.entities
        let parts = (kinds.filter(\.isCountedFirst) + kinds.filter { !$0.isCountedFirst }).compactMap {
            kind in
            counts[kind.kind].flatMap { count -> Text? in
                guard count > 0 else { return nil }
                return .declared(
                    "entity.\(kind.kind).count",
                    ["count": .count(count)],
                    otherwise: "\(count) \(kind.kind)"
                )
            }
        }
        return HistoryLine(
            id: change.id,
            deed: deed,
            title: title,
            detail: Text.joined(parts) { Text("history.listed", ["first": .text($0), "next": .text($1)]) }
                ?? .verbatim(""),
            when: time(change.at),
            device: device(change),
            more: 0,
            canUndo: false
        )
    }
}
