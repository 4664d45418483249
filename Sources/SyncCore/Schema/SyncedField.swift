// One field that is kept in step with the cloud: how it is named, stored, merged, shown to people and exported.

/// The form of a field's values. It determines how they are stored, shown and exported.
public enum FieldForm: Hashable, Sendable {
    /// A text.
    case text
    /// One of a few words. `shown` says how a word is shown where that is not the word itself with a capital letter.
    case choice(shown: [String: String] = [:])
    /// Texts separated by commas.
    case list
    /// Texts separated by commas, each shown with `#` before it.
    case tags
    /// The id of a row of a kind.
    case reference(to: String)
    /// Minor units of a currency.
    case money(in: Currency)
    /// Days since 1970-01-01.
    case day
    /// `YearMonth.index`.
    case month
    /// 1 or 0.
    case flag
    /// Another whole number.
    case number

    /// Where an amount's currency is found.
    public enum Currency: Hashable, Sendable {
        /// In another field of the row.
        case field(String)
        /// In the account that another field of the row refers to.
        case account(String)
    }

    /// Whether it is stored as a whole number, else as a text.
    public var isInteger: Bool {
        switch self {
        case .text, .choice, .list, .tags, .reference: false
        case .money, .day, .month, .flag, .number: true
        }
    }
}

/// A column of the spreadsheet of transactions.
public struct SpreadsheetColumn: Hashable, Sendable {
    /// Its title.
    public let name: String
    /// The title of a column after it with the currency of the referenced account.
    public let currency: String?
    /// Whether an amount is negative unless the row's `kind` is `income`.
    public let isSigned: Bool
    /// Whether it comes before the columns of all other fields.
    public let isFirst: Bool

    /// A column at the place of its field.
    public init(_ name: String, currency: String? = nil, isSigned: Bool = false, isFirst: Bool = false) {
        self.name = name
        self.currency = currency
        self.isSigned = isSigned
        self.isFirst = isFirst
    }
}

/// A field that is kept in step: a class, so that going through a row's fields copies nothing.
public final class SyncedField: Sendable {
    /// Its name on the wire, in the history and in the outbox.
    public let name: String
    /// Its column in a device's book.
    public let column: String
    /// The form of its values.
    public let form: FieldForm
    /// The value for a row that arrives without this field; nil where the column may be NULL, which a field must allow
    /// that is added to a table with rows: they have no value of it, here and on the cloud.
    public let fallback: FieldValue?
    /// Its name within a sentence. A catalogue of texts finds it under `KIND.NAME`, of the wire.
    public let label: String
    /// Whether its value is never overwritten silently: where two devices change it without having seen each other's
    /// value, the user decides.
    public let isGuarded: Bool
    /// Whether it is the amount that a row is about: shown with each change of the row, and without its name.
    public let isMain: Bool
    /// The field that it goes along with: nothing is said or asked about it where that one changed as well.
    public let follows: String?
    /// Whether the history shows it beside the field that it follows all the same.
    public let isShownBesideLeader: Bool
    /// Its name in the file of the whole book.
    public let exportName: String
    /// Its column in the spreadsheet; nil where it has none.
    public let spreadsheet: SpreadsheetColumn?

    /// A field.
    /// - Parameters:
    ///   - column: its column; the name where left out.
    ///   - fallback: the value for a row that arrives without it.
    ///   - label: its name within a sentence; the name where left out.
    ///   - export: its name in the file of the whole book; the name where left out.
    public init(
        _ name: String,
        _ form: FieldForm = .text,
        column: String? = nil,
        or fallback: FieldValue? = nil,
        label: String? = nil,
        isGuarded: Bool = false,
        isMain: Bool = false,
        follows: String? = nil,
        isShownBesideLeader: Bool = false,
        export: String? = nil,
        spreadsheet: SpreadsheetColumn? = nil
    ) {
        self.name = name
        self.column = column ?? name
        self.form = form
        self.fallback = fallback
        self.label = label ?? name
        self.isGuarded = isGuarded
        self.isMain = isMain
        self.follows = follows
        self.isShownBesideLeader = isShownBesideLeader
        exportName = export ?? name
        self.spreadsheet = spreadsheet
    }
}
