// How accounts of the book are joined to accounts at a bank, and leave them.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The decision about one account at a bank.
public struct BankJoin: Hashable, Sendable {
    /// The choices of the user.
    public enum Choice: Hashable, Sendable {
        /// A new account. If one is joined to the account at the bank already, it is that one.
        case new
        /// An account of the book.
        case existing(EntityID)
        /// No account.
        case skip
    }

    /// The account at the bank.
    public var key: BankAccountKey
    /// The account as the bank reports it.
    public var account: BankAccount
    /// The decision.
    public var choice: Choice

    /// A decision about an account of a provider.
    public init(_ account: BankAccount, of provider: String, _ choice: Choice) {
        key = BankAccountKey(provider: provider, account: account.id)
        self.account = account
        self.choice = choice
    }
}

extension Book {
    /// Joins accounts of the book to accounts at a bank, as one change.
    ///
    /// An account at a bank has one account at most: it leaves its former one. An account that is skipped keeps its
    /// transactions and is found again later.
    /// - Parameters:
    ///   - connection: the connection that reports the accounts.
    ///   - refreshedAt: the time at which it last reported them, in UTC seconds; nil before the first time.
    /// - Returns: the number of the change in the history; nil if everything is joined like that already.
    /// - Throws: `unknownAccount`, `accountClosed`; `invalid` for an account in another currency, and for an account
    ///   that is chosen twice.
    public func join(_ joins: [BankJoin], connection: EntityID, refreshedAt: Int64?) throws(BookError)
        -> Int64?
    {
        try changeAsUser { db in
            // Accounts leave first, so that an exchange of two accounts is one change.
            var places: [BankAccountKey: EntityID] = [:]
            for join in joins { places[join.key] = try db.place(of: join) }
            guard Set(places.values).count == places.count else { throw BookError.invalid(.account) }
            for join in joins { try db.leave(join.key, but: places[join.key]) }
            for join in joins {
                guard let place = places[join.key] else { continue }
                try db.join(place, join, connection, refreshedAt)
            }
            return try db.presentHistoryChange()
        }
    }

    /// Makes a bank account an ordinary one. Its transactions stay, and so does the key by which it is found again.
    /// - Returns: the number of the change in the history; nil if it was none.
    /// - Throws: `unknownAccount`.
    public func leaveBank(_ id: EntityID) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let account = try db.liveAccount(id) else { throw BookError.unknownAccount(id) }
            guard account.bank.isUsed else { return nil }
            try db.patch(["isBank": nil, "bankRecordFrom": nil], Account.entityKind, id)
            return try db.presentChange()
        }
    }

    /// Notes that a device has read the banks of some accounts. Does nothing for accounts that were read on the same
    /// day.
    /// - Parameter now: UTC seconds.
    public func noteBankRead(_ accounts: Set<BankAccountKey>, at now: Int64) throws(BookError) {
        let due = try choices().accounts.filter { account in
            account.bank.key.map(accounts.contains) == true && now - (account.bank.syncedAt ?? 0) >= 86_400
        }
        guard !due.isEmpty else { return }
        try changeAsUser { db in
            for account in due where try db.liveAccount(account.id) != nil {
                try db.patch(["lastSyncedAt": .integer(now)], Account.entityKind, account.id)
            }
        }
    }
}

extension BookDatabase {
    /// The account that a decision leads to; nil for none. A new one is added.
    fileprivate func place(of join: BankJoin) throws -> EntityID? {
        switch join.choice {
        case .skip: return nil
        case .existing(let id):
            guard let account = try liveAccount(id) else { throw BookError.unknownAccount(id) }
            guard !account.isClosed else { throw BookError.accountClosed(.account) }
            guard account.currency == join.account.currency else { throw BookError.invalid(.currency) }
            return id
        case .new:
            if let joined = try accountJoined(to: join.key), joined.currency == join.account.currency {
                return joined.id
            }
            let (name, bank) = (join.account.name, join.account.institution ?? "")
            let names = [name, bank].map { String($0.prefix(80)) }.filter {
                !$0.isEmpty && $0.isStorable(upTo: 80)
            }
            // Two banks often give their accounts the same name.
            let full = name.isEmpty || bank.isEmpty ? [] : [String("\(name) · \(bank)".prefix(80))]
            let taken = Set(try accounts().map { $0.name.lowercased() })
            var account = Account(
                id: .derived(from: "account", join.key.description),
                name: (names.prefix(1) + full + names).first {
                    !taken.contains($0.lowercased()) && $0.isStorable(upTo: 80)
                }
                    ?? names.first ?? "?",
                type: join.account.kind.accountType,
                currency: join.account.currency,
                openingMinor: 0
            )
            // A former one may be closed, or the cloud may know of its deletion.
            while try isDeleted(account.id, in: "accounts") != nil { account.id = account.id.copy }
            try account.checkShape()
            _ = try add(account)
            return account.id
        }
    }

    /// The account that is or was last joined to an account at a bank, unless it is closed. Several devices may have
    /// made several accounts: the account that is used and has the least id counts on all devices.
    fileprivate func accountJoined(to key: BankAccountKey) throws -> Account? {
        let sql = """
            SELECT \(Account.columns) FROM accounts WHERE bank_account = ? AND deleted_at IS NULL AND closed IS NOT 1
            ORDER BY is_bank IS NULL, id LIMIT 1
            """
        return try first(sql, [key.description]) { try Account($0) }
    }

    /// Ends the use of all accounts of a key but one. If there is that one, the others are not found by the key any more.
    fileprivate func leave(_ key: BankAccountKey, but place: EntityID?) throws {
        let accounts = try all(
            "SELECT \(Account.columns) FROM accounts WHERE bank_account = ? AND deleted_at IS NULL",
            [key.description]
        ) { try Account($0) }
        for account in accounts where account.id != place {
            var fields: Fields = ["isBank": nil, "bankRecordFrom": nil]
            if place != nil { fields["bankAccount"] = .null }
            try patch(fields, Account.entityKind, account.id)
        }
    }

    fileprivate func join(
        _ id: EntityID,
        _ join: BankJoin,
        _ connection: EntityID,
        _ refreshedAt: Int64?
    ) throws {
        guard let account = try liveAccount(id) else { throw BookError.unknownAccount(id) }
        guard account.bank.key != join.key else { return }
        var fields: Fields = [
            "bankConnection": .text(connection.description), "bankAccount": .text(join.key.description),
            "bankAccountType": .text(join.account.kind.rawValue), "isBank": 1,
        ]
        if let refreshedAt { fields["lastSyncedAt"] = .integer(refreshedAt) }
        // Recording without a question is a decision about the former account at a bank: the other one may have
        // transactions that the book contains already.
        if account.bank.account != join.key.description { fields["bankRecordFrom"] = .null }
        try patch(fields, Account.entityKind, id)
    }

    /// The number of the change that is being made, if it has changed anything.
    fileprivate func presentHistoryChange() throws -> Int64? {
        try first("SELECT tx FROM history WHERE tx = (SELECT tx FROM sync) LIMIT 1") { $0.int64(0) }
    }
}

extension BankAccountKind {
    /// The kind of a new account.
    fileprivate var accountType: AccountType {
        switch self {
        case .current, .other: .bank
        case .savings: .savings
        case .card: .card
        }
    }
}
