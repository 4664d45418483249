// A field that is synced with the cloud: its name, storage, merge and display.

/// The form of a field's values. It determines their storage and display.
public enum FieldForm: Hashable, Sendable {
    /// A text.
    case text
    /// One of a few words.
    case choice
    /// Texts separated by commas.
    case list
    /// Texts separated by commas. Each is displayed with `#` before it.
    case tags
    /// The id of a row of the kind `to`.
    case reference(to: String)
    /// The id of a row of any kind.
    case id
    /// The code of a currency: three capital letters.
    case currency
    /// Minor units of a currency.
    case money(in: Currency)
    /// The parts of a transaction, each with a category and an amount in a currency: the text of a `Split`.
    case parts(in: Currency)
    /// Days since 1970-01-01.
    case day
    /// `YearMonth.index`.
    case month
    /// 1 or 0.
    case flag
    /// 1, or null where a row does not have it. Its name in a sentence is an adjective: "closed".
    case mark
    /// Another whole number.
    case number

    /// The source of the currency of an amount.
    public enum Currency: Hashable, Sendable {
        /// Another field of the row.
        case field(String)
        /// The account that another field of the row refers to.
        case account(String)
    }

    /// The values that a field may have unless its declaration says otherwise: numbers, or the number of characters of
    /// a text.
    fileprivate var bounds: ClosedRange<Int64> {
        switch self {
        // That of an operation.
        case .text: 0...65_536
        case .choice: 0...200
        case .list: 0...2_000
        case .tags: 0...5_000
        case .reference, .id: 26...26
        case .currency: 3...3
        case .parts: 0...110_000
        // Thousands of the largest amounts can be added up in 64 bits, so that one row keeps no other from being counted.
        case .money: 1...1_000_000_000_000_000
        // The years 1 to 9999.
        case .day: -719_162...2_932_896
        case .month: 12...119_999
        case .flag, .mark: 0...1
        case .number: 0...Int64.max
        }
    }

    /// Whether the values are stored as whole numbers; otherwise they are stored as texts.
    public var isInteger: Bool {
        switch self {
        case .text, .choice, .list, .tags, .reference, .id, .currency, .parts: false
        case .money, .day, .month, .flag, .mark, .number: true
        }
    }
}

/// A field that is synced. It is a class, so that an iteration over the fields of a row copies nothing.
public final class SyncedField: Sendable {
    /// The name on the wire, in the history and in the outbox.
    public let name: String
    /// The column in a device's book.
    public let column: String
    /// The form of the values.
    public let form: FieldForm
    /// The value for a received row without this field; nil if the column allows NULL. A field that is added
    /// to a table with rows must allow it, because existing rows have no value for it, here and in the cloud.
    public let fallback: FieldValue?
    /// The values that fit: of whole numbers the numbers, of texts the numbers of characters, which are Unicode scalars
    /// here.
    public let bounds: ClosedRange<Int64>
    /// Whether each row has a value. There is no fallback for a missing value.
    public let isRequired: Bool
    /// Whether the value is never overwritten silently. If two devices change it without having seen each
    /// other's value, the user decides.
    public let isGuarded: Bool
    /// Whether a whole number only ever grows: of the values of two devices that have not seen each other's, the
    /// greater one stays.
    public let grows: Bool
    /// Whether devices write the field by themselves. Such a change is in no list of changes, and makes no notice.
    public let isAutomatic: Bool
    /// Whether the field is the main amount of a row. It is shown with each change of the row, without its
    /// name.
    public let isMain: Bool
    /// The field that this field follows: if that field changed as well, this change is omitted from
    /// sentences and questions.
    public let follows: String?
    /// Whether the history shows the field although the field that it follows changed as well.
    let isShownBesideLeader: Bool

    /// A text field that is not guarded unless stated otherwise.
    /// - Parameters:
    ///   - column: the column; by default the name.
    ///   - fallback: the value for a received row without this field.
    ///   - bounds: the values that fit, or the lengths of texts; by default the bounds of the form.
    public init(
        _ name: String,
        _ form: FieldForm = .text,
        column: String? = nil,
        or fallback: FieldValue? = nil,
        within bounds: ClosedRange<Int64>? = nil,
        isRequired: Bool = false,
        isGuarded: Bool = false,
        isMain: Bool = false,
        follows: String? = nil,
        isShownBesideLeader: Bool = false,
        grows: Bool = false,
        isAutomatic: Bool = false
    ) {
        self.name = name
        self.column = column ?? name
        self.form = form
        self.fallback = fallback
        self.bounds = bounds ?? form.bounds
        self.isRequired = isRequired
        self.isGuarded = isGuarded
        self.isMain = isMain
        self.follows = follows
        self.isShownBesideLeader = isShownBesideLeader
        self.grows = grows
        self.isAutomatic = isAutomatic
    }
}
