// What the register knows of a device.
public import Ledger

/// The SHA-256 of a device's cookie: 32 bytes.
public struct CookieHash: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Nil for anything but 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The hash that a digest of 32 bytes amounts to, given as four words.
    public init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        bytes = [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) }
        }
    }
}

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

/// Something that waits to be shown on a device: a toast, or a notice that stays until dismissed.
public struct Notice: Hashable, Sendable {
    /// What it is; a device has one of each at most.
    public var key: String
    /// UTC seconds.
    public var at: Int64
    /// What the app needs to show it.
    public var text: String

    /// A notice.
    public init(key: String, at: Int64, text: String) {
        self.key = key
        self.at = at
        self.text = text
    }
}
