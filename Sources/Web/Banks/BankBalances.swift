import Book
import Devices
import Ledger
import Pages

/// Accounts as pages show them: a bank account with the balance of its bank, and with lines about it.
struct BankBalances {
    /// The accounts in their order, with the balances that the registers and the reports have as well: that of the bank
    /// with what was entered for later days; if it reports none, that of the book with its rows.
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
        for (index, balance) in balances.enumerated() where !balance.account.isClosed {
            // Two devices may have joined two accounts to the same one at the bank: it counts once.
            guard let key = balance.account.bank.key, seen.insert(key).inserted else { continue }
            let account = view.account(of: balance.account.bank)
            badges[balance.account.id] = words.badge(balance, account, shown: shown[index].balanceMinor)
        }
        (accounts, self.badges) = (shown, badges)
    }
}

extension RequestContext {
    /// The accounts at banks for a page that shows or counts them. Stale ones are refreshed in the background.
    fileprivate func shownBanks(_ device: Device) throws -> BankView {
        let view = try device.bankView()
        if view.isStale(at: site.devices.dependencies.now) { device.refreshStaleBanks() }
        return view
    }

    /// The rows of banks beside the book of the device; nil without an account that is used as a bank account.
    func bankRows() throws -> BankRows? {
        guard let device, let book = lease?.book,
            try book.choices().accounts.contains(where: { $0.bank.key != nil && !$0.isClosed })
        else { return nil }
        let view = try shownBanks(device)
        return view.accounts.isEmpty ? nil : try book.bankRows(of: view.reports)
    }
}
