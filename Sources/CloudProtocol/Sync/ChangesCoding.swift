// The query for rows and the JSON of a page of them, version 1.

public import Encoding
import Ledger
public import SyncCore

extension ChangesQuery {
    /// The query of the address, without the `?`.
    public var encoded: String {
        let range =
            switch self.range {
            case .since(let cursor): "cursor=\(cursor)"
            case .snapshot(let from): "snapshot=\(from)"
            }
        return "device=\(replica)&epoch=\(epoch)&\(range)&limit=\(limit)&lastN=\(lastN)&seen=\(seen)"
    }

    /// Decodes the query of a request; nil if it is malformed.
    /// - Parameter field: returns the decoded value of a name.
    public init?(_ field: (String) -> String?) {
        guard let replica = field("device").flatMap({ EntityID($0) }),
            let epoch = field("epoch").flatMap({ Int64($0) })
        else { return nil }
        let range: Range
        switch (field("cursor"), field("snapshot")) {
        case (let cursor?, nil):
            guard let cursor = Int64(cursor), cursor >= 0 else { return nil }
            range = .since(cursor)
        case (nil, let from?):
            guard from.utf8.count <= 200 else { return nil }
            range = .snapshot(from: from)
        default: return nil
        }
        self.init(
            replica: replica,
            epoch: epoch,
            range: range,
            limit: field("limit").flatMap { Int($0) } ?? SyncLimits.usualRows,
            lastN: field("lastN").flatMap { Int64($0) } ?? -1,
            seen: field("seen").flatMap { Int64($0) } ?? 0
        )
    }
}

extension ChangesPage: WireMessage {
    /// The body of the answer, in the order of the fields that the golden bytes record.
    public var encoded: [UInt8] { JSONWriter.encode { write(to: &$0) } }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("head", head)
            writer.member("cursor", cursor)
            if !next.isEmpty { writer.member("next", next) }
            writer.member("hasMore", hasMore)
            writer.member("remaining", Int64(remaining))
            writer.member("lastN", lastN)
            // "hash" was that of texts in any form, which earlier versions still compare.
            if let hash { writer.member("nfcHash", hash.text) }
            writer.name("changes")
            writer.array { writer in
                for row in rows {
                    writer.object { writer in
                        writer.member("seq", row.seq)
                        writer.member("kind", row.kind)
                        writer.member("id", row.id.description)
                        if row.isDeleted { writer.member("deleted", true) }
                        writer.member("fields", row.fields)
                        writer.member("versions", json: row.versions)
                        if let writers = row.writers { writer.member("writers", json: writers.json) }
                    }
                }
            }
        }
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in try ChangesPage(&reader) }
    }

    init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var numbers: [String: Int64] = [:]
        var next = ""
        var hasMore = false
        var rows: [RowChange] = []
        var hash: RowsHash?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "epoch", "head", "cursor", "remaining", "lastN": numbers[name] = try reader.integer()
            case "nfcHash": hash = RowsHash(try reader.string())
            case "next": next = try reader.string()
            case "hasMore": hasMore = try reader.bool()
            case "changes":
                try reader.array { reader throws(MalformedJSON) in rows.append(try RowChange(&reader)) }
            default: _ = try reader.value()
            }
        }
        guard let epoch = numbers["epoch"], let head = numbers["head"], let cursor = numbers["cursor"]
        else {
            throw reader.malformed
        }
        self.init(
            epoch: epoch,
            head: head,
            cursor: cursor,
            next: next,
            hasMore: hasMore,
            remaining: Int(clamping: numbers["remaining"] ?? 0),
            lastN: numbers["lastN"] ?? 0,
            rows: rows,
            hash: hash
        )
    }
}

extension RowChange {
    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var seq: Int64?
        var kind: String?
        var id: EntityID?
        var isDeleted = false
        var fields: Fields = [:]
        var versions = "{}"
        var writers: Writers?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "seq": seq = try reader.integer()
            case "kind": kind = try reader.string()
            case "id": id = EntityID(try reader.string())
            case "deleted": isDeleted = try reader.bool()
            case "fields": fields = try reader.fields()
            case "versions":
                if case .other(let json) = try reader.value() { versions = json }
            case "writers": writers = try RowChange.Writers(&reader)
            default: _ = try reader.value()
            }
        }
        guard let seq, let kind, let id else { throw reader.malformed }
        self.init(
            seq: seq,
            kind: kind,
            id: id,
            isDeleted: isDeleted,
            fields: fields,
            versions: versions,
            writers: writers
        )
    }
}
