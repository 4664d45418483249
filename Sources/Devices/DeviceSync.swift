// A device and its sync: attaching and letting go, how it goes, and what its user can do about it.

import Book
import Ledger
import Lifecycle
import SyncCore
public import SyncEngine
import Synchronization

extension Device {
    /// How sync goes; nil where it is not attached.
    public var syncStatus: SyncStatus? {
        guard session?.isAttached == true else { return nil }
        var status = house.runners[id]?.status ?? SyncStatus(phase: .connecting)
        // The book knows best what waits: the last change may be newer than the last word of the engine.
        if let standing = try? book().standing() {
            (status.pending, status.failed, status.syncedAt) = (
                standing.pending, standing.failed, standing.syncedAt
            )
            if standing.isStopped { status.phase = .failed(.dataDeleted) }
            if status.phase == .idle, standing.pending > 0 { status.phase = .uploading }
        }
        if session?.isRevoked == true { status.phase = .failed(.signInAgain) }
        return status
    }

    /// How many changes wait for the cloud.
    public var pendingChanges: Int {
        session?.isAttached == true ? (try? book().standing().pending) ?? 0 : 0
    }

    /// The same where the standing is held already.
    func pending(_ standing: Standing) -> Int {
        standing.session?.isAttached == true ? (try? book().standing().pending) ?? 0 : 0
    }

    /// How many values wait for the user to decide.
    public var conflictsToReview: Int {
        guard session?.isAttached == true else { return 0 }
        return (try? book().openConflictCount()) ?? 0
    }

    /// Goes on at once with what waits: the user does not want to wait.
    public func retrySync() { house.runners[id]?.hurry() }

    /// Begins anew with a cloud whose data was deleted elsewhere: all that is here goes up.
    public func startSyncAnew() throws(DevicesError) {
        let (book, replica) = (try book(), house.surroundings.newID())
        try wrapping { () throws(BookError) in try book.rejoin(as: replica) }
        try standing.withLock { standing throws(DevicesError) in
            guard case .synced(let user, mustSignIn: false) = standing.state else { return }
            runSync(.run, user)
        }
    }

    /// Signs out as soon as all is uploaded.
    public func signOutOnceSent() {
        guard let status = syncStatus else { return }
        leaving.withLock { $0 = max(1, status.unsent) }
        retrySync()
        leaveIfSent(status)
    }

    /// Whether the next visit is to get another cookie, since the device has signed out by itself; asked once.
    func takeCookieDue() -> Bool {
        isCookieDue.withLock { isDue in
            defer { isDue = false }
            return isDue
        }
    }

    /// Takes that back.
    public func stay() { leaving.withLock { $0 = nil } }

    /// How many changes there were to upload when the user decided to sign out after them; nil for who stays.
    public var leavingTotal: Int? { leaving.withLock { $0 } }

    /// Dismisses the big page of a download: the indicator shows how it goes.
    public func dismissDownload() { isDownloadDismissed.withLock { $0 = true } }

    /// Whether the big page of a download is to be shown.
    public var showsDownload: Bool {
        guard !isDownloadDismissed.withLock({ $0 }), let status = syncStatus else { return false }
        switch status.phase {
        case .downloading: return true
        case .connecting: return ((try? book().standing().download) ?? nil) != nil
        default: return false
        }
    }

    /// Whether rows have arrived a moment ago: a page that was read then may not show them yet.
    public var hasFreshRows: Bool {
        house.surroundings.now - arrivedAt.withLock({ $0 }) <= Self.freshSeconds
    }

    private static let freshSeconds: Int64 = 5

    // MARK: - Effects

    func attachSync(_ how: Attaching, _ standing: inout Standing) throws(DevicesError) -> Event {
        let replica = house.surroundings.newID()
        isDownloadDismissed.withLock { $0 = how != .download }
        if how == .download { try clearBook() }
        let (book, user) = (try book(), standing.session?.user.id)
        try wrapping { () throws(BookError) in
            if how == .download, let user { try book.move(to: user) }
            try book.attach(as: replica, how == .download ? .download : .upload)
        }
        standing.session?.isAttached = true
        try keepSession(standing)
        return .schemaSwitchComplete
    }

    func detachSync(_ standing: inout Standing) throws(DevicesError) -> Event {
        let book = try book()
        try wrapping { () throws(BookError) in try book.detach() }
        standing.session?.isAttached = false
        try keepSession(standing)
        return .schemaSwitchComplete
    }

    func runSync(_ mode: SyncRunner.Engine.Mode, _ user: UserID) {
        house.runners.start(SyncRunner(self, mode: mode), for: id)
    }

    // MARK: - What the engine says

    func syncEnded(_ end: SyncEnd) {
        house.surroundings.log("sync: ended: \(end) (device \(id))")
        do {
            switch end {
            case .drained: try handle(.queueDrained)
            case .accountGone: try handle(.accountGone)
            case .sessionRevoked:
                try standing.withLock { standing throws(DevicesError) in
                    guard standing.session != nil else { return }
                    standing.session?.isRevoked = true
                    try keepSession(standing)
                    try run(.sessionRevoked, &standing)
                }
            case .dataDeleted, .notAttached: break
            }
        } catch { house.surroundings.log("sync: its end could not be kept: \(error) (device \(id))") }
        house.watchers.tell(id, .status)
    }

    func queueStalls() {
        do { try handle(.queueDrainTimeout) } catch {
            house.surroundings.log("sync: that it waits could not be kept: \(error) (device \(id))")
        }
    }

    func syncMoved(_ status: SyncStatus) {
        house.watchers.tell(id, .status)
        leaveIfSent(status)
    }

    /// What the cloud has refused would be lost like what it has not got.
    private func leaveIfSent(_ status: SyncStatus) {
        guard status.unsent == 0, leaving.withLock({ $0 }) != nil else { return }
        stay()
        do {
            try handle(.userSignedOut)
            // Nobody is there to be given another cookie now: the next visit is.
            isCookieDue.withLock { $0 = true }
            try house.register.expireCookie(of: id)
        } catch {
            house.surroundings.log("the user could not be signed out: \(error) (device \(id))")
        }
    }

    func rowsArrived(any: Bool = true) {
        guard any else { return }
        forgetWhatWasRead()
        arrivedAt.withLock { $0 = house.surroundings.now }
        house.watchers.tell(id, .rows)
    }
}

/// What there is to tell of a device.
public enum DeviceNews: Hashable, Sendable {
    /// How sync goes has changed.
    case status
    /// Rows of the book have.
    case rows
}

/// Who wants to know.
final class Watchers: Sendable {
    private let all = Mutex<[@Sendable (EntityID, DeviceNews) -> Void]>([])

    func add(_ watcher: @escaping @Sendable (EntityID, DeviceNews) -> Void) {
        all.withLock { $0.append(watcher) }
    }

    func tell(_ device: EntityID, _ news: DeviceNews) {
        for watcher in all.withLock({ $0 }) { watcher(device, news) }
    }
}
