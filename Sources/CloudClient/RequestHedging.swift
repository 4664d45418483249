// Hedged requests: a request is repeated over a new connection if its answer is late.

import CloudProtocol
import Outbound
import SyncCore
import Synchronization

/// Repeats a request over new connections while its answer is late. A connection can fail without a sign, and
/// a request on it would fail only after `SyncLimits.silentSeconds`.
///
/// | wait | ended by | otherwise |
/// | --- | --- | --- |
/// | of the caller | the first answer to one of its requests | the timeout of the first request, `SyncLimits.silentSeconds` |
final class RequestHedging: Sendable {
    /// The time after which an answer that is due counts as late, in milliseconds.
    static let lateMilliseconds: Int64 = 400
    /// The maximum of that time, in milliseconds. It grows if the first request is answered after all.
    static let longestMilliseconds: Int64 = 3_200
    /// The interval between repetitions, in milliseconds.
    static let againMilliseconds: Int64 = 1_000

    typealias Answer = Result<HTTPResponse, CloudError>

    private let milliseconds: @Sendable () -> Int64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    /// The current time after which an answer counts as late. It starts at `lateMilliseconds` and grows for a
    /// cloud that is slow or far away.
    private let late = Mutex(lateMilliseconds)

    private enum Event: Sendable {
        case answered(Answer, to: Int, within: Int64)
        case late
    }

    /// - Parameters:
    ///   - milliseconds: a monotonic clock.
    ///   - pause: suspends for a time, or until the task is cancelled.
    init(
        milliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void
    ) {
        (self.milliseconds, self.pause) = (milliseconds, pause)
    }

    /// Whether an answer over a new connection shows that the line works. An answer that reports too many
    /// requests does not, and may come from a proxy.
    static func showsWorkingLine(_ answer: Answer) -> Bool {
        guard case .success(let response) = answer else { return false }
        return response.status < 500 && response.status != 429
    }

    /// Sends a request, and repeats it until one of the requests is answered.
    /// - Parameters:
    ///   - dueMilliseconds: the time that the cloud itself waits before it answers.
    ///   - send: sends the request with a number. Each number but 0 uses a new connection and does not wait
    ///     for news.
    /// - Returns: the first answer, the number of its request, and the duration of that request in
    ///   milliseconds.
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
                    // The first request has the longest timeout: if it has failed, the line has failed.
                    if case .success = answer { learn(wasLate: asked > 1) }
                    return (answer, 0, duration)
                case .answered(let answer, let number, let duration):
                    // A repetition may fail for reasons of its own.
                    if Self.showsWorkingLine(answer) { return (answer, number, duration) }
                case .late:
                    // After a cancellation every pause ends immediately, and so will the first request.
                    if !Task.isCancelled { begin(andWait: Self.againMilliseconds) }
                }
            }
            return (.failure(.unreachable("given up")), 0, 0)
        }
    }

    /// Adjusts `late` after the first request was answered: more time for a cloud that is slow or far away,
    /// less if the answer was in time.
    private func learn(wasLate: Bool) {
        late.withLock { late in
            late = wasLate ? min(late * 2, Self.longestMilliseconds) : max(late - 50, Self.lateMilliseconds)
        }
    }
}
