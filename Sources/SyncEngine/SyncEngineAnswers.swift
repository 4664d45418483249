// The answers of the cloud, as the engine applies them to its book and to the time of the next request.

import CloudProtocol
import Ledger
public import SyncCore

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
            try store.acknowledge(results, of: batch, isOlder: answer.isOlder)
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

    mutating func refused(
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

    mutating func handle(
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

    mutating func fail(_ trouble: Trouble, _ now: Int64) {
        self.trouble = trouble
        pause(at: now)
    }

    mutating func pause(at now: Int64, atMost limit: Int64 = longestPause) {
        let longest = min(limit, Self.firstPause << min(Int64(failures), 10))
        if !isHurried { failures += 1 }
        isHurried = false
        // Changes of other devices may have been missed during the pause.
        isBehind = true
        let end = now + Int64.random(in: 0...longest, using: &random)
        pausedUntil = isPauseRequested ? max(pausedUntil, end) : end
    }
}
