// The network between the devices and the cloud: lines that are slow, broken or silent; answers that come
// late, twice or never.
import CloudProtocol
import Ledger
import SyncCore
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

/// Scheduled work, ordered by time and then by insertion.
struct Agenda {
    typealias Work = () throws -> Void

    private var entries: [(at: Int64, order: Int, work: Work)] = []
    private var order = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(at time: Int64, _ work: @escaping Work) {
        order += 1
        var index = entries.endIndex
        entries.append((time, order, work))
        while index > 0 {
            let parent = (index - 1) / 2
            guard comes(index, before: parent) else { break }
            entries.swapAt(index, parent)
            index = parent
        }
    }

    /// Takes out what comes first, where it comes by a time.
    mutating func next(by time: Int64) -> (at: Int64, work: Work)? {
        guard let first = entries.first, first.at <= time else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && comes(child, before: least) { least = child }
            guard least != index else { break }
            entries.swapAt(index, least)
            index = least
        }
        return (first.at, first.work)
    }

    private func comes(_ one: Int, before other: Int) -> Bool {
        (entries[one].at, entries[one].order) < (entries[other].at, entries[other].order)
    }
}

/// One run of a device's sync, with the machine that the product runs.
final class SimulatedRunner {
    let device: SimulatedDevice
    let token: SessionToken
    /// Which file it keeps in step.
    let file: Int
    var machine: SyncMachine<SimulatedStore>
    var isStopped = false
    var wakesAt: Int64?
    var messages: [Message] = []
    /// The uploads of files, which follow the operations.
    var uploader: SimulatedUploader?

    init(_ device: SimulatedDevice, _ machine: SyncMachine<SimulatedStore>) {
        self.device = device
        self.machine = machine
        token = device.token
        file = device.file
    }
}

/// A question on its way, and its answer.
final class Message {
    enum Question {
        case ask(SyncRequest)
        case listen(seen: Head?, seconds: Int64)
    }

    let runner: SimulatedRunner
    let question: Question
    let number: Int
    /// Whether nothing comes of it any more but what has been put down.
    var isDead = false

    init(_ runner: SimulatedRunner, _ question: Question, _ number: Int) {
        self.runner = runner
        self.question = question
        self.number = number
    }

    var isListening: Bool { if case .listen = question { true } else { false } }
}

/// A listener at the cloud that waits for news.
struct Waiter {
    let message: Message
    let account: Int
    let seen: Head?
}

extension World {
    /// A line that brings nothing for so long is given up, in milliseconds.
    static let silence = SyncLimits.silentSeconds * 1_000

    // MARK: - Time

    /// Lets time pass, with all that happens meanwhile.
    func run(for duration: Int64) throws {
        let end = milliseconds + duration
        while let (time, work) = agenda.next(by: end) {
            setTime(time)
            try work()
        }
        setTime(end)
    }

    /// Lets time pass in which nothing runs: all machines sleep, and wake up late.
    func jump(seconds: Int64) throws {
        setTime(milliseconds + seconds * 1_000)
        try run(for: 0)
    }

    private func setTime(_ time: Int64) {
        milliseconds = max(milliseconds, time)
        clock.advance(by: milliseconds / 1_000 - clock.now)
    }

    func later(_ delay: ClosedRange<Int64>, _ work: @escaping Agenda.Work) {
        agenda.add(at: milliseconds + Int64.random(in: delay, using: &random), work)
    }

    // MARK: - Runners

    /// Begins to run a device's sync. The run before ends, now or a time later.
    func start(_ device: SimulatedDevice, _ mode: SyncEngine<SimulatedStore>.Mode, overlaps: Bool = false) {
        if let former = device.runner {
            if overlaps, !isHealing, chance(1, in: 3) {
                count("two runners")
                later(0...3_000) { former.isStopped = true }
            } else {
                former.isStopped = true
            }
        }
        let generator = SharedRandom(seed: random.next())
        let clock = clock
        let machine = SyncMachine(
            device.store,
            mode: mode,
            waitSeconds: SyncLimits.pollSeconds,
            random: SplitMix(seed: random.next()),
            newReplica: { generator.id(clock.now) }
        )
        let runner = SimulatedRunner(device, machine)
        makeUploader(runner)
        device.runner = runner
        device.runners.removeAll(where: \.isStopped)
        device.runners.append(runner)
        later(0...50) { [unowned self] in try drive(runner, .time) }
    }

    /// Ends all that a device runs, at once.
    func stopAll(_ device: SimulatedDevice) {
        for runner in device.runners { runner.isStopped = true }
        device.runners = []
        device.runner = nil
    }

    func drive(_ runner: SimulatedRunner, _ event: SyncMachine<SimulatedStore>.Event) throws {
        let device = runner.device
        guard !runner.isStopped, device.life == .running || device.life == .draining else { return }
        var effects = runner.machine.handle(event, at: milliseconds)
        if runner.machine.isDue(at: milliseconds) {
            if !isHealing, chance(1, in: 40) {
                device.store.changesToLive = Int.random(in: 0..<3, using: &random)
                count("death")
            }
            if device.isClosed {
                count("no book")
                effects += runner.machine.handle(.storeFailed, at: milliseconds)
            } else {
                let outcome = runner.machine.proceed(at: milliseconds)
                switch outcome.failure {
                case nil: break
                case .died: return die(device)
                case .disk: count("storage fault")
                case .book(let error): throw error
                }
                effects += outcome.effects
                if let status = outcome.status { try note(status, of: runner) }
            }
        }
        for effect in effects { try perform(effect, runner) }
        guard let time = runner.machine.wakeAt, time != runner.wakesAt else { return }
        runner.wakesAt = time
        agenda.add(at: max(time, milliseconds + 1)) { [unowned self] in
            guard runner.wakesAt == time else { return }
            runner.wakesAt = nil
            try drive(runner, .time)
        }
    }

    /// The process of a device ends, and begins again after a while.
    func die(_ device: SimulatedDevice) {
        note("device \(device.number) dies")
        device.filesElsewhere = FilesElsewhere()
        let mode: SyncEngine<SimulatedStore>.Mode = device.life == .draining ? .drain : .run
        stopAll(device)
        later(100...2_000) { [unowned self] in
            try collectFiles(of: device, mayDie: false)
            guard device.runner == nil, device.life == .running || device.life == .draining else { return }
            start(device, mode)
        }
    }

    private func perform(_ effect: SyncMachine<SimulatedStore>.Effect, _ runner: SimulatedRunner) throws {
        let device = runner.device
        switch effect {
        case .ask(let request, let number): send(Message(runner, .ask(request), number))
        case .listen(let seen, let seconds, let number):
            send(Message(runner, .listen(seen: seen, seconds: seconds), number))
        case .stopListening:
            for message in runner.messages where message.isListening { message.isDead = true }
        case .stalled: count("stall")
        case .subscriptionRefused:
            guard device.runner === runner, device.life == .running, !isPremium[device.account] else {
                return
            }
            device.life = .draining
            start(device, .drain, overlaps: true)
        case .tokenRefused(let ending):
            guard device.runner === runner else { return }
            try ended(device, .sessionEnded(ending))
        case .end(let end):
            guard device.runner === runner else { return }
            try ended(device, end)
        }
    }

    // MARK: - On its way

    private func send(_ message: Message) {
        let device = message.runner.device
        message.runner.messages.removeAll(where: \.isDead)
        message.runner.messages.append(message)
        if !message.isListening { asked += 1 }
        guard device.isOnline, isCloudUp else { return fail(message) }
        switch isHealing ? 99 : Int.random(in: 0..<20, using: &random) {
        case 0, 1:
            count("lost request")
            if bug == .dropsAnAcknowledgement, case .ask(.push(let batch)) = message.question {
                let results = batch.operations.map { OperationResult(n: $0.n, seq: 1, status: .applied) }
                let made = PushAnswer(epoch: batch.epoch, head: 0, lastN: 0, results: results)
                return answer(message, .pushed(made), within: 1...150)
            }
            fail(message)
        case 2, 3:
            count("lost answer")
            later(1...150) { [unowned self] in try reach(message, answers: false) }
            fail(message)
        case 4 where !message.isListening:
            count("duplicate")
            for _ in 0..<2 { later(1...400) { [unowned self] in try reach(message) } }
        case 5 where !message.isListening:
            count("late duplicate")
            later(1...150) { [unowned self] in try reach(message) }
            strays.append(message)
            later(500...60_000) { [unowned self] in try reachLate(message) }
        case 6, 7:
            count("slow answer")
            later(1...3_000) { [unowned self] in try reach(message, within: 1...3_000) }
        case 8 where !message.isListening:
            count("refusal")
            let refusals: [CloudError] = [
                .sync(.tooLarge(max: 1)), .busy(retryAfterSeconds: 2),
                .sync(.upgradeRequired(oldest: 2, newest: 2)), .failed("x"),
            ]
            answer(message, .refused(pick(refusals) ?? .malformed), within: 1...150)
        default: later(1...(isHealing ? 10 : 150)) { [unowned self] in try reach(message) }
        }
    }

    /// A request reaches the cloud a second time; no caller waits for its answer.
    func reachLate(_ message: Message) throws {
        guard let index = strays.firstIndex(where: { $0 === message }) else { return }
        strays.remove(at: index)
        try reach(message, answers: false)
    }

    /// The line breaks: noticed at once, or only because nothing comes.
    func fail(_ message: Message) {
        message.isDead = true
        let isSilent = chance(1, in: 2)
        let error: CloudError = isSilent && !message.isListening ? .timedOut("silent") : .unreachable("cut")
        later(isSilent ? Self.silence...Self.silence : 1...100) { [unowned self] in
            try end(message, .refused(error))
        }
    }

    /// A question is at the cloud.
    private func reach(_ message: Message, answers: Bool = true, within: ClosedRange<Int64> = 1...150) throws
    {
        guard isCloudUp else { return }
        let device = message.runner.device
        switch message.question {
        case .ask(let request):
            let reply = try serve(request, message.runner.token, device)
            try learn(message.runner)
            if bug == nil, !isTamperedWith { try checkPages(reply, device) }
            try tellWaiters(of: device.account)
            if answers { answer(message, reply, within: within) }
        case .listen(let seen, let seconds):
            guard answers else { return }
            let account = device.account
            guard let head = try? service.head(message.runner.token).head, head == seen, seconds > 0 else {
                return answer(message, headOrRefusal(message.runner.token), within: within)
            }
            waiters.append(Waiter(message: message, account: account, seen: seen))
            agenda.add(at: milliseconds + seconds * 1_000) { [unowned self] in
                guard let index = waiters.firstIndex(where: { $0.message === message }) else { return }
                waiters.remove(at: index)
                answer(message, headOrRefusal(message.runner.token), within: within)
            }
        }
    }

    private func headOrRefusal(_ token: SessionToken) -> SyncAnswer {
        do throws(CloudError) { return .head(try service.head(token).head) } catch { return .refused(error) }
    }

    /// Answers the listeners of an account whose head has moved.
    func tellWaiters(of account: Int) throws {
        for waiter in waiters where waiter.account == account {
            let reply = headOrRefusal(waiter.message.runner.token)
            guard reply != waiter.seen.map({ .head($0) }) else { continue }
            waiters.removeAll { $0.message === waiter.message }
            answer(waiter.message, reply, within: 1...(isHealing ? 10 : 150))
        }
    }

    private func answer(
        _ message: Message,
        _ answer: SyncAnswer,
        within delay: ClosedRange<Int64>
    ) {
        later(isHealing ? 1...10 : delay) { [unowned self] in
            guard !message.isDead else { return }
            guard message.runner.device.isOnline else { return fail(message) }
            message.isDead = true
            try end(message, answer)
        }
    }

    private func end(_ message: Message, _ answer: SyncAnswer) throws {
        message.runner.messages.removeAll { $0 === message }
        let device = message.runner.device
        guard !message.runner.isStopped else { return }
        switch message.question {
        case .ask(let request):
            note("device \(device.number) \(request.short) → \(answer.short)")
            try checkForeign(answer, device)
            try drive(message.runner, .answer(answer, to: message.number))
        case .listen:
            switch answer {
            case .head(let head): try drive(message.runner, .news(head, to: message.number))
            case .refused(let error): try drive(message.runner, .noNews(error, to: message.number))
            default: break
            }
        }
    }

    /// All that is under way of a device is cut off.
    func cutOff(_ device: SimulatedDevice) {
        for runner in device.runners {
            for message in runner.messages where !message.isDead { fail(message) }
        }
    }

    /// The cloud's process ends, or its host is cut off.
    func breakCloud() {
        isCloudUp = false
        waiters = []
        for device in devices { cutOff(device) }
    }
}
