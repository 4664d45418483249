// The first page of an account's data is loaded beside the present book, before it takes the place of that book.

import Book
import CloudProtocol
import DeviceStore
import Ledger
import Lifecycle
import SyncCore
import SyncEngine

extension Device {
    /// Loads the first page of an account into a book of its own. The present book stays as it is until then, and the new one
    /// has its currency, accounts and categories when it takes its place, so that entries can be made at once.
    ///
    /// Without a first page there is no exchange: `firstPageTrouble` has the reason for the page of the user, who can wait or
    /// leave.
    /// A disk without room for two books is the exception, because a sign-in is not refused for want of room: the
    /// present book gives way first, and the empty book that follows says what is still to come.
    /// - Returns: false if the disk failed.
    /// - Throws: the refusals of the cloud.
    func loadNextBook(of user: EntityID, _ token: SessionToken) async throws(CloudError) -> Bool {
        guard services.room.acceptsSecondBook else { return true }
        let (folder, dependencies, id) = (services.folder, services.dependencies, id)
        let path = folder.loadingBookPath(of: id, attempt: dependencies.newID())
        let new = dependencies.newID()
        let (replica, rows) = machine { $0.firstPage.begin(as: new) }
        defer {
            // A book that was kept has another name. A book that was not kept, also because the user has cancelled the
            // sign-in meanwhile, leaves nothing of the account here.
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
                try await loadFirstPage(into: book, as: replica, rows: rows, token)
            }
            guard !Task.isCancelled else { return false }
            try folder.keepNextBook(of: id, from: path)
            // The user may have left while the file got its name.
            if Task.isCancelled, !state.awaitsNextBook { dropNextBook() }
            note(nil)
            return true
        } catch let refusal as CloudError { throw refusal } catch {
            dependencies.log.error("sync: no first page: \(error) (device \(id))")
            switch error {
            case BookError.diskFull, DataFolderError.diskFull: return true
            default: note(.storage)
            }
            return false
        }
    }

    /// Notes the result of an attempt to load the first page, unless it was cancelled or its state has ended.
    func note(_ trouble: FirstPageTrouble?) {
        guard !Task.isCancelled else { return }
        machine { machine in
            if machine.state.awaitsNextBook { machine.firstPage.note(trouble) }
        }
    }

    private func loadFirstPage(into book: Book, as replica: EntityID, rows: Int, _ token: SessionToken)
        async throws
    {
        try book.attach(as: replica, .download)
        switch await SyncRequest.head(replica).ask(services.cloud, token) {
        case .head(let head): try book.adopt(head, as: replica)
        case .refused(let error): throw error
        case .pushed, .changes, .detached: throw CloudError.malformed
        }
        let state = try book.replicaState()
        guard let epoch = state.epoch else { throw CloudError.malformed }
        let query = ChangesQuery(
            replica: replica,
            epoch: epoch,
            range: .snapshot(from: ""),
            limit: rows,
            lastN: state.lastN,
            seen: state.seen
        )
        switch await SyncRequest.changes(query).ask(services.cloud, token) {
        case .changes(let page): try book.apply(snapshot: page, to: query)
        case .refused(let error):
            machine { $0.firstPage.limit.note(error) }
            throw error
        case .head, .pushed, .detached: throw CloudError.malformed
        }
    }

    /// The number of rows of the first page: it has the accounts, categories, budgets and preferences of most users,
    /// and arrives soon over a slow line as well. Over a line that breaks before that, it has fewer rows.
    static let firstRows = 100

    /// The reason why there is no first page yet; nil if no attempt of this state has failed.
    public var firstPageTrouble: FirstPageTrouble? { machine { $0.firstPage.trouble } }

    /// Whether the account has premium and its data is on its way: to a guest who has signed in, or to a blocked account,
    /// whose book is empty.
    public var awaitsFirstPage: Bool {
        let now = services.dependencies.now
        return machine { machine in
            switch machine.state {
            case .verifyingAccount: return machine.firstPage.hasBegun
            case .blocked:
                guard let session = machine.session, !session.isRevoked else { return false }
                return session.isPremium(at: now)
            default: return false
            }
        }
    }

    /// Whether the book of a guest who has signed in can be read: it stays as it is until the first page of the account is
    /// here. Before the account was found to have premium, nothing is shown.
    public var showsFormerBook: Bool {
        machine { machine in
            guard case .verifyingAccount(_, from: .guest) = machine.state else { return false }
            return machine.firstPage.hasBegun
        }
    }

    /// Puts the book of the account in the place of the present one, once that is unused. Does nothing if the account's book
    /// is there already, because the process died in between.
    ///
    /// A disk may lose the next book: the book is then an empty one, which the sync fills.
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
        machine { $0.filesElsewhere.forget() }
        withdraw(.damagedFiles)
        banksWereRemoved()
    }

    /// Removes the next book in a state that does not use it.
    func dropNextBook() {
        guard !state.usesNextBook else { return }
        do { try services.folder.removeNextBooks(of: id) } catch {
            services.dependencies.log.error("the data of an account was not removed: \(error) (device \(id))")
        }
    }

    /// Whether the next book is the user's: a cancelled attempt may have left another book.
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

extension State {
    /// Whether the next book takes the place of the present one in this state, or at a retry of it.
    fileprivate var usesNextBook: Bool {
        switch self {
        case .switchingToSync: true
        case .error(let failure): failure.from.usesNextBook
        default: false
        }
    }

    /// Whether the first page of an account may be loaded in this state, or was loaded for it.
    fileprivate var awaitsNextBook: Bool {
        switch self {
        case .verifyingAccount, .blocked: true
        default: usesNextBook
        }
    }
}
