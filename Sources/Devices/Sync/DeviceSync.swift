// The sync of a device: its status, and the user's decisions about it.

public import Book
import Ledger
import Lifecycle
import SyncCore
public import SyncEngine

extension Device {
    /// The status of sync; nil if it is not attached.
    /// - Parameter book: the source of the current counts, which may be newer than the engine's last status.
    ///   Nil if the book is not open; then the status counts.
    public func syncStatus(in book: Book?) -> SyncStatus? {
        let (session, last) = machine { ($0.session, $0.syncStatus) }
        guard let session, session.isAttached else { return nil }
        var status = last ?? SyncStatus(phase: .connecting)
        if let facts = try? book?.syncFacts() {
            let (state, files) = (facts.replica, facts.files)
            status.note(state)
            if state.isStopped { status.phase = .failed(.dataDeleted) }
            status.followCounts()
            (status.files, status.refusedFiles) = (files.waiting, files.refused.addingClamped(files.damaged))
            if files.isCloudOutdated {
                status.fileTrouble = .cloudOutdated
            } else if files.waiting > 0, runner?.isCloudAwayForFiles == true {
                status.fileTrouble = .cloudAway
            }
        }
        if let book, let absent = try? countAbsentFiles(in: book) { status.absentFiles = absent }
        if session.isRevoked { status.phase = .failed(.signInAgain) }
        return status
    }

    /// The time until which the cloud accepts the waiting changes, in UTC seconds, after the subscription has ended;
    /// nil if it has not, or if the time is not known. The cloud counts from the end that it has stored, or else from
    /// the first check after it, so that an end in the future says nothing.
    public func uploadDeadline(_ status: SyncStatus) -> Int64? {
        guard let session, session.isAttached, status.pending > 0 || status.files > 0 else { return nil }
        if let until = status.drainUntil { return until }
        guard let known = session.entitlement?.entitlement, !known.isPremium, let end = known.expiresAt,
            end <= services.dependencies.now
        else { return nil }
        return end.addingClamped(SyncLimits.drainSeconds)
    }

    /// Whether the cloud has data again, on a device on which sync has stopped because the data there was deleted.
    public func isUploadedAnew(_ status: SyncStatus?) -> Bool {
        status?.phase == .failed(.dataDeleted) && session?.holdings.isServerData == true
    }

    /// Whether the cloud takes the waiting changes no longer, because the subscription has ended too long ago.
    public func isUploadOver(_ status: SyncStatus) -> Bool {
        uploadDeadline(status).map { $0 <= services.dependencies.now } ?? false
    }

    /// Counts the changes and the files that the cloud does not have; 0 if sync is not attached.
    /// - Parameter isAlone: whether the requests that use the book end first, so that none adds a change afterwards.
    func countWaiting(isAlone: Bool) async throws(DevicesError) -> StepOutcome {
        guard session?.isAttached == true else { return .counted(pending: 0, refused: 0) }
        if isAlone {
            // The device is about to remove its files.
            await checkFilesBeforeLeaving()
            return try await withBookAlone { book throws(BookError) in try Self.countWaiting(in: book) }
        }
        return try await withBook { book throws(BookError) in try Self.countWaiting(in: book) }
    }

    private static func countWaiting(in book: Book) throws(BookError) -> StepOutcome {
        let (state, files) = (try book.replicaState(), try book.unsentReceiptFiles())
        return .counted(
            pending: state.pending.addingClamped(files.waiting),
            refused: state.failed.addingClamped(files.refused)
        )
    }

    /// Ends the pause of sync, on the user's request.
    public func retrySync() { runner?.hurry(isByUser: true) }

    /// Starts again with a cloud whose data was deleted elsewhere: the whole book is uploaded.
    public func startSyncAnew() async throws(DevicesError) { try await send(.syncStartedAnew) }

    /// Signs out as soon as all changes are uploaded; does nothing on a device that uploads none.
    /// - Parameters:
    ///   - status: the current status of sync.
    ///   - isOfTransactions: whether all the changes are of transactions.
    public func signOutOnceSent(_ status: SyncStatus, isOfTransactions: Bool = true) {
        let isSending = machine { machine in
            // A device that stopped sending meanwhile would leave at the first upload of its next subscription.
            guard machine.state.uploads else { return false }
            machine.leavingTotal = max(1, status.unsent)
            machine.leavingIsOfTransactions = isOfTransactions
            return true
        }
        guard isSending else { return }
        retrySync()
        // The last change may have been uploaded since the status was read, and the runner reports it only
        // once.
        post(.leftOnceSent)
    }

    /// Cancels `signOutOnceSent`.
    public func stay() { machine { $0.leavingTotal = nil } }

    /// The number of changes to upload when the user chose to sign out after them; nil without that choice.
    public var leavingTotal: Int? { machine { $0.leavingTotal } }

    /// Whether all of these changes are of transactions; nil without that choice.
    public var leavingIsOfTransactions: Bool? {
        machine { $0.leavingTotal == nil ? nil : $0.leavingIsOfTransactions }
    }

    /// Whether the next request is to get another cookie, because the device signed out without a request.
    /// Resets the flag.
    func consumeCookieDue() -> Bool {
        machine { machine in
            defer { machine.isCookieDue = false }
            return machine.isCookieDue
        }
    }

    /// Dismisses the full page of the download that is under way; the indicator still shows the progress.
    public func dismissDownload() async throws(DevicesError) { try await send(.downloadLeft) }

    /// Whether the full page of a download is to be shown.
    public func showsDownload(in book: Book?) -> Bool {
        let isLeft = machine { $0.hasLeftDownload || $0.session?.hasLeftDownload == true }
        guard case .synced = state, !isLeft, let status = syncStatus(in: book) else { return false }
        // Nothing more arrives of data that was deleted in the cloud.
        return status.incomplete != nil && status.phase != .failed(.dataDeleted)
    }

    /// Whether rows arrived within the last seconds, so that a page that was read before may lack them.
    public var hasFreshRows: Bool {
        services.dependencies.now - machine { $0.arrivedAt } <= Self.freshSeconds
    }

    private static let freshSeconds: Int64 = 5

    // MARK: - Reports of the runner

    /// Joins rows that belong together and came from different devices: two records of the same bank transaction, and a
    /// receipt of a transaction that was deleted and restored in the meantime. What fails now is tried again with the next
    /// rows.
    private func joinArrivedRows() {
        // The book is open while rows arrive; a book that is being erased is not opened again.
        guard let lease = glance() else { return }
        defer { lease.giveBack() }
        do {
            let joined = try lease.book.mergeBankRecords() + lease.book.moveStrayReceipts()
            if joined > 0 { notify(.rows) }
            // Another device may have deleted the receipt of a damaged file.
            try recountDamage(in: lease.book)
        } catch {
            services.dependencies.log.write(
                "rows of several devices were not joined: \(error) (device \(id))",
                at: .warning
            )
        }
    }

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
        services.tasks.run { [weak self] in self?.joinArrivedRows() }
    }
}

extension SyncStatus {
    /// Brings the engine's last phase in line with newer counts: no book is in step with changes that only it has.
    fileprivate mutating func followCounts() {
        switch phase {
        case .idle where pending > 0, .failed(.refusedChanges) where failed == 0 && pending > 0:
            phase = .uploading
        case .idle where failed > 0: phase = .failed(.refusedChanges)
        case .failed(.refusedChanges) where failed == 0: phase = .idle
        case .connecting, .downloading, .uploading, .idle, .offline, .failed: break
        }
    }
}
