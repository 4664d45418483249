// Guests who came and went: what they left behind takes no room from others.

public import Book
import DeviceStore
public import Ledger

extension DeviceManager {
    /// After so long without use a guest is forgotten who never finished the onboarding, in seconds.
    public static let unfinishedSeconds: Int64 = 86_400
    /// After so long without use a guest is forgotten who has entered nothing, in seconds.
    public static let emptySeconds: Int64 = 30 * 86_400
    private static let fewestSeconds = 2 * DeviceStore.seenEverySeconds
    private static let sweepMilliseconds: Int64 = 3_600_000

    /// Forgets idle guests now and every hour from now on.
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

    /// Forgets the guests who never finished the onboarding or have entered nothing, and were not seen for so many seconds,
    /// with their books. Whoever has entered anything, also something deleted since, is kept for good.
    func forgetIdleGuests(unfinishedFor unfinished: Int64, emptyFor empty: Int64) async {
        let (store, now) = (services.store, dependencies.now)
        // Being seen is noted once an hour: whoever was seen since is not idle, whatever the operator orders.
        let (unfinished, empty) = (max(unfinished, Self.fewestSeconds), max(empty, Self.fewestSeconds))
        var count = 0
        do {
            let guests =
                try store.idleGuests(seenBefore: now - unfinished, isUnfinished: true)
                + store.idleGuests(seenBefore: now - empty, isUnfinished: false)
            for guest in guests {
                // One whose file cannot be removed keeps no other one.
                do { if try await forgetIfEmpty(guest) { count += 1 } } catch {
                    dependencies.log.error("a guest cannot be forgotten: \(error) (device \(guest.id))")
                }
            }
        } catch { dependencies.log.error("idle guests cannot be forgotten: \(error)") }
        if count > 0 {
            dependencies.log("forgotten: \(count == 1 ? "1 idle guest" : "\(count) idle guests")")
        }
    }

    private func forgetIfEmpty(_ guest: DeviceRecord) async throws -> Bool {
        // A tab that is open counts as use.
        guard !Task.isCancelled, loaded(guest.id)?.isWatched != true else { return false }
        return try await forget(guest) { store in
            guard isEmpty(guest) else {
                try store.keepGuest(guest)
                return false
            }
            return try store.forgetGuest(guest)
        }
    }

    /// Removes a device with its book, which nobody has open meanwhile.
    /// - Parameter remove: takes it out of the device store, unless it is to stay.
    @discardableResult
    func forget(_ record: DeviceRecord, _ remove: (DeviceStore) throws -> Bool) async throws -> Bool {
        let (store, folder) = (services.store, services.folder)
        var result = Result<Bool, any Error>.success(false)
        try await services.books.closing(record.id) {
            result = Result {
                guard try remove(store) else { return false }
                // A process that dies here leaves a file that belongs to nobody, and never a device without its book.
                try folder.removeBook(of: record.id)
                return true
            }
        }
        let isForgotten = try result.get()
        if isForgotten { drop(record.id) }
        return isForgotten
    }

    /// Whether a guest's book holds nothing but what every new one begins with. One that cannot be read is not empty.
    private func isEmpty(_ guest: DeviceRecord) -> Bool {
        // One that was there and is missing is a fault to be told, and not an empty one.
        guard services.folder.hasBook(of: guest.id) else {
            return (try? services.store.hasBook(guest.id)) == false
        }
        guard let book = try? services.openBook(of: guest.id, changed: {}) else { return false }
        defer { book.close() }
        return (try? book.hasEverHeldEntries() == false && book.entries(of: guest.guest) == 0) ?? false
    }
}

extension Book {
    /// How many entries a guest would lose with this book: what every new book begins with is no loss, unless it was
    /// changed or taken away.
    /// - Parameter guest: whose it is.
    public func entries(of guest: EntityID) throws(BookError) -> Int {
        let (counts, choices) = (try counts(), try choices())
        func differing<Value: Identifiable & Equatable>(_ present: [Value], from seeded: [Value]) -> Int {
            let known = Dictionary(uniqueKeysWithValues: present.map { ($0.id, $0) })
            return present.count { value in !seeded.contains { $0.id == value.id } }
                + seeded.count { known[$0.id] != $0 }
        }
        // Which currency they began with is not known any more.
        let accounts = choices.accounts.map { account in
            var account = account
            account.currency = .eur
            return account
        }
        // A guest who never answered the onboarding has none of these yet.
        if accounts.isEmpty, choices.categories.isEmpty { return counts.transactions + counts.budgets }
        return counts.transactions + counts.budgets
            + differing(accounts, from: Seed.accounts(of: guest, currency: .eur))
            + differing(choices.categories, from: Seed.categories(of: guest))
    }
}
