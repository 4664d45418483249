// The devices of one server: found by their cookies, created for new browsers, cached while they are used.

package import BankFeeds
import Book
public import CloudProtocol
package import DeviceStore
import Encoding
import FileStore
import Foundation
package import Ledger
public import Storage
import SyncCore
import Synchronization

/// All devices of a data folder.
public final class DeviceManager: Sendable {
    /// Limits that protect the server from anonymous clients.
    public struct Limits: Sendable {
        /// The greatest number of guests. Users do not count, and are never refused.
        public var guests = 1_000
        /// The greatest number of new guests of one address in an hour.
        public var guestsPerAddressAndHour = 60
        /// The bytes that the books and files of all guests together may use; nil for a tenth of the disk.
        public var guestBytes: Int64?
        /// The space on the disk of a folder; nil if the system does not report it.
        public var space: @Sendable (_ path: String) -> DiskSpace? = { DiskSpace($0) }
        /// The greatest number of unused books that stay open.
        public var openBooks = 16
        /// The time after which an unused book gives back memory, in rounds of `watchAccounts`.
        public var roundsOfUnusedBooks = 10
        /// The greatest size of a book, in bytes.
        public var bookBytes: Int64 = 1 << 30
        /// The limits of files beside transactions.
        public var receipts = ReceiptLimits()
        /// The greatest rate of forms of a device in a second, averaged over a long time; 0 for no limit.
        public var writesPerSecond = 20

        /// The limits above.
        public init() {}
    }

    /// Creates and checks the tokens of forms.
    public let seal: FormSeal
    /// Eight digits that tell the names of this folder's cookies from those of another server on the same host.
    public let cookieMark: String
    /// Time, randomness, log.
    public let dependencies: Dependencies
    let services: DeviceServices
    let limits: Limits
    let state = Mutex(State())

    struct State {
        var devices: [EntityID: Device] = [:]
        var cookies: [CookieHash: DeviceRecord] = [:]
        var newGuests: [String: (since: Int64, count: Int)] = [:]
        var answers = SubmissionAnswers()
        /// Orders whose failure is logged already.
        var failedOrders: Set<Int64> = []
        var isClosed = false
    }

    /// Locks a data folder, and unlocks it when it is closed.
    /// - Parameters:
    ///   - cloud: the cloud of the user accounts.
    ///   - banks: the providers of bank accounts, each with another key.
    ///   - formKey: the key of the tokens of forms; nil for the secret of the folder.
    ///   - mortal: simulates that the process dies at an effect; nil for a server.
    /// - Throws: `book` for the device store, `noDeviceStore`, `secret`.
    package init(
        folder: DataFolder,
        locales: LocaleTable,
        limits: Limits,
        dependencies: Dependencies,
        cloud: any CloudAPI,
        banks: [any BankFeed] = [],
        formKey: [UInt8]? = nil,
        mortal: MortalExecutor? = nil
    ) throws(DevicesError) {
        guard folder.hasDeviceStore || !folder.hasBooks else { throw .noDeviceStore(folder.deviceStorePath) }
        let store = try wrapping { () throws(DeviceStoreError) in
            try DeviceStore.open(at: folder.deviceStorePath)
        }
        if let upgrade = store.upgrade { dependencies.log("the device store was \(upgrade)") }
        FileFolder.removeUnfinished(in: folder.booksPath)
        self.limits = limits
        self.dependencies = dependencies
        let isFirstStart = try wrapping { () throws(DeviceStoreError) in try store.count() == 0 }
        let key = try secret(
            at: folder.path + "/secret.key",
            dependencies.random,
            isFirstStart: isFirstStart && !folder.hasBooks
        )
        self.seal = FormSeal(key: formKey ?? key)
        cookieMark = DeviceToken.mark(of: key)
        let seal = Seal(key: key)
        let revoker = SessionRevoker(
            store: store,
            cloud: cloud,
            seal: seal,
            dependencies: dependencies
        )
        let banks = BankServices(banks)
        let bankRevoker = BankRevoker(store: store, banks: banks, seal: seal, dependencies: dependencies)
        let tasks = TaskScope()
        services = DeviceServices(
            folder: folder,
            store: store,
            books: BookPool(capacity: limits.openBooks),
            bookBytes: limits.bookBytes,
            writesPerSecond: limits.writesPerSecond,
            leavingCheckMilliseconds: limits.receipts.leavingCheckMilliseconds,
            dependencies: dependencies,
            locales: locales,
            cloud: cloud,
            seal: seal,
            revoker: revoker,
            tasks: tasks,
            downloads: DownloadQueue(limits.receipts.downloads, tasks, pause: dependencies.pause),
            room: DiskRoom(folder, budget: limits.guestBytes, space: limits.space, log: dependencies.log),
            executor: mortal ?? DeviceExecutor(),
            banks: banks,
            bankRevoker: bankRevoker
        )
        services.tasks.run { await revoker.run() }
        services.tasks.run { await bankRevoker.run() }
    }

    /// The cloud of the user accounts.
    public var cloud: any CloudAPI { services.cloud }

    /// The number of devices.
    public func count() throws(DevicesError) -> Int {
        let store = services.store
        return try wrapping { () throws(DeviceStoreError) in try store.count() }
    }

    /// Throws if the device store or the folder cannot be used; for readiness checks.
    public func check() throws(DevicesError) { _ = try count() }

    /// The number of guests, as `Limits.guests` counts them.
    public func guestCount() throws(DevicesError) -> Int {
        let store = services.store
        let deadline = deadline
        return try wrapping { () throws(DeviceStoreError) in try store.guestCount(seenAfter: deadline) }
    }

    /// Verifies the account of each device in memory regularly, also of unused devices: a session that was
    /// ended elsewhere, a deleted account and a changed subscription are on its pages within a minute.
    public func watchAccounts() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            // A device whose browser never returns may still have a book to erase.
            var absent: ArraySlice<EntityID>?
            var round = 0
            while !Task.isCancelled {
                await pause(Self.watchMilliseconds)
                guard !Task.isCancelled, let self else { return }
                round += 1
                if round % limits.roundsOfUnusedBooks == 0 { services.books.releaseUnusedMemory() }
                if absent == nil {
                    absent = (try? services.store.signedInDevices(seenAfter: deadline))?[...]
                }
                for _ in 0..<Self.loadedEachRound { if let id = absent?.popFirst() { load(id) } }
                let now = dependencies.now
                let devices = state.withLock { Array($0.devices.values) }
                // All devices within sixteen rounds, and not all at once: with `idleSeconds`, within a
                // minute.
                let most = max(1, (devices.count + 15) / 16)
                for device in devices.filter({ $0.isToBeVerified(at: now) }).prefix(most) {
                    device.beginVerifying()
                }
            }
        }
    }

    /// The time of the last use before which a device's cookie has expired. Such devices cause no requests.
    var deadline: Int64 { dependencies.now - Int64(Self.cookieSeconds) }

    /// The number of devices unused since the start that are loaded in each round: ten thousand within ten
    /// minutes.
    private static let loadedEachRound = 20

    private func load(_ id: EntityID) {
        do { _ = try device(id) } catch {
            dependencies.log.error("a device cannot be asked about: \(error) (device \(id))")
        }
    }

    /// The device of an id; nil if there is none.
    package func device(_ id: EntityID) throws(DevicesError) -> Device? {
        let store = services.store
        guard
            let record = try wrapping({ () throws(DeviceStoreError) in try store.device(id) })
        else { return nil }
        return try device(record)
    }

    /// The interval of rounds, in milliseconds.
    private static let watchMilliseconds: Int64 = 1_000

    /// Verifies the subscriptions of all devices in memory, because the service has news.
    public func verifyAll() {
        for device in state.withLock({ Array($0.devices.values) }) { device.beginVerifying() }
    }

    /// Verifies the sessions of all devices of a user, because some of them have ended. Devices that are not in memory are
    /// loaded: their next request must not show the book.
    package func verifyDevices(of user: EntityID) {
        services.tasks.run { [weak self] in
            guard let self else { return }
            for id in (try? services.store.devices(of: user)) ?? [] {
                load(id)
                state.withLock { $0.devices[id] }?.beginVerifying()
            }
        }
    }

    /// Ends all work, closes all books and the device store, and unlocks the folder. A second call does
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

    /// The device of a record. It is loaded at its first event or request.
    func device(_ record: DeviceRecord) throws(DevicesError) -> Device {
        if let device = state.withLock({ $0.devices[record.id] }) { return device }
        let (store, id) = (services.store, record.id)
        if record.isStateUnknown {
            dependencies.log.error(
                "a device has a state of another version, and begins again with its book and its session: "
                    + "a sign-out or a deletion that was under way has to be asked for again (device \(id))"
            )
        }
        var session = try wrapping { () throws(DeviceStoreError) in try store.session(of: id) }
            .map { Session($0, of: id, services.seal) }
        // No page shows the book before the order is carried out.
        if try wrapping({ () throws(DeviceStoreError) in try store.isOrderedShut(id) }) {
            session?.isLocked = true
            session?.isRevoked = true
        }
        let notices = try wrapping { () throws(DeviceStoreError) in try store.notices(of: id) }
        let fresh = Device(
            record,
            session: session,
            notices: notices,
            services: services
        )
        return state.withLock { state in
            // Only one of two concurrent requests creates the object.
            if let device = state.devices[id] { return device }
            state.devices[id] = fresh
            return fresh
        }
    }

    /// Drops a device that was removed.
    func drop(_ device: EntityID) {
        state.withLock { state in
            state.devices[device] = nil
            state.cookies = state.cookies.filter { $0.value.id != device }
        }
    }

    /// The device if it is in memory.
    package func loaded(_ device: EntityID) -> Device? { state.withLock { $0.devices[device] } }
}

/// The server's secret: 32 random bytes, created at the first start, readable by the owner only.
/// - Parameter isFirstStart: whether no value in the folder can have been sealed with another secret.
private func secret(at path: String, _ random: Randomness, isFirstStart: Bool) throws(DevicesError) -> [UInt8]
{
    if FileManager.default.fileExists(atPath: path) {
        guard let kept = FileManager.default.contents(atPath: path) else {
            throw .secret("\(path) cannot be read: check its owner and its rights")
        }
        if kept.count == 32 { return Array(kept) }
        // A first start that was killed may have left an empty file.
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
        + "(umask 077; head -c 32 /dev/urandom >\(ShellWord.quote(path: path)))"
}
