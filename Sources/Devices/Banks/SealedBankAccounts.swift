// Sealed caches without a device, with which the opening of the caches is measured.

import DeviceStore
package import Ledger

/// The accounts of a connection as the device store contains them.
package struct SealedBankAccounts {
    private let seal: Seal
    private let records: [BankCacheRecord]
    private static let device = EntityID(high: 0, low: 0)

    /// Seals the transactions of some accounts.
    /// - Returns: nil if the system cannot seal them.
    package init?(_ accounts: [(account: BankAccount, transactions: [BankTransaction])], key: [UInt8]) {
        let seal = Seal(key: key)
        self.seal = seal
        var cache = BankCache()
        for (account, transactions) in accounts {
            cache.accounts.append(account)
            cache.transactions[account.id] = transactions
        }
        guard
            let records = cache.records(
                at: 0,
                sealedBy: { seal.close($0, for: Self.device, .bankCache) }
            )
        else { return nil }
        self.records = records
    }

    /// Opens the caches, as the first page does that needs them.
    package func transactions(of provider: String) -> [BankAccountKey: [BankTransaction]] {
        let cache = BankCache(records) { seal.open($0, for: Self.device, .bankCache) }
        return Dictionary(
            cache.transactions.map { (BankAccountKey(provider: provider, account: $0.key), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
