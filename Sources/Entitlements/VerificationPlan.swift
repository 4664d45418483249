// When the entitlement service is asked.

/// Keeps count of a device's use, and says when its status is to be verified. Times are UTC seconds.
public struct VerificationPlan: Hashable, Sendable {
    /// While a device is in use, its status is verified so often.
    public static let everySeconds: Int64 = 3_600
    /// Whether anybody uses it or not, it is asked for so often: what was changed elsewhere is on its pages within a
    /// minute.
    public static let idleSeconds: Int64 = 40
    /// Who was away for so long has come back to the foreground.
    public static let awaySeconds: Int64 = 300
    /// The longest pause before a service that did not answer is asked again.
    public static let longestRetrySeconds: Int64 = 5

    private var askedAt: Int64?
    /// The last question, also where nobody answered it.
    private var begunAt: Int64?
    private var usedAt: Int64?
    /// Whether an answer is waited for.
    public private(set) var isAsking = false
    private var failures = 0
    /// Whether the device was used since the process began.
    public var isUsed: Bool { usedAt != nil }

    /// Nothing was asked yet.
    public init() {}

    /// Notes that the device is used now.
    /// - Returns: whether to ask; then `answered` or `failed` must follow.
    public mutating func use(at now: Int64) -> Bool {
        defer { usedAt = now }
        guard !isAsking else { return false }
        let isBack = usedAt.map { now - $0 >= Self.awaySeconds } ?? true
        guard let askedAt, !isBack, now - askedAt < Self.everySeconds else { return begin(at: now) }
        return false
    }

    /// Whether the last question is so old that it is asked again although nobody uses the device.
    public func isDue(at now: Int64, every seconds: Int64 = idleSeconds) -> Bool {
        guard !isAsking else { return false }
        guard let begunAt else { return true }
        return !(0..<seconds).contains(now.subtractingReportingOverflow(begunAt).partialValue)
    }

    /// Asks out of turn: the user wants to know, or the service has news.
    /// - Returns: false where it is being asked already.
    public mutating func begin(at now: Int64) -> Bool {
        guard !isAsking else { return false }
        isAsking = true
        askedAt = now
        begunAt = now
        return true
    }

    /// Notes an answer that came with something else, such as a sign-in.
    public mutating func noteAnswer(at now: Int64) {
        askedAt = now
        begunAt = now
        usedAt = now
    }

    /// Notes that there was an answer.
    public mutating func answered() {
        isAsking = false
        failures = 0
    }

    /// Notes that nobody answered.
    /// - Returns: after how many seconds to ask again; nil where nobody uses the device any more.
    public mutating func failed(at now: Int64) -> Int64? {
        guard let usedAt, now - usedAt < Self.everySeconds else {
            isAsking = false
            // The next use asks at once.
            askedAt = nil
            return nil
        }
        failures += 1
        return min(Self.longestRetrySeconds, 1 << min(failures - 1, 3))
    }
}
