// Decides when a book's engine asks, when it listens for news, and how long it rests. It has neither clock nor network:
// the server drives it with a thin loop, and the simulator with a scheduler.
//
//   what happened ─▶ handle ─▶ effects            never touches the book
//   isDue ─▶ proceed ─▶ effects, status           the engine's part, which needs the book
//   wakeAt                                        when it is to be called again, should nothing happen before

public import Ledger
public import SyncCore

/// The sync of one book: an engine that talks, and a listener beside it.
///
/// Each thing that waits is woken by two things at least:
///
/// | what waits | is woken by | and at the latest |
/// | --- | --- | --- |
/// | a request | its answer | when the network gives the line up, which it reports as `unreachable` |
/// | a rest after a failure | a change of the book, news, a cloud that answers again | after its pause, a minute at most |
/// | a rest that the cloud asked for | | when it is over |
/// | a device with nothing to do | a change of the book, news | with the next answer to its listener |
/// | the listener | news, the end of its wait | when the network gives the line up |
/// | the listener of a cloud that is away | | after `probePause`, with a question that does not wait |
public struct SyncMachine<Store: ReplicaStore>: Sendable {
    /// What has happened.
    public enum Event: Sendable {
        /// The moment of `wakeAt` has come.
        case time
        /// The book was changed, or its user does not want to wait.
        case hurry
        /// The answer to a request. One to a request that nobody waits for is let go.
        case answer(SyncAnswer, to: Int)
        /// The answer to the listener.
        case news(Head, to: Int)
        /// Why there is none.
        case noNews(CloudError, to: Int)
        /// The book cannot be opened.
        case storeFailed
    }

    /// What is to be done.
    public enum Effect: Sendable {
        /// Send a request, and give its answer to `handle` with the same number.
        case ask(SyncRequest, number: Int)
        /// Ask where the account's data stands, as `SyncAPI.signal`; only one such question is open at a time.
        case listen(seen: Head?, waitSeconds: Int64, number: Int)
        /// Give up the open question of the listener: its line is not trusted any more.
        case stopListening
        /// The listener's token is not accepted.
        case tokenRefused(SessionEnding)
        /// The cloud takes nothing without a subscription.
        case subscriptionRefused
        /// A queue that is to be emptied does not get shorter. Told once, until it gets shorter again.
        case stalled
        /// It has come to an end. Nothing comes after it.
        case end(SyncEnd)
    }

    /// What comes of the engine's part.
    public struct Outcome: Sendable {
        /// What is to be done.
        public var effects: [Effect] = []
        /// How it goes now; nil where the book does not say.
        public var status: SyncStatus?
        /// What went wrong with the book: the engine tries again later.
        public var failure: Store.Failure?
    }

    /// How soon a cloud that is away is asked again whether it is there, in milliseconds; up to a quarter is added by
    /// chance, so that not all devices ask at once.
    public static var probePause: Int64 { 1_000 }
    /// How soon the listener asks again after the cloud has refused to answer, in milliseconds.
    static var refusedPause: Int64 { 4_000 }
    /// A cloud that has no news takes at least so long to say it, in milliseconds.
    static var shortestPoll: Int64 { 1_000 }
    /// No upload for so long while the queue is to be emptied, in milliseconds: it is said to wait.
    static var stallPause: Int64 { 30_000 }

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

    // Talking
    private var asked: (number: Int, request: SyncRequest)?
    private var answered: (answer: SyncAnswer, request: SyncRequest)?
    private var restsUntil: Int64 = 0
    private var progress: (pending: Int, at: Int64)?
    private var isStallTold = false

    // Listening, and what the engine has not been told of it
    private var listening = Listening.pausing(until: 0)
    private var seen: Head?
    private var isAway = false
    private var news: Head?
    private var isHurried = false
    private var isBack = false
    private var isLost = false

    /// The sync of a book at its beginning: the first event makes it ask and listen.
    /// - Parameters:
    ///   - waitSeconds: how long a question for news may wait, in seconds.
    ///   - random: for the pauses.
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

    /// Takes up what has happened.
    /// - Parameter now: milliseconds.
    public mutating func handle(_ event: Event, at now: Int64) -> [Effect] {
        guard !isOver else { return [] }
        var effects: [Effect] = []
        switch event {
        case .time: break
        case .hurry: isHurried = true
        case .answer(let answer, let number):
            guard let asked, asked.number == number else { return [] }
            answered = (answer, asked.request)
            self.asked = nil
            // A line that has failed once may be dead for the listener too, who would not know for a minute.
            guard case .refused(let error) = answer, error.isOfTheLine else {
                isLost = false
                break
            }
            if case .open = listening {
                effects.append(.stopListening)
                listening = .pausing(until: now + probe())
            }
            // Its next answer ends the rest of the engine.
            isAway = true
        case .news(let head, let number):
            guard case .open(number, let since) = listening else { return [] }
            let isEarly = head == seen && !isAway && now - since < Self.shortestPoll
            // A cloud that does not wait is not asked without end.
            listening = .pausing(until: isEarly ? since + Self.shortestPoll : now)
            if isAway { isBack = true }
            if head != seen { news = head }
            (seen, isAway, isLost) = (head, false, false)
        case .noNews(let error, let number):
            guard case .open(number, _) = listening else { return [] }
            hearNothing(error, now, &effects)
        case .storeFailed:
            answered = nil
            restsUntil = engine.storeFailed(at: now)
            noteProgress(nil, now, &effects)
        }
        if case .pausing(let until) = listening, until <= now {
            numbers += 1
            listening = .open(number: numbers, since: now)
            effects.append(.listen(seen: seen, waitSeconds: isAway ? 0 : waitSeconds, number: numbers))
        }
        return effects
    }

    private mutating func hearNothing(_ error: CloudError, _ now: Int64, _ effects: inout [Effect]) {
        listening = .pausing(until: now + Self.refusedPause)
        if let ending = error.sessionEnding {
            listening = .ended
            effects.append(.tokenRefused(ending))
            return
        }
        switch error {
        case .unreachable, .timedOut:
            if !isAway { isLost = true }
            listening = .pausing(until: now + probe())
        case .busy(let seconds), .tooManyAttempts(let seconds):
            listening = .pausing(until: now + max(Self.refusedPause, min(seconds, 3_600) * 1_000))
        case .subscriptionRequired: effects.append(.subscriptionRefused)
        default: break
        }
        isAway = true
    }

    private mutating func probe() -> Int64 {
        Self.probePause + Int64.random(in: 0...Self.probePause / 4, using: &random)
    }

    /// Whether `proceed` has something to do.
    public func isDue(at now: Int64) -> Bool {
        guard !isOver else { return false }
        if answered != nil { return true }
        // What there is to say to the engine waits for the answer that it waits for.
        guard asked == nil else { return isStalled(at: now) }
        return isHurried || isBack || isLost || news != nil || now >= restsUntil || isStalled(at: now)
    }

    /// When `handle` is to be called, should nothing happen before; nil for never.
    public var wakeAt: Int64? {
        guard !isOver else { return nil }
        var moments: [Int64] = []
        if asked == nil, restsUntil < .max { moments.append(restsUntil) }
        if case .pausing(let until) = listening { moments.append(until) }
        if mode == .drain, !isStallTold, let progress { moments.append(progress.at + Self.stallPause) }
        return moments.min()
    }

    private func isStalled(at now: Int64) -> Bool {
        guard mode == .drain, !isStallTold, let progress else { return false }
        return now - progress.at >= Self.stallPause
    }

    /// Lets the engine take what has come, and say what it wants next.
    /// - Parameter now: milliseconds.
    public mutating func proceed(at now: Int64) -> Outcome {
        var outcome = Outcome()
        guard !isOver else { return outcome }
        do throws(Store.Failure) {
            if let (answer, request) = answered {
                answered = nil
                try engine.take(answer, to: request, at: now)
                if case .refused(.subscriptionRequired) = answer, mode == .run {
                    outcome.effects.append(.subscriptionRefused)
                }
            }
            if asked == nil { try talk(now, &outcome.effects) }
        } catch {
            outcome.failure = error
            restsUntil = engine.storeFailed(at: now)
        }
        outcome.status = try? engine.status()
        noteProgress(outcome.status, now, &outcome.effects)
        return outcome
    }

    private mutating func talk(_ now: Int64, _ effects: inout [Effect]) throws(Store.Failure) {
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
        case .rest(let until): restsUntil = until ?? .max
        case .ask(let request):
            numbers += 1
            asked = (numbers, request)
            restsUntil = now
            effects.append(.ask(request, number: numbers))
        }
    }

    private mutating func noteProgress(_ status: SyncStatus?, _ now: Int64, _ effects: inout [Effect]) {
        guard mode == .drain, !isOver else { return }
        let pending = status?.pending ?? progress?.pending ?? .max
        if progress.map({ pending < $0.pending }) ?? true {
            progress = (pending, now)
            isStallTold = false
        }
        // A queue that its user adds to meanwhile may get shorter all the same.
        progress?.pending = pending
        guard isStalled(at: now) else { return }
        isStallTold = true
        effects.append(.stalled)
    }
}

extension CloudError {
    /// Whether the cloud was not reached, rather than that it refused something.
    fileprivate var isOfTheLine: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }
}
