// The parties of the figures of sync: devices of one user, and the cloud between them, all in this process.

import Book
import Cloud
import CloudProtocol
import DeviceStore
import Devices
import Foundation
import Glibc
import Ledger

/// Believes who they say they are.
struct Believing: Authenticator {
    func verify(_ credentials: Credentials, from address: String, known: Set<String>)
        async throws(CloudError) -> Identity
    {
        guard case .password(let name, _) = credentials else { throw .signIn(.wrongCredentials) }
        return Identity(issuer: "bench", subject: name)
    }

    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError) {
        throw .signIn(.wrongCredentials)
    }
}

extension Directory {
    /// The file of a cloud in a folder.
    static func forFigures(in folder: String) throws -> Directory {
        let random = Randomness()
        let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
        return try Directory(
            at: folder + "/cloud.sqlite",
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: now,
                newID: {
                    var system = SystemRandomNumberGenerator()
                    return EntityID(milliseconds: UInt64(now()) * 1_000, using: &system)
                },
                newToken: { random.sessionToken() }
            )
        )
    }
}

extension DeviceManager {
    /// The devices of a server with its own folder.
    convenience init(forFiguresIn folder: String, cloud: any CloudAPI) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try self.init(
            folder: try DataFolder.lock(folder),
            locales: try LocaleTable(tsv: ""),
            limits: DeviceManager.Limits(),
            dependencies: .forFigures,
            cloud: cloud
        )
    }

    /// A new device whose user has completed the onboarding.
    func guest() async throws -> Device {
        let device = try welcome(.init(newToken().hash, form: nil), from: "bench", locale: "").device
        var preferences = Preferences()
        preferences.baseCurrency = .eur
        try await device.lease().book.set(preferences)
        for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
        return device
    }
}

extension Device {
    /// Signs in as the one user of the figures.
    func signIn(to cloud: some UserAccountsAPI) async throws {
        try await enter(
            try await cloud.signIn(.anna, device: NewDevice(name: "Bench", guest: guest), from: "bench")
        )
    }

    func isInStep(_ book: Book) -> Bool {
        let status = syncStatus(in: book)
        return status?.phase == .idle && status?.pending == 0
    }
}

extension Credentials {
    /// The credentials of the only user in the figures.
    static let anna = Credentials.password(email: "anna", password: "")
}

extension Book {
    /// Records transactions of years.
    /// - Parameter inOrder: whether they were entered day by day.
    /// - Returns: the source of further transactions.
    func fill(with count: Int, inOrder: Bool = false) throws -> Generator {
        let choices = try choices()
        var generator = Generator(
            accounts: choices.accounts.map(\.id),
            categories: choices.categories,
            today: CivilDate(dayNumber: 20_700),
            inOrder: inOrder ? count : nil
        )
        try record(all: generator.transactions(count))
        return generator
    }
}

/// Waits for a condition, for two minutes at most.
func until(everyMicroseconds pause: UInt32 = 200, _ condition: () async throws -> Bool) async throws {
    for _ in 0..<120_000_000 / pause {
        if try await condition() { return }
        usleep(pause)
    }
    throw BenchError("it did not come to an end")
}
