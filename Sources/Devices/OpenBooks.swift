// The books that are open: as many as are in use now, and some more that were used last.

import Book
import Ledger
import Synchronization

/// Open books by device; the one that was not used for longest is let go first.
///
/// A book that is let go closes when the last request that uses it has ended.
final class OpenBooks: Sendable {
    private struct Entry {
        let book: Book
        var usedAt: UInt64
    }

    private struct Shelf {
        var entries: [EntityID: Entry] = [:]
        var clock: UInt64 = 0
    }

    private let shelf = Mutex(Shelf())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The open book of a device, or nil.
    func find(_ device: EntityID) -> Book? {
        shelf.withLock { shelf in
            shelf.clock += 1
            shelf.entries[device]?.usedAt = shelf.clock
            return shelf.entries[device]?.book
        }
    }

    /// Keeps a book that was just opened.
    func keep(_ book: Book, of device: EntityID) {
        // Let go outside of the lock: closing folds the log into the file.
        let surplus: Book? = shelf.withLock { shelf in
            shelf.clock += 1
            shelf.entries[device] = Entry(book: book, usedAt: shelf.clock)
            guard shelf.entries.count > capacity,
                let oldest = shelf.entries.min(by: { $0.value.usedAt < $1.value.usedAt })
            else { return nil }
            return shelf.entries.removeValue(forKey: oldest.key)?.book
        }
        _ = surplus
    }

    /// Closes a device's book, where it is open.
    func close(_ device: EntityID) {
        shelf.withLock { $0.entries.removeValue(forKey: device)?.book }?.close()
    }

    /// Closes all.
    func closeAll() {
        let all = shelf.withLock { shelf in
            defer { shelf.entries = [:] }
            return shelf.entries.values.map(\.book)
        }
        for book in all { book.close() }
    }
}
