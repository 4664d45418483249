// Prepares a world as its people would: devices answer the onboarding, sign in, record, and sync.

import Book
import CloudProtocol
import Devices
import Ledger
import Lifecycle
import SyncCore
import Synchronization

/// Prepares a world by its devices themselves, so that its files are the product's.
final class Stage: Sendable {
    private let world: World
    private let made = Mutex<[Int: DeviceToken]>([:])

    init(_ world: World) { self.world = world }

    /// The cookies of the devices that were prepared.
    var tokens: [Int: DeviceToken] { made.withLock { $0 } }

    /// Prepares the situation of a kind.
    func prepare(_ kind: WorldKind) async throws {
        switch kind {
        case .empty: break
        case .newGuest: _ = try await guest(1)
        case .guest: try await fill(try await guest(1)) { $0.twelveTransactions() }
        case .free:
            let device = try await guest(1)
            try await fill(device) { $0.year() }
            try await signIn(device, 1)
        case .premium: try await premium()
        case .exPremium:
            try await premium(devices: 1)
            try world.perform(.expire)
            try await reach(1, "local_only")
        case .threeCurrencies: try await premium { $0.threeCurrencies() }
        case .conflict: try await conflict()
        case .bigBook: try await premium(devices: 1) { $0.transactions(100_000) }
        }
    }

    /// Anna with premium on her first devices, the book of the first one on all of them.
    private func premium(devices: Int = 2, _ content: (MadeUpBook) -> MadeUpBook.Content = { $0.year() })
        async throws
    {
        let first = try await guest(1)
        try await fill(first, content)
        try await signIn(first, 1)
        try world.perform(.subscribe)
        try await reach(1, "synced")
        for number in 1..<max(1, devices) {
            let device = try await welcome(number + 1, at: .welcome)
            try await signIn(device, number + 1)
            try await reach(number + 1, "synced")
        }
    }

    /// The amounts of a transaction that two devices have changed, in cents, in the order of the devices.
    static let conflictingMinor: [Int64] = [4_990, 5_490]

    /// Two devices have changed the amount of the same transaction, the first one without a network.
    private func conflict() async throws {
        try await premium()
        let line = world.device(1)?.line
        let devices = [try await running(1), try await running(2)]
        let id = try await book(devices[0]) { book in
            try book.transactions(TransactionQuery()).page.rows.first?.id
        }
        guard let id else { return }
        line?.set(.off)
        for (device, minor) in zip(devices, Self.conflictingMinor) {
            try await book(device) { book in
                guard var transaction = try book.transaction(id) else { return }
                transaction.amount.minor = minor
                transaction.accountMinor = minor
                try book.change(transaction)
            }
            if device === devices[0] { continue }
            try await reach(2, "synced")
        }
        line?.set(.on)
        try await reach(1, "synced")
        try await reach(2, "synced")
    }

    // MARK: - Steps

    /// A new device at a question of the onboarding.
    private func welcome(_ number: Int, at step: OnboardingStep) async throws -> Device {
        guard let part = world.device(number) else { throw LabError.failed("there is no device \(number)") }
        let manager = try await part.start().manager
        let submission = DeviceManager.FormSubmission(
            manager.newToken().hash,
            form: manager.dependencies.newID()
        )
        let found = try manager.welcome(submission, from: "lab", locale: "en-IE", at: step)
        if let token = found.newCookie { made.withLock { $0[number] = token } }
        try await found.device.waitUntilIdle(withinMilliseconds: Self.patience)
        return found.device
    }

    /// A device whose guest has answered the onboarding.
    private func guest(_ number: Int) async throws -> Device {
        let device = try await welcome(number, at: .currency)
        try await book(device) { book in
            var preferences = Preferences()
            preferences.baseCurrency = .eur
            preferences.weekStart = .monday
            try book.set(preferences)
        }
        for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
        try await device.waitUntilIdle(withinMilliseconds: Self.patience)
        return device
    }

    private func signIn(_ device: Device, _ number: Int) async throws {
        let signedIn = try await world.cloud.signIn(
            Person.anna.credentials,
            device: NewDevice(name: Self.names[number - 1], guest: device.guest),
            from: "lab"
        )
        try await device.enter(signedIn)
        await device.waitForCloudTask(withinMilliseconds: Self.patience)
    }

    private func fill(_ device: Device, _ content: (MadeUpBook) -> MadeUpBook.Content) async throws {
        let owner = device.guest
        try await book(device) { book in
            let sample = MadeUpBook(owner: owner, today: CivilDate(dayNumber: Self.today))
            try content(sample).write(into: book)
        }
    }

    private func running(_ number: Int) async throws -> Device {
        guard let part = world.device(number), let token = made.withLock({ $0[number] }),
            let device = try await part.start().manager.find(token)?.device
        else { throw LabError.failed("device \(number) is not prepared") }
        return device
    }

    /// Waits until a device is in a state and nothing on it waits for the cloud.
    private func reach(_ number: Int, _ state: String) async throws {
        let device = try await running(number)
        let deadline = ContinuousClock.now + .milliseconds(Self.patience)
        while ContinuousClock.now < deadline {
            if device.state.name == state, device.isIdle {
                let status = try await book(device) { device.syncStatus(in: $0) }
                if status == nil || status?.phase == .idle && status?.pending == 0 {
                    // Pages of that time have shown them.
                    device.consumeToasts()
                    return
                }
            }
            await pause(milliseconds: 5)
        }
        throw LabError.failed("device \(number) is \(device.state.name) and not \(state)")
    }

    @discardableResult
    private func book<Value>(_ device: Device, _ work: (Book) throws -> Value) async throws -> Value {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        return try work(lease.book)
    }

    /// The names of Anna's devices, as the stories of the worlds have them.
    private static let names = ["Anna’s phone", "Anna’s laptop", "Anna’s tablet"]
    /// The longest time for a step, in real milliseconds.
    private static let patience: Int64 = 600_000
    private static let today = Int32(clamping: WorldClock.beginning / 86_400_000)
}
