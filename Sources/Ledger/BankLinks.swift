// The parts of the book that refer to a bank: the account that is joined to one, the user's notes on its
// transactions, and the keys by which all devices name them.

/// The name of an account at a bank, the same on every device: the provider, and the identifier that it has for the
/// account. Its text joins both with a colon, such as `truelayer:56c7b029`.
public struct BankAccountKey: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let description: String

    /// - Parameters:
    ///   - provider: the key of the provider, in lower-case letters.
    ///   - account: the provider's identifier, without spaces.
    public init(provider: String, account: String) { description = "\(provider):\(account)" }

    /// The key with a text.
    public init(text: String) { description = text }

    /// The part of the text before the colon.
    public var provider: Substring { description.prefix { $0 != ":" } }

    /// The provider's identifier of the account.
    public var account: Substring { description.drop { $0 != ":" }.dropFirst() }
}

/// The name of a transaction of a bank, the same on every device. Its text is the text of the account's key, a space,
/// and the identifier of the transaction, which has no spaces.
public struct BankTransactionKey: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let description: String

    /// - Parameter id: the most stable identifier that the provider reports.
    public init(_ account: BankAccountKey, id: String) { description = "\(account) \(id)" }

    /// The key with a text.
    public init(text: String) { description = text }

    /// The text of the account's key.
    public var account: Substring { description.prefix { $0 != " " } }
}

/// The account at a bank that an account is joined to.
public struct AccountBank: Hashable, Sendable {
    /// The id of the connection by which the account was joined. It exists on one device only.
    public var connection: String?
    /// The text of the `BankAccountKey`. It stays when the account is no longer used as a bank account, so that
    /// connecting again finds the same account.
    public var account: String?
    /// The kind of account that the bank reports: the text of a `BankAccountKind`.
    public var type: String?
    /// Whether the account shows the balance and the transactions of the bank.
    public var isUsed: Bool
    /// The time at which a device last read the bank, in UTC seconds. Devices write it once a day at most.
    public var syncedAt: Int64?
    /// The first day whose booked transactions are recorded without a question; nil if none are.
    public var recordsFrom: CivilDate?

    /// An account that is joined to no bank unless stated otherwise.
    public init(
        connection: String? = nil,
        account: String? = nil,
        type: String? = nil,
        isUsed: Bool = false,
        syncedAt: Int64? = nil,
        recordsFrom: CivilDate? = nil
    ) {
        self.connection = connection
        self.account = account
        self.type = type
        self.isUsed = isUsed
        self.syncedAt = syncedAt
        self.recordsFrom = recordsFrom
    }

    /// The account at the bank while the account is used as a bank account.
    public var key: BankAccountKey? { isUsed ? account.map { BankAccountKey(text: $0) } : nil }
}

/// The user's writing on a transaction of a bank.
public struct BankNote: Hashable, Sendable, Identifiable {
    /// Unique among all entities. Devices derive it from the transaction, so that two of them write one note.
    public var id: EntityID
    /// The transaction that the note belongs to.
    public var transaction: BankTransactionKey
    /// The category; nil for none.
    public var category: EntityID?
    /// The name in place of the bank's; up to 200 characters, empty for the bank's.
    public var payee: String
    /// Up to 2,000 characters, may be empty.
    public var note: String
    /// Up to 20 tags, like the tags of a transaction.
    public var tags: [String]
    /// Whether the transaction is neither shown nor counted.
    public var isHidden: Bool

    /// A note without content unless stated otherwise. Does not check lengths.
    public init(
        id: EntityID,
        transaction: BankTransactionKey,
        category: EntityID? = nil,
        payee: String = "",
        note: String = "",
        tags: [String] = [],
        isHidden: Bool = false
    ) {
        self.id = id
        self.transaction = transaction
        self.category = category
        self.payee = payee
        self.note = note
        self.tags = tags
        self.isHidden = isHidden
    }
}

/// The mark of a row that is a transaction of a bank, and not of the book.
public enum BankMark: Hashable, Sendable {
    case booked
    /// The bank has not booked it yet.
    case pending
}
