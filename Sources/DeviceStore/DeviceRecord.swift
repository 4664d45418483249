// The record of a device in the device store.
public import Ledger
public import Lifecycle
import Storage

/// One browser profile. Times are UTC seconds.
public struct DeviceRecord: Hashable, Sendable, Identifiable {
    /// The id, which is also the name of the book's file.
    public var id: EntityID
    /// The hash of the present cookie.
    public var cookieHash: CookieHash
    /// The time of creation.
    public var createdAt: Int64
    /// The time of the last use, to the hour.
    public var seenAt: Int64
    /// The time of the last replacement of its cookie.
    public var rotatedAt: Int64
    /// The locale of the browser's first request.
    public var locale: String
    /// The next step of the onboarding, by its raw value.
    public var onboarding: String
    /// The lifecycle's state. A stored state that this version does not understand becomes `uninitialized`:
    /// the device begins again, with the book and the session that it has.
    public var state: State
    /// Whether the stored state was not understood.
    public var isStateUnknown: Bool
    /// The present guest, or the last one before a user signed in: another one after each sign-out.
    public var guest: EntityID
    /// Whether browsers send its cookie over TLS to this host only (`__Host-`).
    public var isHostBound: Bool
    /// The previous cookie, if it was replaced only because of its age: forms that were shown with it are
    /// still valid.
    public var previousCookie: CookieHash?
    /// Whether it was found by its previous cookie, within the grace period of a replacement.
    public var byPreviousCookie: Bool
    /// Whether its cookie was replaced and the new one was not used yet; known only if it was found by a
    /// cookie.
    public var awaitsNewCookie: Bool

    /// - Parameter guest: the device's own id for its first guest.
    public init(
        id: EntityID,
        cookieHash: CookieHash,
        createdAt: Int64,
        seenAt: Int64,
        rotatedAt: Int64,
        locale: String,
        onboarding: String,
        state: State,
        isStateUnknown: Bool = false,
        guest: EntityID? = nil,
        isHostBound: Bool = false,
        previousCookie: CookieHash? = nil,
        byPreviousCookie: Bool = false,
        awaitsNewCookie: Bool = false
    ) {
        self.id = id
        self.cookieHash = cookieHash
        self.createdAt = createdAt
        self.seenAt = seenAt
        self.rotatedAt = rotatedAt
        self.locale = locale
        self.onboarding = onboarding
        self.state = state
        self.isStateUnknown = isStateUnknown
        self.guest = guest ?? id
        self.isHostBound = isHostBound
        self.previousCookie = previousCookie
        self.byPreviousCookie = byPreviousCookie
        self.awaitsNewCookie = awaitsNewCookie
    }
}

extension DeviceRecord {
    static let columns =
        "id, cookie_hash, created_at, seen_at, rotated_at, locale, onboarding, state, guest, is_host_bound"
    /// The columns of a record that was not found by a cookie.
    static let read = columns + ", CASE WHEN previous_valid_until >= 0 THEN previous_hash END"

    init(_ row: Columns) throws {
        guard let hash = CookieHash(row.bytes(1)) else {
            throw StorageError.damaged("a cookie's hash that is none")
        }
        let state = State(encoded: row.text(7))
        self.init(
            id: try row.id(0),
            cookieHash: hash,
            createdAt: row.int64(2),
            seenAt: row.int64(3),
            rotatedAt: row.int64(4),
            locale: row.text(5),
            onboarding: row.text(6),
            state: state ?? .uninitialized,
            isStateUnknown: state == nil,
            guest: row.isNull(8) ? nil : try row.id(8),
            isHostBound: row.int(9) == 1,
            previousCookie: row.isNull(10) ? nil : CookieHash(row.bytes(10)),
            byPreviousCookie: row.int(11) == 1,
            awaitsNewCookie: row.int(12) == 1
        )
    }
}
