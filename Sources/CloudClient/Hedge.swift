// A second question over a new connection where the first one is not answered in time.

import CloudProtocol
import Outbound
import SyncCore
import Synchronization

/// Asks again over a new connection where a question is late: a connection can die without a sign, and the one who waits
/// for an answer over it would notice only when `SyncLimits.silentSeconds` are over.
///
/// | what waits | is woken by | if that is missed |
/// | --- | --- | --- |
/// | the caller | the first answer to one of its questions | the first question's own time, `SyncLimits.silentSeconds` |
final class Hedge: Sendable {
    /// So much later than it is due an answer is late, in milliseconds.
    static let lateMilliseconds: Int64 = 400
    /// The longest that it may be, after answers that came to the first question all the same, in milliseconds.
    static let longestMilliseconds: Int64 = 3_200
    /// How soon after a question the next one is asked, in milliseconds.
    static let againMilliseconds: Int64 = 1_000

    typealias Answer = Result<HTTPResponse, CloudError>

    private let milliseconds: @Sendable () -> Int64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    /// The lateness from which on it asks again: `lateMilliseconds`, and more for a cloud that is slow or far away.
    private let late = Mutex(lateMilliseconds)

    private enum Event: Sendable {
        case answered(Answer, to: Int, within: Int64)
        case late
    }

    /// - Parameters:
    ///   - milliseconds: a clock that never jumps.
    ///   - pause: lets time pass, or less where the task is cancelled.
    init(
        milliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void
    ) {
        (self.milliseconds, self.pause) = (milliseconds, pause)
    }

    /// Whether an answer over a new connection shows that the line lives: one that says that there are too many does not,
    /// and may be somebody else's.
    static func provesTheLine(_ answer: Answer) -> Bool {
        guard case .success(let response) = answer else { return false }
        return response.status < 500 && response.status != 429
    }

    /// The first answer to a question that is asked again and again.
    /// - Parameters:
    ///   - dueMilliseconds: how long the cloud itself waits until it answers.
    ///   - send: asks; every number but 0 over a new connection, and without a wait.
    /// - Returns: the answer, the number of the question that it answers, and how long that duration, in milliseconds.
    func ask(
        dueMilliseconds: Int64,
        _ send: @escaping @Sendable (_ number: Int) async -> Answer
    ) async -> (answer: Answer, number: Int, milliseconds: Int64) {
        let patience = dueMilliseconds + late.withLock { $0 }
        return await withTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            var asked = 0
            func begin(andWait milliseconds: Int64) {
                let number = asked
                asked += 1
                group.addTask { [self] in
                    let begun = self.milliseconds()
                    let answer = await send(number)
                    return .answered(answer, to: number, within: self.milliseconds() - begun)
                }
                group.addTask { [pause] in
                    await pause(milliseconds)
                    return .late
                }
            }
            begin(andWait: patience)
            for await event in group {
                switch event {
                case .answered(let answer, 0, let duration):
                    // It has the longest patience: where it has failed, the line has.
                    if case .success = answer { learn(wasLate: asked > 1) }
                    return (answer, 0, duration)
                case .answered(let answer, let number, let duration):
                    // Another one may fail by itself.
                    if Self.provesTheLine(answer) { return (answer, number, duration) }
                case .late:
                    // Where the caller has given up, every pause ends at once, and so will the first question.
                    if !Task.isCancelled { begin(andWait: Self.againMilliseconds) }
                }
            }
            return (.failure(.unreachable("given up")), 0, 0)
        }
    }

    /// The first question was answered after all: the cloud is slow or far away, or quick again.
    private func learn(wasLate: Bool) {
        late.withLock { late in
            late = wasLate ? min(late * 2, Self.longestMilliseconds) : max(late - 50, Self.lateMilliseconds)
        }
    }
}
