// What the operator has ordered from the command line, carried out within a second.

import Book
import Ledger
import Lifecycle
import SyncCore

extension DeviceManager {
    /// Carries out what waits. An order that fails is tried again a second later; one that a dying process has half carried
    /// out is carried out again.
    func carryOutOrders() async {
        let register = services.register
        for (number, order) in (try? register.orders()) ?? [] {
            do {
                switch order {
                case .lock(let device): try await end(device, .locked)
                case .erase(let device): try await end(device, .erased)
                case .prune(let seconds): await forgetIdleGuests(unfinishedFor: seconds, emptyFor: seconds)
                }
                try register.removeOrder(number)
                dependencies.log("carried out: \(order)")
            } catch { dependencies.log("an order cannot be carried out: \(error) (\(order))") }
        }
    }

    private func end(_ id: EntityID, _ ending: SessionEnding) async throws {
        guard let record = try services.register.device(id) else { return }
        let device = try device(record)
        if let session = device.session {
            // The cloud is told as well: nobody else may go on with the same token.
            if let token = session.token { services.revoker.end(token, of: id) }
            try await device.send(.endedHere(ending))
        } else if ending == .erased {
            try await forget(record) {
                try $0.forget(id); return true
            }
        }
    }
}
