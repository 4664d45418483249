// Accounts, balances and transactions as a bank reports them: the rows of a bank connection, which are not
// entities of the book.

/// An account at a bank.
public struct BankAccount: Hashable, Sendable {
    /// The identifier of the account, unique within the provider. If the provider's own identifier is unique within an
    /// organisation only, it follows the identifier of the organisation and a slash.
    public var id: String
    /// The name that the bank shows.
    public var name: String
    /// The kind of account, as far as the provider reports it.
    public var kind: BankAccountKind
    /// The currency of the balance.
    public var currency: CurrencyCode
    /// The name of the bank; nil if the provider reports none.
    public var institution: String?
    /// The provider's identifier of the bank, if the provider's identifiers of accounts are unique within a bank only.
    public let organisation: String?

    /// The bank as two reports can be compared: the provider's identifier of it, otherwise its name, otherwise an empty text.
    public var bank: String { organisation ?? institution ?? "" }

    /// The identifier that the provider has for the account.
    public var ownID: String { organisation.map { String(id.dropFirst($0.count + 1)) } ?? id }

    /// An account with the values that the provider reports.
    /// - Parameters:
    ///   - id: the identifier that the provider has for the account.
    ///   - organisation: nil if `id` is unique within the provider.
    public init(
        id: String,
        name: String,
        kind: BankAccountKind,
        currency: CurrencyCode,
        institution: String?,
        organisation: String? = nil
    ) {
        self.id = organisation.map { "\($0)/\(id)" } ?? id
        self.organisation = organisation
        self.name = name
        self.kind = kind
        self.currency = currency
        self.institution = institution
    }
}

/// The kinds of accounts that providers distinguish.
public enum BankAccountKind: String, Hashable, Sendable {
    case current, savings, card
    /// The provider does not report the kind, or reports another one.
    case other
}

/// The balance of an account as the bank reports it.
public struct BankBalance: Hashable, Sendable {
    /// The balance; below zero for an overdraft or the debt of a card.
    public var money: Money
    /// The time at which the balance applied, in UTC seconds.
    public let asOf: Int64
    /// The day of that time, in UTC until `dated` is called.
    public private(set) var day: CivilDate

    /// - Parameter asOf: UTC seconds.
    public init(money: Money, asOf: Int64) {
        self.money = money
        self.asOf = asOf
        day = StatedTime(seconds: asOf).utcDay
    }

    /// The same balance with its day in a time zone.
    /// - Parameter local: the day of a time, in UTC seconds, in that zone.
    public func dated(_ local: (Int64) -> CivilDate) -> BankBalance {
        var balance = self
        balance.day = StatedTime(seconds: asOf).day(local)
        return balance
    }
}

/// A transaction as the bank reports it.
public struct BankTransaction: Hashable, Sendable {
    /// The most stable identifier that the provider reports, unique within the account.
    public var id: String
    /// The day of the booking, or of the purchase if it is pending. If the bank states a time, this is its day in UTC until
    /// `dated` is called.
    public var date: CivilDate
    /// The time of the same in UTC seconds; nil if the bank states only the day.
    public var time: Int64?
    /// The amount: below zero for money that leaves the account.
    public var money: Money
    /// The bank's own words.
    public var description: String
    /// The merchant or payer; nil if the provider reports none.
    public var counterparty: String?
    /// Whether the bank has not booked it yet.
    public var isPending: Bool

    /// A transaction with the values that the provider reports.
    public init(
        id: String,
        date: CivilDate,
        time: Int64? = nil,
        money: Money,
        description: String,
        counterparty: String?,
        isPending: Bool
    ) {
        self.id = id
        self.date = date
        self.time = time
        self.money = money
        self.description = description
        self.counterparty = counterparty
        self.isPending = isPending
    }
}

extension [BankTransaction] {
    /// The same transactions on their days in a time zone, the newest first.
    /// - Parameter local: the day of a time, in UTC seconds, in that zone.
    public func dated(_ local: (Int64) -> CivilDate) -> [BankTransaction] {
        var rows = self
        for index in rows.indices {
            if let time = rows[index].time { rows[index].date = local(time) }
        }
        return rows.sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }
}
