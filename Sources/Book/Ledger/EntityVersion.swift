// The version of an entity that a form carries. It shows, when the form is submitted, which of the values the
// user changed and which the page had shown.
import Crypto
import GRDB
public import Ledger
import Storage
public import SyncCore

/// The state of an entity that filled a form.
///
/// It has no values, only digests of them, so that it stays short however long a note is. It also has the
/// sequence of the cloud that the shown values reflected, which becomes the base of the operation.
public struct EntityVersion: Hashable, Sendable {
    /// The epoch of the cloud's data; 0 if the book was not attached.
    let epoch: Int64
    /// The sequence of the cloud that the shown values reflect.
    let base: Int64
    /// A digest of each field that was shown, by the field name of the sync protocol; a second one if another
    /// value was shown instead.
    private var digests: [String: [UInt64]]

    init(of fields: Fields, epoch: Int64, base: Int64) {
        self.epoch = epoch
        self.base = base
        digests = Dictionary(uniqueKeysWithValues: fields.all.map { ($0.name, [Self.digest($0.value)]) })
    }

    /// The same version of a form that shows other values for some fields, such as fallbacks of fields
    /// without a value.
    public func showing(_ fields: Fields) -> EntityVersion {
        var copy = self
        for field in fields.all where !showed(field.value, in: field.name) {
            copy.digests[field.name]?.append(Self.digest(field.value))
        }
        return copy
    }

    /// Decodes the text that a form sends back; nil if it was not made by `text`.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let epoch = Int64(parts[0]), let base = Int64(parts[1]) else { return nil }
        var digests: [String: [UInt64]] = [:]
        for part in parts.dropFirst(2) {
            let sides = part.split(separator: "-")
            let values = sides.dropFirst().compactMap { UInt64($0, radix: 36) }
            guard (2...3).contains(sides.count), values.count == sides.count - 1 else { return nil }
            digests[String(sides[0])] = values
        }
        self.epoch = epoch
        self.base = base
        self.digests = digests
    }

    /// The encoded form of the version, such as `1.842.amount-1z141z4.note-q0x7`.
    public var text: String {
        let fields = digests.sorted { $0.key < $1.key }.map { name, values in
            ".\(name)" + values.map { "-" + String($0, radix: 36) }.joined()
        }
        return "\(epoch).\(base)" + fields.joined()
    }

    /// Whether the form showed this value. A field that it did not show counts as shown, because the form
    /// cannot have changed it.
    public func showed(_ value: FieldValue, in field: String) -> Bool {
        digests[field].map { $0.contains(Self.digest(value)) } ?? true
    }

    private static func digest(_ value: FieldValue) -> UInt64 {
        let text =
            // A text has the same digest before and after it is brought into the form in which texts are stored.
            switch value.inNormalForm {
            case .null: "null"
            case .integer(let number): "i\(number)"
            case .text(let text): "t\(text)"
            case .other(let json): "o\(json)"
            }
        return SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Book {
    /// The version of an entity that a page shows. It must be requested before the entity is read: a row that
    /// comes from the cloud in between must not count as seen.
    /// - Returns: a function that makes the version of the shown values.
    public func versions<E: Entity>(of kind: E.Type, _ id: EntityID) throws(BookError)
        -> @Sendable (E) -> EntityVersion
    {
        let (epoch, base) = try reading { db in try db.reflected(E.entityKind, id) }
        return { EntityVersion(of: $0.fields, epoch: epoch, base: base) }
    }
}

extension BookDatabase {
    /// The epoch and the sequence of the cloud that a row reflects; zeros if the book was never attached.
    func reflected(_ kind: String, _ id: EntityID) throws -> (epoch: Int64, base: Int64) {
        let sql = """
            SELECT ifnull(epoch, 0), \(Capture.reflected(kind: "?", id: "?")) FROM sync
            """
        return try first(sql, [kind, id.column]) { ($0.int64(0), $0.int64(1)) } ?? (0, 0)
    }

    /// The base of an edit: the base of its form, if the form has the present epoch and the cloud has not
    /// gone back since. Otherwise 0: an unnecessary conflict is better than a value that is lost unnoticed.
    func base(of version: EntityVersion, _ kind: String, _ id: EntityID) throws -> Int64 {
        let (epoch, base) = try reflected(kind, id)
        return version.epoch == epoch && version.base <= base ? max(0, version.base) : 0
    }
}
