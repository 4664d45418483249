// A device as the device store has it.
public import Ledger
import Storage

/// One browser profile. Times are UTC seconds.
public struct DeviceRecord: Hashable, Sendable, Identifiable {
    /// Its identity; its book's file is named by it.
    public var id: EntityID
    /// The hash of the cookie that it holds now.
    public var cookieHash: CookieHash
    /// When it was made.
    public var createdAt: Int64
    /// When it was last used, to the hour.
    public var seenAt: Int64
    /// When its cookie was last replaced.
    public var rotatedAt: Int64
    /// The locale that its browser asked for at first.
    public var locale: String
    /// The step of onboarding that comes next, as the app names it.
    public var onboarding: String
    /// The lifecycle's state, as the app writes it.
    public var state: String
    /// The guest that it is, or was before somebody signed in: another one after each sign-out.
    public var guest: EntityID
    /// Whether its cookie is one that browsers send over TLS to this host alone (`__Host-`).
    public var isHostBound: Bool
    /// The cookie that it held before, where that was replaced only for its age: forms that were shown with it are still
    /// its browser's.
    public var previousCookie: CookieHash?
    /// Whether it was found by its previous cookie, within the grace after a replacement.
    public var byPreviousCookie: Bool
    /// Whether its cookie was replaced and the new one was not used yet; known only of one found by a cookie.
    public var awaitsNewCookie: Bool

    /// A device.
    /// - Parameter guest: the device's own id for its first guest.
    public init(
        id: EntityID,
        cookieHash: CookieHash,
        createdAt: Int64,
        seenAt: Int64,
        rotatedAt: Int64,
        locale: String,
        onboarding: String,
        state: String,
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
    /// The columns that are read of one, without how it was found.
    static let read = columns + ", CASE WHEN previous_valid_until >= 0 THEN previous_hash END"

    init(_ row: Columns) throws {
        guard let hash = CookieHash(row.bytes(1)) else {
            throw StorageError.damaged("a cookie's hash that is none")
        }
        self.init(
            id: try row.id(0),
            cookieHash: hash,
            createdAt: row.int64(2),
            seenAt: row.int64(3),
            rotatedAt: row.int64(4),
            locale: row.text(5),
            onboarding: row.text(6),
            state: row.text(7),
            guest: row.isNull(8) ? nil : try row.id(8),
            isHostBound: row.int(9) == 1,
            previousCookie: row.isNull(10) ? nil : CookieHash(row.bytes(10)),
            byPreviousCookie: row.int(11) == 1,
            awaitsNewCookie: row.int(12) == 1
        )
    }
}
