// Accounts that an earlier version has named without the organisations within which their identifiers are unique.

import BankFeeds
import Book
import DeviceStore
import Ledger

extension Device {
    /// Gives the accounts of a new report their present names in the book, if the last report of the connection has them
    /// without their organisations.
    /// - Returns: the last report by the present names of accounts. Its transactions include the pending transactions
    ///   of earlier reports.
    func renameAccounts(_ record: BankConnectionRecord, _ cache: BankCache) async throws -> BankCache {
        let stored = (try? services.store.bankCaches(of: record.id)) ?? []
        let last = BankCache(stored) { services.seal.open($0, for: id, .bankCache) }
        var before = last
        before.transactions.merge(last.vanished) { $0 + $1 }
        let renamed = last.accounts.renamed(in: cache.accounts)
        guard !renamed.isEmpty else { return before }
        let lease = try await lease()
        defer { lease.giveBack() }
        for (former, account) in renamed {
            // Without a last report, only the book tells which connection the account belongs to.
            let isKnown = last.accounts.contains { $0.id == former }
            try lease.book.rename(
                BankAccountKey(provider: record.provider, account: former),
                to: BankAccountKey(provider: record.provider, account: account.id),
                joinedBy: isKnown ? nil : record.id.description
            )
            before.rename(former, to: account.id)
        }
        return before
    }
}

extension BankCache {
    fileprivate mutating func rename(_ former: String, to present: String) {
        if let rows = transactions.removeValue(forKey: former) { transactions[present] = rows }
        if let ids = followed.removeValue(forKey: former) { followed[present] = ids }
        if let ids = booked.removeValue(forKey: former) { booked[present] = ids }
    }
}

extension [BankAccount] {
    /// The accounts of a new report by the names that they had without their organisations. Of several accounts with
    /// one name, it is the account of the same bank. This array has the accounts of the last report; all have the
    /// present names after the first refresh.
    fileprivate func renamed(in present: [BankAccount]) -> [String: BankAccount] {
        guard isEmpty || contains(where: { $0.organisation == nil }) else { return [:] }
        let named = Dictionary(grouping: present.filter { $0.organisation != nil }, by: \.ownID)
        // An account without an organisation keeps its name.
        return named.filter { former, _ in !present.contains { $0.id == former } }.compactMapValues {
            accounts in
            let known = first { $0.id == accounts[0].ownID }
            return accounts.first { $0.institution == known?.institution } ?? accounts.first
        }
    }
}
