import BankFeeds
import Devices
import HTTPServer
import Ledger
import Links
import Pages
import Texts

/// `GET /banks`: the connections of this device. What is cached shows at once; stale data is refreshed in the
/// background.
enum BanksShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let providers = context.site.devices.bankProviders.map(\.name)
        context.device?.refreshStaleBanks()
        let words = try BankWords(context)
        let lines = try context.device?.bankConnections().map { words.line($0) } ?? []
        return context.page(BanksPage(chrome: context.chrome(), connections: lines, providers: providers))
    }
}

/// `POST /banks/ID/refresh`: reads the accounts of a connection again.
enum BankRefresh {
    /// The longest time for which the browser waits. After it, the page shows that the refresh continues.
    private static let waitMilliseconds: Int64 = 5_000

    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        guard try device.bankConnections().contains(where: { $0.id == id }) else { throw Refusal.notFound }
        device.refreshBank(id)
        return context.later {
            await device.waitForBank(id, withinMilliseconds: waitMilliseconds)
        } then: { context, _ in
            let state = try device.bankConnections().first { $0.id == id }?.state
            if state == .connected {
                device.show(Device.Toast(key: "bank-refreshed", text: Text("banks.refreshed")))
            }
            return context.redirect(to: .banks)
        }
    }
}

/// `POST /banks/ID/disconnect`: removes a connection with its data from this device.
enum BankDisconnect {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        do throws(BankRefusal) { try device.disconnectBank(id) } catch {
            switch error {
            case .device(let error): throw error
            default: throw Refusal.notFound
            }
        }
        device.show(Device.Toast(key: "bank-disconnected", text: Text("banks.bank-disconnected")))
        return context.redirect(to: .banks)
    }
}
