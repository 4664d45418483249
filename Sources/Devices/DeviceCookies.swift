// From a cookie to its device, and when a browser gets another one.

public import DeviceStore
public import Ledger
import Lifecycle
public import SyncCore
import Synchronization

extension DeviceManager {
    /// A device that was found, and the cookie that its browser should keep from now on, where that changes.
    public struct Found: Sendable {
        /// The device.
        public let device: Device
        /// The hash of the cookie that it holds from now on; forms that are shown now are bound to it.
        public let cookie: CookieHash
        /// Set this cookie: the same, to last longer, or a new one.
        public let newCookie: DeviceToken?
        /// The cookies that its forms may have been shown with: this one, and one that was replaced only for its age.
        public let formCookies: [CookieHash]

        init(device: Device, cookie: CookieHash, newCookie: DeviceToken? = nil, forms: [CookieHash?] = []) {
            self.device = device
            self.cookie = cookie
            self.newCookie = newCookie
            formCookies = [cookie] + forms.compactMap { $0 }
        }
    }

    /// A form that makes its browser a device, or signs it in or out. Sent again, because its answer did not arrive, it
    /// gets the same answer; who knows the cookie alone gets none.
    public struct Sending: Hashable, Sendable {
        let cookie: CookieHash
        let form: EntityID?
        /// Who has signed in with it: a page that somebody else has opened before shows both of the above to them.
        var user: EntityID?

        /// - Parameters:
        ///   - cookie: the one that it came with.
        ///   - form: the id that the form was given when it was shown; nil where it has none.
        public init(_ cookie: CookieHash, form: EntityID?) {
            self.cookie = cookie
            self.form = form
        }
    }

    /// How long a browser keeps its cookie after its last use, in seconds.
    public static let cookieSeconds = 400 * 86_400
    private static let rotationSeconds: Int64 = 30 * 86_400

    /// The device that holds a cookie; nil where nobody does, and after 400 days without use.
    ///
    /// Where its lifecycle fails, the device is found all the same: its state says what went wrong.
    /// - Parameter isBound: whether the browser sends the cookie over TLS to this host alone; nil where it should, but still
    ///   has the one from before.
    public func find(_ token: DeviceToken, isHostBound isBound: Bool? = false) throws(DevicesError) -> Found?
    {
        let hash = token.hash
        let now = dependencies.now
        guard let record = try record(of: hash, now) else { return nil }
        // A bound cookie that comes as another one was planted by somebody who knows it.
        guard now.subtractingClamped(record.seenAt) <= Int64(Self.cookieSeconds),
            isBound == true || !record.isHostBound
        else { return nil }
        let store = services.store
        if isBound == true, !record.isHostBound {
            try wrapping { () throws(DeviceStoreError) in try store.bindToHost(record.id) }
            forget(hash)
        }
        var wasTouched = false
        if now.subtractingClamped(record.seenAt) >= DeviceStore.seenEverySeconds {
            wasTouched = try wrapping { () throws(DeviceStoreError) in try store.touch(record, now: now) }
            forget(hash)
            // An idle guest may have been forgotten since the record was read.
            if !wasTouched, try self.record(of: hash, now) == nil { return nil }
        }
        let device = try device(record)
        device.noteUse()
        if record.byPreviousCookie {
            // For a minute these are requests under way. Later, the answer with the new cookie was lost.
            guard record.awaitsNewCookie,
                now.subtractingClamped(record.rotatedAt) > DeviceStore.graceSeconds
            else {
                // Its forms are bound to the cookie that the browser has: the new one may never arrive.
                return Found(device: device, cookie: hash, forms: [record.cookieHash])
            }
            let fresh = dependencies.random.token()
            let isReplaced = try wrapping { () throws(DeviceStoreError) in
                try store.replaceUnused(
                    record.id,
                    from: record.cookieHash,
                    after: hash,
                    by: fresh.hash,
                    now: now
                )
            }
            // Another request of the same browser was a moment earlier.
            guard isReplaced else { return Found(device: device, cookie: hash, forms: [record.cookieHash]) }
            return Found(device: device, cookie: fresh.hash, newCookie: fresh, forms: [hash])
        }
        if record.awaitsNewCookie {
            try wrapping { () throws(DeviceStoreError) in try store.confirm(record.id, now: now) }
            forget(hash)
        }
        // It is due where somebody has signed out without a request that could have carried another one.
        let isSignedOut = device.consumeCookieDue() || record.rotatedAt == 0
        if isSignedOut || isBound == nil
            || now.subtractingClamped(record.rotatedAt) >= Self.rotationSeconds
        {
            let fresh = dependencies.random.token()
            let isReplaced = try wrapping { () throws(DeviceStoreError) in
                try store.rotate(record.id, from: hash, to: fresh.hash, outlives: !isSignedOut, now: now)
            }
            forget(hash)
            // Another request of the same browser was a moment earlier: it brings the new one.
            guard isReplaced else {
                let isUnderWay = try self.record(of: hash, now) != nil
                return isUnderWay ? Found(device: device, cookie: hash, forms: [record.previousCookie]) : nil
            }
            return Found(
                device: device,
                cookie: fresh.hash,
                newCookie: fresh,
                forms: isSignedOut ? [] : [hash]
            )
        }
        return Found(
            device: device,
            cookie: hash,
            newCookie: wasTouched ? token : nil,
            forms: [record.previousCookie]
        )
    }

    /// Whether a cookie is a device's, without any effect: for a server that has to choose whom to serve.
    public func knows(_ token: DeviceToken) -> Bool {
        (try? record(of: token.hash, dependencies.now)) != nil
    }

    /// Makes a device for a visitor, with a cookie of its own: never one that the browser has brought, which somebody else
    /// may know. A form that is sent twice makes one device.
    /// - Parameters:
    ///   - sending: the form that asks for it.
    ///   - address: where the visitor comes from.
    ///   - locale: the tag of the browser's locale, or empty.
    ///   - step: what is asked first.
    ///   - user: who has just signed in: never refused, and let in again where the answer to an earlier sign-in was lost.
    ///     Nil for a guest.
    /// - Throws: `tooManyGuests`, `tooManyFromAddress`, `book`, `folder`.
    public func welcome(
        _ sending: Sending,
        from address: String,
        locale: String,
        at step: OnboardingStep = .currency,
        user: User? = nil
    ) throws(DevicesError) -> Found {
        let (now, store) = (dependencies.now, services.store)
        let sending = sending.by(user)
        if let known = state.withLock({ $0.answers.cookie(of: sending, at: now) }) {
            // The form was sent before: perhaps at the same moment, so that its device is being made. The cookie is not used
            // by this: its browser may still have the one before.
            let record = try wrapping { () throws(DeviceStoreError) in
                try store.find(cookieHash: known.hash, now: now)
            }
            if let record { return Found(device: try device(record), cookie: known.hash, newCookie: known) }
        } else if let user, let found = try resume(user, sending, now) {
            return found
        }
        if let user {
            // No question of room, but of pace: each sign-in without a cookie makes a book.
            guard mayArrive(from: "user \(user.id)", now) else { throw .tooManyFromAddress }
        } else {
            guard try guestCount() < limits.guests else { throw .tooManyGuests }
            guard mayArrive(from: address, now) else { throw .tooManyFromAddress }
        }
        let fresh = dependencies.random.token()
        let token = state.withLock { $0.answers.note(fresh, for: sending, at: now) }
        let record = DeviceRecord(
            id: dependencies.newID(),
            cookieHash: token.hash,
            createdAt: now,
            seenAt: now,
            rotatedAt: now,
            locale: locale,
            onboarding: step.rawValue,
            state: Lifecycle.State.uninitialized.stored
        )
        do { try store.create(record) } catch {
            // The same form, sent twice at once: the other one was a moment earlier.
            if case .idTaken = error, let found = try find(token) { return found.giving(token) }
            throw .store(error)
        }
        return Found(device: try device(record), cookie: token.hash, newCookie: token)
    }

    /// The device of a user whose browser never got the cookie of an earlier sign-in: it has the one before, which opens
    /// nothing, and its user has just proved to be the same.
    private func resume(_ user: User, _ sending: Sending, _ now: Int64) throws(DevicesError) -> Found? {
        let store = services.store
        let record = try wrapping { () throws(DeviceStoreError) in
            try store.find(replacedBySignIn: sending.cookie)
        }
        guard let record else { return nil }
        let device = try device(record)
        guard device.session?.user.id == user.id else { return nil }
        let token = dependencies.random.token()
        let fresh = state.withLock { $0.answers.note(token, for: sending, at: now) }
        // The one that the browser has stays the key to it: this answer may be lost as well.
        let isReplaced = try wrapping { () throws(DeviceStoreError) in
            try store.replaceUnused(record.id, after: sending.cookie, by: fresh.hash, now: now)
        }
        guard isReplaced else { return nil }
        return Found(device: device, cookie: fresh.hash, newCookie: fresh)
    }

    /// Gives a device another cookie: at each sign-in and sign-out that a visit asks for. The one before dies at once.
    /// - Returns: nil where the one that the form came with is not the device's any more, and the form was not sent before.
    public func replaceCookie(_ sending: Sending, of device: Device) throws(DevicesError) -> DeviceToken? {
        let (now, store, id) = (dependencies.now, services.store, device.id)
        let sending = sending.by(device.session?.user)
        if let known = state.withLock({ $0.answers.cookie(of: sending, at: now) }) { return known }
        let fresh = dependencies.random.token()
        let isReplaced = try wrapping { () throws(DeviceStoreError) in
            try store.rotate(id, from: sending.cookie, to: fresh.hash, outlives: false, now: now)
        }
        return state.withLock { state in
            state.cookies = state.cookies.filter { $0.value.id != id }
            guard isReplaced else { return state.answers.cookie(of: sending, at: now) }
            return state.answers.note(fresh, for: sending, at: now)
        }
    }

    /// A token for a visitor who has no cookie yet.
    public func newToken() -> DeviceToken { dependencies.random.token() }

    private func record(of hash: CookieHash, _ now: Int64) throws(DevicesError) -> DeviceRecord? {
        if let record = state.withLock({ $0.cookies[hash] }) { return record }
        let store = services.store
        let record = try wrapping { () throws(DeviceStoreError) in try store.find(cookieHash: hash, now: now)
        }
        // A cookie that is being replaced is looked up each time: what it is worth changes.
        if let record, !record.byPreviousCookie, !record.awaitsNewCookie {
            state.withLock { state in
                if state.cookies.count > 10_000 { state.cookies = [:] }
                state.cookies[hash] = record
            }
        }
        return record
    }

    private func forget(_ hash: CookieHash) {
        state.withLock { _ = $0.cookies.removeValue(forKey: hash) }
    }

    private func mayArrive(from address: String, _ now: Int64) -> Bool {
        state.withLock { state in
            if state.arrivals.count > 10_000 {
                state.arrivals = state.arrivals.filter { now - $0.value.since < 3_600 }
            }
            var entry = state.arrivals[address] ?? (now, 0)
            if now - entry.since >= 3_600 { entry = (now, 0) }
            guard entry.count < limits.guestsPerAddressAndHour else { return false }
            entry.count += 1
            state.arrivals[address] = entry
            return true
        }
    }
}
