// The sync of one book with the cloud: chooses the next request and applies its answer.
//
//   next ─▶ request ─▶ network ─▶ handle ─▶ next …          woken by a local change, a signal, or the user
//
// The engine does no I/O except through its store and reads no clock. All state that must survive a crash is
// in the book.

import CloudProtocol
public import Ledger
public import SyncCore

/// Chooses the requests for one book and applies their answers to it.
public struct SyncEngine<Store: ReplicaStore>: Sendable {
    /// The aim of a run.
    public enum Mode: Hashable, Sendable {
        /// Keep both sides in sync until the engine is discarded.
        case run
        /// Upload all operations, then detach the replica.
        case drain
    }

    /// The longest pause after failures, in milliseconds.
    static var longestPause: Int64 { 60_000 }
    /// The longest pause after an error of the book's storage, in milliseconds. No event reports that a full
    /// disk has room again, and a new attempt costs no other process anything.
    static var longestStoragePause: Int64 { 5_000 }
    /// The pause after the first failure, in milliseconds. It doubles with each further failure.
    static var firstPause: Int64 { 500 }

    let store: Store
    let mode: Mode
    var random: any RandomNumberGenerator & Sendable
    let newReplica: @Sendable () -> EntityID
    /// The highest known head. An older answer never lowers it.
    var head: Head?
    /// The value of `head` when the current request was made.
    var headWhenAsked: Head?
    /// Whether to ask for changes regardless of `head`.
    var isBehind = true
    var hasHeard = false
    var failures = 0
    var pausedUntil: Int64 = 0
    /// Whether the cloud itself named the pause; a local change does not shorten such a pause.
    var isPauseRequested = false
    /// Whether the next attempt comes before the end of its pause. If it fails, it does not count as a
    /// further failure.
    var isHurried = false
    /// The current limits of operations for a push and of rows for a page. A connection that fails in the
    /// middle halves them, a success doubles them.
    var most = SyncLimits.operations
    var mostRows = RowLimit(SyncLimits.usualRows, upTo: SyncLimits.rows)
    /// The number of times in a row that a push of one operation was cut off after a while.
    var cutOffs = 0
    /// The time that the last request took, in milliseconds.
    var lastDuration: Int64 = 0
    /// The shortest time after which a request may have been cut off because it took long, in milliseconds. A proxy whose cloud
    /// is away ends each connection at once.
    static var slowDuration: Int64 { 5_000 }
    var trouble: Trouble?
    /// The end of the grace period, as the last refusal named it.
    var drainUntil: Int64?
    var end: SyncEnd?
    private var breaker = CircuitBreaker()

    enum Trouble: Hashable, Sendable {
        case offline
        case failed(SyncStatus.Trouble)
    }

    /// An engine that has not asked the cloud yet.
    /// - Parameters:
    ///   - random: jitter of the pauses.
    ///   - newReplica: an id for a book that turns out to be a copy of another one.
    public init(
        _ store: Store,
        mode: Mode,
        random: any RandomNumberGenerator & Sendable,
        newReplica: @escaping @Sendable () -> EntityID
    ) {
        self.store = store
        self.mode = mode
        self.random = random
        self.newReplica = newReplica
    }

    /// The status derived from the book's state and the last answer.
    public func status() throws(Store.Failure) -> SyncStatus {
        let state = try store.replicaState()
        var status = SyncStatus(phase: .idle)
        status.note(state)
        status.drainUntil = drainUntil
        if state.isStopped {
            status.phase = .failed(.dataDeleted)
        } else if case .sessionEnded(let how) = end, how != .accountGone {
            status.phase = .failed(.signInAgain)
        } else if let trouble {
            switch trouble {
            case .offline: status.phase = .offline
            case .failed(let why): status.phase = .failed(why)
            }
        } else if !hasHeard {
            // The first page of a download is loaded before this.
            status.phase = status.incomplete.map { $0.done > 0 } == true ? .downloading : .connecting
        } else if state.pending > 0 {
            status.phase = .uploading
        } else if state.download != nil || (isBehind && mode == .run) {
            // The changes since the beginning of a download follow its last page.
            status.phase = .downloading
        } else if state.failed > 0 {
            status.phase = .failed(.refusedChanges)
        }
        if let download = state.download, status.phase == .uploading, download.done > 0 {
            status.phase = .downloading
        }
        return status
    }

    /// Chooses the next step.
    /// - Parameter now: milliseconds.
    public mutating func next(at now: Int64) throws(Store.Failure) -> SyncStep {
        if let end { return .over(end) }
        guard now >= pausedUntil else { return .wait(until: pausedUntil) }
        let state = try store.replicaState()
        guard let replica = state.replica else { return .over(.notAttached) }
        guard !state.isStopped else { return .over(.dataDeleted) }
        guard let request = try request(state, replica) else { return .wait(until: nil) }
        guard !breaker.isTripped(by: state, at: now) else {
            trouble = .failed(.noProgress)
            pausedUntil = now + Self.longestPause
            return .wait(until: pausedUntil)
        }
        headWhenAsked = head
        isPauseRequested = false
        return .ask(request)
    }

    /// Records a head that the cloud's signal reported. A higher one than before ends the current pause.
    public mutating func note(_ head: Head) {
        let known = self.head
        raise(head)
        if self.head != known { hurry() }
    }

    /// Ends the current pause, because of a change here or elsewhere, or on the user's request. A pause that
    /// the cloud asked for is kept.
    public mutating func hurry() {
        breaker.reset()
        guard !isPauseRequested else { return }
        isHurried = pausedUntil > 0
        pausedUntil = 0
    }

    /// Records that the cloud answers again: earlier failures no longer lengthen the pauses.
    public mutating func reachable() {
        failures = 0
        hurry()
    }

    /// Records that another client of the same cloud could not reach it. A trouble that is already known
    /// stays as it is.
    /// - Parameter now: milliseconds.
    public mutating func unreachable(at now: Int64) {
        guard trouble == nil, end == nil else { return }
        fail(.offline, now)
    }

    /// Records an error of the book's storage.
    /// - Returns: the time of the next attempt, in milliseconds.
    @discardableResult
    public mutating func storeFailed(at now: Int64) -> Int64 {
        trouble = .failed(.storage)
        pause(at: now, atMost: Self.longestStoragePause)
        return pausedUntil
    }

    /// Keeps the higher of two heads. A different epoch is a later one, because epoch numbers only grow.
    mutating func raise(_ other: Head) {
        guard let head, (head.epoch, head.seq) > (other.epoch, other.seq) else { return self.head = other }
    }

    private func request(_ state: ReplicaState, _ replica: EntityID) throws(Store.Failure)
        -> SyncRequest?
    {
        guard let epoch = state.epoch else { return .head(replica) }
        if state.pending > 0 {
            let operations = try store.nextBatch(operations: most, bytes: SyncLimits.bytes)
            if !operations.isEmpty {
                return .push(
                    PushBatch(
                        replica: replica,
                        epoch: epoch,
                        // During a resync the lost rows are being sent again: a sequence of theirs would only be refused again.
                        seen: state.download?.isStaged == true ? 0 : state.seen,
                        // The answer may carry changes only if no staged page precedes them and the line is
                        // fast enough for a full batch.
                        cursor: mode == .run && state.download == nil && state.stagedUpTo == nil
                            && most == SyncLimits.operations ? state.cursor : nil,
                        operations: operations
                    )
                )
            }
        }
        if mode == .drain { return .detach(replica, lastN: state.lastN) }
        let range: ChangesQuery.Range
        if let download = state.download {
            range = .snapshot(from: download.next)
        } else if isBehind || state.stagedUpTo != nil
            || head.map({ $0.seq > state.cursor || $0.epoch != epoch }) ?? true
        {
            range = .since(state.stagedUpTo ?? state.cursor)
        } else {
            return nil
        }
        return .changes(
            ChangesQuery(
                replica: replica,
                epoch: epoch,
                range: range,
                limit: mostRows.rows,
                // A snapshot that replaces the whole book must include the rows that this replica wrote.
                lastN: state.download?.isStaged == true ? -1 : state.lastN,
                seen: state.seen
            )
        )
    }
}
