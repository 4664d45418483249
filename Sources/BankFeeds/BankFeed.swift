// The interface of a provider that reads bank accounts. Each provider has a folder of its own, and no detail
// of its messages or addresses is outside of it.

public import Ledger

/// A provider of bank accounts. Its requests only read, apart from `revoke`.
public protocol BankFeed: Sendable {
    /// The identity of the provider, and how a user connects.
    var provider: BankProvider { get }

    /// The address of the provider's page on which the user consents; nil if the provider has no such page.
    func consentAddress(_ consent: BankConsent) -> String?

    /// Exchanges the proof of a user's consent for access. One request is sent, and never repeated: a proof can
    /// be used once.
    /// - Throws: `proofRefused` for a proof that is wrong, too old or used already.
    func connect(_ proof: BankProof) async throws(BankFeedError) -> BankAccess

    /// The accounts of a connection, with balances and transactions if the provider reports them together.
    func accounts(_ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankReport

    /// The balance of an account.
    /// - Returns: nil if the provider reports no usable balance.
    func balance(of account: BankAccount, _ access: BankAccess)
        async throws(BankFeedError) -> BankBalance?

    /// The booked and the pending transactions of an account.
    func transactions(of account: BankAccount, _ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankTransactionList

    /// Renews access that expires, or that was refused.
    /// - Throws: `consentEnded` if only the user can renew it.
    func renew(_ access: BankAccess) async throws(BankFeedError) -> BankAccess

    /// The same access with the identifier and the end of its consent, if the provider reports them separately. Without a
    /// report it is returned as it is. `connect` and `renew` do not ask for it: their tokens are stored first.
    func withConsent(_ access: BankAccess) async -> BankAccess

    /// Ends the user's consent at the provider. A provider without such a request does nothing.
    func revoke(_ access: BankAccess) async throws(BankFeedError)

    /// Whether the provider's servers answer, for the operator. The request concerns no user.
    /// - Throws: `unreachable`; `refused` for an error of the server.
    func check() async throws(BankFeedError)
}

extension BankFeed {
    /// Itself: the provider reports nothing separately.
    public func withConsent(_ access: BankAccess) async -> BankAccess { access }
}

/// The identity of a provider.
public struct BankProvider: Hashable, Sendable {
    /// The steps by which a user connects.
    public enum Way: Hashable, Sendable {
        /// The user consents on a page of the provider, which sends the browser back.
        case consentPage
        /// The user pastes a text that the provider has shown.
        case setupToken
    }

    /// The name in forms and in the device store.
    public var key: String
    /// The name for users.
    public var name: String
    /// The steps by which a user connects.
    public var way: Way

    /// - Parameter key: lower-case ASCII letters.
    public init(key: String, name: String, way: Way) {
        self.key = key
        self.name = name
        self.way = way
    }
}

/// A consent that a user has begun to give on a page of the provider.
public struct BankConsent: Hashable, Sendable, Codable {
    /// Identifies the consent in the provider's answer. It cannot be guessed.
    public var state: String
    /// The secret of PKCE (RFC 7636).
    public var verifier: String
    /// The address to which the provider sends the browser back.
    public var redirect: String
    /// UTC seconds.
    public var expiresAt: Int64

    /// A consent with random values for `state` and `verifier`.
    public init(state: String, verifier: String, redirect: String, expiresAt: Int64) {
        self.state = state
        self.verifier = verifier
        self.redirect = redirect
        self.expiresAt = expiresAt
    }
}

/// The proof of a user's consent.
public enum BankProof: Sendable {
    /// The code with which the browser came back.
    case code(String, BankConsent)
    /// The text that the user has pasted.
    case setupToken(String)
}

/// The secrets with which a connection is read. The device store contains them sealed.
public struct BankAccess: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The token or the address that grants access.
    public var secret: String
    /// The token that renews `secret`; nil if the provider has none.
    public var renewal: String?
    /// The time at which `secret` expires, in UTC seconds; nil if it does not.
    public var expiresAt: Int64?
    /// The time at which the user's consent ends, in UTC seconds; nil if it does not.
    public var consentEndsAt: Int64?
    /// The provider's identifier of the consent; nil if it has none.
    public var consentID: String?

    /// Times are UTC seconds.
    public init(
        secret: String,
        renewal: String?,
        expiresAt: Int64?,
        consentEndsAt: Int64?,
        consentID: String? = nil
    ) {
        self.secret = secret
        self.renewal = renewal
        self.expiresAt = expiresAt
        self.consentEndsAt = consentEndsAt
        self.consentID = consentID
    }

    /// A constant, so that no log line contains the secrets.
    public var description: String { "BankAccess" }
}

/// The accounts of a connection.
public struct BankReport: Hashable, Sendable {
    /// An account, with the parts that the provider has reported together with it.
    public struct Line: Hashable, Sendable {
        /// The account itself.
        public var account: BankAccount
        /// Nil if the balance has to be requested.
        public var balance: BankBalance?
        /// Nil if the transactions have to be requested.
        public var transactions: BankTransactionList?

        /// - Parameters:
        ///   - balance: nil if it has to be requested.
        ///   - transactions: nil if they have to be requested.
        public init(
            account: BankAccount,
            balance: BankBalance? = nil,
            transactions: BankTransactionList? = nil
        ) {
            self.account = account
            self.balance = balance
            self.transactions = transactions
        }
    }

    /// The accounts, in the provider's order.
    public var lines: [Line]
    /// The number of accounts without an identifier or with a currency that is not in use.
    public var leftOut: Int
    /// Messages of the provider for the user, as plain text.
    public var messages: [String]
    /// Whether the user has to consent again, although the provider has reported accounts.
    public var needsConsent: Bool

    /// - Parameter messages: plain text without control characters.
    public init(lines: [Line], leftOut: Int, messages: [String] = [], needsConsent: Bool = false) {
        self.lines = lines
        self.leftOut = leftOut
        self.messages = messages
        self.needsConsent = needsConsent
    }
}

/// The transactions of an account.
public struct BankTransactionList: Hashable, Sendable {
    /// The newest first; each transaction once.
    public var rows: [BankTransaction]
    /// The number of transactions that could not be used, as `BankRows` decides.
    public var leftOut: Int

    /// - Parameter rows: the newest first.
    public init(rows: [BankTransaction], leftOut: Int) {
        self.rows = rows
        self.leftOut = leftOut
    }
}

/// The reason why a provider gave no answer. No case contains data of the user's.
public enum BankFeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code or the setup token is wrong, too old or used already.
    case proofRefused
    /// The user has to consent again.
    case consentEnded
    /// The access has expired: renew it once and repeat the request.
    case unauthorised
    /// The provider accepts no request before this time, in UTC seconds.
    case rateLimited(until: Int64)
    /// There was no complete response. The text is for the log.
    case unreachable(String)
    /// The response has another status than success.
    case refused(status: Int)
    /// The response is not what the provider's documentation says. The text is for the log.
    case malformed(String)

    /// A phrase for the log.
    public var description: String {
        switch self {
        case .proofRefused: "the code or token was refused"
        case .consentEnded: "the consent has ended"
        case .unauthorised: "the access was refused"
        case .rateLimited: "there were too many requests"
        case .unreachable(let reason): reason
        case .refused(let status): "the answer has the status \(status)"
        case .malformed(let reason): "the answer is unusable: \(reason)"
        }
    }
}
