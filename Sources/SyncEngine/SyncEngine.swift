// Keeps one book and the cloud in step: says what to ask next, and takes what comes back.
//
//   next ─▶ ask ─▶ the network ─▶ take ─▶ next …          woken by a local change, a signal, or the user
//
// It does no I/O but through its store, reads no clock, and holds nothing that a crash could lose: whatever must last
// is in the book.

public import Ledger
public import SyncCore

/// The engine of one book.
public struct SyncEngine<Store: ReplicaStore>: Sendable {
    /// The aim of the run.
    public enum Mode: Hashable, Sendable {
        /// Both sides in step, for as long as it runs.
        case run
        /// Nothing left to send; then the replica is let go.
        case drain
    }

    /// The longest pause after failures, in milliseconds.
    static var longestPause: Int64 { 60_000 }
    /// The longest pause where it is the book that cannot be used: nobody tells when the disk has room again, and to try
    /// costs nobody else anything.
    static var longestStoragePause: Int64 { 5_000 }
    /// The first pause, in milliseconds: it doubles with each failure.
    static var firstPause: Int64 { 500 }
    /// So many requests that lead nowhere, within so many milliseconds, are enough.
    static var breaker: (requests: Int, milliseconds: Int64) { (5, 500) }

    private let store: Store
    private let mode: Mode
    private var random: any RandomNumberGenerator & Sendable
    private let newReplica: @Sendable () -> EntityID
    /// The highest head that was heard of. An older answer never lowers it.
    private var head: Head?
    /// The head that was known when the request under way was made.
    private var headWhenAsked: Head?
    /// Whether changes are to be asked for, whatever is known of the head.
    private var isBehind = true
    private var hasHeard = false
    private var failures = 0
    private var restsUntil: Int64 = 0
    /// The cloud said how long it wants to be left alone; a local change does not alter that.
    private var isAskedToRest = false
    /// Whether the next attempt comes before its time: should it fail, that says nothing about how long to wait.
    private var isHurried = false
    /// The most operations of a push, and the most rows of a page: halved by what takes too long, doubled again by
    /// what gets through.
    private var most = SyncLimits.operations
    private var mostRows = SyncLimits.rows
    private var trouble: Trouble?
    private var end: SyncEnd?
    private var mark: Mark?
    private var markedAt: [Int64] = []

    private enum Trouble: Hashable, Sendable {
        case offline
        case failed(SyncStatus.Trouble)
    }

    /// The parts of the state of which one moves with each request that leads somewhere.
    private struct Mark: Hashable, Sendable {
        let cursor: Int64
        let aside: Int64?
        let download: ReplicaStanding.Download?
        let pending: Int
        let lastN: Int64
    }

    /// An engine at its beginning.
    /// - Parameters:
    ///   - random: for the pauses.
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

    /// How it goes.
    public func status() throws(Store.Failure) -> SyncStatus {
        let standing = try store.standing()
        var status = SyncStatus(
            phase: .idle,
            pending: standing.pending,
            failed: standing.failed,
            syncedAt: standing.syncedAt
        )
        if standing.isStopped {
            status.phase = .failed(.dataDeleted)
        } else if case .sessionEnded(let how) = end, how != .accountGone {
            status.phase = .failed(.signInAgain)
        } else if let trouble {
            switch trouble {
            case .offline: status.phase = .offline
            case .failed(let why): status.phase = .failed(why)
            }
        } else if !hasHeard {
            status.phase = .connecting
        } else if standing.pending > 0 {
            status.phase = .uploading
        } else if let download = standing.download {
            status.phase = .downloading(done: download.done, total: download.total)
        } else if standing.failed > 0 {
            status.phase = .failed(.refusedChanges)
        }
        if let download = standing.download, status.phase == .uploading, download.done > 0 {
            status.phase = .downloading(done: download.done, total: download.total)
        }
        return status
    }

    /// The next step at a moment.
    /// - Parameter now: milliseconds.
    public mutating func next(at now: Int64) throws(Store.Failure) -> SyncStep {
        if let end { return .over(end) }
        guard now >= restsUntil else { return .rest(until: restsUntil) }
        let standing = try store.standing()
        guard let replica = standing.replica else { return .over(.notAttached) }
        guard !standing.isStopped else { return .over(.dataDeleted) }
        guard let request = try request(standing, replica) else { return .rest(until: nil) }
        guard !isTripped(standing, now) else { return .rest(until: restsUntil) }
        headWhenAsked = head
        isAskedToRest = false
        return .ask(request)
    }

    /// The cloud tells where the account's data stands.
    public mutating func note(_ head: Head) {
        let known = self.head
        raise(head)
        if self.head != known { hurry() }
    }

    /// Goes on at once: something was changed here or elsewhere, or the user does not want to wait. A cloud that has
    /// asked for a rest gets it.
    public mutating func hurry() {
        markedAt = []
        guard !isAskedToRest else { return }
        isHurried = restsUntil > 0
        restsUntil = 0
    }

    /// The cloud answers again after it was away: what was learned of how long to wait no longer counts.
    public mutating func reachable() {
        failures = 0
        hurry()
    }

    /// The cloud was found to be away by somebody else who asks it. What is known already is not said again.
    /// - Parameter now: milliseconds.
    public mutating func unreachable(at now: Int64) {
        guard trouble == nil, end == nil else { return }
        fail(.offline, now)
    }

    /// The book could not be read or written.
    /// - Returns: when to try again.
    @discardableResult
    public mutating func storeFailed(at now: Int64) -> Int64 {
        trouble = .failed(.storage)
        pause(at: now, atMost: Self.longestStoragePause)
        return restsUntil
    }

    /// Keeps the higher of two heads. Another epoch is a later one: the numbers of epochs only grow.
    private mutating func raise(_ other: Head) {
        guard let head, (head.epoch, head.seq) > (other.epoch, other.seq) else { return self.head = other }
    }

    private func request(_ standing: ReplicaStanding, _ replica: EntityID) throws(Store.Failure)
        -> SyncRequest?
    {
        guard let epoch = standing.epoch else { return .head(replica) }
        if standing.pending > 0 {
            let operations = try store.cut(operations: most, bytes: SyncLimits.bytes)
            if !operations.isEmpty {
                return .push(
                    PushBatch(
                        replica: replica,
                        epoch: epoch,
                        // The lost rows are on their way to the cloud already.
                        seen: standing.download?.isAside == true ? 0 : standing.seen,
                        // A page that goes on another one has its own place, and a line that is slow enough has enough
                        // to do with the operations.
                        cursor: mode == .run && standing.download == nil && standing.asideUpTo == nil
                            && most == SyncLimits.operations ? standing.cursor : nil,
                        operations: operations
                    )
                )
            }
        }
        if mode == .drain { return .detach(replica, lastN: standing.lastN) }
        let range: ChangesQuery.Range
        if let download = standing.download {
            range = .snapshot(from: download.next)
        } else if isBehind || standing.asideUpTo != nil
            || head.map({ $0.seq > standing.cursor || $0.epoch != epoch }) ?? true
        {
            range = .since(standing.asideUpTo ?? standing.cursor)
        } else {
            return nil
        }
        return .changes(
            ChangesQuery(
                replica: replica,
                epoch: epoch,
                range: range,
                limit: mostRows,
                // Rows that take the place of all that is here must be all there are.
                lastN: standing.download?.isAside == true ? -1 : standing.lastN,
                seen: standing.seen
            )
        )
    }

    /// Requests that come one after another without anything having moved are stopped for a while.
    private mutating func isTripped(_ standing: ReplicaStanding, _ now: Int64) -> Bool {
        let present = Mark(
            cursor: standing.cursor,
            aside: standing.asideUpTo,
            download: standing.download,
            pending: standing.pending,
            lastN: standing.lastN
        )
        if mark != present {
            mark = present
            markedAt = []
        }
        markedAt.append(now)
        if markedAt.count > Self.breaker.requests { markedAt.removeFirst() }
        guard markedAt.count == Self.breaker.requests, now - markedAt[0] < Self.breaker.milliseconds else {
            return false
        }
        markedAt = []
        trouble = .failed(.noProgress)
        restsUntil = now + Self.longestPause
        return true
    }
}

// MARK: - Answers

extension SyncEngine {
    /// Takes what came back. An answer to what was asked in the name of an earlier attachment changes nothing: the book
    /// belongs to another one by now.
    /// - Parameter now: milliseconds.
    public mutating func take(_ answer: SyncAnswer, to request: SyncRequest, at now: Int64)
        throws(Store.Failure)
    {
        let standing = try store.standing()
        guard standing.replica == request.replica, request.epoch == nil || standing.epoch == request.epoch
        else { return }
        switch (answer, request) {
        case (.head(let head), .head(let replica)):
            try store.know(head, as: replica)
            raise(head)
            heard()
        case (.pushed(let answer), .push) where answer.isOlder && mode == .run:
            // Before the results are kept: with them it would be forgotten that there is something to send again. The
            // cloud knows the operations when they come once more. One that only empties its queue leaves the rest to its
            // next attachment: the cloud takes nothing of a new name after the end of a subscription.
            try sendAgain(request.replica)
            heard()
        case (.pushed(let answer), .push(let batch)):
            let sent = Set(batch.operations.map(\.n))
            let results = answer.results.filter { sent.contains($0.n) }
            try store.settle(results, of: batch)
            raise(Head(epoch: answer.epoch, seq: answer.head))
            most = min(SyncLimits.operations, most * 2)
            heard()
            if let page = answer.changes, let query = batch.changes {
                try take(page, query, try store.standing())
            }
        case (.changes(let page), .changes(let query)): try take(page, query, standing)
        case (.detached, .detach):
            // Changes made while the cloud let go are still to be sent: the cloud takes them all the same.
            if standing.pending == 0 { end = .drained }
        case (.refused(let error), _): try refused(error, request, standing, now)
        case (.head, _), (.pushed, _), (.changes, _), (.detached, _): fail(.failed(.cloudBusy), now)
        }
    }

    private mutating func take(_ page: ChangesPage, _ query: ChangesQuery, _ standing: ReplicaStanding)
        throws(Store.Failure)
    {
        mostRows = min(SyncLimits.rows, mostRows * 2)
        var query = query
        if page.lastN > standing.lastNumbered {
            // Somebody else has sent operations in this book's name: it is a copy, or was restored from a backup.
            let replica = newReplica()
            try store.become(replica, insteadOf: query.replica)
            query.replica = replica
        }
        switch query.range {
        case .snapshot:
            try store.take(snapshot: page, to: query)
            isBehind = true
        case .since:
            try store.take(changes: page, to: query)
            isBehind = page.hasMore
            let reached = Head(epoch: page.epoch, seq: max(page.head, page.cursor))
            if let head, head == headWhenAsked, head.epoch == page.epoch, head.seq > reached.seq {
                // It was known before the page was asked for: the cloud has lost what it had told.
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
        _ standing: ReplicaStanding,
        _ now: Int64
    ) throws(Store.Failure) {
        let replica = request.replica
        switch error {
        case .unreachable: fail(.offline, now)
        case .timedOut:
            switch request {
            case .push: most = max(1, most / 2)
            case .changes: mostRows = max(1, mostRows / 2)
            case .head, .detach: break
            }
            fail(.offline, now)
        case .sessionRevoked: end = .sessionEnded(.revoked)
        case .sessionLocked: end = .sessionEnded(.locked)
        case .sessionErased: end = .sessionEnded(.erased)
        case .accountGone: end = .sessionEnded(.accountGone)
        case .subscriptionRequired:
            // A push is refused for this reason only once the time for the last uploads is over, by the cloud's clock.
            if mode == .drain, case .push = request { return end = .uploadsRefused }
            fail(.failed(.subscriptionRequired), now)
        case .epochChanged:
            try store.stop(replica)
            end = .dataDeleted
        case .opReused: try store.become(newReplica(), insteadOf: replica)
        case .opGap(let expected): try gap(expected, request, standing, now)
        case .cursorExpired: try store.resync(.cursorExpired, of: replica)
        case .cursorAhead: try sendAgain(replica)
        case .tooLarge(let max):
            guard most > 1 else { return fail(.failed(.cloudBusy), now) }
            most = Swift.max(1, min(max, most / 2))
        case .tooManyReplicas: fail(.failed(.tooManyDevices), now)
        case .upgradeRequired(let oldest, _):
            fail(.failed(oldest > SyncLimits.schema ? .upgradeRequired : .cloudOutdated), now)
        case .busy(let seconds), .tooManyAttempts(let seconds):
            trouble = .failed(.cloudBusy)
            restsUntil = now + min(seconds, 3_600) * 1_000
            isAskedToRest = true
        case .failed, .malformed, .signUpClosed, .wrongCredentials, .emailTaken, .badEmail, .weakPassword,
            .commonPassword:
            fail(.failed(.cloudBusy), now)
        }
    }

    /// The cloud misses operations: either it has them already and this answer is late, or it has lost them.
    private mutating func gap(
        _ expected: Int64,
        _ request: SyncRequest,
        _ standing: ReplicaStanding,
        _ now: Int64
    ) throws(Store.Failure) {
        switch request {
        case .push(let batch) where (batch.operations.first?.n ?? 1) > expected:
            if expected <= standing.lastN {
                try sendAgain(batch.replica)
            } else {
                try store.become(newReplica(), insteadOf: batch.replica)
            }
        case .detach(let replica, _):
            // It never had what it has acknowledged: what is here goes to it under another name.
            try store.become(newReplica(), insteadOf: replica)
            fail(.failed(.cloudBusy), now)
        default: fail(.failed(.cloudBusy), now)
        }
    }

    /// The cloud was restored from a backup: what it has lost it gets again, and under another name, for it counts the
    /// operations of this one from where it was.
    private mutating func sendAgain(_ replica: EntityID) throws(Store.Failure) {
        // In this order: killed in between, the book still shows what it has seen, and is told once more. The other way
        // round a copy of it would go on under the same name.
        let next = newReplica()
        try store.become(next, insteadOf: replica)
        try store.resync(.cursorAhead, of: next)
    }

    private mutating func heard() {
        hasHeard = true
        trouble = nil
        failures = 0
        restsUntil = 0
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
        // Changes of other devices were not heard of meanwhile.
        isBehind = true
        let moment = now + Int64.random(in: 0...longest, using: &random)
        restsUntil = isAskedToRest ? max(restsUntil, moment) : moment
    }
}
