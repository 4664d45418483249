// A kind of row that is synced with the cloud, and the schema of all kinds.

/// The title of a row in lists.
public enum RowTitle: Hashable, Sendable {
    /// Every row has the same title.
    case fixed
    /// The first of these fields that has a value to show, or its value in a sentence.
    case fields([String], inSentence: Bool = false)
}

/// A kind of row that is synced. It is a class, so that a lookup copies nothing.
public final class SyncedEntity: Sendable {
    /// The name on the wire, in the history and in the outbox.
    public let kind: String
    /// The table in a device's book.
    public let table: String
    /// The fields, in the order of the table.
    public let fields: [SyncedField]
    /// Whether the rows can be deleted. Preferences cannot.
    public let hasTombstones: Bool
    /// Whether the kind has a single row, which is always there.
    public var isOneRow: Bool { !hasTombstones }
    /// Whether the history records changes. It does not record conflicts, which the cloud writes.
    public let isRecorded: Bool
    /// Whether users enter such rows by hand. If so, a device gets a notice when another device that had not
    /// seen its value has overwritten it.
    public let isEnteredByHand: Bool
    /// Whether a list of counts names the kind before other kinds.
    public let isCountedFirst: Bool
    /// The title of a row in lists.
    public let title: RowTitle
    /// The names of the guarded fields.
    public let guarded: Set<String>
    /// The names of all fields.
    public let names: Set<String>
    /// The fields that every row has.
    let required: [SyncedField]
    /// The main amount of a row; nil if the kind has none.
    public let main: SyncedField?
    private let byName: [String: SyncedField]

    /// Rows can be deleted, are recorded and are entered by hand unless stated otherwise.
    public init(
        _ kind: String,
        table: String,
        title: RowTitle,
        hasTombstones: Bool = true,
        isRecorded: Bool = true,
        isEnteredByHand: Bool = true,
        isCountedFirst: Bool = false,
        fields: [SyncedField]
    ) {
        self.kind = kind
        self.table = table
        self.title = title
        self.hasTombstones = hasTombstones
        self.isRecorded = isRecorded
        self.isEnteredByHand = isEnteredByHand
        self.isCountedFirst = isCountedFirst
        self.fields = fields
        guarded = Set(fields.filter(\.isGuarded).map(\.name))
        names = Set(fields.map(\.name))
        required = fields.filter(\.isRequired)
        main = fields.first(where: \.isMain)
        byName = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The field with a name of the wire; nil if this version does not declare it.
    public func field(_ name: String) -> SyncedField? { byName[name] }

    /// Whether a field is written by devices themselves.
    public func isAutomatic(_ name: String) -> Bool { byName[name]?.isAutomatic ?? false }

    /// Whether the change of a field is omitted, because it is automatic, or because it follows another field that
    /// changed as well.
    /// - Parameters:
    ///   - changed: the names of all fields that changed.
    ///   - inHistory: true for lists of changes, as in the history; false for sentences.
    public func isSilent(_ name: String, among changed: Set<String>, inHistory: Bool) -> Bool {
        guard let field = byName[name] else { return false }
        if field.isAutomatic { return true }
        guard let leader = field.follows, changed.contains(leader) else { return false }
        return !(inHistory && field.isShownBesideLeader)
    }
}

/// All kinds of rows that are synced.
public final class SyncedSchema: Sendable {
    /// The kinds in the order in which a book sends its rows: kinds that others refer to come first.
    public let entities: [SyncedEntity]
    private let byKind: [String: SyncedEntity]

    /// A schema of kinds, each of which occurs once.
    public init(_ entities: [SyncedEntity]) {
        self.entities = entities
        byKind = Dictionary(entities.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The kind with this name; nil for a kind of a newer version.
    public subscript(kind: String) -> SyncedEntity? { byKind[kind] }
}
