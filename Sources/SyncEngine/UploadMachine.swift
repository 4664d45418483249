// Decides which file of a book is sent to the cloud next, which part of it, and when. The machine has neither clock nor
// network nor disk: the server drives it with a thin loop, and tests step by step.
//
//   event ─▶ handle          records what has happened
//   next ─▶ an effect         the next thing to do; nil while there is nothing to do
//   wakeAt                    the time of the next call, unless an event comes first
//
// That a file is in the cloud is not believed for ever: a cloud may be restored from a backup, and its disk may lose a file.
// It is asked again and again which files it lacks.

public import CloudProtocol
public import Ledger

/// The uploads of one book: one file at a time, part by part, after the operations of sync.
///
/// Each wait ends by at least two independent causes:
///
/// | wait | ended by | at the latest |
/// | --- | --- | --- |
/// | for an answer | the answer | when the network gives up, which it reports as `unreachable` |
/// | for the operations of sync | a status without operations that wait | with the next status, which follows each answer |
/// | for a file to send | a change of the book, Retry, a file that the cloud lacks | `lookPause` after the last look |
/// | for a file that the cloud loses | a new connection | `checkPause` after the last question |
/// | for a file that another device sends | a look at it, a new connection | a pause after the last question that doubles, `checkPause` at most |
/// | a pause after a failure of the cloud, the book or the disk | a change of the book, Retry | after the pause, a minute at most |
/// | a pause without premium, or of a cloud that takes no files | Retry | after an hour |
/// | a pause that the cloud asked for | | at its end, after an hour at most |
public struct UploadMachine: Sendable {
    /// A file that the cloud does not have.
    public struct File: Hashable, Sendable {
        /// The hash of its content.
        public var key: FileKey
        /// The size in bytes.
        public var size: Int64

        /// A file that waits.
        public init(_ key: FileKey, size: Int64) { (self.key, self.size) = (key, size) }
    }

    /// An input of the machine.
    public enum Event: Sendable {
        /// The number of operations that sync has not sent.
        case operations(pending: Int)
        /// The book was changed.
        case hurry
        /// The user asked for another attempt.
        case retry
        /// The cloud has answered for the first time, or again. It may have lost files that it had.
        case connected
        /// There are other files that another device has to send: their rows have arrived, or the cloud lacked one of them.
        case awaited
        /// The user looks at a file that another device has to send.
        case looked
        /// The first file that waits; nil if there is none. The answer to `look`.
        case found(File?)
        /// The request was not sent, because operations came in between. The answer to `ask` or `send`; a status follows
        /// when they are sent.
        case postponed
        /// The file is missing. The answer to `send`.
        case unreadable
        /// The file has another content than its name says. The answer to `send`.
        case damaged
        /// The book or the file cannot be opened or changed at present. An answer to any effect.
        case unavailable
        /// The answer to `ask` or `send`. It is ignored unless `to` is the number of the current request.
        case answer(Result<FileProgress, CloudError>, to: Int)
        /// The answer to `check`. It is ignored unless `to` is the number of the current request. After its last page,
        /// it says whether files are among them that other devices are to send.
        case missing(Result<MissingFiles, CloudError>, to: Int, isExpecting: Bool = false)
    }

    /// An output of the machine, for the driver to carry out.
    public enum Effect: Hashable, Sendable {
        /// Look for the first file that waits, and pass it to `handle` as `found`.
        case look
        /// Ask the cloud which files it lacks, behind a name, and pass the answer as `missing` with the same number.
        case check(after: FileKey?, number: Int)
        /// Have each of these files sent if this device has it: the cloud lacks it.
        case doubt([FileKey])
        /// Ask the cloud how much of a file it has, and pass the answer with the same number.
        case ask(File, number: Int)
        /// Read and send bytes of a file, and pass the answer with the same number.
        case send(File, offset: Int64, count: Int, number: Int)
        /// Store the progress of a file.
        case record(FileKey, Outcome)
        /// The session has ended. No effect follows.
        case end(SessionEnding)
    }

    /// The knowledge about a file.
    public enum Outcome: Hashable, Sendable {
        /// The cloud has the first bytes. Only where some of them were read and sent does that say that the file is sound:
        /// otherwise, it is the answer to a question.
        case sent(Int64, wasRead: Bool = false)
        /// The cloud has the whole file.
        case uploaded
        /// The cloud takes no files. They are tried again by themselves.
        case unsupported
        /// The file will not be tried again unless its user asks for it.
        case failed(UploadFailure)
    }

    /// The longest time without a look for files, in milliseconds. Each change of the book causes one anyway.
    static let lookPause: Int64 = 6 * 3_600_000
    /// The longest time without a question which files the cloud lacks, in milliseconds.
    package static let checkPause: Int64 = 15 * 60_000
    /// The first pause between two questions while other devices are to send files, in milliseconds. It doubles with each
    /// question, up to `checkPause`.
    static let expectingPause: Int64 = 4_000
    /// The longest pause after failures, in milliseconds.
    static let longestPause: Int64 = 60_000
    /// The pause after the first failure, in milliseconds. It doubles with each further failure.
    static let firstPause: Int64 = 500
    /// The pause while the account has no premium, or while the cloud takes no files, in milliseconds.
    static let refusedPause: Int64 = 3_600_000
    /// The number of times that a file is sent whose content turns out to be another one.
    static let mostAttempts = 2

    private struct Current: Sendable {
        let file: File
        /// The number of bytes that the cloud has; nil before it was asked.
        var sent: Int64?
        var rejections = 0
    }

    private enum Request: Sendable {
        case check
        case ask
        case send(offset: Int64)
    }

    /// The cause of a pause, which decides what ends it early.
    private enum Pause: Sendable {
        /// A change of the book and Retry end it.
        case afterFailure
        /// The cloud takes no files, or none of an account without premium: only Retry ends it.
        case refused
        /// The cloud asked for it: nothing ends it.
        case askedFor
    }

    private let partBytes: Int
    /// The greatest number of bytes of the next part. A failure halves it, a success doubles it.
    private var nextBytes: Int
    /// The smallest part that a failure leads to, in bytes.
    private static let fewestBytes = 64 << 10
    private var random: any RandomNumberGenerator & Sendable
    private var current: Current?
    private var isLooking = false
    /// The earliest time of a look; a change of the book makes it 0.
    private var looksAt: Int64 = 0
    /// The earliest time of a question which files the cloud lacks; nil if this device has sent none.
    private var checksAt: Int64?
    /// The time of the last complete answer.
    private var checkedAt: Int64 = 0
    /// The pause before the next question if other devices are to send files; nil if none is.
    private var expectingPause: Int64?
    /// The last name of an answer that was not complete.
    private var checkedTo: FileKey?
    private var asked: (number: Int, request: Request)?
    private var numbers = 0
    private var failures = 0
    private var pausedUntil: Int64 = 0
    private var pause = Pause.afterFailure
    private var waitsForOperations = true
    private var outcomes: [Effect] = []
    /// The number of parts that the cloud has confirmed, and of files that came to an end.
    public private(set) var steps = 0
    private var isOver = false

    /// Nothing is sent before the first `operations`.
    /// - Parameters:
    ///   - partBytes: the greatest number of bytes of a part.
    ///   - random: jitter of the pauses.
    public init(
        partBytes: Int = FilePart.mostBytes,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.partBytes = partBytes
        nextBytes = partBytes
        self.random = random
    }

    /// Whether a file is being sent, or may be waiting.
    public var isBusy: Bool { !isOver && (current != nil || isLooking || looksAt == 0 || !outcomes.isEmpty) }

    /// Records an event.
    /// - Parameter now: milliseconds.
    public mutating func handle(_ event: Event, at now: Int64) {
        guard !isOver else { return }
        switch event {
        case .operations(let pending): waitsForOperations = pending > 0
        case .hurry, .retry:
            if !isLooking { looksAt = 0 }
            let ends: Bool
            if case .retry = event { ends = pause != .askedFor } else { ends = pause == .afterFailure }
            if ends { pausedUntil = 0 }
        case .connected, .awaited:
            checksAt = 0
            expectingPause = nil
        case .looked:
            guard let checksAt, expectingPause != nil else { return }
            expectingPause = Self.expectingPause
            self.checksAt = min(checksAt, checkedAt + Self.expectingPause)
        case .found(let file):
            isLooking = false
            current = file.map { Current(file: $0) }
            looksAt = now + Self.lookPause
        case .postponed:
            asked = nil
            waitsForOperations = true
        case .unreadable:
            asked = nil
            finish(.failed(.missing), now)
        case .damaged:
            asked = nil
            finish(.failed(.wrongContent), now)
        case .unavailable:
            asked = nil
            isLooking = false
            pauseAfterFailure(now)
        case .answer(let answer, let number):
            guard let asked, asked.number == number else { return }
            self.asked = nil
            switch answer {
            case .success(let progress):
                guard case .send(let offset) = asked.request else { return advance(progress, from: nil, now) }
                advance(progress, from: offset, now)
            case .failure(let error): refused(error, now)
            }
        case .missing(let answer, let number, let isExpecting):
            guard let asked, asked.number == number else { return }
            self.asked = nil
            switch answer {
            case .success(let files): note(files, isExpecting, now)
            case .failure(let error): refused(error, now)
            }
        }
    }

    /// The next thing to do; nil until the next event or `wakeAt`.
    /// - Parameter now: milliseconds.
    public mutating func next(at now: Int64) -> Effect? {
        if !outcomes.isEmpty { return outcomes.removeFirst() }
        guard !isOver, asked == nil, !isLooking, !waitsForOperations, now >= pausedUntil else { return nil }
        pause = .afterFailure
        guard let current else {
            // Waiting files precede files that may have been lost.
            if now >= looksAt {
                isLooking = true
                return .look
            }
            guard let checksAt, now >= checksAt else { return nil }
            numbers += 1
            asked = (numbers, .check)
            return .check(after: checkedTo, number: numbers)
        }
        numbers += 1
        guard let sent = current.sent else {
            asked = (numbers, .ask)
            return .ask(current.file, number: numbers)
        }
        asked = (numbers, .send(offset: sent))
        let count = Int(min(current.file.size - sent, Int64(nextBytes)))
        return .send(current.file, offset: sent, count: count, number: numbers)
    }

    /// The time of the next call of `next` if no event comes first, in milliseconds; nil for never.
    public var wakeAt: Int64? {
        guard !isOver, asked == nil, !isLooking, !waitsForOperations else { return nil }
        return current == nil ? max(pausedUntil, min(looksAt, checksAt ?? .max)) : pausedUntil
    }

    private mutating func note(_ files: MissingFiles, _ isExpecting: Bool, _ now: Int64) {
        failures = 0
        checkedTo = files.isComplete ? nil : files.keys.last
        if files.isComplete {
            let pause = isExpecting ? expectingPause ?? Self.expectingPause : Self.checkPause
            (checkedAt, checksAt) = (now, now + pause)
            expectingPause = isExpecting ? min(2 * pause, Self.checkPause) : nil
        }
        guard !files.keys.isEmpty else { return }
        outcomes.append(.doubt(files.keys))
        looksAt = 0
    }

    private mutating func advance(_ progress: FileProgress, from offset: Int64?, _ now: Int64) {
        guard let file = current?.file else { return }
        // An answer to the question how much has arrived is no sign that the cloud takes more.
        if progress.isComplete {
            if offset != nil { failures = 0 }
            return finish(.uploaded, now)
        }
        // A cloud that confirms all bytes and not the file, or fewer than before, would be asked without an end.
        guard progress.received < file.size, progress.received > offset ?? -1 else {
            current?.sent = progress.received < file.size ? progress.received : nil
            return pauseAfterFailure(now)
        }
        if offset != nil {
            (failures, steps) = (0, steps + 1)
            nextBytes = min(partBytes, nextBytes * 2)
        }
        current?.sent = progress.received
        outcomes.append(.record(file.key, .sent(progress.received, wasRead: offset != nil)))
    }

    private mutating func refused(_ error: CloudError, _ now: Int64) {
        if let ending = error.sessionEnding {
            outcomes.append(.end(ending))
            isOver = true
            return
        }
        guard current != nil else { return postponeCheck(after: error, now) }
        switch error {
        case .file(.fileGap(let received)):
            // The cloud has lost what had arrived, or another device sends the same file.
            let size = current?.file.size ?? 0
            current?.sent = received < size ? received : nil
            pauseAfterFailure(now)
        case .file(.wrongContent):
            current?.rejections += 1
            guard current?.rejections ?? 0 < Self.mostAttempts else {
                // The file of this device is sound, or it would not have been sent again: it is damaged on its way.
                return finish(.failed(.refused), now)
            }
            current?.sent = nil
            pauseAfterFailure(now)
        case .file(.fileTooLarge(let limit)): finish(.failed(.tooLarge(limit: limit)), now)
        case .file(.quotaExceeded(let used, let limit)):
            finish(.failed(.quota(used: used, limit: limit)), now)
        case .subscriptionRequired: pause(for: Self.refusedPause, .refused, now)
        case .notSupported:
            if let key = current?.file.key { outcomes.append(.record(key, .unsupported)) }
            current?.sent = nil
            pause(for: Self.refusedPause, .refused, now)
        case .busy(let seconds):
            pause(for: min(seconds, 3_600) * 1_000, .askedFor, now)
        case .unreachable, .timedOut, .cutOff, .failed, .sync(.epochChanged):
            // The cloud says again how much has arrived.
            if current?.sent != nil { nextBytes = min(nextBytes, max(Self.fewestBytes, nextBytes / 2)) }
            current?.sent = nil
            pauseAfterFailure(now)
        default: finish(.failed(.refused), now)
        }
    }

    private mutating func postponeCheck(after error: CloudError, _ now: Int64) {
        switch error {
        case .busy(let seconds):
            pause(for: min(seconds, 3_600) * 1_000, .askedFor, now)
        case .unreachable, .timedOut, .cutOff, .failed: pauseAfterFailure(now)
        // An older cloud does not know the question, and without premium it is not answered.
        default: (checksAt, checkedTo) = (now + Self.checkPause, nil)
        }
    }

    private mutating func finish(_ outcome: Outcome, _ now: Int64) {
        guard let current else { return }
        outcomes.append(.record(current.file.key, outcome))
        if outcome == .uploaded, checksAt == nil { checksAt = now + Self.checkPause }
        self.current = nil
        (looksAt, steps) = (0, steps + 1)
    }

    private mutating func pauseAfterFailure(_ now: Int64) {
        let most = min(Self.longestPause, Self.firstPause << Int64(min(failures, 20)))
        failures += 1
        pausedUntil = now + Int64.random(in: 0...most, using: &random)
    }

    private mutating func pause(for milliseconds: Int64, _ pause: Pause, _ now: Int64) {
        pausedUntil = now + milliseconds
        self.pause = pause
    }
}
