// Decides when the engine of a book asks the cloud, when it listens for news, and how long it pauses. The machine has
// neither clock nor network: the server drives it with a thin loop, and the simulator with a scheduler.
//
//   event ─▶ handle ─▶ effects                    never touches the book
//   isDue ─▶ proceed ─▶ effects, status           the engine's part, which needs the book
//   wakeAt                                        the time of the next call, unless an event comes first

public import CloudProtocol
public import Ledger
public import SyncCore

/// The sync of one book: an engine that sends requests, and a listener beside it.
///
/// Each wait ends by at least two independent causes:
///
/// | wait | ended by | at the latest |
/// | --- | --- | --- |
/// | for an answer | the answer | when the network gives up, which it reports as `unreachable`; after `silencePause` the status says that it waits |
/// | for a page that was asked for ahead | as for an answer, once the engine asks for it; until then it delays nothing | |
/// | a pause after a failure | a change of the book, news, a cloud that answers again | after the pause, a minute at most |
/// | a pause that the cloud asked for | | at its end |
/// | of a device that is in sync | a change of the book, news | with the next answer to its listener |
/// | of the listener | news, the end of its poll | when the network gives up |
/// | of the listener, cloud unreachable | | after `probePause`, with a poll that does not wait |
public struct SyncMachine<Store: ReplicaStore>: Sendable {
    /// An input of the machine.
    public enum Event: Sendable {
        /// The time of `wakeAt` was reached.
        case time
        /// The book was changed, or its user asked for a sync.
        case hurry
        /// The answer to a request. It is ignored unless `to` is the number of the current request.
        case answer(SyncAnswer, to: Int)
        /// The answer to the listener's poll.
        case news(Head, to: Int)
        /// The error of the listener's poll.
        case noNews(CloudError, to: Int)
        /// The book could not be opened.
        case storeFailed
    }

    /// An output of the machine, for the driver to carry out.
    public enum Effect: Sendable {
        /// Send a request, and pass its answer to `handle` with the same number.
        case ask(SyncRequest, number: Int)
        /// Poll for the account's head, as `SyncAPI.signal`. At most one poll is open at a time.
        case listen(seen: Head?, waitSeconds: Int64, number: Int)
        /// Cancel the open poll: its connection is no longer trusted.
        case stopListening
        /// The cloud rejects the listener's token.
        case tokenRefused(SessionEnding)
        /// The cloud refuses sync without a subscription.
        case subscriptionRefused
        /// A queue that is to be drained does not get shorter. Reported once, until it gets shorter again.
        case stalled
        /// Sync has ended. No effect follows.
        case end(SyncEnd)
    }

    /// The result of `proceed`.
    public struct Outcome: Sendable {
        /// The effects to carry out.
        public var effects: [Effect] = []
        /// The new status; nil if the book could not be read.
        public var status: SyncStatus?
        /// The error of the book; the engine tries again later.
        public var failure: Store.Failure?
    }

    /// The pause between two probes of an unreachable cloud, in milliseconds. Up to a quarter is added at
    /// random, so that devices do not probe at the same time.
    static var probePause: Int64 { 1_000 }
    /// The pause of the listener after the cloud refused a poll, in milliseconds.
    static var refusedPause: Int64 { 4_000 }
    /// The shortest time that a poll without news takes, in milliseconds.
    static var shortestPoll: Int64 { 1_000 }
    /// The time without an upload, in milliseconds, after which a draining queue is reported as stalled.
    static var stallPause: Int64 { 30_000 }

    /// The time without an answer, in milliseconds, after which the status says so.
    static var silencePause: Int64 { 3_000 }

    private enum Listening: Sendable {
        case open(number: Int, since: Int64)
        case pausing(until: Int64)
        case ended
    }

    private var engine: SyncEngine<Store>
    private let mode: SyncEngine<Store>.Mode
    private let waitSeconds: Int64
    private var random: any RandomNumberGenerator & Sendable
    private var numbers = 0
    private var isOver = false

    // The engine's requests
    private var asked: (number: Int, request: SyncRequest, at: Int64)?
    private var answered: (answer: SyncAnswer, request: SyncRequest)?
    private var ahead: AheadRequest?
    private var pausedUntil: Int64 = 0
    private var progress: (pending: Int, at: Int64)?
    private var isStallTold = false
    /// Whether the status of the current request says that its answer is awaited.
    private var isSilenceTold = false

    // The listener, and its results that the engine has not processed yet
    private var listening = Listening.pausing(until: 0)
    private var seen: Head?
    private var isAway = false
    private var news: Head?
    private var isHurried = false
    private var isBack = false
    private var isLost = false

    /// The first event makes the machine ask and listen.
    /// - Parameters:
    ///   - waitSeconds: the longest time of a poll, in seconds.
    ///   - random: jitter of the pauses.
    ///   - newReplica: an id for a book that turns out to be a copy of another one.
    public init(
        _ store: Store,
        mode: SyncEngine<Store>.Mode,
        waitSeconds: Int64 = SyncLimits.waitSeconds,
        random: any RandomNumberGenerator & Sendable,
        newReplica: @escaping @Sendable () -> EntityID
    ) {
        engine = SyncEngine(store, mode: mode, random: random, newReplica: newReplica)
        self.mode = mode
        self.waitSeconds = waitSeconds
        self.random = random
    }

    /// Records an event.
    /// - Parameter now: milliseconds.
    public mutating func handle(_ event: Event, at now: Int64) -> [Effect] {
        guard !isOver else { return [] }
        var effects: [Effect] = []
        switch event {
        case .time: break
        case .hurry: isHurried = true
        case .answer(let answer, let number):
            if let asked, asked.number == number {
                accept(answer, to: asked.request, after: now - asked.at, now, &effects)
                self.asked = nil
            } else if let ahead, ahead.number == number {
                self.ahead?.answer = (answer, now - ahead.at)
            } else {
                return []
            }
            // A connection that failed for a request may be dead for the listener too, which would notice
            // only after a minute.
            guard case .refused(let error) = answer, error.isOfTheLine else {
                isLost = false
                break
            }
            if case .open = listening {
                effects.append(.stopListening)
                listening = .pausing(until: now + probe())
            }
            // The next answer to the listener ends the engine's pause.
            isAway = true
        case .news(let head, let number):
            guard case .open(number, let since) = listening else { return [] }
            let isEarly = head == seen && !isAway && now - since < Self.shortestPoll
            // The pause limits the polls to a cloud that answers without waiting.
            listening = .pausing(until: isEarly ? since + Self.shortestPoll : now)
            if isAway { isBack = true }
            if head != seen { news = head }
            (seen, isAway, isLost) = (head, false, false)
        case .noNews(let error, let number):
            guard case .open(number, _) = listening else { return [] }
            noteFailedSignal(error, now, &effects)
        case .storeFailed:
            answered = nil
            pausedUntil = engine.storeFailed(at: now)
            noteProgress(nil, now, &effects)
        }
        if case .pausing(let until) = listening, until <= now {
            numbers += 1
            listening = .open(number: numbers, since: now)
            effects.append(.listen(seen: seen, waitSeconds: isAway ? 0 : waitSeconds, number: numbers))
        }
        return effects
    }

    private mutating func noteFailedSignal(_ error: CloudError, _ now: Int64, _ effects: inout [Effect]) {
        listening = .pausing(until: now + Self.refusedPause)
        if let ending = error.sessionEnding {
            listening = .ended
            effects.append(.tokenRefused(ending))
            return
        }
        switch error {
        case .unreachable, .timedOut, .cutOff:
            if !isAway { isLost = true }
            listening = .pausing(until: now + probe())
        case .busy(let seconds):
            listening = .pausing(until: now + max(Self.refusedPause, min(seconds, 3_600) * 1_000))
        case .subscriptionRequired: effects.append(.subscriptionRefused)
        default: break
        }
        isAway = true
    }

    private mutating func probe() -> Int64 {
        Self.probePause + Int64.random(in: 0...Self.probePause / 4, using: &random)
    }

    /// Whether `proceed` has work to do.
    public func isDue(at now: Int64) -> Bool {
        guard !isOver else { return false }
        if answered != nil { return true }
        // The engine processes further events only after the answer to its current request.
        guard asked == nil else { return isStalled(at: now) || (isSilent(at: now) && !isSilenceTold) }
        return isHurried || isBack || isLost || news != nil || now >= pausedUntil || isStalled(at: now)
    }

    /// The time of the next call of `handle` if no event comes first, in milliseconds; nil for never.
    public var wakeAt: Int64? {
        guard !isOver else { return nil }
        var times: [Int64] = []
        if asked == nil, pausedUntil < .max { times.append(pausedUntil) }
        if case .pausing(let until) = listening { times.append(until) }
        if let asked, !isSilenceTold { times.append(asked.at + Self.silencePause) }
        if mode == .drain, !isStallTold, let progress { times.append(progress.at + Self.stallPause) }
        return times.min()
    }

    private func isSilent(at now: Int64) -> Bool {
        asked.map { now - $0.at >= Self.silencePause } ?? false
    }

    private func isStalled(at now: Int64) -> Bool {
        guard mode == .drain, !isStallTold, let progress else { return false }
        return now - progress.at >= Self.stallPause
    }

    /// Passes the recorded events to the engine, and asks it for the next step.
    /// - Parameter now: milliseconds.
    public mutating func proceed(at now: Int64) -> Outcome {
        var outcome = Outcome()
        guard !isOver else { return outcome }
        do throws(Store.Failure) {
            if let (answer, request) = answered {
                answered = nil
                try engine.handle(answer, to: request, at: now)
                if case .refused(.subscriptionRequired) = answer, mode == .run {
                    outcome.effects.append(.subscriptionRefused)
                }
            }
            if asked == nil { try askEngine(now, &outcome.effects) }
        } catch {
            outcome.failure = error
            pausedUntil = engine.storeFailed(at: now)
        }
        outcome.status = try? engine.status()
        isSilenceTold = isSilent(at: now)
        outcome.status?.isSilent = isSilenceTold
        noteProgress(outcome.status, now, &outcome.effects)
        return outcome
    }

    private mutating func askEngine(_ now: Int64, _ effects: inout [Effect]) throws(Store.Failure) {
        if let news { engine.note(news) }
        if isLost { engine.unreachable(at: now) }
        if isBack { engine.reachable() }
        if isHurried { engine.hurry() }
        (news, isLost, isBack, isHurried) = (nil, false, false, false)
        switch try engine.next(at: now) {
        case .over(let end):
            isOver = true
            effects.append(.stopListening)
            effects.append(.end(end))
        case .wait(let until): pausedUntil = until ?? .max
        case .ask(let request):
            pausedUntil = now
            if case .changes(let query) = request, let ahead {
                self.ahead = nil
                if ahead.serves(query) {
                    let request = SyncRequest.changes(ahead.query)
                    if let (answer, milliseconds) = ahead.answer {
                        accept(answer, to: request, after: milliseconds, now, &effects)
                    } else {
                        asked = (ahead.number, request, ahead.at)
                    }
                    return
                }
            }
            numbers += 1
            asked = (numbers, request, now)
            effects.append(.ask(request, number: numbers))
        }
    }

    /// Keeps an answer for the engine. While the engine applies a page of a download, the next one is on its way: a long line
    /// would otherwise be idle for as long as the book is written, and the book for as long as the line needs.
    private mutating func accept(
        _ answer: SyncAnswer,
        to request: SyncRequest,
        after milliseconds: Int64,
        _ now: Int64,
        _ effects: inout [Effect]
    ) {
        answered = (answer, request)
        guard let next = engine.note(arrival: answer, to: request, after: milliseconds) else { return }
        numbers += 1
        ahead = AheadRequest(number: numbers, query: next, at: now)
        effects.append(.ask(.changes(next), number: numbers))
    }

    private mutating func noteProgress(_ status: SyncStatus?, _ now: Int64, _ effects: inout [Effect]) {
        guard mode == .drain, !isOver else { return }
        let pending = status?.pending ?? progress?.pending ?? .max
        if progress.map({ pending < $0.pending }) ?? true {
            progress = (pending, now)
            isStallTold = false
        }
        // A user may add changes to a queue that makes progress: the comparison is with the present length.
        progress?.pending = pending
        guard isStalled(at: now) else { return }
        isStallTold = true
        effects.append(.stalled)
    }
}

/// A request for a page that the engine will need when it has applied the present one.
private struct AheadRequest: Sendable {
    let number: Int
    let query: ChangesQuery
    /// The time of the request, in milliseconds.
    let at: Int64
    /// The answer, and the time since the request, in milliseconds; nil while it is on its way.
    var answer: (SyncAnswer, milliseconds: Int64)?

    /// Whether the engine's query may have this answer. The sizes of pages may differ, and the book may have sent operations
    /// meanwhile: the answer then has their rows or not, and the book has them in either case.
    func serves(_ other: ChangesQuery) -> Bool {
        query.replica == other.replica && query.epoch == other.epoch && query.range == other.range
            && (query.lastN < 0) == (other.lastN < 0)
    }
}

extension CloudError {
    /// Whether the error is of the connection, and not a refusal of the cloud.
    fileprivate var isOfTheLine: Bool {
        switch self {
        case .unreachable, .timedOut, .cutOff: true
        default: false
        }
    }
}
