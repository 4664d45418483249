// Adapts rows of the cloud that result from changes of two devices to the book's constraints.
import GRDB
import Ledger
import Storage
import SyncCore

extension SyncedTable {
    /// The fields, with the fallback in each field that has a fallback and no value.
    func complete(_ received: Fields) -> Fields {
        var fields = received
        for field in self.fields where (fields[field.name] ?? .null) == .null {
            if let fallback = field.fallback { fields[field.name] = fallback }
        }
        return fields
    }
}

extension RemoteChangeApplier {
    /// Complete fields, each of which fits, adapted to the constraints among them.
    mutating func fitted(_ complete: Fields, _ table: SyncedTable) throws -> Fields {
        var fields = complete
        try fit(&fields, table.kind)
        return table.entity.inNormalForm(fields)
    }

    /// Adapts a row that results from changes of two devices to the constraints that hold for the changes of
    /// one device. The result is the same on every device, in whatever order the changes came.
    private mutating func fit(_ fields: inout Fields, _ kind: String) throws {
        switch kind {
        case "category":
            if let parent = fields.text("parent") {
                try placeholder(category: parent, fields.text("kind") ?? "expense")
            }
        case "budget":
            if let category = fields.text("category") { try placeholder(category: category, "expense") }
        case "transaction", "schedule": try fitTransaction(&fields)
        default: break
        }
    }

    /// Adapts a transaction, or a schedule, which has the same fields but for the parts.
    private mutating func fitTransaction(_ fields: inout Fields) throws {
        let currency = fields.text("currency") ?? "XXX"
        guard let account = fields.text("account") else { return }
        try placeholder(account: account, currency)
        if fields.text("kind") == "transfer" {
            if let to = fields.text("toAccount"), to != account {
                try placeholder(account: to, currency)
                if fields.integer("toAmount") == nil { fields["toAmount"] = fields["accountAmount"] }
                fields["category"] = .null
                fields["split"] = .null
            } else {
                fields["kind"] = "expense"
            }
        }
        if fields.text("kind") != "transfer" {
            fields["toAccount"] = .null
            fields["toAmount"] = .null
            if let category = fields.text("category") {
                try placeholder(category: category, fields.text("kind") ?? "expense")
            }
            fitSplit(&fields)
        }
    }

    /// Gives parts that can be read their canonical text, and stores any other value as a text.
    private func fitSplit(_ fields: inout Fields) {
        switch fields["split"] {
        case nil, .null?: break
        case .text(let text)?: fields["split"] = .text(Split(text: text).text)
        case .other(let json)?: fields["split"] = .text(json)
        case .integer(let number)?: fields["split"] = .text(String(number))
        }
    }

    private mutating func placeholder(account id: String, _ currency: String) throws {
        guard !existing.accounts.contains(id) else { return }
        try db.change(
            """
            INSERT INTO accounts (id, name, type, currency, opening_minor, deleted_at)
            VALUES (?, '?', 'cash', ?, 0, 0) ON CONFLICT DO NOTHING
            """,
            [id, currency]
        )
        existing.accounts.insert(id)
    }

    /// Inserts a deleted category for a row that refers to a missing one. The category may still come, or was
    /// removed from the cloud after its deletion.
    private mutating func placeholder(category id: String, _ kind: String) throws {
        guard !existing.categories.contains(id) else { return }
        try db.change(
            """
            INSERT INTO categories (id, name, kind, icon, color, parent, deleted_at)
            VALUES (?, '?', ?, '', '', NULL, 0) ON CONFLICT DO NOTHING
            """,
            [id, kind == "income" ? kind : "expense"]
        )
        existing.categories.insert(id)
    }
}
