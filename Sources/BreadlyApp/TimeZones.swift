// The time zones of the system.

import Foundation
import Synchronization

/// The system's time zones.
enum TimeZones {
    /// The names, alphabetically, without aliases.
    static let names: [String] = Set(
        (TimeZone.knownTimeZoneIdentifiers + ["Etc/UTC"]).map { canonical($0) ?? $0 }
    )
    .sorted()

    private static let database = "/usr/share/zoneinfo/"

    /// The canonical name of a zone; nil if the system does not know it. An alias, such as `Asia/Calcutta`,
    /// is a link in the system's database; an alias that is not a link stays as it is, because the system
    /// knows it as well.
    static func canonical(_ name: String) -> String? {
        guard TimeZone(identifier: name) != nil else {
            // The user may have typed the name.
            let known = TimeZone.knownTimeZoneIdentifiers + ["UTC", "Etc/UTC"]
            return known.first { $0.caseInsensitiveCompare(name) == .orderedSame }.flatMap { canonical($0) }
        }
        let file = URL(fileURLWithPath: database + name).resolvingSymlinksInPath().path
        let target = String(file.dropFirst(database.count))
        return file.hasPrefix(database) && TimeZone(identifier: target) != nil ? target : name
    }

    /// The server's time zone.
    static var current: String { TimeZone.current.identifier }

    private static let slots = Mutex<[String: (slot: Int64, offset: Int?)]>([:])

    /// The offset from UTC, in seconds; nil for an unknown zone.
    ///
    /// Offsets change on the quarter of an hour, so that one is looked up once in each.
    static func offset(_ zone: String, at seconds: Int64) -> Int? {
        let slot = seconds / 900
        if let known = slots.withLock({ $0[zone] }), known.slot == slot { return known.offset }
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(seconds))
        )
        slots.withLock { slots in
            // A book may contain any text as its zone.
            if slots.count >= 1_000 { slots = [:] }
            slots[zone] = (slot, offset)
        }
        return offset
    }
}
