// The lifecycle's state of a device, and the log of its transitions.
import GRDB
public import Ledger
package import Lifecycle
import Storage

/// One line of a device's log of transitions.
public struct TransitionRecord: Hashable, Sendable {
    /// UTC seconds.
    public var at: Int64
    /// The event's name, without personal data.
    public var event: String
    /// The name of the state before.
    public var from: String
    /// The name of the state after.
    public var to: String

    /// A line.
    public init(at: Int64, event: String, from: String, to: String) {
        self.at = at
        self.event = event
        self.from = from
        self.to = to
    }
}

extension DeviceStore {
    /// How many transitions are kept for each device.
    static let transitionsKept = 100

    /// Keeps the lifecycle's state, adds the transition to the log and changes the session with it, as one change.
    /// - Parameters:
    ///   - onboarding: the step that comes next from now on; nil where that stays as it is.
    ///   - notices: the notices of the transition, which a process that ends right after it would not post.
    ///   - withdrawn: the keys of the notices that are no longer true after it.
    /// - Throws: `unknownDevice`.
    package func persist(
        state: State,
        transition: TransitionRecord,
        of device: EntityID,
        session: SessionChange<SessionRecord> = .keep,
        onboarding: String? = nil,
        notices: [Notice] = [],
        withdrawn: [String] = []
    ) throws(DeviceStoreError) {
        try file.changing { db in
            if let onboarding {
                try db.change("UPDATE devices SET onboarding = ? WHERE id = ?", [onboarding, device.column])
            }
            try db.change(session, of: device, transition.at)
            let sql = "UPDATE devices SET state = ? WHERE id = ?"
            guard try db.change(sql, [state.encoded(), device.column]) == 1
            else { throw DeviceStoreError.unknownDevice(device) }
            for key in withdrawn {
                try db.change("DELETE FROM notices WHERE device = ? AND key = ?", [device.column, key])
            }
            for notice in notices { try db.post(notice, to: device) }
            try db.change(
                "INSERT INTO transitions (device, at, event, from_state, to_state) VALUES (?, ?, ?, ?, ?)",
                [device.column, transition.at, transition.event, transition.from, transition.to]
            )
            try db.change(
                """
                DELETE FROM transitions WHERE device = ?1 AND seq <= (
                  SELECT seq FROM transitions WHERE device = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2
                )
                """,
                [device.column, Self.transitionsKept]
            )
        }
    }

    /// A device's last transitions, oldest first.
    public func transitions(of device: EntityID) throws(DeviceStoreError) -> [TransitionRecord] {
        try file.reading { db in
            let sql = "SELECT at, event, from_state, to_state FROM transitions WHERE device = ? ORDER BY seq"
            return try db.all(sql, [device.column]) {
                TransitionRecord(at: $0.int64(0), event: $0.text(1), from: $0.text(2), to: $0.text(3))
            }
        }
    }
}
