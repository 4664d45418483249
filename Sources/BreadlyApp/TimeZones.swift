// The time zones of the system.

import Foundation
import Synchronization

/// Time zones, as the system knows them.
enum TimeZones {
    /// Their names, alphabetically, none of them an alias.
    static let names: [String] = Set(
        (TimeZone.knownTimeZoneIdentifiers + ["Etc/UTC"]).map { canonical($0) ?? $0 }
    )
    .sorted()

    private static let database = "/usr/share/zoneinfo/"

    /// The name that a zone goes by; nil where the system does not know it. An alias, such as `Asia/Calcutta`, is a link
    /// in the system's database; where it is none, it stays as it is, for the system knows it all the same.
    static func canonical(_ name: String) -> String? {
        guard TimeZone(identifier: name) != nil else {
            // Typed by hand.
            let known = TimeZone.knownTimeZoneIdentifiers + ["UTC", "Etc/UTC"]
            return known.first { $0.caseInsensitiveCompare(name) == .orderedSame }.flatMap { canonical($0) }
        }
        let file = URL(fileURLWithPath: database + name).resolvingSymlinksInPath().path
        let target = String(file.dropFirst(database.count))
        return file.hasPrefix(database) && TimeZone(identifier: target) != nil ? target : name
    }

    /// The server's own.
    static var current: String { TimeZone.current.identifier }

    private static let slots = Mutex<[String: (slot: Int64, offset: Int?)]>([:])

    /// How far a zone is ahead of UTC, in seconds; nil where it is not known.
    ///
    /// Offsets change on the quarter of an hour, so that one is looked up once in each.
    static func offset(_ zone: String, at seconds: Int64) -> Int? {
        let slot = seconds / 900
        if let known = slots.withLock({ $0[zone] }), known.slot == slot { return known.offset }
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(seconds))
        )
        slots.withLock { slots in
            // A book may hold any text as its zone.
            if slots.count >= 1_000 { slots = [:] }
            slots[zone] = (slot, offset)
        }
        return offset
    }
}
