// The actions of the connections of banks. Those of accounts and rows are in files of their own.

import BankFeeds
import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let banks = Link(declared: "/banks")
    static let bankConnect = Link(declared: "/banks/connect")
    static let bankCallback = Link(declared: "/banks/callback")
    static let bankAccounts = LinkTo<EntityID>("/banks/*/accounts")
    static let bankRow = LinkTo<EntityID>("/banks/rows/*")
    static let bankRowRecord = LinkTo<EntityID>("/banks/rows/*/record")
    static let accountRecordBank = LinkTo<EntityID>("/accounts/*/record-bank")
    static let accountLeaveBank = LinkTo<EntityID>("/accounts/*/leave-bank")
    static let transactionBankRecord = LinkTo<EntityID>("/transactions/*/bank-record")
    static let bankRefresh = LinkTo<EntityID>("/banks/*/refresh")
    static let bankDisconnect = LinkTo<EntityID>("/banks/*/disconnect")
}

extension Feature {
    static let banks = Feature(
        routes: [
            get(.banks, BanksShow.answer),
            get(.bankConnect, BankConnectShow.answer),
            post(.bankConnect, BankConnect.answer),
            get(.bankCallback, BankCallback.answer),
            get(to: Link.bankAccounts, BankAccountsShow.answer),
            post(to: Link.bankAccounts, BankAccountsJoin.answer),
            get(to: Link.bankRow, BankRowShow.answer),
            post(to: Link.bankRow, BankRowChange.answer),
            post(to: Link.bankRowRecord, BankRowRecord.answer),
            get(to: Link.accountRecordBank, AccountRecordBankShow.answer),
            post(to: Link.accountRecordBank, AccountRecordBank.answer),
            post(to: Link.accountLeaveBank, AccountLeaveBank.answer),
            post(to: Link.transactionBankRecord, TransactionBankRecord.answer),
            post(to: Link.bankRefresh, BankRefresh.answer),
            post(to: Link.bankDisconnect, BankDisconnect.answer),
        ],
        pages: [
            BanksPage.self, BankConnectPage.self, BankAccountsPage.self, BankRowPage.self,
            BankRecordPage.self,
        ],
        links: ["banks": .banks, "bank_connect": .bankConnect]
    )
}

/// `GET /banks`: the connections of this device. What is cached shows at once; stale data is refreshed in the
/// background.
enum BanksShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let providers = context.site.devices.bankProviders.map(\.name)
        context.device?.refreshStaleBanks()
        let words = try BankWords(context, accounts: context.lease?.book.accountBalances() ?? [])
        let connections = try context.device?.bankConnections() ?? []
        let lines = connections.map { connection in
            words.line(connection, besides: connections.filter { $0.id != connection.id })
        }
        return context.page(
            BanksPage(
                chrome: context.chrome(),
                connections: lines,
                providers: providers,
                refreshesPerDay: context.device?.bankRefreshesPerDay ?? 0
            )
        )
    }
}

/// `POST /banks/ID/refresh`: reads the accounts of a connection again.
enum BankRefresh {
    /// The longest time for which the browser waits. After it, the page shows that the refresh continues.
    private static let waitMilliseconds: Int64 = 5_000

    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        let id = device.presentBank(id)
        guard try device.bankConnections().contains(where: { $0.id == id }) else { throw Refusal.notFound }
        guard device.refreshBank(id) else {
            device.show(Device.Toast(key: "bank-asked-often", text: Text("banks.asked-often")))
            return context.redirect(to: .banks)
        }
        return context.later {
            await device.waitForBank(id, withinMilliseconds: waitMilliseconds)
        } then: { context, _ in
            // It may have been joined to another one since.
            let present = device.presentBank(id)
            let state = try device.bankConnections().first { $0.id == present }?.state
            if state == .connected {
                device.show(Device.Toast(key: "bank-refreshed", text: Text("banks.refreshed")))
            }
            return context.redirect(to: .banks)
        }
    }
}

/// `POST /banks/ID/disconnect`: ends a connection and removes its data from this device; an ended connection is
/// removed from the list.
enum BankDisconnect {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        let id = device.presentBank(id)
        let wasEnded = try device.bankConnections().contains { $0.id == id && $0.state == .disconnected }
        do throws(BankRefusal) { try device.disconnectBank(id) } catch {
            switch error {
            case .device(let error): throw error
            default: throw Refusal.notFound
            }
        }
        let text = wasEnded ? Text("banks.bank-removed") : Text("banks.bank-disconnected")
        device.show(Device.Toast(key: wasEnded ? "bank-removed" : "bank-disconnected", text: text))
        return context.redirect(to: .banks)
    }
}
