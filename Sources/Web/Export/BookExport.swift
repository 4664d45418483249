// The export of the whole book.

import Book
import Encoding
import HTTPServer
import Ledger
import SyncCore

/// `GET /export/breadly.json`: the whole book, one row a line, in the form that its fields declare.
enum BookExport {
    static func answer(_ context: RequestContext) throws -> Response {
        try Export.answer(context, "application/json", ExportName(base: "breadly", type: "json")) {
            book,
            _,
            out in
            try write(book, out)
        }
    }

    /// - Parameter exported: if rows of the cloud are missing in it, `incomplete` has the number of all rows that are here,
    ///   and the number of all that there are; 0 if that is not known. `lacksNewest` is there, and true, if the changes of
    ///   other devices since a first download began may be missing.
    static func write(_ exported: ExportedBook, _ out: ExportWriter) throws {
        out.append("{\"format\":\"breadly-book\",\"version\":1")
        if let rows = exported.incomplete {
            out.append(",\"incomplete\":{\"here\":\(rows.done),\"of\":\(rows.total)}")
        } else if exported.isCatchingUp {
            out.append(",\"lacksNewest\":true")
        }
        var section: Section?
        try exported.book.export { entity in
            section?.end()
            let next = Section(entity, out)
            section = next
            return { row in next.add(row) }
        }
        section?.end()
        out.append("}\n")
    }

    /// The rows of one kind: a list, or a single object.
    private final class Section {
        private let out: ExportWriter
        private let isOneRow: Bool
        /// The text before each value, such as `,"amountMinor":`.
        private let fields: [(lead: String, form: FieldForm)]
        private var isEmpty = true

        init(_ entity: SyncedEntity, _ out: ExportWriter) {
            self.out = out
            let name = entity.exportName
            isOneRow = entity.isOneRow
            fields = entity.fields.map { (",\(JSON.text($0.exportName)):", $0.form) }
            out.append(isOneRow ? ",\(JSON.text(name)):" : ",\n\(JSON.text(name)):[")
        }

        func add(_ row: ExportedRow) {
            if isOneRow {
                guard isEmpty else { return }
                isEmpty = false
                return object { write($0, $1, of: row) }
            }
            out.append(isEmpty ? "\n" : ",\n")
            isEmpty = false
            out.append("{\"id\":")
            out.append(quoted: row.id)
            for (index, field) in fields.enumerated() {
                out.append(field.lead)
                write(index, field.form, of: row)
            }
            out.append("}")
        }

        func end() {
            if !isOneRow {
                out.append(isEmpty ? "]" : "\n]")
            } else if isEmpty {
                object { _, _ in out.append("null") }
            }
        }

        /// Writes an object of all fields, without an id.
        private func object(_ value: (Int, FieldForm) -> Void) {
            for (index, field) in fields.enumerated() {
                out.append(index == 0 ? "{" + field.lead.dropFirst() : field.lead)
                value(index, field.form)
            }
            out.append("}")
        }

        private func write(_ index: Int, _ form: FieldForm, of row: ExportedRow) {
            switch form {
            case .text, .choice, .reference, .id, .currency:
                guard let text = row.text(index) else { return out.append("null") }
                out.append(quoted: text)
            case .list, .tags:
                guard let text = row.text(index) else { return out.append("null") }
                out.append("[")
                for (place, item) in text.split(separator: ",").enumerated() {
                    if place > 0 { out.append(",") }
                    out.append(quoted: String(item))
                }
                out.append("]")
            case .parts: write(row.text(index))
            case .mark: out.append(row.integer(index) == 1 ? "true" : "false")
            case .money, .number, .day, .month, .flag:
                guard let number = row.integer(index) else { return out.append("null") }
                switch form {
                case .day: out.append(quoted: "\(CivilDate(dayNumber: Int32(clamping: number)))")
                case .month: out.append(quoted: "\(YearMonth(index: Int(number)))")
                case .flag: out.append(number != 0 ? "true" : "false")
                default: out.append(number)
                }
            }
        }

        /// Writes the parts of a transaction. Parts that this version cannot read are written as their text.
        private func write(_ split: String?) {
            guard let split else { return out.append("null") }
            guard case .parts(let parts) = Split(text: split) else { return out.append(quoted: split) }
            out.append("[")
            for (place, part) in parts.enumerated() {
                out.append(place > 0 ? ",{\"category\":" : "{\"category\":")
                if let category = part.category {
                    out.append(quoted: "\(category)")
                } else {
                    out.append("null")
                }
                out.append(",\"amountMinor\":")
                out.append(part.minor)
                out.append(",\"note\":")
                out.append(quoted: part.note)
                out.append("}")
            }
            out.append("]")
        }
    }
}

// Other programs read these names: they are those of files that were written, whatever the wire or a table calls them.
extension SyncedEntity {
    /// The name of the rows in the export of the whole book.
    fileprivate var exportName: String {
        switch kind {
        case BankNote.entityKind: "bankNotes"
        case Receipt.entityKind: "attachments"
        case PayeeDefault.entityKind: "payeeDefaults"
        default: table
        }
    }
}

extension SyncedField {
    /// The name in the export of the whole book. The name of an amount says its unit: `openingMinor`, `toMinor`.
    var exportName: String {
        guard case .money = form else { return name }
        return (name.hasSuffix("Amount") ? String(name.dropLast("Amount".count)) : name) + "Minor"
    }
}
