// The dependencies of the devices: time, randomness and a log.

public import CloudProtocol
public import Ledger
public import SyncCore
import Synchronization

/// Time, randomness and the log, as parameters of the whole target.
public struct Dependencies: Sendable {
    /// Milliseconds since 1970 (UTC).
    public let milliseconds: @Sendable () -> Int64
    /// The source of ids and tokens.
    public let random: Randomness
    /// The log for the operator.
    public let log: Log
    /// The offset of a time zone from UTC at a time, in seconds; nil for an unknown zone.
    public let zoneOffset: @Sendable (_ zone: String, _ seconds: Int64) -> Int?
    /// The time zone of users who have chosen none.
    public let serverZone: String
    /// Suspends for a number of milliseconds; returns at once if the task is cancelled.
    public let pause: @Sendable (_ milliseconds: Int64) async -> Void

    /// Dependencies of a server, or fixed dependencies of a test.
    public init(
        milliseconds: @escaping @Sendable () -> Int64,
        random: Randomness,
        log: Log,
        zoneOffset: @escaping @Sendable (_ zone: String, _ seconds: Int64) -> Int?,
        serverZone: String = "Etc/UTC",
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void = pause(milliseconds:)
    ) {
        self.milliseconds = milliseconds
        self.random = random
        self.log = log
        self.zoneOffset = zoneOffset
        self.serverZone = serverZone
        self.pause = pause
    }

    /// Seconds since 1970 (UTC).
    public var now: Int64 { milliseconds() / 1_000 }

    /// A new id of the current time.
    public func newID() -> EntityID { random.id(milliseconds: UInt64(clamping: milliseconds())) }

    /// The current day in a time zone; in UTC if the zone is unknown.
    public func today(in zone: String) -> CivilDate { day(of: now, in: zone) }

    /// The day of a time in a time zone; in UTC if the zone is unknown.
    /// - Parameter seconds: since 1970 (UTC).
    public func day(of seconds: Int64, in zone: String) -> CivilDate {
        let local = local(seconds, zone)
        let day = local / 86_400
        return CivilDate(dayNumber: Int32(clamping: local % 86_400 < 0 ? day - 1 : day))
    }
}

extension Dependencies {
    /// The number of minutes since midnight at a time in a time zone; in UTC if the zone is unknown.
    /// - Parameter seconds: since 1970 (UTC).
    public func minuteOfDay(_ seconds: Int64, in zone: String) -> Int {
        let second = local(seconds, zone) % 86_400
        return Int((second < 0 ? second + 86_400 : second) / 60)
    }

    private func local(_ seconds: Int64, _ zone: String) -> Int64 {
        seconds.addingClamped(Int64(zoneOffset(zone, seconds) ?? 0))
    }
}

/// A source of random bits that threads share.
public final class Randomness: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    /// A source; the system's unless a test passes its own.
    public init(_ generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.generator = Mutex(generator)
    }

    /// A new id of a time in milliseconds since 1970 (UTC).
    public func id(milliseconds: UInt64) -> EntityID {
        generator.withLock { EntityID(milliseconds: milliseconds, using: &$0) }
    }

    /// A new token for a session with the cloud.
    public func sessionToken() -> SessionToken { generator.withLock { SessionToken(using: &$0) } }

    /// A new secret for a browser's cookie.
    public func token() -> DeviceToken { generator.withLock { DeviceToken(using: &$0) } }

    /// Random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }
}
