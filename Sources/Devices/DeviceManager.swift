// The devices of one server: found by their cookies, made for new visitors, kept while they are used.

public import Book
import Foundation
public import Ledger
import Lifecycle
public import SyncCore
import Synchronization

/// All devices of a data folder.
public final class DeviceManager: Sendable {
    /// Limits on devices of strangers.
    public struct Limits: Sendable {
        /// The most guests. Users do not count, and are never refused.
        public var guests = 1_000
        /// The most new guests of one address in an hour.
        public var guestsPerAddressAndHour = 60
        /// The most books that are kept open.
        public var openBooks = 16
        /// How large a book may grow, in bytes.
        public var bookBytes: Int64 = 1 << 30
        /// How many forms a device may send in a second, over a long time; 0 for any number.
        public var writesPerSecond = 20

        /// The usual limits.
        public init() {}
    }

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

    /// Makes and checks the tokens of forms.
    public let seal: FormSeal
    /// Time, randomness, log.
    public let dependencies: Dependencies
    let services: DeviceServices
    private let limits: Limits
    private let state = Mutex(State())

    private struct State {
        var devices: [EntityID: Device] = [:]
        var cookies: [CookieHash: DeviceRecord] = [:]
        var arrivals: [String: (since: Int64, count: Int)] = [:]
        var answers = SendingAnswers()
        var isClosed = false
    }

    /// Takes a data folder, which it lets go when it is closed.
    /// - Parameter cloud: who knows the accounts.
    /// - Throws: `book` for the register, `noRegister`, `secret`.
    public convenience init(
        folder: DataFolder,
        locales: LocaleTable,
        limits: Limits,
        dependencies: Dependencies,
        cloud: any CloudAPI
    ) throws(DevicesError) {
        try self.init(
            folder: folder,
            locales: locales,
            limits: limits,
            dependencies: dependencies,
            cloud: cloud,
            executor: DeviceExecutor()
        )
    }

    init(
        folder: DataFolder,
        locales: LocaleTable,
        limits: Limits,
        dependencies: Dependencies,
        cloud: any CloudAPI,
        executor: any StepExecutor
    ) throws(DevicesError) {
        guard folder.hasRegister || !folder.hasBooks else { throw .noRegister(folder.registerPath) }
        let register = try wrapping { () throws(BookError) in
            try DeviceRegister.open(at: folder.registerPath)
        }
        self.limits = limits
        self.dependencies = dependencies
        let isFirstStart = try wrapping { () throws(BookError) in try register.count() == 0 }
        let key = try secret(
            at: folder.path + "/secret.key",
            dependencies.random,
            isFirstStart: isFirstStart && !folder.hasBooks
        )
        self.seal = FormSeal(key: key)
        let seal = Seal(key: key)
        let revoker = SessionRevoker(
            register: register,
            cloud: cloud,
            seal: seal,
            dependencies: dependencies
        )
        services = DeviceServices(
            folder: folder,
            register: register,
            books: BookPool(capacity: limits.openBooks),
            bookBytes: limits.bookBytes,
            writesPerSecond: limits.writesPerSecond,
            dependencies: dependencies,
            locales: locales,
            cloud: cloud,
            seal: seal,
            revoker: revoker,
            tasks: TaskScope(),
            executor: executor
        )
        services.tasks.run { await revoker.run() }
    }

    /// The cloud that knows the accounts.
    public var cloud: any CloudAPI { services.cloud }

    /// How many devices there are.
    public func count() throws(DevicesError) -> Int {
        let register = services.register
        return try wrapping { () throws(BookError) in try register.count() }
    }

    /// Whether register and folder can be used: what a readiness check asks.
    public func check() throws(DevicesError) { _ = try count() }

    /// How many guests there are: what `Limits.guests` counts.
    public func guestCount() throws(DevicesError) -> Int {
        let register = services.register
        let deadline = deadline
        return try wrapping { () throws(BookError) in try register.guestCount(seenAfter: deadline) }
    }

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
        // Whoever knows a bound cookie and sends it as another one has planted it.
        guard now.subtractingClamped(record.seenAt) <= Int64(Self.cookieSeconds),
            isBound == true || !record.isHostBound
        else { return nil }
        let register = services.register
        if isBound == true, !record.isHostBound {
            try wrapping { () throws(BookError) in try register.bindToHost(record.id) }
            forget(hash)
        }
        var wasTouched = false
        if now.subtractingClamped(record.seenAt) >= DeviceRegister.seenEverySeconds {
            wasTouched = try wrapping { () throws(BookError) in try register.touch(record, now: now) }
            forget(hash)
            // An idle guest may have been forgotten since the record was read.
            if !wasTouched, try self.record(of: hash, now) == nil { return nil }
        }
        let device = try device(record)
        device.noteUse()
        if record.byPreviousCookie {
            // For a minute these are requests under way. Later, the answer with the new cookie was lost.
            guard record.awaitsNewCookie,
                now.subtractingClamped(record.rotatedAt) > DeviceRegister.graceSeconds
            else {
                return Found(device: device, cookie: record.cookieHash, forms: [hash])
            }
            let fresh = dependencies.random.token()
            let isReplaced = try wrapping { () throws(BookError) in
                try register.replaceUnused(
                    record.id,
                    from: record.cookieHash,
                    after: hash,
                    by: fresh.hash,
                    now: now
                )
            }
            // Another request of the same browser was a moment earlier.
            guard isReplaced else { return Found(device: device, cookie: record.cookieHash, forms: [hash]) }
            return Found(device: device, cookie: fresh.hash, newCookie: fresh, forms: [hash])
        }
        if record.awaitsNewCookie {
            try wrapping { () throws(BookError) in try register.confirm(record.id, now: now) }
            forget(hash)
        }
        // It is due where somebody has signed out without a request that could have carried another one.
        let isSignedOut = device.consumeCookieDue() || record.rotatedAt == 0
        if isSignedOut || isBound == nil
            || now.subtractingClamped(record.rotatedAt) >= Self.rotationSeconds
        {
            let fresh = dependencies.random.token()
            let isReplaced = try wrapping { () throws(BookError) in
                try register.rotate(record.id, from: hash, to: fresh.hash, outlives: !isSignedOut, now: now)
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
        let (now, register) = (dependencies.now, services.register)
        let sending = sending.by(user)
        if let known = state.withLock({ $0.answers.cookie(of: sending, at: now) }) {
            // The form was sent before: perhaps at the same moment, so that its device is being made. The cookie is not used
            // by this: its browser may still have the one before.
            let record = try wrapping { () throws(BookError) in
                try register.find(cookieHash: known.hash, now: now)
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
        do { try register.create(record) } catch {
            // The same form, sent twice at once: the other one was a moment earlier.
            if case .idTaken = error, let found = try find(token) { return found.giving(token) }
            throw .book(error)
        }
        return Found(device: try device(record), cookie: token.hash, newCookie: token)
    }

    /// The device of a user whose browser never got the cookie of an earlier sign-in: it has the one before, which opens
    /// nothing, and its user has just proved to be the same.
    private func resume(_ user: User, _ sending: Sending, _ now: Int64) throws(DevicesError) -> Found? {
        let register = services.register
        let record = try wrapping { () throws(BookError) in
            try register.find(replacedBySignIn: sending.cookie)
        }
        guard let record else { return nil }
        let device = try device(record)
        guard device.session?.user.id == user.id else { return nil }
        let token = dependencies.random.token()
        let fresh = state.withLock { $0.answers.note(token, for: sending, at: now) }
        // The one that the browser has stays the key to it: this answer may be lost as well.
        let isReplaced = try wrapping { () throws(BookError) in
            try register.replaceUnused(record.id, after: sending.cookie, by: fresh.hash, now: now)
        }
        guard isReplaced else { return nil }
        return Found(device: device, cookie: fresh.hash, newCookie: fresh)
    }

    /// Gives a device another cookie: at each sign-in and sign-out that a visit asks for. The one before dies at once.
    /// - Returns: nil where the one that the form came with is not the device's any more, and the form was not sent before.
    public func replaceCookie(_ sending: Sending, of device: Device) throws(DevicesError) -> DeviceToken? {
        let (now, register, id) = (dependencies.now, services.register, device.id)
        let sending = sending.by(device.session?.user)
        if let known = state.withLock({ $0.answers.cookie(of: sending, at: now) }) { return known }
        let fresh = dependencies.random.token()
        let isReplaced = try wrapping { () throws(BookError) in
            try register.rotate(id, from: sending.cookie, to: fresh.hash, outlives: false, now: now)
        }
        return state.withLock { state in
            state.cookies = state.cookies.filter { $0.value.id != id }
            guard isReplaced else { return state.answers.cookie(of: sending, at: now) }
            return state.answers.note(fresh, for: sending, at: now)
        }
    }

    /// Asks about the account of each device in memory every so often, also of those that nobody touches: a session that
    /// was ended elsewhere, an account that is gone and a subscription that has changed are on its pages within a minute.
    public func watchAccounts() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            // A browser that does not come back has a book here all the same, perhaps one to erase.
            var absent: ArraySlice<EntityID>?
            while !Task.isCancelled {
                await pause(Self.watchMilliseconds)
                guard !Task.isCancelled, let self else { return }
                await carryOutOrders()
                if absent == nil {
                    absent = (try? services.register.signedInDevices(seenAfter: deadline))?[...]
                }
                for _ in 0..<Self.loadedEachRound { if let id = absent?.popFirst() { load(id) } }
                let now = dependencies.now
                let devices = state.withLock { Array($0.devices.values) }
                // All of them within sixteen rounds, and not all at once: with `idleSeconds`, within a minute.
                let most = max(1, (devices.count + 15) / 16)
                for device in devices.filter({ $0.isToBeVerified(at: now) }).prefix(most) {
                    device.beginVerifying()
                }
            }
        }
    }

    /// Whose device was used last before this, their cookie is over, and nothing is asked on their behalf.
    var deadline: Int64 { dependencies.now - Int64(Self.cookieSeconds) }

    /// So many of the devices that nobody has used since the start are loaded each time: ten thousand within ten minutes.
    private static let loadedEachRound = 20

    private func load(_ id: EntityID) {
        do { if let record = try services.register.device(id) { _ = try device(record) } } catch {
            dependencies.log("a device cannot be asked about: \(error) (device \(id))")
        }
    }

    /// How often it is looked who is to be asked about, in milliseconds.
    private static let watchMilliseconds: Int64 = 1_000

    /// Verifies the subscription of each device that is in memory: the service has news.
    public func verifyAll() {
        for device in state.withLock({ Array($0.devices.values) }) { device.beginVerifying() }
    }

    /// Ends on the cloud a session that no device took.
    public func discard(_ signedIn: SignedIn) {
        services.revoker.end(signedIn.token, of: dependencies.newID())
    }

    /// A sign-in that waits for its browser, as that browser keeps it: it can neither read nor change it.
    /// - Parameter cookie: the browser's own, which no other browser can finish the sign-in without.
    /// - Returns: nil where the system cannot seal it.
    public func closed(
        _ pending: PendingSignIn,
        for cookie: CookieHash,
        _ purpose: SignInPurpose = .signIn
    ) -> String? {
        let content = cookie.bytes + [purpose.rawValue] + Array(pending.written.utf8)
        return services.seal.close(content, for: Self.nobody, .signIn).map { hexadecimal($0) }
    }

    /// What a sign-in at a provider is for.
    public enum SignInPurpose: UInt8, Sendable {
        case signIn = 1
        /// The user shows that it is they who delete the account.
        case accountDeletion
    }

    /// Opens it again; nil for what is none of this server's, another browser's, or too old.
    /// - Parameter cookies: the browser's own, and the one that it held before.
    public func pendingSignIn(_ closed: String, for cookies: [CookieHash]) -> (PendingSignIn, SignInPurpose)?
    {
        guard let sealed = bytes(hexadecimal: closed),
            let content = services.seal.open(sealed, for: Self.nobody, .signIn),
            let cookie = CookieHash(content.prefix(32)), cookies.contains(cookie),
            let purpose = content.dropFirst(32).first.flatMap({ SignInPurpose(rawValue: $0) }),
            let pending = PendingSignIn(written: String(decoding: content.dropFirst(33), as: UTF8.self)),
            dependencies.now < pending.expiresAt
        else { return nil }
        return (pending, purpose)
    }

    private static let nobody = EntityID(high: 0, low: 0)

    /// A token for a visitor who has no cookie yet.
    public func newToken() -> DeviceToken { dependencies.random.token() }

    /// Ends what runs, lets all books go, closes the register and lets another server take the folder; again it does
    /// nothing.
    public func close() async {
        let isClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !isClosed else { return }
        await services.tasks.close()
        await services.books.closeAll()
        services.register.close()
        services.folder.release()
    }

    private func record(of hash: CookieHash, _ now: Int64) throws(DevicesError) -> DeviceRecord? {
        if let record = state.withLock({ $0.cookies[hash] }) { return record }
        let register = services.register
        let record = try wrapping { () throws(BookError) in try register.find(cookieHash: hash, now: now) }
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

    /// The device of a record, which is loaded when the first event or request comes.
    func device(_ record: DeviceRecord) throws(DevicesError) -> Device {
        if let device = state.withLock({ $0.devices[record.id] }) { return device }
        let stored = Lifecycle.State(stored: record.state) ?? .uninitialized
        let (register, id) = (services.register, record.id)
        var session = try wrapping { () throws(BookError) in try register.session(of: id) }
            .map { Session($0, of: id, services.seal) }
        // Nobody sees a book in the second before the order is carried out.
        if try wrapping({ () throws(BookError) in try register.isOrderedShut(id) }) {
            session?.isLocked = true
            session?.isRevoked = true
        }
        let notices = try wrapping { () throws(BookError) in try register.notices(of: id) }
        let fresh = Device(
            record,
            state: stored,
            session: session,
            notices: notices,
            services: services
        )
        return state.withLock { state in
            // Of two requests that read it at once, one brings the device.
            if let device = state.devices[id] { return device }
            state.devices[id] = fresh
            return fresh
        }
    }

    /// Forgets a device that is not there any more.
    func drop(_ device: EntityID) {
        state.withLock { state in
            state.devices[device] = nil
            state.cookies = state.cookies.filter { $0.value.id != device }
        }
    }

    /// The device, where it is in memory.
    func loaded(_ device: EntityID) -> Device? { state.withLock { $0.devices[device] } }

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

/// The server's secret: 32 random bytes, made at the first start, readable by the owner only.
/// - Parameter isFirstStart: whether nothing in the folder can have been sealed with another one.
private func secret(at path: String, _ random: Randomness, isFirstStart: Bool) throws(DevicesError) -> [UInt8]
{
    if FileManager.default.fileExists(atPath: path) {
        guard let kept = FileManager.default.contents(atPath: path) else {
            throw .secret("\(path) cannot be read: check its owner and its rights")
        }
        if kept.count == 32 { return Array(kept) }
        // A first start that was killed may have left nothing but the name.
        guard isFirstStart, kept.isEmpty else {
            throw .secret("\(path) has \(kept.count) bytes instead of 32: \(howToReplace(path))")
        }
    } else if !isFirstStart {
        throw .secret("\(path) is missing beside books: \(howToReplace(path))")
    }
    let fresh = random.bytes(32)
    let partial = path + ".partial"
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    do {
        guard FileManager.default.createFile(atPath: partial, contents: Data(fresh), attributes: attributes)
        else {
            throw DevicesError.secret("\(path) cannot be written")
        }
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: partial, toPath: path)
    } catch {
        throw .secret("\(path): \(error)")
    }
    return fresh
}

private func howToReplace(_ path: String) -> String {
    "put it back from a backup; or make another one, with which everybody signs in again: "
        + "(umask 077; head -c 32 /dev/urandom >'\(path)')"
}
