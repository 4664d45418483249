// Brings the exchange rates of many days to the book of a premium user's device, when a report needs them.

public import Book
import CloudProtocol
public import Ledger

/// When to request the rates of many days. Times are UTC seconds.
///
/// A report is what wakes a request. A request that fails is repeated by the next report after the pause.
struct RateHistoryPlan: Hashable, Sendable {
    /// Whether a request is under way.
    private(set) var isAsking = false
    private var endedAt: Int64?
    private var hasFailed = false
    /// Days change seldom: a day is added on working days, and an operator may add or correct earlier days.
    static let checkSeconds: Int64 = 600
    static let retrySeconds: Int64 = 30

    /// Begins a request, if it is time.
    /// - Parameter isCovered: whether the book has a history of the range.
    /// - Returns: false if there is nothing to do. Otherwise `end` must follow.
    mutating func begin(isCovered: Bool, at now: Int64) -> Bool {
        guard !isAsking else { return false }
        if let endedAt, now >= endedAt {
            let pause = hasFailed ? Self.retrySeconds : isCovered ? Self.checkSeconds : 0
            guard now - endedAt >= pause else { return false }
        }
        isAsking = true
        return true
    }

    /// Ends the request.
    mutating func end(failed: Bool, at now: Int64) { (isAsking, endedAt, hasFailed) = (false, now, failed) }
}

extension Device {
    /// Requests the rates of many days in the background, if the book may lack some.
    /// - Parameters:
    ///   - range: what a report needs.
    ///   - stored: what the book has.
    public func refreshRateHistory(_ range: RateHistoryRange, stored: StoredRateHistory?) {
        let now = services.dependencies.now
        let isCovered = stored?.range.covers(range) ?? false
        let token = machine { machine -> SessionToken? in
            guard machine.state.hasUsersBook, !machine.state.isPassedThrough, let session = machine.session,
                let token = session.token, !session.isRevoked, session.isPremium(at: now),
                machine.rateHistory.begin(isCovered: isCovered, at: now)
            else { return nil }
            return token
        }
        guard let token else { return }
        let query =
            if let stored, isCovered {
                RateHistoryQuery(stored.range, known: stored.history.version)
            } else {
                RateHistoryQuery(stored?.range.union(range) ?? range)
            }
        let task = services.tasks.run { [self] in
            var isFailed = true
            do {
                try await bringRateHistory(query, token)
                isFailed = false
            } catch {
                services.dependencies.log.debug(
                    "the rates of days are not in the book: \(error) (device \(id))"
                )
            }
            let now = services.dependencies.now
            machine { $0.rateHistory.end(failed: isFailed, at: now) }
            notify(.idle)
        }
        if task == nil { machine { $0.rateHistory.end(failed: true, at: now) } }
    }

    /// Whether a request for the rates of many days is under way.
    public var isAskingForRateHistory: Bool { machine { $0.rateHistory.isAsking } }

    /// Waits until no request for the rates of many days is under way, up to a limit.
    public func waitForRateHistory(withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { !$0.isAskingForRateHistory }
    }

    private func bringRateHistory(_ query: RateHistoryQuery, _ token: SessionToken) async throws {
        guard case .history(let history) = try await services.cloud.rateHistory(query, token),
            session?.token == token
        else { return }
        try await withBook { book throws(BookError) in try book.store(history, of: query.range) }
        // Open reports show amounts by other rates.
        notify(.rows)
    }
}
