// A reviewer's world: devices, a cloud, a clock, a network, a store and rates, in a folder of its own.

import BankFeeds
import Cloud
import CloudProtocol
import Devices
import Encoding
import Foundation
import Identity
import Ledger
import SyncCore
import Synchronization
import Templates

/// A prepared situation.
enum WorldKind: String, CaseIterable, Sendable {
    case empty
    case newGuest = "new-guest"
    case guest
    case free
    case premium
    case exPremium = "ex-premium"
    case threeCurrencies = "three-currencies"
    case conflict
    case bigBook = "big-book"

    /// Whether it begins with an account, which is Anna's. In the other worlds a journey is of the person who is chosen.
    var hasAccount: Bool {
        switch self {
        case .empty, .newGuest, .guest: false
        case .free, .premium, .exPremium, .threeCurrencies, .conflict, .bigBook: true
        }
    }
}

/// The beginning of a world: the files in a folder, and the values that are not in files.
struct Blueprint: Sendable {
    let kind: WorldKind
    /// The folder with the files; nil for none.
    var folder: String?
    /// The size of the files.
    var bytes: Int64 = 0
    /// The cookies of the prepared devices.
    var tokens: [Int: DeviceToken] = [:]
    var subscriptions: [EntityID: DemoStore.Subscription] = [:]
}

/// One world. Safe to use from any thread.
final class World: Sendable {
    let kind: WorldKind
    /// The size of the files at the last `measure`; at first, the size of the files of the blueprint.
    var bytes: Int64 { size.load(ordering: .relaxed) }
    private let size: Atomic<Int64>
    let clock: WorldClock
    let store: DemoStore
    let rates: RatedCloud
    let provider: DemoProvider
    let bank: DemoBank
    /// The line before the cloud, which all devices share.
    let cloudLine: LabLine
    let devices: [LabDevice]
    /// The cloud without any line, for the preparation of worlds.
    let cloud: any CloudAPI
    private let directory: Directory
    private let folder: String
    /// The answer to the last press of "Kill".
    let killReport: KillReport
    private let chosen = Mutex<Int?>(nil)
    private let returned = Mutex<Int64?>(nil)

    /// Copies the files of a blueprint, and opens the cloud. The devices start when they are needed.
    /// - Parameters:
    ///   - folder: does not exist yet.
    ///   - isStill: whether time stands still, for the preparation of a blueprint.
    ///   - observer: called with each page that a device has shown.
    init(
        _ blueprint: Blueprint,
        in folder: String,
        _ parts: LabParts,
        isStill: Bool = false,
        observer: @escaping @Sendable (_ device: Int, _ page: ByteBuffer) -> Void = { _, _ in }
    ) throws(LabError) {
        kind = blueprint.kind
        size = Atomic(blueprint.bytes)
        self.folder = folder
        let clock = WorldClock(isStill: isStill)
        self.clock = clock
        // A blueprint is the same at each start. The worlds that are made from it have ids, cookies and tokens of
        // their own, so that no visitor can guess the values of another visitor.
        let random = isStill ? Randomness(SplitMix(seed: parts.seed)) : Randomness()
        store = DemoStore(clock, subscriptions: blueprint.subscriptions)
        provider = DemoProvider(clock, random)
        bank = DemoBank(
            seed: parts.seed,
            firstDay: CivilDate(dayNumber: Int32(clamping: WorldClock.beginning / 86_400_000)),
            now: { clock.milliseconds / 1_000 }
        )
        do {
            let files = FileManager.default
            try files.createDirectory(atPath: parts.folder, withIntermediateDirectories: true)
            if let source = blueprint.folder {
                try files.copyItem(atPath: source, toPath: folder)
            } else {
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            directory = try Directory(
                at: folder + "/cloud.sqlite",
                acceptsNewAccounts: true,
                dependencies: Directory.Dependencies(
                    now: { clock.milliseconds / 1_000 },
                    newID: { random.id(milliseconds: UInt64(clamping: clock.milliseconds)) },
                    newToken: { random.sessionToken() }
                )
            )
        } catch { throw .failed("\(error)") }
        let passwords = PasswordAuthenticator(
            store: directory,
            cost: PasswordHash.Cost(logRounds: 10, blockSize: 8, parallelism: 1),
            rules: parts.passwordRules,
            network: { $0 },
            now: { clock.milliseconds / 1_000 },
            random: { random.bytes($0) }
        )
        let authenticator = LabAuthenticator(passwords: passwords, provider: provider)
        let cloud = EmbeddedCloud(
            directory,
            authenticator: authenticator,
            entitlements: store,
            pause: { await clock.pause(milliseconds: $0) }
        )
        // The same rows, to which nothing can be added.
        let fullCloud = EmbeddedCloud(
            directory,
            authenticator: authenticator,
            entitlements: store,
            limits: UserAccountLimits(bytes: 0)
        )
        rates = RatedCloud(to: cloud, bundled: parts.rates, clock)
        self.cloud = rates
        cloudLine = LabLine(to: rates, whenFull: fullCloud)
        let killReport = KillReport()
        self.killReport = killReport
        let shared = LabDevice.WorldParts(
            clock: clock,
            random: random,
            provider: provider,
            store: store,
            bank: bank,
            killReport: killReport,
            observer: observer
        )
        let line = cloudLine
        devices = (1...LabParts.mostDevices).map { number in
            LabDevice(
                number,
                in: "\(folder)/device-\(number)",
                token: blueprint.tokens[number],
                line: LabLine(to: line),
                shared,
                parts
            )
        }
        store.tell { [weak self] in self?.verifyAll() }
    }

    /// The device with a number; nil beyond `mostDevices`.
    func device(_ number: Int) -> LabDevice? { devices.first { $0.number == number } }

    /// The device whose user the store sells to: the chosen one, or else the first one on which a user is signed in.
    var customerDevice: Int? {
        chosen.withLock { $0 } ?? devices.first { $0.device?.session != nil }?.number
    }

    /// Lets the store sell to the user of a device.
    func setCustomer(_ device: Int) { chosen.withLock { $0 = device } }

    /// The user whose subscription the store changes: the user of `customerDevice`, or, while no user is signed in
    /// and no device is chosen, Anna, to whom the accounts of prepared worlds belong. Nil if there is no account.
    var customer: (id: EntityID, name: String)? {
        if let number = customerDevice {
            guard let user = device(number)?.device?.session?.user else { return nil }
            return (user.id, user.name ?? user.email ?? "")
        }
        return (try? directory.user(of: Person.anna.identity)).flatMap(\.self).map { ($0, Person.anna.name) }
    }

    /// Lets something happen at the store, whose webhook sends the news to the devices.
    /// - Throws: `notPossible` without an account, and for a refund without a purchase.
    func perform(_ action: StoreAction) throws(LabError) {
        guard let customer else { throw .notPossible(.store) }
        guard action != .refund || store.canRefund(customer.id) else { throw .notPossible(.refund) }
        store.perform(action, for: customer.id)
    }

    /// Ends the session of a device at the cloud without locking it, and lets the device learn that.
    /// - Throws: `notPossible` if no user is signed in there; `failed`.
    func expireSession(of number: Int) throws(LabError) {
        guard let session = device(number)?.device?.session, let token = session.token, !session.isRevoked
        else {
            throw .notPossible(.session)
        }
        do { try directory.signOut(token) } catch { throw .failed("\(error)") }
        verifyAll()
    }

    /// The time at which the cloud could be reached again, in UTC seconds of the world; nil if it always could.
    var returnOfCloud: Int64? { returned.withLock { $0 } }

    /// Takes back the effects that the stage of a journey has armed and that did not come about. What a reviewer has armed
    /// stays.
    func disarm(_ stage: [StageStep]) {
        for step in stage {
            switch step {
            case .kill(let number, let point), .fail(let number, let point): device(number)?.disarm(point)
            default: break
            }
        }
    }

    /// Changes the line before the cloud.
    func setCloud(_ state: LineState) {
        if state == .on, cloudLine.state != .on { returned.withLock { $0 = clock.milliseconds / 1_000 } }
        cloudLine.set(state)
    }

    /// Publishes rates, and lets the devices ask for them.
    func setRates(_ state: RateState) {
        rates.set(state)
        verifyAll()
    }

    private func verifyAll() { for device in devices { device.running?.manager.verifyAll() } }

    /// Measures the size of the files, which grow with what the visitor does.
    func measure() { size.store(Blueprints.size(of: folder), ordering: .relaxed) }

    /// Ends all work.
    func close() async {
        await withTaskGroup { group in
            for device in devices { group.addTask { await device.end() } }
        }
        directory.close()
    }

    /// Ends all work, and removes the files.
    func wipe() async {
        await close()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
