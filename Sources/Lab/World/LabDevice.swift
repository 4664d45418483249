// One device of a world: an installation of its own with one browser, which can be stopped, killed and started again.

import BankFeeds
import CloudProtocol
import DeviceStore
import Devices
import Ledger
import Lifecycle
import Links
import SyncCore
import Synchronization
import Templates
import Web

/// A device of the lab. It starts when it is first needed.
final class LabDevice: Sendable {
    /// The running installation.
    struct Running: Sendable {
        let manager: DeviceManager
        let site: Site
    }

    private struct Present {
        var running: Running?
        /// Whether it is being started or stopped.
        var isBusy = false
        var isGone = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The effect at which the process is to die; nil for none.
        var deadly: KillPoint?
        /// The effect that is to fail; nil for none.
        var faulty: KillPoint?
        /// The device that its browser used last.
        var current: EntityID?
        /// The cookie of the prepared device; nil for a new browser.
        var token: DeviceToken?
        /// Whether `token` belongs to this world alone, and no longer to the blueprint.
        var hasOwnToken = false
        /// How often the browser was given the cookie of the prepared device.
        var handed = 0
    }

    /// 1, 2 or 3.
    let number: Int
    /// The line to the cloud of the world.
    let line: LabLine
    private let formKey: [UInt8]
    private let folder: String
    private let parts: LabParts
    private let world: WorldParts
    private let present: Mutex<Present>

    /// The parts that all devices of a world share.
    struct WorldParts: Sendable {
        let clock: WorldClock
        let random: Randomness
        let provider: DemoProvider
        let store: DemoStore
        let bank: DemoBank
        let killReport: KillReport
        /// Called with each page that a device has shown.
        let observer: @Sendable (_ device: Int, _ page: ByteBuffer) -> Void
    }

    init(
        _ number: Int,
        in folder: String,
        token: DeviceToken?,
        line: LabLine,
        _ world: WorldParts,
        _ parts: LabParts
    ) {
        self.number = number
        self.folder = folder
        formKey = world.random.bytes(32)
        present = Mutex(Present(token: token))
        self.line = line
        self.world = world
        self.parts = parts
    }

    /// The installation, if it runs.
    var running: Running? { present.withLock { $0.isBusy ? nil : $0.running } }

    /// The device of the browser; nil before its first page.
    var device: Device? {
        guard let running else { return nil }
        if let id = present.withLock({ $0.current }), let device = running.manager.loaded(id) {
            return device
        }
        return token.flatMap { try? running.manager.find($0)?.device }
    }

    /// The cookie that the browser lacks, if the device was prepared. It is given a few times only, so that a browser
    /// that keeps no cookies is not sent in circles.
    func tokenToHand() -> DeviceToken? {
        present.withLock { present in
            guard let token = present.token else { return nil }
            present.handed += 1
            return present.handed <= 5 ? token : nil
        }
    }

    /// Starts the installation unless it runs.
    /// - Throws: `gone` after the world was wiped; `failed`.
    func start() async throws(LabError) -> Running {
        await enter()
        defer { leave() }
        if let running = present.withLock({ $0.running }) { return running }
        guard !present.withLock({ $0.isGone }) else { throw .gone }
        let running = try open()
        adoptOwnToken(running)
        present.withLock { $0.running = running }
        return running
    }

    /// The cookie of the prepared device; nil for a new browser.
    var token: DeviceToken? { present.withLock { $0.token } }

    /// Replaces the cookie of the blueprint, which all worlds of a kind begin with.
    private func adoptOwnToken(_ running: Running) {
        let (token, hasOwn) = present.withLock { ($0.token, $0.hasOwnToken) }
        guard let token, !hasOwn, let device = try? running.manager.find(token)?.device,
            let own = try? running.manager.replaceCookie(
                DeviceManager.FormSubmission(token.hash, form: nil),
                of: device
            )
        else { return }
        present.withLock { ($0.token, $0.hasOwnToken) = (own, true) }
    }

    /// Stops the installation as a server stops. The next use starts it again.
    func stop() async {
        await enter()
        defer { leave() }
        guard
            let running = present.withLock({ present in
                defer { present.running = nil }
                return present.running
            })
        else { return }
        await running.manager.close()
    }

    /// Stops the installation for good.
    func end() async {
        present.withLock { $0.isGone = true }
        await stop()
    }

    /// Lets the process die: now, or at an effect instead of an earlier choice.
    func kill(at point: KillPoint) async {
        present.withLock { $0.deadly = point == .now || point == .never ? nil : point }
        if point == .now { await restart() }
    }

    /// The effect at which the process is to die; nil for none.
    var deadlyEffect: KillPoint? { present.withLock { $0.deadly } }

    /// Takes an effect back at which the process is to die, or that is to fail.
    func disarm(_ point: KillPoint) {
        present.withLock { present in
            if present.deadly == point { present.deadly = nil }
            if present.faulty == point { present.faulty = nil }
        }
    }

    /// Lets an effect fail once.
    func fail(at point: KillPoint) { present.withLock { $0.faulty = point } }

    private func restart() async {
        await stop()
        let used = present.withLock { $0.current }
        // Recovers without a request, as a server does that is started again.
        guard let running = try? await start() else { return }
        do {
            let recovered = try used.flatMap { try running.manager.device($0) }
            guard let device = try recovered ?? token.flatMap({ try running.manager.find($0)?.device })
            else { return }
            try await device.waitUntilIdle(withinMilliseconds: Self.recoveryMilliseconds)
        } catch { parts.log.error("the lab: device \(number) does not recover: \(error)") }
    }

    private func open() throws(LabError) -> Running {
        let (parts, world, number) = (parts, world, number)
        var limits = DeviceManager.Limits()
        limits.guests = 20
        limits.openBooks = 2
        // Fifty visitors have a hundred books open, and look at few of them at a time.
        limits.roundsOfUnusedBooks = 1
        limits.bookBytes = parts.bookBytes
        limits.receipts.deviceBytes = parts.receiptBytes
        let feed = DemoFeed(
            world.bank,
            currencies: parts.tables.currencies,
            consentPage: { Link.labBank.adding(query: [("state", $0)]).text },
            // A delay that is watched, like the delays of the lines.
            pause: { await pause(milliseconds: $0) }
        )
        do {
            let manager = try DeviceManager(
                folder: try DataFolder.lock(folder),
                locales: parts.locales,
                limits: limits,
                dependencies: parts.dependencies(world.clock, world.random, "device \(number)"),
                cloud: line,
                banks: [feed],
                formKey: formKey,
                mortal: MortalExecutor(
                    mayEnd: { [weak self] in self?.survives($0) ?? true },
                    fault: { [weak self] in self?.fails($0) == true ? .book(.diskFull) : nil }
                )
            )
            manager.watchAccounts()
            manager.resumeSync()
            manager.watchBanks()
            let site = Site(
                devices: manager,
                tables: parts.tables,
                account: Site.UserAccountOptions(
                    signInMethods: parts.signInMethods(world.provider.name),
                    guests: true,
                    premiumForEveryone: false,
                    provider: world.provider,
                    store: world.store
                ),
                base: LabParts.bases[number - 1],
                pages: parts.pages[number - 1],
                files: parts.files,
                readiness: { [] },
                observer: { [weak self] device, page in
                    if let device { self?.note(device) }
                    world.observer(number, page)
                }
            )
            return Running(manager: manager, site: site)
        } catch { throw .failed("\(error)") }
    }

    private func note(_ device: Device) { present.withLock { $0.current = device.id } }

    /// Whether the process survives an effect. If not, it dies before the result is stored, and is started again.
    private func survives(_ effect: Effect?) -> Bool {
        let struck = present.withLock { present -> KillPoint? in
            guard let deadly = present.deadly, deadly.isAt(effect) else { return nil }
            present.deadly = nil
            return deadly
        }
        guard let struck else { return true }
        Background.run { [self] in
            await restart()
            world.killReport.noteDeath(of: number, at: struck)
        }
        return false
    }

    private func fails(_ effect: Effect) -> Bool {
        present.withLock { present in
            guard let faulty = present.faulty, faulty.isAt(effect) else { return false }
            present.faulty = nil
            return true
        }
    }

    /// The longest time that the button waits for the recovery, in milliseconds of the world.
    private static let recoveryMilliseconds: Int64 = 5_000

    // MARK: - One after the other

    private func enter() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isFree = present.withLock { present in
                guard present.isBusy else {
                    present.isBusy = true
                    return true
                }
                present.waiters.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    private func leave() {
        let next = present.withLock { present -> CheckedContinuation<Void, Never>? in
            guard !present.waiters.isEmpty else {
                present.isBusy = false
                return nil
            }
            return present.waiters.removeFirst()
        }
        next?.resume()
    }
}

/// The moment at which a process of the lab dies.
enum KillPoint: String, CaseIterable, Sendable {
    case now
    /// Takes an earlier choice back.
    case never
    case gatherContext = "gather_context"
    case seedDefaults = "seed_defaults"
    /// The book gives way: to an empty one, or to that of an account with premium, which happens as sync is attached.
    case clearBook = "clear_book"
    case moveToAccount = "move_to_account"
    case attachSync = "attach_sync"
    case detachSync = "detach_sync"
    case signOut = "sign_out"
    /// A request to the cloud for which the user waits: about the account, or a deletion.
    case askCloud = "ask_cloud"

    /// Whether an effect has this moment in it.
    /// - Parameter effect: nil for a request to the cloud.
    func isAt(_ effect: Effect?) -> Bool {
        if case .attachSync(_, .download) = effect, self == .clearBook { return true }
        return self == KillPoint(effect)
    }

    private init?(_ effect: Effect?) {
        switch effect {
        case nil: self = .askCloud
        case .gatherContext: self = .gatherContext
        case .seedDefaults: self = .seedDefaults
        case .clearBook: self = .clearBook
        case .moveToAccount: self = .moveToAccount
        case .attachSync: self = .attachSync
        case .detachSync: self = .detachSync
        case .signOut: self = .signOut
        case .verifyAccount, .skipOnboarding, .runSync, .drainQueue, .endSession, .deleteServerData,
            .deleteAccount, .announce:
            return nil
        }
    }
}

/// The reasons why the lab cannot do something.
enum LabError: Error, Sendable {
    /// The world was wiped.
    case gone
    /// There are as many worlds as the lab may have.
    case full
    /// A button asks for something that cannot happen in the world as it is.
    case notPossible(Obstacle)
    /// The text is for the log.
    case failed(String)

    /// The part of a world that cannot do something.
    enum Obstacle: Sendable {
        /// There is no account whose subscription could change.
        case store
        /// There is no purchase that could be refunded.
        case refund
        /// No user is signed in on the device whose session could expire.
        case session
        /// The clock is ten years ahead.
        case clock
    }
}
