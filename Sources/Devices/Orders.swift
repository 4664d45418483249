// The operator's orders from the command line, carried out within a second.

import CloudProtocol
import DeviceStore
import Ledger
import Lifecycle
import SyncCore

extension DeviceManager {
    /// Checks for orders every second. A slow order, whose book is in use, delays no other check.
    public func watchOrders() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                await self?.carryOutOrders()
                // A failure of the disk shows with the next change.
                try? self?.services.store.dropTraces()
                await pause(1_000)
            }
        }
    }

    /// Carries out the waiting orders. A failed order is tried again a second later; an order that a dying
    /// process has carried out in part is carried out again.
    func carryOutOrders() async {
        let store = services.store
        for (number, order) in (try? store.orders()) ?? [] {
            do {
                switch order {
                case .lock(let device): try await end(device, .locked)
                case .erase(let device): try await end(device, .erased)
                // Inspecting ten thousand books takes a while, and must not delay an order to lock.
                case .prune(let seconds):
                    services.tasks.run { [weak self] in
                        await self?.forgetIdleGuests(unfinishedFor: seconds, emptyFor: seconds)
                    }
                }
                try store.removeOrder(number)
                dependencies.log("carried out: \(order)")
            } catch  where state.withLock({ $0.failedOrders.insert(number).inserted }) {
                dependencies.log.error(
                    "an order cannot be carried out, and is tried again: \(error) (\(order))"
                )
            } catch {}
        }
    }

    private func end(_ id: EntityID, _ ending: SessionEnding) async throws {
        guard let record = try services.store.device(id) else { return }
        let device = try device(record)
        let isUsersBook = device.state.hasUsersBook
        if let session = device.session {
            // The cloud is notified as well: no copy of the token may be used any more.
            if let token = session.token { services.revoker.end(token, of: id) }
            try await device.send(.endedHere(ending))
        }
        // A guest's book is removed with its device, also if the guest was signing in.
        if ending == .erased, !isUsersBook { try await erase(record) }
    }

    /// Removes a guest's device with its book: the file first, so that an order that fails can be repeated.
    private func erase(_ record: DeviceRecord) async throws {
        let (store, folder, now) = (services.store, services.folder, dependencies.now)
        defer {
            drop(record.id)
            services.bankRevoker.wake()
        }
        var result = Result<Void, any Error>.success(())
        try await services.books.closing(record.id) {
            result = Result {
                try store.note(hasBook: false, record.id, now: now)
                try folder.removeBook(of: record.id)
                try store.forget(record.id)
            }
        }
        try result.get()
    }
}
