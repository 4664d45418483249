// The first page of an account's data is loaded beside the present book, before it takes the place of that book.

import Book
import CloudProtocol
import DeviceStore
import Ledger
import SyncCore
import SyncEngine

extension Device {
    /// Loads the first page of an account into a book of its own. The guest's book stays as it is until then, and the new
    /// one has its currency, accounts and categories when it takes its place, so that entries can be made at once.
    ///
    /// Without a next book, because the cloud refuses the data or the disk is full, the device begins with an empty one and
    /// shows the reason.
    /// - Throws: refusals after which the request is sent again, and the end of the session.
    func loadNextBook(of user: EntityID, _ token: SessionToken) async throws(CloudError) {
        guard services.room.acceptsSecondBook else { return }
        let (folder, dependencies, id) = (services.folder, services.dependencies, id)
        let path = folder.loadingBookPath(of: id, attempt: dependencies.newID())
        machine { $0.loadingNextBooks += 1 }
        defer {
            machine { $0.loadingNextBooks -= 1 }
            // A book that was kept has another name. One that was not, also because the user has cancelled the sign-in
            // meanwhile, leaves nothing of the account here.
            do { try folder.removeLoadingBook(at: path) } catch {
                dependencies.log.error("the data of an account was not removed: \(error) (device \(id))")
            }
        }
        do {
            try folder.prepareBookFolder(of: id)
            try folder.removeNextBooks(of: id)
            let book = try Book.open(at: path, clock: { dependencies.now }, mostBytes: services.bookBytes)
            do {
                defer { book.close() }
                try book.move(to: user)
                try await loadFirstPage(into: book, token)
            }
            guard !Task.isCancelled else { return }
            try folder.keepNextBook(of: id, from: path)
        } catch let refusal as CloudError {
            guard refusal.mayPass || refusal.sessionEnding != nil else {
                dependencies.log.warning("sync: no first page: \(refusal) (device \(id))")
                return
            }
            throw refusal
        } catch {
            dependencies.log.error("sync: no first page: \(error) (device \(id))")
        }
    }

    private func loadFirstPage(into book: Book, _ token: SessionToken) async throws {
        let replica = services.dependencies.newID()
        try book.attach(as: replica, .download)
        switch await SyncRequest.head(replica).ask(services.cloud, token) {
        case .head(let head): try book.adopt(head, as: replica)
        case .refused(let error): throw error
        case .pushed, .changes, .detached: return
        }
        let state = try book.replicaState()
        guard let epoch = state.epoch else { return }
        let query = ChangesQuery(
            replica: replica,
            epoch: epoch,
            range: .snapshot(from: ""),
            limit: Self.firstRows,
            lastN: state.lastN,
            seen: state.seen
        )
        switch await SyncRequest.changes(query).ask(services.cloud, token) {
        case .changes(let page): try book.apply(snapshot: page, to: query)
        case .refused(let error): throw error
        case .head, .pushed, .detached: return
        }
    }

    /// The number of rows of the first page: it has the accounts, categories, budgets and preferences of most, and is here
    /// soon over a slow line as well.
    private static let firstRows = 100

    /// Whether the account is verified, and its first page is being loaded.
    public var isLoadingNextBook: Bool { machine { $0.loadingNextBooks > 0 } }

    /// Puts the book of the account in the place of the present one, once that is unused; an empty one without a book of the
    /// account. Does nothing if the account's book is there already, because the process died in between.
    func replaceBook(for user: EntityID) async throws(DevicesError) {
        let (folder, store, id) = (services.folder, services.store, id)
        guard folder.hasNextBook(of: id), isNextBook(of: user) else {
            if try await isAttachedBook() { return }
            return try await clearBook()
        }
        let now = services.dependencies.now
        try await services.books.closing(id) { () throws(DevicesError) in
            do throws(DataFolderError) { try folder.replaceBook(of: id) } catch { throw .folder(error) }
            try wrapping { () throws(DeviceStoreError) in try store.note(hasBook: true, id, now: now) }
            machine { $0.rates.forgetStored() }
        }
        machine { $0.filesElsewhere = FilesElsewhere() }
        banksWereRemoved()
    }

    /// Removes the next book in a state that does not use it.
    func dropNextBook() {
        if case .switchingToSync = state { return }
        do { try services.folder.removeNextBooks(of: id) } catch {
            services.dependencies.log.error("the data of an account was not removed: \(error) (device \(id))")
        }
    }

    /// Whether the next book is that of the user: an attempt that was cancelled may have left another one.
    private func isNextBook(of user: EntityID) -> Bool {
        let dependencies = services.dependencies
        let path = services.folder.nextBookPath(of: id)
        guard let book = try? Book.open(at: path, clock: { dependencies.now }) else { return false }
        defer { book.close() }
        return (try? book.owner()) == user
    }

    private func isAttachedBook() async throws(DevicesError) -> Bool {
        do throws(DevicesError) {
            return try await withBookAlone { book throws(BookError) in try book.replicaState().replica != nil
            }
        } catch {
            // It is removed, and need not be readable.
            if case .book(.damaged) = error { return false }
            throw error
        }
    }
}

extension CloudError {
    /// Whether the same request may succeed soon.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable, .timedOut, .cutOff, .busy, .tooManyAttempts, .failed, .epochChanged: true
        default: false
        }
    }
}
