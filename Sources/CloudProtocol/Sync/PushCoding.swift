// The JSON of a push and of its answer, version 1.

public import Encoding
import Ledger
public import SyncCore

extension PushBatch: WireMessage {
    /// The JSON of the batch.
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

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
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
    /// The JSON of the operation. The same operation always has the same bytes.
    public var encoded: [UInt8] { JSONWriter.encode { write(to: &$0) } }

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

extension PushAnswer: WireMessage {
    /// The JSON of the answer.
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
                        if let field = result.field { writer.member("field", field) }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
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
        var field: String?
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "n": n = try reader.integer()
            case "seq": seq = try reader.integer()
            case "status": status = Status(rawValue: try reader.string())
            case "conflict": conflict = EntityID(try reader.string())
            case "code": code = Code(rawValue: try reader.string())
            case "field": field = try reader.string()
            default: _ = try reader.value()
            }
        }
        guard let n, let status else { throw reader.malformed }
        self.init(n: n, seq: seq, status: status, conflict: conflict, code: code, field: field)
    }
}
