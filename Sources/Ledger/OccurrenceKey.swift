// The names of the occurrences of schedules, which are the same on every device.

/// The name of one occurrence of one schedule. Its text is the id of the series, a space and the planned day, such as
/// `01k9vv7r5mxw3tqz8jh2c4n6ds 2026-11-30`.
public struct OccurrenceKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The schedule, or the schedule of which it is a copy: see `Schedule.series`.
    public let series: EntityID
    /// The day of the recurrence.
    public let planned: CivilDate

    /// The key of a day of a series.
    public init(series: EntityID, planned: CivilDate) {
        self.series = series
        self.planned = planned
    }

    /// The key with a text; nil for other text.
    public init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let series = EntityID(parts[0]), let planned = CivilDate(iso: parts[1]) else {
            return nil
        }
        self.init(series: series, planned: planned)
    }

    /// The text.
    public var description: String { "\(series) \(planned)" }

    /// The id of the transaction that records the occurrence.
    public var transaction: EntityID { series.derived(for: planned) }

    /// By the series, then by the day.
    public static func < (one: OccurrenceKey, other: OccurrenceKey) -> Bool {
        (one.series, one.planned) < (other.series, other.planned)
    }
}

extension Schedule {
    /// The name of one of its occurrences.
    public func key(of occurrence: ScheduleOccurrence) -> OccurrenceKey {
        OccurrenceKey(series: series ?? id, planned: occurrence.planned)
    }
}

extension EntityID {
    /// The id of the transaction of a schedule with this id on a day. The same everywhere; different for each day.
    package func derived(for day: CivilDate) -> EntityID {
        // The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators"). It maps
        // numbers one to one.
        var mixed = UInt64(bitPattern: Int64(day.dayNumber)) &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return EntityID(high: high, low: low ^ mixed)
    }

    /// The day of which this is the id of a transaction of a schedule, the reverse of `derived(for:)`; nil if it is none.
    package func day(in series: EntityID) -> CivilDate? {
        guard high == series.high else { return nil }
        // The steps of `derived(for:)` in the reverse order. The factors are the inverses of its factors modulo 2^64.
        var mixed = low ^ series.low
        mixed ^= mixed >> 31 ^ mixed >> 62
        mixed &*= 0x3196_42b2_d24d_8ec3
        mixed ^= mixed >> 27 ^ mixed >> 54
        mixed &*= 0x96de_1b17_3f11_9089
        mixed ^= mixed >> 30 ^ mixed >> 60
        let number = Int64(bitPattern: mixed &- 0x9e37_79b9_7f4a_7c15)
        guard let small = Int32(exactly: number) else { return nil }
        let day = CivilDate(dayNumber: small)
        return day.dayNumber == small ? day : nil
    }
}
