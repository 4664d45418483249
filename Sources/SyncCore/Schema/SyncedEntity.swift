// One kind of row that is kept in step with the cloud, and all kinds together.

/// How a row is called where it is listed.
public enum RowTitle: Hashable, Sendable {
    /// Every row the same.
    case fixed(String)
    /// By the first of these fields that has something to show, after `prefix`; by `fallback` where none has.
    case fields([String], prefix: String = "", or: String)
}

/// The place of a kind of row in the file of the whole book.
public enum ExportPlace: Hashable, Sendable {
    /// Not in it.
    case none
    /// A list of its rows, under a name.
    case list(String)
    /// The one row that there is, under a name.
    case object(String)
}

/// A kind of row that is kept in step: a class, so that looking one up copies nothing.
public final class SyncedEntity: Sendable {
    /// Its name on the wire, in the history and in the outbox.
    public let kind: String
    /// Its table in a device's book.
    public let table: String
    /// Its fields, in the order of the table and of the exports.
    public let fields: [SyncedField]
    /// Whether its rows can be deleted: preferences cannot.
    public let hasTombstones: Bool
    /// Whether its changes are in the history: conflict records are the cloud's.
    public let isRecorded: Bool
    /// Whether users enter such rows by hand. Only then a device is told that another one, which had not seen its
    /// value, has overwritten it.
    public let isEnteredByHand: Bool
    /// The name of one and of several, within a sentence.
    public let label: (one: String, many: String)
    /// Whether it is named before other kinds where rows are counted.
    public let isCountedFirst: Bool
    /// How a row is called.
    public let title: RowTitle
    /// Its place in the file of the whole book.
    public let export: ExportPlace
    /// The names of the guarded fields.
    public let guarded: Set<String>
    /// The names of all fields.
    public let names: Set<String>
    /// The field that a row is about.
    public let main: SyncedField?
    private let byName: [String: SyncedField]

    /// A kind of row.
    public init(
        _ kind: String,
        table: String,
        label: (one: String, many: String),
        title: RowTitle,
        export: ExportPlace,
        hasTombstones: Bool = true,
        isRecorded: Bool = true,
        isEnteredByHand: Bool = true,
        isCountedFirst: Bool = false,
        fields: [SyncedField]
    ) {
        self.kind = kind
        self.table = table
        self.label = label
        self.title = title
        self.export = export
        self.hasTombstones = hasTombstones
        self.isRecorded = isRecorded
        self.isEnteredByHand = isEnteredByHand
        self.isCountedFirst = isCountedFirst
        self.fields = fields
        guarded = Set(fields.filter(\.isGuarded).map(\.name))
        names = Set(fields.map(\.name))
        main = fields.first(where: \.isMain)
        byName = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The field with this name on the wire; nil where this version knows none.
    public func field(_ name: String) -> SyncedField? { byName[name] }

    /// Whether nothing is said about a field's change, because it goes along with another one that changed too.
    /// - Parameters:
    ///   - changed: the names of all fields that changed.
    ///   - inHistory: whether changes are listed, and not told in sentences.
    public func isSilent(_ name: String, among changed: Set<String>, inHistory: Bool) -> Bool {
        guard let field = byName[name], let leader = field.follows, changed.contains(leader) else {
            return false
        }
        return !(inHistory && field.isShownBesideLeader)
    }
}

/// All kinds of rows that are kept in step.
public final class SyncedSchema: Sendable {
    /// In the order in which a book sends its rows: what others refer to comes first.
    public let entities: [SyncedEntity]
    private let byKind: [String: SyncedEntity]

    /// A schema of kinds, each once.
    public init(_ entities: [SyncedEntity]) {
        self.entities = entities
        byKind = Dictionary(entities.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The kind with this name; nil for one of a newer version.
    public subscript(kind: String) -> SyncedEntity? { byKind[kind] }
}
