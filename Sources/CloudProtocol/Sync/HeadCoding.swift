// The JSON of a head and of the message that detaches a replica, and the query for a signal; version 1.

public import Encoding
public import Ledger
public import SyncCore

extension Head: WireMessage {
    /// The JSON of the head.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("epoch", epoch)
            writer.member("head", seq)
        }
        return writer.bytes
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
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
public struct DetachMessage: WireMessage, Hashable, Sendable {
    /// The cloud forgets it; the changes that it sent stay.
    public var replica: EntityID
    /// The number of the last operation that the replica has sent.
    public var lastN: Int64

    /// A message of a replica.
    public init(replica: EntityID, lastN: Int64) {
        self.replica = replica
        self.lastN = lastN
    }

    /// The JSON of the message.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("device", replica.description)
            writer.member("lastN", lastN)
        }
        return writer.bytes
    }

    /// Decodes `encoded`.
    /// - Throws: `MalformedJSON` for any other text.
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

extension SignalRequest {
    /// The query of the address, without the `?`.
    var encoded: String {
        let seen = self.seen.map { "epoch=\($0.epoch)&cursor=\($0.seq)&" } ?? ""
        return "\(seen)wait=\(waitSeconds)"
    }

    /// Decodes the query of a request. Malformed values are ignored: the answer is then immediate.
    init(_ field: (String) -> String?) {
        waitSeconds = max(0, field("wait").flatMap { Int64($0) } ?? 0)
        guard let epoch = field("epoch").flatMap({ Int64($0) }),
            let seq = field("cursor").flatMap({ Int64($0) })
        else { return }
        seen = Head(epoch: epoch, seq: seq)
    }
}
