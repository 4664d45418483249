// The open books. Each is opened once for all its users, stays open while it is used, and is closed when it
// is the least recently used.

public import Book
import Ledger
import Synchronization

/// The open books of a server, by device. Safe to use from any thread.
///
/// A task waits while the book is being opened or closed or is in exclusive use; a waiting task occupies no
/// thread. The mutex guards the slots only: files are opened and closed outside of it.
final class BookPool: Sendable {
    private let state = Mutex(BookSlots())
    private let capacity: Int

    /// - Parameter capacity: the number of unused books that stay open.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The number of open books.
    var openCount: Int { state.withLock { $0.openCount } }

    /// A lease on an open book; nil if the caller would have to wait.
    /// - Parameter isUse: whether it makes the book a recently used one.
    func leaseIfOpen(_ device: EntityID, isUse: Bool = true) -> BookLease? {
        state.withLock { $0.leaseIfOpen(device, isUse: isUse) }.map { BookLease($0, of: device, in: self) }
    }

    /// A lease on a book, which is opened if necessary. Tasks that ask during an opening share it and, if it
    /// fails, its error.
    func lease(
        _ device: EntityID,
        opening: () throws(DevicesError) -> Book
    ) async throws(DevicesError) -> BookLease {
        while true {
            switch state.withLock({ $0.enter(device) }) {
            case .leased(let book): return BookLease(book, of: device, in: self)
            case .mustOpen:
                let book = try open(device, opening)
                finish(device, with: book, leases: 1)
                return BookLease(book, of: device, in: self)
            case .mustWait:
                if case .failed(let error) = await wait(for: device) { throw error }
            case .closed: throw .book(.closed)
            }
        }
    }

    /// Uses a book exclusively: waits until every lease is given back, and blocks new leases during the call.
    func alone<Value>(
        with device: EntityID,
        opening: () throws(DevicesError) -> Book,
        _ work: (Book) throws(DevicesError) -> Value
    ) async throws(DevicesError) -> Value {
        guard let found = await acquire(device) else { throw .book(.closed) }
        let book: Book
        switch found {
        case .open(let open): book = open
        case .closed: book = try open(device, opening)
        }
        defer { finish(device, with: book) }
        return try work(book)
    }

    /// Closes a book once it is unused, calls `work` on its file, and allows it to be opened again.
    func closing(_ device: EntityID, _ work: () throws(DevicesError) -> Void) async throws(DevicesError) {
        guard let found = await acquire(device) else { throw .book(.closed) }
        if case .open(let book) = found { book.close() }
        defer { finish(device, with: nil) }
        try work()
    }

    /// Releases the memory of the books that were not used since the call before, once for each use.
    func releaseUnusedMemory() {
        for (device, book) in state.withLock({ $0.enterUnused() }) {
            book.releaseMemory()
            giveBack(device)
        }
    }

    /// Closes every book as soon as it is unused. No book can be opened afterwards.
    func closeAll() async {
        for device in state.withLock({ $0.close() }) {
            guard let found = await acquire(device, isClosing: true) else { continue }
            if case .open(let book) = found { book.close() }
            finish(device, with: nil)
        }
    }

    fileprivate func giveBack(_ device: EntityID) {
        let owner = state.withLock { $0.giveBack(device) }
        owner?.resume(returning: .isOwner)
        if owner == nil { evict() }
    }

    private func open(_ device: EntityID, _ opening: () throws(DevicesError) -> Book) throws(DevicesError)
        -> Book
    {
        do { return try opening() } catch {
            finish(device, with: nil, failure: error)
            throw error
        }
    }

    /// Acquires exclusive use of a slot, until `finish`.
    /// - Returns: nil if the pool is closed.
    private func acquire(_ device: EntityID, isClosing: Bool = false) async -> BookSlots.Found? {
        while true {
            switch state.withLock({ $0.acquire(device, isClosing: isClosing) }) {
            case .found(let found): return found
            case .closed: return nil
            case .mustWait: _ = await wait(for: device)
            case .mustWaitForLeases(let book):
                let wake = await withCheckedContinuation { (waiter: BookSlots.Waiter) in
                    if !state.withLock({ $0.queue(owner: waiter, of: device) }) {
                        waiter.resume(returning: .askAgain)
                    }
                }
                if case .isOwner = wake { return .open(book) }
            }
        }
    }

    private func wait(for device: EntityID) async -> BookSlots.Wake {
        await withCheckedContinuation { (waiter: BookSlots.Waiter) in
            if !state.withLock({ $0.queue(waiter, for: device) }) { waiter.resume(returning: .askAgain) }
        }
    }

    /// Ends the exclusive use of a slot.
    private func finish(_ device: EntityID, with book: Book?, leases: Int = 0, failure: DevicesError? = nil) {
        let waiters = state.withLock { $0.finish(device, book, leases: leases) }
        for waiter in waiters { waiter.resume(returning: failure.map { .failed($0) } ?? .askAgain) }
        evict()
    }

    /// Closes the unused books beyond the capacity, the least recently used first.
    private func evict() {
        while let (device, book) = state.withLock({ $0.evict(capacity: capacity) }) {
            // A checkpoint takes as long as the disk needs, and the caller may be answering a request. It
            // precedes waiting jobs: when thousands of devices open their books, hundreds would be open
            // before the first is closed.
            Background.run(first: true) { [self] in
                book.close()
                finish(device, with: nil)
            }
        }
    }
}

/// The right to use a book until it is given back. During the lease the book is neither closed nor cleared.
public final class BookLease: Sendable {
    /// The leased book. It must not be used after the lease.
    public let book: Book
    private let device: EntityID
    private let pool: BookPool
    private let isGivenBack = Atomic(false)

    fileprivate init(_ book: Book, of device: EntityID, in pool: BookPool) {
        self.book = book
        self.device = device
        self.pool = pool
    }

    deinit { giveBack() }

    /// Ends the lease. A second call does nothing.
    public func giveBack() {
        if !isGivenBack.exchange(true, ordering: .acquiringAndReleasing) { pool.giveBack(device) }
    }
}

/// The slots of all books. A value: it opens and closes nothing, and returns the work to do.
///
///     closed ─ enter ─▶ exclusive (opening) ─ finish ─▶ open, with leases ─ giveBack ─▶ open, without a lease
///        ▲                                                                                      │
///        └──────────────── finish ── exclusive (closing, or its owner's work) ◀─ acquire, evict ┘
private struct BookSlots {
    /// The end of a wait.
    enum Wake: Sendable {
        /// The slot may be free: ask again.
        case askAgain
        /// The opening failed.
        case failed(DevicesError)
        /// The last lease was given back, and the waiter now has exclusive use.
        case isOwner
    }

    typealias Waiter = CheckedContinuation<Wake, Never>

    enum Entry {
        case leased(Book), mustOpen, mustWait, closed
    }

    enum Found {
        case open(Book), closed
    }

    enum Acquisition {
        case found(Found), mustWait, mustWaitForLeases(Book), closed
    }

    private struct Slot {
        /// Nil while the file is closed or being opened.
        var book: Book?
        var leases = 0
        var isAlone = false
        /// The task that waits for exclusive use. No new lease is given until it has had it.
        var owner: Waiter?
        var waiters: [Waiter] = []
        var usedAt: UInt64 = 0
        /// Whether its memory was released since its last use.
        var isReleased = false

        var isTaken: Bool { isAlone || owner != nil }
    }

    private var slots: [EntityID: Slot] = [:]
    private var clock: UInt64 = 0
    private var isClosed = false
    /// The clock at the last call of `enterUnused`.
    private var passedAt: UInt64 = 0

    var openCount: Int { slots.values.count { $0.book != nil } }

    mutating func leaseIfOpen(_ device: EntityID, isUse: Bool) -> Book? {
        guard !isClosed, let slot = slots[device], !slot.isTaken, let book = slot.book else { return nil }
        if isUse { lease(device) } else { slots[device]?.leases += 1 }
        return book
    }

    mutating func enter(_ device: EntityID) -> Entry {
        guard !isClosed else { return .closed }
        guard let slot = slots[device] else {
            slots[device] = Slot(isAlone: true)
            return .mustOpen
        }
        guard !slot.isTaken, let book = slot.book else { return .mustWait }
        lease(device)
        return .leased(book)
    }

    mutating func acquire(_ device: EntityID, isClosing: Bool) -> Acquisition {
        guard isClosing || !isClosed else { return .closed }
        guard let slot = slots[device] else {
            slots[device] = Slot(isAlone: true)
            return .found(.closed)
        }
        guard !slot.isTaken, let book = slot.book else { return .mustWait }
        guard slot.leases == 0 else { return .mustWaitForLeases(book) }
        slots[device]?.isAlone = true
        return .found(.open(book))
    }

    /// - Returns: whether the waiter is queued; false if there is no reason to wait any more.
    mutating func queue(_ waiter: Waiter, for device: EntityID) -> Bool {
        guard slots[device]?.isTaken == true else { return false }
        slots[device]?.waiters.append(waiter)
        return true
    }

    /// - Returns: as `queue(_:for:)`.
    mutating func queue(owner: Waiter, of device: EntityID) -> Bool {
        guard let slot = slots[device], !slot.isTaken, slot.leases > 0 else { return false }
        slots[device]?.owner = owner
        return true
    }

    /// - Returns: the waiter that now has exclusive use, if one waited for this lease.
    mutating func giveBack(_ device: EntityID) -> Waiter? {
        guard var slot = slots[device] else { return nil }
        slot.leases = max(0, slot.leases - 1)
        var owner: Waiter?
        if slot.leases == 0, let waiting = slot.owner {
            (owner, slot.owner, slot.isAlone) = (waiting, nil, true)
        }
        slots[device] = slot
        return owner
    }

    /// - Returns: the tasks that waited.
    mutating func finish(_ device: EntityID, _ book: Book?, leases: Int) -> [Waiter] {
        let waiters = slots[device]?.waiters ?? []
        clock += 1
        slots[device] = book.map { Slot(book: $0, leases: leases, usedAt: clock) }
        return waiters
    }

    /// - Returns: the book to close next, in exclusive use by the caller; nil within the capacity.
    mutating func evict(capacity: Int) -> (EntityID, Book)? {
        let open = slots.lazy.filter { $0.value.book != nil && !$0.value.isTaken }
        guard open.count > capacity,
            let oldest = open.filter({ $0.value.leases == 0 }).min(by: { $0.value.usedAt < $1.value.usedAt }),
            let book = oldest.value.book
        else { return nil }
        slots[oldest.key]?.isAlone = true
        return (oldest.key, book)
    }

    /// Leases the books without a lease whose last use was before the last call; their memory is to be released. That is
    /// not a use, which would make them younger.
    mutating func enterUnused() -> [(EntityID, Book)] {
        guard !isClosed else { return [] }
        defer { passedAt = clock }
        return slots.compactMap { device, slot in
            guard let book = slot.book, !slot.isTaken, slot.leases == 0, !slot.isReleased,
                slot.usedAt <= passedAt
            else { return nil }
            slots[device]?.leases += 1
            slots[device]?.isReleased = true
            return (device, book)
        }
    }

    /// - Returns: the devices whose slots are in use.
    mutating func close() -> [EntityID] {
        isClosed = true
        return Array(slots.keys)
    }

    private mutating func lease(_ device: EntityID) {
        clock += 1
        slots[device]?.leases += 1
        slots[device]?.usedAt = clock
        slots[device]?.isReleased = false
    }
}
