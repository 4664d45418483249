// The transactions that banks have reported to this device, before they are compared with the book.
public import Ledger
import Storage
import Synchronization

/// The transactions of several accounts at banks. They are held in memory only, with a bound.
public final class BankReports: Sendable {
    /// The greatest memory that the transactions of a device use, in bytes. Older transactions beyond it are left out.
    public static let mostBytes = 3 << 20

    /// A transaction with its names.
    struct Row {
        /// The id of the transaction that records it, on every device.
        let id: EntityID
        let key: BankTransactionKey
        let account: BankAccountKey
        let reported: BankTransaction
        let payee: String
    }

    /// The newest first.
    let rows: [Row]
    /// The accounts that were reported.
    let accounts: Set<BankAccountKey>
    let balances: [BankAccountKey: BankBalance]
    /// The currency of each reported balance; without a balance, the currencies of the account's transactions.
    let currencies: [BankAccountKey: Set<CurrencyCode>]
    /// The times at which connections were last read whose reports were removed since, in UTC seconds, by the texts of
    /// their ids.
    let removed: [String: Int64]
    /// The ids of rows by their ids in earlier reports.
    let followed: [EntityID: EntityID]
    /// The memory that the rows use, about: the row, what is made of it, and their texts.
    public let bytes: Int
    /// The rows in the book that was read last.
    private let merged = Mutex<(VersionedCache<Lookups>, VersionedCache<Lookups>.Version, BankRows)?>(nil)

    /// - Parameters:
    ///   - accounts: the transactions by account.
    ///   - balances: the reported balances.
    ///   - followed: the identifiers of transactions by their identifiers in earlier reports.
    ///   - removed: the times at which connections were last read whose reports were removed since, in UTC seconds, by the
    ///     texts of their ids.
    public init(
        _ accounts: [BankAccountKey: [BankTransaction]],
        balances: [BankAccountKey: BankBalance] = [:],
        followed: [BankAccountKey: [String: String]] = [:],
        removed: [String: Int64] = [:]
    ) {
        self.removed = removed
        var ids: [EntityID: EntityID] = [:]
        for (account, followed) in followed {
            for (former, present) in followed {
                ids[BankTransactionKey(account, id: former).rowID] =
                    BankTransactionKey(account, id: present).rowID
            }
        }
        self.followed = ids
        self.accounts = Set(accounts.keys).union(balances.keys)
        self.balances = balances
        var currencies = accounts.mapValues { Set($0.map(\.money.currency)) }
        for (account, balance) in balances { currencies[account] = [balance.money.currency] }
        self.currencies = currencies
        var rows: [Row] = []
        rows.reserveCapacity(accounts.values.reduce(0) { $0 + $1.count })
        for (account, reported) in accounts {
            for transaction in reported where transaction.money.minor != 0 {
                let key = BankTransactionKey(account, id: transaction.id)
                rows.append(
                    Row(
                        id: key.rowID,
                        key: key,
                        account: account,
                        reported: transaction,
                        payee: transaction.payee
                    )
                )
            }
        }
        rows.sort { ($0.reported.date, $0.id) > ($1.reported.date, $1.id) }
        var bytes = 0
        let fitting = rows.prefix { row in
            // The payee is there once more in each of the texts of a search.
            let texts =
                row.reported.id.utf8.count * 2 + row.reported.description.utf8.count
                + row.payee.utf8.count * 3
            bytes += 850 + texts
            return bytes <= Self.mostBytes
        }
        self.rows = fitting.count == rows.count ? rows : Array(fitting)
        self.bytes = min(bytes, Self.mostBytes)
    }

    func merged(in lookups: VersionedCache<Lookups>) -> BankRows? {
        merged.withLock { merged in
            guard let (cache, version, rows) = merged, cache === lookups, lookups.isCurrent(version) else {
                return nil
            }
            return rows
        }
    }

    func keep(
        _ rows: BankRows,
        of version: VersionedCache<Lookups>.Version,
        in lookups: VersionedCache<Lookups>
    ) {
        merged.withLock { $0 = (lookups, version, rows) }
    }
}

extension BankTransactionKey {
    /// The id of the row of the transaction, and of its record.
    public var rowID: EntityID { .derived(from: "transaction", description) }
}
