// Removal of the oldest changes from the histories of the books, between requests.

import Book
import Ledger

extension DeviceManager {
    /// The interval of rounds, in milliseconds.
    private static let historyMilliseconds: Int64 = 60_000
    /// The interval of checks of a device, in seconds.
    static let historySeconds: Int64 = 86_400
    /// The number of books that are checked in each round: each of 28,000 devices once a day.
    private static let checkedEachRound = 20

    /// Checks the history of each device in memory once a day, the first time a day after it was loaded.
    public func watchHistories() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                await pause(Self.historyMilliseconds)
                await self?.shortenHistories()
            }
        }
    }

    /// Removes the changes that are not kept from the books that are due and not in use.
    func shortenHistories(_ retention: HistoryRetention = HistoryRetention()) async {
        let now = dependencies.now
        let devices = state.withLock { Array($0.devices.values) }
        for device in devices.filter({ $0.isHistoryDue(at: now) }).prefix(Self.checkedEachRound) {
            guard !Task.isCancelled else { return }
            await device.shortenHistory(retention, now)
        }
    }
}

extension Device {
    /// The pause between two steps, in milliseconds. A change of the user that waits for one step is made before the
    /// next.
    private static let historyPause: Int64 = 20

    /// Whether the book's history was not checked for a day. The day begins with the first call.
    fileprivate func isHistoryDue(at now: Int64) -> Bool {
        machine { machine in
            let checked = machine.historyCheckedAt ?? now
            machine.historyCheckedAt = checked
            return now < checked || now - checked >= DeviceManager.historySeconds
        }
    }

    /// Removes the changes that are not kept, step by step. A book that is being changed is left alone until the next
    /// round.
    fileprivate func shortenHistory(_ retention: HistoryRetention, _ now: Int64) async {
        if services.folder.hasBook(of: id) {
            do {
                while !Task.isCancelled {
                    // Each step has its own lease, so that exclusive use does not wait for all of them.
                    let lease = try await lease()
                    guard !lease.book.isChanging else { return }
                    guard try lease.book.shortenHistory(retention) else { break }
                    lease.giveBack()
                    await services.dependencies.pause(Self.historyPause)
                }
                // The files of receipts whose deletion can no longer be undone.
                let lease = try await lease()
                try services.collectFiles(of: id, lease.book)
            } catch {
                services.dependencies.log.warning("a history is not shortened: \(error) (device \(id))")
            }
        }
        machine { $0.historyCheckedAt = now }
    }
}
