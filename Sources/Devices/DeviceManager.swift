// The devices of one server: found by their cookies, made for new visitors, kept while they are used.

import Book
public import DeviceStore
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

    /// Makes and checks the tokens of forms.
    public let seal: FormSeal
    /// Time, randomness, log.
    public let dependencies: Dependencies
    let services: DeviceServices
    let limits: Limits
    let state = Mutex(State())

    struct State {
        var devices: [EntityID: Device] = [:]
        var cookies: [CookieHash: DeviceRecord] = [:]
        var arrivals: [String: (since: Int64, count: Int)] = [:]
        var answers = SendingAnswers()
        /// Orders of which the log knows that they fail.
        var failedOrders: Set<Int64> = []
        var isClosed = false
    }

    /// Takes a data folder, which it lets go when it is closed.
    /// - Parameter cloud: who knows the accounts.
    /// - Throws: `store`, `noDeviceStore`, `secret`.
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
        guard folder.hasDeviceStore || !folder.hasBooks else { throw .noDeviceStore(folder.deviceStorePath) }
        let store = try wrapping { () throws(DeviceStoreError) in
            try DeviceStore.open(at: folder.deviceStorePath)
        }
        if let upgrade = store.upgrade { dependencies.log("the device store was \(upgrade)") }
        self.limits = limits
        self.dependencies = dependencies
        let isFirstStart = try wrapping { () throws(DeviceStoreError) in try store.count() == 0 }
        let key = try secret(
            at: folder.path + "/secret.key",
            dependencies.random,
            isFirstStart: isFirstStart && !folder.hasBooks
        )
        self.seal = FormSeal(key: key)
        let seal = Seal(key: key)
        let revoker = SessionRevoker(
            store: store,
            cloud: cloud,
            seal: seal,
            dependencies: dependencies
        )
        services = DeviceServices(
            folder: folder,
            store: store,
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
        let store = services.store
        return try wrapping { () throws(DeviceStoreError) in try store.count() }
    }

    /// Whether store and folder can be used: what a readiness check asks.
    public func check() throws(DevicesError) { _ = try count() }

    /// How many guests there are: what `Limits.guests` counts.
    public func guestCount() throws(DevicesError) -> Int {
        let store = services.store
        let deadline = deadline
        return try wrapping { () throws(DeviceStoreError) in try store.guestCount(seenAfter: deadline) }
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
                if absent == nil {
                    absent = (try? services.store.signedInDevices(seenAfter: deadline))?[...]
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
        do { if let record = try services.store.device(id) { _ = try device(record) } } catch {
            dependencies.log.error("a device cannot be asked about: \(error) (device \(id))")
        }
    }

    /// How often it is looked who is to be asked about, in milliseconds.
    private static let watchMilliseconds: Int64 = 1_000

    /// Verifies the subscription of each device that is in memory: the service has news.
    public func verifyAll() {
        for device in state.withLock({ Array($0.devices.values) }) { device.beginVerifying() }
    }

    /// Ends what runs, lets all books go, closes the device store and lets another server take the folder; again it does
    /// nothing.
    public func close() async {
        let isClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !isClosed else { return }
        await services.tasks.close()
        await services.books.closeAll()
        services.store.close()
        services.folder.release()
    }

    /// The device of a record, which is loaded when the first event or request comes.
    func device(_ record: DeviceRecord) throws(DevicesError) -> Device {
        if let device = state.withLock({ $0.devices[record.id] }) { return device }
        let stored = Lifecycle.State(stored: record.state) ?? .uninitialized
        let (store, id) = (services.store, record.id)
        var session = try wrapping { () throws(DeviceStoreError) in try store.session(of: id) }
            .map { Session($0, of: id, services.seal) }
        // Nobody sees a book in the second before the order is carried out.
        if try wrapping({ () throws(DeviceStoreError) in try store.isOrderedShut(id) }) {
            session?.isLocked = true
            session?.isRevoked = true
        }
        let notices = try wrapping { () throws(DeviceStoreError) in try store.notices(of: id) }
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
    guard FileManager.default.createFile(atPath: partial, contents: Data(fresh), attributes: attributes)
    else { throw .secret("\(path) cannot be written") }
    do {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: partial, toPath: path)
    } catch {
        throw .secret("\(path): \(error.localizedDescription)")
    }
    return fresh
}

private func howToReplace(_ path: String) -> String {
    "put it back from a backup; or make another one, with which everybody signs in again: "
        + "(umask 077; head -c 32 /dev/urandom >'\(path)')"
}
