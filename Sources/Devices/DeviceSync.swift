// A device and its sync: how it goes, and what its user can do about it.

public import Book
import Ledger
import Lifecycle
import SyncCore
public import SyncEngine

extension Device {
    /// How sync goes; nil where it is not attached.
    /// - Parameter book: knows best what waits: the last change may be newer than the engine's last word. Nil where it
    ///   is not open; then that word counts.
    public func syncStatus(in book: Book?) -> SyncStatus? {
        let (session, last) = machine { ($0.session, $0.syncStatus) }
        guard let session, session.isAttached else { return nil }
        var status = last ?? SyncStatus(phase: .connecting)
        if let standing = try? book?.standing() {
            (status.pending, status.failed, status.syncedAt) = (
                standing.pending, standing.failed, standing.syncedAt
            )
            if standing.isStopped { status.phase = .failed(.dataDeleted) }
            if status.phase == .idle, standing.pending > 0 { status.phase = .uploading }
        }
        if session.isRevoked { status.phase = .failed(.signInAgain) }
        return status
    }

    /// Counts what the cloud has not got; nothing where nothing is to go anywhere.
    func countWaiting() async throws(DevicesError) -> StepOutcome {
        guard session?.isAttached == true else { return .counted(pending: 0, refused: 0) }
        let lease = try await lease()
        defer { lease.giveBack() }
        let standing = try wrapping { () throws(BookError) in try lease.book.standing() }
        return .counted(pending: standing.pending, refused: standing.failed)
    }

    /// Goes on at once with what waits: the user does not want to wait.
    public func retrySync() { runner?.hurry() }

    /// Begins anew with a cloud whose data was deleted elsewhere: all that is here goes up.
    public func startSyncAnew() async throws(DevicesError) { try await send(.syncStartedAnew) }

    /// Signs out as soon as all is uploaded.
    /// - Parameter status: how sync goes now.
    public func signOutOnceSent(_ status: SyncStatus) {
        machine { $0.leavingTotal = max(1, status.unsent) }
        retrySync()
        // The last change may have gone up since the status was read, and its runner says so only once.
        post(.leftOnceSent)
    }

    /// Takes that back.
    public func stay() { machine { $0.leavingTotal = nil } }

    /// How many changes there were to upload when the user decided to sign out after them; nil for who stays.
    public var leavingTotal: Int? { machine { $0.leavingTotal } }

    /// Whether the next visit is to get another cookie, since the device has signed out by itself; asked once.
    func consumeCookieDue() -> Bool {
        machine { machine in
            defer { machine.isCookieDue = false }
            return machine.isCookieDue
        }
    }

    /// Dismisses the big page of a download: the indicator shows how it goes.
    public func dismissDownload() { machine { $0.isDownloadDismissed = true } }

    /// Whether the big page of a download is to be shown.
    public func showsDownload(in book: Book?) -> Bool {
        guard !machine({ $0.isDownloadDismissed }), let status = syncStatus(in: book) else { return false }
        switch status.phase {
        case .downloading: return true
        case .connecting: return ((try? book?.standing().download) ?? nil) != nil
        default: return false
        }
    }

    /// Whether rows have arrived a moment ago: a page that was read then may not show them yet.
    public var hasFreshRows: Bool {
        services.dependencies.now - machine { $0.arrivedAt } <= Self.freshSeconds
    }

    private static let freshSeconds: Int64 = 5

    // MARK: - What its runner says

    func syncMoved(_ status: SyncStatus, run: Int) {
        let leaves = machine { machine in
            guard machine.syncRun == run else { return false }
            machine.syncStatus = status
            return machine.leavingTotal != nil && status.unsent == 0
        }
        notify(.status)
        if leaves { post(.leftOnceSent) }
    }

    func rowsArrived() {
        let now = services.dependencies.now
        machine { $0.arrivedAt = now }
        notify(.rows)
    }
}
