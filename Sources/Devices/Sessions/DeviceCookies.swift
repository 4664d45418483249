// From a cookie to its device, and the renewal of cookies.

public import CloudProtocol
public import DeviceStore
public import Ledger
import Synchronization

extension DeviceManager {
    /// A device, with the new cookie for its browser if the cookie changes.
    public struct Found: Sendable {
        /// The device that holds the cookie.
        public let device: Device
        /// The hash of the cookie that the device has from now on. New forms are bound to it.
        public let cookie: CookieHash
        /// The cookie to set: the same one with a longer life, or a new one.
        public let newCookie: DeviceToken?
        /// The cookies with which its forms may have been shown: this cookie, and a cookie that was replaced only
        /// because of its age.
        public let formCookies: [CookieHash]

        init(device: Device, cookie: CookieHash, newCookie: DeviceToken? = nil, forms: [CookieHash?] = []) {
            self.device = device
            self.cookie = cookie
            self.newCookie = newCookie
            formCookies = [cookie] + forms.compactMap { $0 }
        }
    }

    /// A form that creates a device for its browser, or signs it in or out. If it is repeated because its
    /// answer was lost, it gets the same answer; a request that only knows the cookie gets none.
    public struct FormSubmission: Hashable, Sendable {
        let cookie: CookieHash
        let form: EntityID?
        /// The user who signed in with the form. Another user who opened the page earlier has seen both
        /// values above.
        var user: EntityID?

        /// - Parameters:
        ///   - cookie: the cookie of the request.
        ///   - form: the id of the form when it was shown; nil if it has none.
        public init(_ cookie: CookieHash, form: EntityID?) {
            self.cookie = cookie
            self.form = form
        }
    }

    /// The lifetime of a cookie after its last use, in seconds.
    public static let cookieSeconds = 400 * 86_400
    private static let rotationSeconds: Int64 = 30 * 86_400

    /// The device that holds a cookie; nil for an unknown cookie, and after 400 days without use.
    ///
    /// A device whose lifecycle fails is found as well: its state describes the failure.
    /// - Parameters:
    ///   - isBound: whether the browser sends the cookie over TLS to this host only.
    ///   - mustBeReplaced: whether the browser is to get another cookie, because this one has an earlier name.
    public func find(
        _ token: DeviceToken,
        isHostBound isBound: Bool = false,
        mustBeReplaced: Bool = false
    ) throws(DevicesError) -> Found? {
        let hash = token.hash
        let now = dependencies.now
        guard let record = try record(of: hash, now) else { return nil }
        // A bound cookie with another name was planted by an attacker who knows it.
        guard now.subtractingClamped(record.seenAt) <= Int64(Self.cookieSeconds),
            isBound || !record.isHostBound
        else { return nil }
        let store = services.store
        if isBound, !record.isHostBound {
            try wrapping { () throws(DeviceStoreError) in try store.bindToHost(record.id) }
            forget(hash)
        }
        var wasTouched = false
        if now.subtractingClamped(record.seenAt) >= DeviceStore.seenEverySeconds {
            wasTouched = try wrapping { () throws(DeviceStoreError) in try store.touch(record, now: now) }
            forget(hash)
            // An idle guest may have been removed since the record was read.
            if !wasTouched, try self.record(of: hash, now) == nil { return nil }
        }
        let device = try device(record)
        device.noteUse()
        if record.byPreviousCookie {
            // Within a minute these are concurrent requests. Later, the answer with the new cookie was lost.
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
            // A concurrent request of the same browser came first.
            guard isReplaced else { return Found(device: device, cookie: hash, forms: [record.cookieHash]) }
            return Found(device: device, cookie: fresh.hash, newCookie: fresh, forms: [hash])
        }
        if record.awaitsNewCookie {
            try wrapping { () throws(DeviceStoreError) in try store.confirm(record.id, now: now) }
            forget(hash)
        }
        // A new cookie is due after a sign-out without a request that could have carried it.
        let isSignedOut = device.consumeCookieDue() || record.rotatedAt == 0
        if isSignedOut || mustBeReplaced
            || now.subtractingClamped(record.rotatedAt) >= Self.rotationSeconds
        {
            let fresh = dependencies.random.token()
            let isReplaced = try wrapping { () throws(DeviceStoreError) in
                try store.rotate(record.id, from: hash, to: fresh.hash, outlives: !isSignedOut, now: now)
            }
            forget(hash)
            // A concurrent request of the same browser came first; its answer carries the new cookie.
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

    /// Whether a cookie belongs to a device, without any effect: for a server that must choose which clients
    /// to serve.
    public func recognises(_ token: DeviceToken) -> Bool { id(of: token) != nil }

    /// The device of a cookie, likewise without any effect; nil for an unknown one.
    public func id(of token: DeviceToken) -> EntityID? { (try? record(of: token.hash, dependencies.now))?.id }

    /// Whether a user is signed in on the device of a cookie, likewise without any effect.
    public func isOfUser(_ token: DeviceToken) -> Bool {
        guard let id = id(of: token) else { return false }
        if let device = state.withLock({ $0.devices[id] }) { return device.session?.isRevoked == false }
        return (try? services.store.session(of: id))?.isRevoked == false
    }

    /// Whether a cookie was replaced by a sign-in whose answer has not reached its browser, as where the process was
    /// killed before it was sent. Such a cookie opens no device: its user signs in again.
    public func hasLostSignIn(_ token: DeviceToken) -> Bool {
        let store = services.store
        guard let record = try? store.find(replacedBySignIn: token.hash) else { return false }
        return !isGuest(record.id)
    }

    /// Whether no user is signed in on a device. A user whose session was ended elsewhere is no guest.
    public func isGuest(_ id: EntityID) -> Bool {
        if let device = state.withLock({ $0.devices[id] }) { return device.isGuest }
        return (try? services.store.session(of: id)) == nil
    }

    /// Creates a device for a new browser, with a new cookie. A cookie that the browser has brought is never
    /// used, because an attacker may know it. A repeated form creates one device.
    /// - Parameters:
    ///   - submission: the form that asks for the device.
    ///   - address: the client's address.
    ///   - locale: the tag of the browser's locale, or empty.
    ///   - step: the first step of the onboarding.
    ///   - user: the user who has just signed in, who is never refused, and gets the same device if the
    ///     answer to an earlier sign-in was lost. Nil for a guest.
    /// - Throws: `tooManyGuests`, `tooManyFromAddress`, `noRoomForGuests`, `book`, `folder`.
    public func welcome(
        _ submission: FormSubmission,
        from address: String,
        locale: String,
        at step: OnboardingStep = .currency,
        user: UserAccount? = nil
    ) throws(DevicesError) -> Found {
        let (now, store) = (dependencies.now, services.store)
        let submission = submission.by(user)
        if let known = state.withLock({ $0.answers.cookie(of: submission, at: now) }) {
            // The form was sent before, perhaps concurrently, so that its device is being created. This does
            // not use up the cookie: the browser may still have the earlier one.
            let record = try wrapping { () throws(DeviceStoreError) in
                try store.find(cookieHash: known.hash, now: now)
            }
            if let record { return Found(device: try device(record), cookie: known.hash, newCookie: known) }
        } else if let user, let found = try resume(user, submission, now) {
            return found
        }
        if let user {
            // A limit of pace and not of number: each sign-in without a cookie creates a book.
            guard mayArrive(from: "user \(user.id)", now) else { throw .tooManyFromAddress }
        } else {
            guard try guestCount() < limits.guests else { throw .tooManyGuests }
            guard services.room.accepts(nil) else { throw .noRoomForGuests }
            guard mayArrive(from: address, now) else { throw .tooManyFromAddress }
        }
        let fresh = dependencies.random.token()
        let token = state.withLock { $0.answers.note(fresh, for: submission, at: now) }
        let record = DeviceRecord(
            id: dependencies.newID(),
            cookieHash: token.hash,
            createdAt: now,
            seenAt: now,
            rotatedAt: now,
            locale: locale,
            onboarding: step.rawValue,
            state: .uninitialized
        )
        do { try store.create(record) } catch {
            // The same form was sent twice at once, and the other request came first.
            if case .idTaken = error, let found = try find(token) { return found.giving(token) }
            throw .store(error)
        }
        return Found(device: try device(record), cookie: token.hash, newCookie: token)
    }

    /// The device of a user whose browser never received the cookie of an earlier sign-in. It still has the
    /// cookie before, which opens no device, and the user has just signed in again.
    private func resume(_ user: UserAccount, _ submission: FormSubmission, _ now: Int64) throws(DevicesError)
        -> Found?
    {
        let store = services.store
        let record = try wrapping { () throws(DeviceStoreError) in
            try store.find(replacedBySignIn: submission.cookie)
        }
        guard let record else { return nil }
        let device = try device(record)
        guard device.session?.user.id == user.id else { return nil }
        let token = dependencies.random.token()
        let fresh = state.withLock { $0.answers.note(token, for: submission, at: now) }
        // The browser's present cookie stays valid for it, because this answer may be lost as well.
        let isReplaced = try wrapping { () throws(DeviceStoreError) in
            try store.replaceUnused(record.id, after: submission.cookie, by: fresh.hash, now: now)
        }
        guard isReplaced else { return nil }
        return Found(device: device, cookie: fresh.hash, newCookie: fresh)
    }

    /// Gives a device another cookie, at each sign-in and sign-out by a request. The earlier one becomes
    /// invalid at once.
    /// - Returns: nil if the form's cookie is not the device's any more, and the form was not sent before.
    public func replaceCookie(_ submission: FormSubmission, of device: Device) throws(DevicesError)
        -> DeviceToken?
    {
        let (now, store, id) = (dependencies.now, services.store, device.id)
        let submission = submission.by(device.session?.user)
        if let known = state.withLock({ $0.answers.cookie(of: submission, at: now) }) { return known }
        let fresh = dependencies.random.token()
        let isReplaced = try wrapping { () throws(DeviceStoreError) in
            try store.rotate(id, from: submission.cookie, to: fresh.hash, outlives: false, now: now)
        }
        return state.withLock { state in
            state.cookies = state.cookies.filter { $0.value.id != id }
            guard isReplaced else { return state.answers.cookie(of: submission, at: now) }
            return state.answers.note(fresh, for: submission, at: now)
        }
    }

    /// A token for a browser without a cookie.
    public func newToken() -> DeviceToken { dependencies.random.token() }

    private func record(of hash: CookieHash, _ now: Int64) throws(DevicesError) -> DeviceRecord? {
        if let record = state.withLock({ $0.cookies[hash] }) { return record }
        let store = services.store
        let record = try wrapping { () throws(DeviceStoreError) in try store.find(cookieHash: hash, now: now)
        }
        // A cookie that is being replaced is looked up each time, because its validity changes.
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
            if state.newGuests.count > 10_000 {
                state.newGuests = state.newGuests.filter { now - $0.value.since < 3_600 }
            }
            var entry = state.newGuests[address] ?? (now, 0)
            if now - entry.since >= 3_600 { entry = (now, 0) }
            guard entry.count < limits.guestsPerAddressAndHour else { return false }
            entry.count += 1
            state.newGuests[address] = entry
            return true
        }
    }
}
