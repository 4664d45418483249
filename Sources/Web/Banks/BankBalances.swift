import Book
import Devices
import Ledger

/// Accounts as pages show them: a bank account with the balance of its bank, and with lines about it.
struct BankBalances {
    /// The accounts in their order, with the balances that the registers and the reports have as well: the balance of
    /// the bank with what was entered for later days; if the bank reports none, the balance of the book with the bank's
    /// rows; unknown if this device cannot read the bank, or reads it in another currency.
    let accounts: [AccountBalance]
    /// The lines by account.
    let badges: [EntityID: BankBadge]

    /// Reads nothing for a book without bank accounts.
    init(_ balances: [AccountBalance], _ context: RequestContext) throws {
        guard let device = context.device,
            balances.contains(where: { $0.account.bank.key != nil && !$0.account.isClosed })
        else {
            (accounts, badges) = (balances, [:])
            return
        }
        let (view, words) = (try context.shownBanks(device), try BankWords(context))
        let shown = try context.book().balances(balances, beside: try context.bankRows())
        var badges: [EntityID: BankBadge] = [:]
        var seen: Set<BankAccountKey> = []
        for (recorded, shown) in zip(balances, shown) where !recorded.account.isClosed {
            // Two devices may have joined two accounts to the same one at the bank: it counts once.
            guard let key = recorded.account.bank.key, seen.insert(key).inserted else { continue }
            let account = view.account(of: recorded.account.bank)
            badges[recorded.account.id] = words.badge(recorded, account, shown: shown)
        }
        (accounts, self.badges) = (shown, badges)
    }
}

extension RequestContext {
    /// The accounts at banks for a page that shows or counts them. Stale accounts are refreshed in the background.
    fileprivate func shownBanks(_ device: Device) throws -> BankView {
        let view = try device.bankView()
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
