// The messages of sync between a replica and the cloud: JSON, version 1.

public import Encoding
public import Ledger

extension ChangesQuery {
    /// As it is asked for: the part of an address behind the `?`.
    public var encoded: String {
        let range =
            switch self.range {
            case .since(let cursor): "cursor=\(cursor)"
            case .snapshot(let from): "snapshot=\(from)"
            }
        return "device=\(replica)&epoch=\(epoch)&\(range)&limit=\(limit)&lastN=\(lastN)&seen=\(seen)"
    }

    /// Reads the query of a request; nil where it is malformed.
    /// - Parameter field: the value of a name, decoded.
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
            limit: field("limit").flatMap { Int($0) } ?? SyncLimits.rows,
            lastN: field("lastN").flatMap { Int64($0) } ?? -1,
            seen: field("seen").flatMap { Int64($0) } ?? 0
        )
    }
}

extension PushBatch {
    /// As it is sent.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("device", replica.description)
            writer.member("epoch", epoch)
            writer.member("schema", schema)
            writer.member("seen", seen)
            if let cursor { writer.member("cursor", cursor) }
            writer.name("ops")
            writer.array { writer in
                for operation in operations { operation.write(to: &writer) }
            }
        }
        return writer.bytes
    }

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            var replica: EntityID?
            var epoch: Int64?
            var schema: Int64?
            var seen: Int64 = 0
            var cursor: Int64?
            var operations: [Operation] = []
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "device": replica = EntityID(try reader.string())
                case "epoch": epoch = try reader.integer()
                case "schema": schema = try reader.integer()
                case "seen": seen = try reader.integer()
                case "cursor": cursor = try reader.integer()
                case "ops":
                    try reader.array { reader throws(MalformedJSON) in
                        operations.append(try Operation(&reader))
                    }
                default: _ = try reader.value()
                }
            }
            guard let replica, let epoch, let schema else { throw reader.malformed }
            return PushBatch(
                replica: replica,
                epoch: epoch,
                schema: schema,
                seen: seen,
                cursor: cursor,
                operations: operations
            )
        }
    }
}

extension Operation {
    /// As it is sent: always the same for the same operation.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("n", n)
            writer.member("opId", opID)
            writer.member("tx", tx)
            writer.member("type", action.rawValue)
            writer.member("kind", kind)
            writer.member("id", id.description)
            if !fields.isEmpty { writer.member("fields", fields) }
            if !base.isEmpty { writer.member("base", base) }
        }
    }

    init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var n: Int64?
        var opID: String?
        var tx: Int64 = 0
        var action: Action?
        var kind: String?
        var id: EntityID?
        var fields: Fields = [:]
        var base: Fields = [:]
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "n": n = try reader.integer()
            case "opId": opID = try reader.string()
            case "tx": tx = try reader.integer()
            case "type": action = Action(rawValue: try reader.string())
            case "kind": kind = try reader.string()
            case "id": id = EntityID(try reader.string())
            case "fields": fields = try reader.fields()
            case "base": base = try reader.fields()
            default: _ = try reader.value()
            }
        }
        guard let n, let opID, let action, let kind, let id else { throw reader.malformed }
        self.init(
            n: n,
            opID: opID,
            tx: tx,
            action: action,
            kind: kind,
            id: id,
            fields: fields,
            base: base
        )
    }
}

extension PushAnswer {
    /// As it is sent.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("head", head)
            writer.member("lastN", lastN)
            if isOlder { writer.member("older", true) }
            if let changes {
                writer.name("page")
                changes.write(to: &writer)
            }
            writer.name("results")
            writer.array { writer in
                for result in results {
                    writer.object { writer in
                        writer.member("n", result.n)
                        writer.member("seq", result.seq)
                        writer.member("status", result.status.rawValue)
                        if let conflict = result.conflict {
                            writer.member("conflict", conflict.description)
                        }
                        if let code = result.code { writer.member("code", code.rawValue) }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            var numbers: [String: Int64] = [:]
            var results: [OperationResult] = []
            var isOlder = false
            var changes: ChangesPage?
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "epoch", "head", "lastN": numbers[name] = try reader.integer()
                case "older": isOlder = try reader.bool()
                case "page": changes = try ChangesPage(&reader)
                case "results":
                    try reader.array { reader throws(MalformedJSON) in
                        results.append(try OperationResult(&reader))
                    }
                default: _ = try reader.value()
                }
            }
            guard let epoch = numbers["epoch"], let head = numbers["head"], let lastN = numbers["lastN"]
            else {
                throw reader.malformed
            }
            return PushAnswer(
                epoch: epoch,
                head: head,
                lastN: lastN,
                results: results,
                isOlder: isOlder,
                changes: changes
            )
        }
    }
}

extension OperationResult {
    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var n: Int64?
        var seq: Int64 = 0
        var status: Status?
        var conflict: EntityID?
        var code: Code?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "n": n = try reader.integer()
            case "seq": seq = try reader.integer()
            case "status": status = Status(rawValue: try reader.string())
            case "conflict": conflict = EntityID(try reader.string())
            case "code": code = Code(rawValue: try reader.string())
            default: _ = try reader.value()
            }
        }
        guard let n, let status else { throw reader.malformed }
        self.init(n: n, seq: seq, status: status, conflict: conflict, code: code)
    }
}

extension ChangesPage {
    /// As it is sent.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("head", head)
            writer.member("cursor", cursor)
            if !next.isEmpty { writer.member("next", next) }
            writer.member("hasMore", hasMore)
            writer.member("remaining", Int64(remaining))
            writer.member("lastN", lastN)
            if let hash { writer.member("hash", hash.text) }
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

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in try ChangesPage(&reader) }
    }

    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var numbers: [String: Int64] = [:]
        var next = ""
        var hasMore = false
        var rows: [RowChange] = []
        var hash: RowsHash?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "epoch", "head", "cursor", "remaining", "lastN": numbers[name] = try reader.integer()
            case "hash": hash = RowsHash(try reader.string())
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

extension RowChange.Writers {
    /// As JSON: `{"at": 1795282487, "last": "Phone", "fields": {"note": "Laptop"}}`.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("at", at)
            writer.member("last", last)
            if let creator { writer.member("creator", creator) }
            if !fields.isEmpty {
                writer.name("fields")
                writer.object { writer in
                    for (name, device) in fields.sorted(by: { $0.key < $1.key }) {
                        writer.member(name, device)
                    }
                }
            }
            guard !unseen.isEmpty else { return }
            writer.name("unseen")
            writer.array { writer in
                for name in unseen.sorted() { writer.string(name) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads it again; nil for anything else.
    public init?(json: String) {
        do throws(MalformedJSON) {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in
                try RowChange.Writers(&reader)
            }
        } catch { return nil }
    }

    fileprivate init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var writers = RowChange.Writers(at: 0, last: "")
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "at": writers.at = try reader.integer()
            case "last": writers.last = try reader.string()
            case "creator": writers.creator = try reader.string()
            case "fields":
                try reader.object { name, reader throws(MalformedJSON) in
                    writers.fields[name] = try reader.string()
                }
            case "unseen":
                try reader.array { reader throws(MalformedJSON) in writers.unseen.insert(try reader.string())
                }
            default: _ = try reader.value()
            }
        }
        self = writers
    }
}

extension Head {
    /// As it is sent.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("head", seq)
        }
        return writer.bytes
    }

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            let fields = try reader.fields()
            guard let epoch = fields.integer("epoch"), let seq = fields.integer("head") else {
                throw reader.malformed
            }
            return Head(epoch: epoch, seq: seq)
        }
    }
}

/// The message that detaches a replica.
public struct DetachMessage: Hashable, Sendable {
    /// Which one.
    public var replica: EntityID
    /// The last operation that it has sent.
    public var lastN: Int64

    /// A message.
    public init(replica: EntityID, lastN: Int64) {
        self.replica = replica
        self.lastN = lastN
    }

    /// As it is sent.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("device", replica.description)
            writer.member("lastN", lastN)
        }
        return writer.bytes
    }

    /// Reads the JSON of a message.
    /// - Throws: `MalformedJSON` for anything else.
    public init(_ bytes: [UInt8]) throws(MalformedJSON) {
        self = try JSONReader.read(bytes) { reader throws(MalformedJSON) in
            let fields = try reader.fields()
            guard let replica = fields.text("device").flatMap({ EntityID($0) }),
                let lastN = fields.integer("lastN")
            else { throw reader.malformed }
            return DetachMessage(replica: replica, lastN: lastN)
        }
    }
}
