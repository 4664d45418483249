// The devices of one server: found by their cookies, made for new visitors, kept while they are used.

public import Book
import Foundation
public import Ledger
import Lifecycle
import Synchronization

/// All devices of a data folder.
public final class Household: Sendable {
    /// What strangers may take up.
    public struct Limits: Sendable {
        /// The most devices.
        public var guests = 1_000
        /// The most new devices of one address in an hour.
        public var guestsPerAddressAndHour = 60
        /// The most books that are kept open.
        public var openBooks = 32

        /// The usual limits.
        public init() {}
    }

    /// A device that was found, and the cookie that its browser should keep from now on, where that changes.
    public struct Found: Sendable {
        /// The device.
        public let device: Device
        /// The hash of the cookie that it came with: what its forms are bound to.
        public let cookie: CookieHash
        /// Set this cookie: the same, to last longer, or a new one.
        public let newCookie: DeviceToken?
    }

    /// How long a browser keeps its cookie after its last use, in seconds.
    public static let cookieSeconds = 400 * 86_400
    private static let rotationSeconds: Int64 = 30 * 86_400

    /// What makes and checks the tokens of forms.
    public let seal: FormSeal
    /// Time, randomness, log.
    public let surroundings: Surroundings
    private let shop: Workshop
    private let limits: Limits
    private let known = Mutex<[EntityID: Device]>([:])
    private let cookies = Mutex<[CookieHash: DeviceRecord]>([:])
    private let arrivals = Mutex<[String: (since: Int64, count: Int)]>([:])

    /// Takes a data folder.
    /// - Throws: `folder` where another server holds it or it cannot be used; `book` for its register.
    public convenience init(
        folder path: String,
        locales: LocaleTable,
        limits: Limits,
        surroundings: Surroundings
    ) throws(DevicesError) {
        try self.init(
            folder: path,
            locales: locales,
            limits: limits,
            surroundings: surroundings,
            mayBegin: { _ in true },
            mayEnd: { _ in true }
        )
    }

    init(
        folder path: String,
        locales: LocaleTable,
        limits: Limits,
        surroundings: Surroundings,
        mayBegin: @escaping @Sendable (Effect) -> Bool,
        mayEnd: @escaping @Sendable (Effect) -> Bool
    ) throws(DevicesError) {
        let folder: DataFolder
        do { folder = try DataFolder.lock(path) } catch { throw .folder(error) }
        let register = try wrapping { () throws(BookError) in try DeviceRegister.open(at: folder.registerPath)
        }
        self.limits = limits
        self.surroundings = surroundings
        seal = FormSeal(key: try secret(at: folder.path + "/secret.key", surroundings.random))
        shop = Workshop(
            folder: folder,
            register: register,
            books: OpenBooks(capacity: limits.openBooks),
            surroundings: surroundings,
            locales: locales,
            mayBegin: mayBegin,
            mayEnd: mayEnd
        )
    }

    /// How many devices there are.
    public func count() throws(DevicesError) -> Int {
        let register = shop.register
        return try wrapping { () throws(BookError) in try register.count() }
    }

    /// Whether register and folder can be used: what a readiness check asks.
    public func check() throws(DevicesError) { _ = try count() }

    /// The device that holds a cookie; nil where nobody does.
    ///
    /// Where its lifecycle fails, the device is found all the same: its state says what went wrong.
    public func find(_ token: DeviceToken) throws(DevicesError) -> Found? {
        let hash = token.hash
        let now = surroundings.now
        guard let record = try record(of: hash, now) else { return nil }
        let device = try device(record)
        let register = shop.register
        if record.byPreviousCookie {
            // For a minute these are requests under way. Later, the answer with the new cookie was lost.
            guard record.awaitsNewCookie, now > record.rotatedAt + DeviceRegister.graceSeconds else {
                return Found(device: device, cookie: hash, newCookie: nil)
            }
            let fresh = surroundings.random.token()
            try wrapping { () throws(BookError) in try register.reissue(record.id, to: fresh.hash, now: now) }
            return Found(device: device, cookie: hash, newCookie: fresh)
        }
        if record.awaitsNewCookie {
            try wrapping { () throws(BookError) in try register.confirm(record.id, now: now) }
            forget(hash)
        }
        if now - record.rotatedAt >= Self.rotationSeconds {
            let fresh = surroundings.random.token()
            try wrapping { () throws(BookError) in try register.rotate(record.id, to: fresh.hash, now: now) }
            forget(hash)
            return Found(device: device, cookie: fresh.hash, newCookie: fresh)
        }
        if now >= record.seenAt + DeviceRegister.seenEverySeconds {
            let wasWritten = try wrapping { () throws(BookError) in try register.touch(record, now: now) }
            forget(hash)
            return Found(device: device, cookie: hash, newCookie: wasWritten ? token : nil)
        }
        return Found(device: device, cookie: hash, newCookie: nil)
    }

    /// Makes a device for a visitor: its cookie is the one that the visitor has already shown with the form that
    /// asks for it, so that a form that is sent twice makes one device.
    /// - Parameters:
    ///   - address: where the visitor comes from.
    ///   - locale: the tag of the browser's locale, or empty.
    /// - Throws: `tooManyGuests`, `tooManyFromAddress`, `book`, `folder`.
    public func welcome(_ token: DeviceToken, from address: String, locale: String) throws(DevicesError)
        -> Device
    {
        if let found = try find(token) { return found.device }
        let now = surroundings.now
        guard try count() < limits.guests else { throw .tooManyGuests }
        guard mayArrive(from: address, now) else { throw .tooManyFromAddress }
        let record = DeviceRecord(
            id: surroundings.newID(),
            cookieHash: token.hash,
            createdAt: now,
            seenAt: now,
            rotatedAt: now,
            locale: locale,
            onboarding: OnboardingStep.currency.rawValue,
            state: State.uninitialized.stored
        )
        let register = shop.register
        do { try register.create(record) } catch {
            // The same form, sent twice at once: the other one was a moment earlier.
            if case .idTaken = error, let found = try find(token) { return found.device }
            throw .book(error)
        }
        return try device(record)
    }

    /// A token for a visitor who has no cookie yet.
    public func newToken() -> DeviceToken { surroundings.random.token() }

    /// Lets all books go, closes the register and lets another server take the folder.
    public func close() {
        shop.books.closeAll()
        shop.register.close()
        shop.folder.release()
    }

    private func record(of hash: CookieHash, _ now: Int64) throws(DevicesError) -> DeviceRecord? {
        if let record = cookies.withLock({ $0[hash] }) { return record }
        let register = shop.register
        let record = try wrapping { () throws(BookError) in try register.find(cookieHash: hash, now: now) }
        // A cookie that is being replaced is looked up each time: what it is worth changes.
        if let record, !record.byPreviousCookie, !record.awaitsNewCookie {
            cookies.withLock { cookies in
                if cookies.count > 10_000 { cookies = [:] }
                cookies[hash] = record
            }
        }
        return record
    }

    private func forget(_ hash: CookieHash) { cookies.withLock { _ = $0.removeValue(forKey: hash) } }

    /// The device of a record. Its lifecycle goes on the first time that this process sees it.
    private func device(_ record: DeviceRecord) throws(DevicesError) -> Device {
        if let device = known.withLock({ $0[record.id] }) { return device }
        let stored = State(stored: record.state) ?? .uninitialized
        return try known.withLock { known throws(DevicesError) in
            if let device = known[record.id] { return device }
            let device = Device(record, state: stored, house: shop)
            try device.resume(stored: stored)
            known[record.id] = device
            return device
        }
    }

    private func mayArrive(from address: String, _ now: Int64) -> Bool {
        arrivals.withLock { arrivals in
            if arrivals.count > 10_000 { arrivals = arrivals.filter { now - $0.value.since < 3_600 } }
            var entry = arrivals[address] ?? (now, 0)
            if now - entry.since >= 3_600 { entry = (now, 0) }
            guard entry.count < limits.guestsPerAddressAndHour else { return false }
            entry.count += 1
            arrivals[address] = entry
            return true
        }
    }
}

/// The server's secret: 32 random bytes, made at the first start, readable by the owner only.
private func secret(at path: String, _ random: Randomness) throws(DevicesError) -> [UInt8] {
    if let kept = FileManager.default.contents(atPath: path), kept.count == 32 { return Array(kept) }
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
