// Removal of idle guests, whose books would use disk space and places forever.

public import Book
import DeviceStore
public import Ledger

extension DeviceManager {
    /// The time without use after which a guest who never finished the onboarding is removed, in seconds.
    package static let unfinishedSeconds: Int64 = 86_400
    /// The time without use after which a guest without entries is removed, in seconds.
    static let emptySeconds: Int64 = 30 * 86_400
    private static let fewestSeconds = 2 * DeviceStore.seenEverySeconds
    private static let sweepMilliseconds: Int64 = 3_600_000

    /// Removes idle guests now and then every hour.
    public func watchGuests() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                await self?.forgetIdleGuests(
                    unfinishedFor: Self.unfinishedSeconds,
                    emptyFor: Self.emptySeconds
                )
                await pause(Self.sweepMilliseconds)
            }
        }
    }

    /// Removes guests who never finished the onboarding or have entered nothing, and were not seen for a
    /// number of seconds, with their books. A guest with any entry, also a deleted one, is never removed.
    func forgetIdleGuests(unfinishedFor unfinished: Int64, emptyFor empty: Int64) async {
        let (store, now) = (services.store, dependencies.now)
        // A use is recorded once an hour, so that more recent guests cannot be called idle, even by the
        // operator's order.
        let (unfinished, empty) = (max(unfinished, Self.fewestSeconds), max(empty, Self.fewestSeconds))
        var count = 0
        do {
            let guests =
                try store.idleGuests(seenBefore: now - unfinished, isUnfinished: true)
                + store.idleGuests(seenBefore: now - empty, isUnfinished: false)
            for guest in guests {
                // A file that cannot be removed does not stop the removal of others.
                do { if try await forgetIfEmpty(guest) { count += 1 } } catch {
                    dependencies.log.error("a guest cannot be removed: \(error) (device \(guest.id))")
                }
            }
        } catch { dependencies.log.error("idle guests cannot be removed: \(error)") }
        if count > 0 {
            dependencies.log("forgotten: \(count == 1 ? "1 idle guest" : "\(count) idle guests")")
        }
    }

    private func forgetIfEmpty(_ guest: DeviceRecord) async throws -> Bool {
        // An open tab counts as use.
        guard !Task.isCancelled, loaded(guest.id)?.isWatched != true else { return false }
        return try await forget(guest) { store in
            guard isEmpty(guest) else {
                try store.keepGuest(guest)
                return false
            }
            return try store.forgetGuest(guest)
        }
    }

    /// Removes a device with its book, which is in exclusive use during the call.
    /// - Parameter remove: removes the record from the device store, or decides to keep it.
    @discardableResult
    func forget(_ record: DeviceRecord, _ remove: (DeviceStore) throws -> Bool) async throws -> Bool {
        let (store, folder) = (services.store, services.folder)
        var result = Result<Bool, any Error>.success(false)
        try await services.books.closing(record.id) {
            result = Result {
                guard try remove(store) else { return false }
                // A crash here leaves a file without a device, and never a device without its book.
                try folder.removeBook(of: record.id)
                return true
            }
        }
        let isForgotten = try result.get()
        if isForgotten {
            drop(record.id)
            services.room.leave(record.id)
        }
        return isForgotten
    }

    /// Whether a guest's book contains only what every new one contains. A book that cannot be read is not
    /// empty.
    private func isEmpty(_ guest: DeviceRecord) -> Bool {
        // A book that existed and is missing is a fault to report, and not an empty one.
        guard services.folder.hasBook(of: guest.id) else {
            return (try? services.store.hasBook(guest.id)) == false
        }
        guard let book = try? services.openBook(of: guest.id, changed: {}) else { return false }
        defer { book.close() }
        return (try? book.hasEverHeldEntries() == false && book.entries(of: guest.guest) == 0) ?? false
    }
}

extension Book {
    /// The number of entries that a guest would lose with this book. The default content is no loss, unless
    /// it was changed or deleted.
    /// - Parameter guest: the guest who owns the book.
    public func entries(of guest: EntityID) throws(BookError) -> Int {
        let (counts, choices) = (try counts(), try choices())
        func differing<Value: Identifiable & Equatable>(_ present: [Value], from seeded: [Value]) -> Int {
            let known = Dictionary(uniqueKeysWithValues: present.map { ($0.id, $0) })
            return present.count { value in !seeded.contains { $0.id == value.id } }
                + seeded.count { known[$0.id] != $0 }
        }
        // The currency of the defaults is not known any more.
        let accounts = choices.accounts.map { account in
            var account = account
            account.currency = .eur
            return account
        }
        // A guest who never answered the onboarding has no defaults yet.
        let entered = counts.transactions + counts.budgets + counts.schedules
        if accounts.isEmpty, choices.categories.isEmpty { return entered }
        return entered
            + differing(accounts, from: Seed.accounts(of: guest, currency: .eur))
            + differing(choices.categories, from: Seed.categories(of: guest))
    }
}
