// The times at which a device asks the entitlement service.

/// Tracks the use of a device, and decides when to verify its entitlement. Times are UTC seconds.
public struct VerificationPlan: Hashable, Sendable {
    /// The interval of verification while a device is in use.
    public static let everySeconds: Int64 = 3_600
    /// The interval of verification independent of use: a change elsewhere is on the device's pages within a
    /// minute.
    public static let idleSeconds: Int64 = 40
    /// The length of a pause in use after which the next use counts as a return to the foreground.
    static let awaySeconds: Int64 = 300
    /// The longest pause before a service that did not answer is asked again.
    public static let longestRetrySeconds: Int64 = 5

    /// The time of the last report; nil before the first one of this process.
    public private(set) var reportedAt: Int64?
    private var failedAt: Int64 = 0
    private var askedAt: Int64?
    /// The time of the last question, answered or not.
    private var begunAt: Int64?
    private var usedAt: Int64?
    /// Whether an answer is pending.
    public private(set) var isAsking = false
    private var failures = 0
    /// Whether there was news during the pending question, which may have been answered before it.
    private var isOutdated = false
    /// Whether the device was used since the process started.
    public var isUsed: Bool { usedAt != nil }

    /// The time for which a question without an answer says something of the service: it is asked more often than that, except
    /// on a device that is not used.
    private static let unansweredSeconds: Int64 = 120

    /// Whether the service did not answer the last question, which was lately.
    public func isUnanswered(at now: Int64) -> Bool {
        failures > 0 && now.subtractingReportingOverflow(failedAt).partialValue < Self.unansweredSeconds
    }

    /// Whether the last report still says what is so: it is not old, and the service has answered since.
    public func isCurrent(at now: Int64) -> Bool {
        guard let reportedAt, !isUnanswered(at: now) else { return false }
        return (0...Self.everySeconds).contains(now.subtractingReportingOverflow(reportedAt).partialValue)
    }

    /// A plan of a device that was not verified yet.
    public init() {}

    /// The interval of verification while pages name a copy in the cloud that the device does not follow: nothing else
    /// says that it was deleted.
    public static let besideCopySeconds: Int64 = 5

    /// Records a use of the device.
    /// - Parameter seconds: the interval of verification.
    /// - Returns: whether to ask; then `answered` or `failed` must follow.
    public mutating func use(at now: Int64, every seconds: Int64 = everySeconds) -> Bool {
        defer { usedAt = now }
        guard !isAsking else { return false }
        let isBack = usedAt.map { now - $0 >= Self.awaySeconds } ?? true
        guard let askedAt, !isBack, now - askedAt < seconds else { return begin(at: now) }
        return false
    }

    /// Whether to ask again on a device that is not in use.
    public func isDue(at now: Int64, every seconds: Int64 = idleSeconds) -> Bool {
        guard !isAsking else { return false }
        guard let begunAt else { return true }
        return !(0..<seconds).contains(now.subtractingReportingOverflow(begunAt).partialValue)
    }

    /// Begins a question out of turn, because the user asked for it or the service has news.
    /// - Returns: false if a question is pending already; then `answered` asks for another one after it.
    public mutating func begin(at now: Int64) -> Bool {
        guard !isAsking else {
            isOutdated = true
            return false
        }
        isAsking = true
        askedAt = now
        begunAt = now
        return true
    }

    /// Records an answer that came with another response, such as a sign-in.
    public mutating func noteAnswer(at now: Int64) {
        failures = 0
        reportedAt = now
        askedAt = now
        begunAt = now
        usedAt = now
    }

    /// Records the answer to the pending question.
    /// - Parameter time: of a report; nil if the service refused the session.
    /// - Returns: whether to ask again at once, because the answer may be older than the last news. The question stays
    ///   pending until then.
    @discardableResult
    public mutating func answered(withReportAt time: Int64?) -> Bool {
        failures = 0
        reportedAt = time ?? reportedAt
        isAsking = isOutdated
        isOutdated = false
        return isAsking
    }

    /// Ends the pending question without an answer: there is no session to ask for any more.
    public mutating func abandon() { (isAsking, isOutdated) = (false, false) }

    /// Records that the service did not answer.
    /// - Returns: the seconds until the next attempt; nil if the device is not in use any more.
    public mutating func failed(at now: Int64) -> Int64? {
        failures += 1
        failedAt = now
        guard let usedAt, now - usedAt < Self.everySeconds else {
            abandon()
            // The next use asks immediately.
            askedAt = nil
            return nil
        }
        return min(Self.longestRetrySeconds, 1 << min(failures - 1, 3))
    }
}
