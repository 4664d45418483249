import Book
import Devices
import Ledger

extension RequestContext {
    /// The lines about the banks of accounts, by account. It reads nothing for a book without bank accounts.
    /// - Parameter accounts: all accounts, with the balances that are shown.
    func bankBadges(_ accounts: [AccountBalance]) throws -> [EntityID: BankBadge] {
        guard let device, accounts.contains(where: { $0.account.bank.key != nil && !$0.account.isClosed })
        else { return [:] }
        let (view, words) = (try shownBanks(device), try BankWords(self))
        var badges: [EntityID: BankBadge] = [:]
        var seen: Set<BankAccountKey> = []
        for shown in accounts where !shown.account.isClosed {
            // Two devices may have joined two accounts to the same one at the bank: it counts once.
            guard let key = shown.account.bank.key, seen.insert(key).inserted else { continue }
            badges[shown.account.id] = words.badge(shown, view.account(of: shown.account.bank))
        }
        return badges
    }

    /// The accounts at banks for a page that shows or counts them. Stale accounts are refreshed in the background.
    fileprivate func shownBanks(_ device: Device) throws -> BankView {
        let view = try device.bankView(in: preferences().timeZone)
        if view.isStale(at: site.devices.dependencies.now) { device.refreshStaleBanks() }
        return view
    }

    /// The rows of banks beside the book of the device, and the balances that it does not know; nil without an account that
    /// is used as a bank account.
    func bankRows() throws -> BankRows? {
        guard let device, let book = lease?.book,
            try book.choices().accounts.contains(where: { $0.bank.key != nil && !$0.isClosed })
        else { return nil }
        return try book.bankRows(of: shownBanks(device).reports)
    }

    /// The same for a file, which leaves the device: what banks have reported is not in it, so that the balances of their
    /// accounts are unknown there.
    func bankRowsOfFile() throws -> BankRows { try book().bankRows(of: BankReports([:])) }
}
