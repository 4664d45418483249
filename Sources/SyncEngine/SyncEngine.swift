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

    private let store: Store
    private let mode: Mode
    private var random: any RandomNumberGenerator & Sendable
    private let newReplica: @Sendable () -> EntityID
    /// The highest known head. An older answer never lowers it.
    private var head: Head?
    /// The value of `head` when the current request was made.
    private var headWhenAsked: Head?
    /// Whether to ask for changes regardless of `head`.
    private var isBehind = true
    private var hasHeard = false
    private var failures = 0
    private var pausedUntil: Int64 = 0
    /// Whether the cloud itself named the pause; a local change does not shorten such a pause.
    private var isPauseRequested = false
    /// Whether the next attempt comes before the end of its pause. If it fails, it does not count as a
    /// further failure.
    private var isHurried = false
    /// The current limits of operations for a push and of rows for a page. A connection that fails in the
    /// middle halves them, a success doubles them.
    private var most = SyncLimits.operations
    private var mostRows = RowLimit(SyncLimits.usualRows, upTo: SyncLimits.rows)
    /// The number of times in a row that a push of one operation was cut off after a while.
    private var cutOffs = 0
    /// The time that the last request took, in milliseconds.
    private var lastDuration: Int64 = 0
    /// The shortest time after which a request may have been cut off because it took long, in milliseconds. A proxy whose cloud
    /// is away ends each connection at once.
    private static var slowDuration: Int64 { 5_000 }
    private var trouble: Trouble?
    /// The end of the grace period, as the last refusal named it.
    private var drainUntil: Int64?
    private var end: SyncEnd?
    private var breaker = CircuitBreaker()

    private enum Trouble: Hashable, Sendable {
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
    private mutating func raise(_ other: Head) {
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

// MARK: - Answers

extension SyncEngine {
    /// Notes the arrival of an answer, before it is applied.
    /// - Parameter milliseconds: the time since the request.
    /// - Returns: the query for the page of a download that is needed after this one; nil for other answers.
    mutating func note(arrival answer: SyncAnswer, to request: SyncRequest, after milliseconds: Int64)
        -> ChangesQuery?
    {
        lastDuration = milliseconds
        guard case .changes(let page) = answer, case .changes(let query) = request else { return nil }
        mostRows.noteAnswer(after: milliseconds)
        guard case .snapshot(let place) = query.range, page.hasMore, page.epoch == query.epoch,
            page.next != place
        else { return nil }
        var next = query
        next.range = .snapshot(from: page.next)
        next.limit = mostRows.rows
        next.seen = max(query.seen, page.newest)
        return next
    }

    /// Applies the answer to a request. An answer to a request of an earlier attachment is ignored: the book
    /// has another replica id or epoch since.
    /// - Parameter now: milliseconds.
    public mutating func handle(_ answer: SyncAnswer, to request: SyncRequest, at now: Int64)
        throws(Store.Failure)
    {
        let state = try store.replicaState()
        guard state.replica == request.replica, request.epoch == nil || state.epoch == request.epoch
        else { return }
        switch (answer, request) {
        case (.head(let head), .head(let replica)):
            try store.adopt(head, as: replica)
            raise(head)
            heard()
        case (.pushed(let answer), .push) where answer.isOlder && mode == .run:
            // This must precede the acknowledgement, which would drop the fact that operations have to be
            // sent again. The cloud recognises operations that it has when they come again. A draining engine
            // leaves them to the next attachment: after the end of a subscription the cloud accepts nothing
            // from a new replica.
            try sendAgain(request.replica)
            heard()
        case (.pushed(let answer), .push(let batch)):
            let sent = Set(batch.operations.map(\.n))
            let results = answer.results.filter { sent.contains($0.n) }
            try store.acknowledge(results, of: batch)
            raise(Head(epoch: answer.epoch, seq: answer.head))
            most = min(SyncLimits.operations, most * 2)
            heard()
            if let page = answer.changes, let query = batch.changes {
                try apply(page, query, try store.replicaState())
            }
        case (.changes(let page), .changes(let query)): try apply(page, query, state)
        case (.detached, .detach):
            // Changes made during the detach still have to be sent; the cloud accepts them.
            if state.pending == 0 { end = .drained }
        case (.refused(let error), _): try refused(error, request, state, now)
        case (.head, _), (.pushed, _), (.changes, _), (.detached, _): fail(.failed(.cloudBusy), now)
        }
    }

    private mutating func apply(_ page: ChangesPage, _ query: ChangesQuery, _ state: ReplicaState)
        throws(Store.Failure)
    {
        var query = query
        if page.lastN > state.lastNumbered {
            // Another book has sent operations under this replica id: one of the two is a copy or a restored
            // backup.
            let replica = newReplica()
            try store.renameReplica(to: replica, from: query.replica)
            query.replica = replica
        }
        switch query.range {
        case .snapshot:
            try store.apply(snapshot: page, to: query)
            isBehind = true
        case .since:
            try store.apply(changes: page, to: query)
            isBehind = page.hasMore
            let reached = Head(epoch: page.epoch, seq: max(page.head, page.cursor))
            if let head, head == headWhenAsked, head.epoch == page.epoch, head.seq > reached.seq {
                // The head was known before the page was requested: the cloud has lost changes that it had
                // announced.
                self.head = reached
            } else {
                raise(reached)
            }
            if !page.hasMore, page.hash != nil { _ = try store.compare(page, to: query) }
        }
        heard()
    }

    private mutating func refused(
        _ error: CloudError,
        _ request: SyncRequest,
        _ state: ReplicaState,
        _ now: Int64
    ) throws(Store.Failure) {
        switch error {
        case .unreachable:
            cutOffs = 0
            fail(.offline, now)
        case .timedOut, .cutOff:
            var isTooSlow = false
            switch request {
            case .push(let batch):
                most = max(1, min(most, batch.operations.count) / 2)
                if case .cutOff = error, batch.operations.count == 1, lastDuration >= Self.slowDuration {
                    cutOffs += 1
                }
                // A cloud that ends in the middle of a request does it once, a line that is too slow each time.
                isTooSlow = cutOffs >= 2
            case .changes: mostRows.note(error)
            case .head, .detach: break
            }
            fail(isTooSlow ? .failed(.lineTooSlow) : .offline, now)
        case .sessionRevoked: end = .sessionEnded(.revoked)
        case .sessionLocked: end = .sessionEnded(.locked)
        case .sessionErased: end = .sessionEnded(.erased)
        case .accountGone: end = .sessionEnded(.accountGone)
        case .subscriptionRequired(let until):
            drainUntil = until
            // The cloud refuses a push for this reason only after the grace period for the last uploads, by
            // its own clock.
            if mode == .drain, case .push = request { return end = .uploadsRefused }
            fail(.failed(.subscriptionRequired), now)
        case .sync(let refusal): try handle(refusal, request, state, now)
        case .busy(let seconds):
            trouble = .failed(.cloudBusy)
            pausedUntil = now + min(seconds, 3_600) * 1_000
            isPauseRequested = true
        case .failed, .malformed, .notSupported, .signIn, .file: fail(.failed(.cloudBusy), now)
        }
    }

    private mutating func handle(
        _ refusal: SyncRefusal,
        _ request: SyncRequest,
        _ state: ReplicaState,
        _ now: Int64
    ) throws(Store.Failure) {
        let replica = request.replica
        switch refusal {
        case .epochChanged:
            try store.stop(replica)
            end = .dataDeleted
        case .opReused: try store.renameReplica(to: newReplica(), from: replica)
        case .opGap(let expected): try gap(expected, request, state, now)
        case .cursorExpired: try store.resync(.cursorExpired, of: replica)
        case .cursorAhead: try sendAgain(replica)
        case .tooLarge(let max):
            guard most > 1 else { return fail(.failed(.cloudBusy), now) }
            most = Swift.max(1, min(max, most / 2))
        case .tooManyReplicas: fail(.failed(.tooManyDevices), now)
        case .upgradeRequired(let oldest, _):
            fail(.failed(oldest > SyncLimits.schema ? .upgradeRequired : .cloudOutdated), now)
        }
    }

    /// Handles a gap in the numbers of the operations: either the answer is late, and the cloud has them
    /// already, or the cloud has lost them.
    private mutating func gap(
        _ expected: Int64,
        _ request: SyncRequest,
        _ state: ReplicaState,
        _ now: Int64
    ) throws(Store.Failure) {
        switch request {
        case .push(let batch) where (batch.operations.first?.n ?? 1) > expected:
            if expected <= state.lastN {
                try sendAgain(batch.replica)
            } else {
                try store.renameReplica(to: newReplica(), from: batch.replica)
            }
        case .detach(let replica, _):
            // The cloud has lost operations that it acknowledged: all rows are sent again under a new replica
            // id.
            try store.renameReplica(to: newReplica(), from: replica)
            fail(.failed(.cloudBusy), now)
        default: fail(.failed(.cloudBusy), now)
        }
    }

    /// Sends the changes again that the cloud lost when it was restored from a backup. They need a new
    /// replica id, because the cloud counts the operations of the old one from the state of the backup.
    private mutating func sendAgain(_ replica: EntityID) throws(Store.Failure) {
        // The order matters. If the process dies in between, the book still reports the sequence that it has
        // seen, and the cloud refuses it once more. In the other order, a copy of the book would continue
        // under the same id.
        let next = newReplica()
        try store.renameReplica(to: next, from: replica)
        try store.resync(.cursorAhead, of: next)
    }

    private mutating func heard() {
        hasHeard = true
        drainUntil = nil
        trouble = nil
        failures = 0
        cutOffs = 0
        pausedUntil = 0
        isHurried = false
    }

    private mutating func fail(_ trouble: Trouble, _ now: Int64) {
        self.trouble = trouble
        pause(at: now)
    }

    private mutating func pause(at now: Int64, atMost limit: Int64 = longestPause) {
        let longest = min(limit, Self.firstPause << min(Int64(failures), 10))
        if !isHurried { failures += 1 }
        isHurried = false
        // Changes of other devices may have been missed during the pause.
        isBehind = true
        let end = now + Int64.random(in: 0...longest, using: &random)
        pausedUntil = isPauseRequested ? max(pausedUntil, end) : end
    }
}
