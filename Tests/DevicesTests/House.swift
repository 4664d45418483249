// A household in a folder of its own, with a real directory of accounts behind a line that can be cut.
import Book
import Cloud
import Foundation
import Ledger
import Lifecycle
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Devices

let noon: Int64 = 1_795_262_400
let day: Int64 = 86_400

/// A data folder that goes away with the test.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The accounts of a test: who signs in as `NAME` is NAME, and the line to them can be cut.
final class TestCloud: CloudAPI {
    let directory: Directory
    private let inner: EmbeddedCloud
    private let fault = Mutex<CloudError?>(nil)
    private let said: Said
    private let asked = Mutex<[String: Int]>([:])

    init(in folder: String, _ clock: FixedClock) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let random = Randomness()
        directory = try Directory(
            at: folder + "/cloud.sqlite",
            takesNewAccounts: true,
            surroundings: Directory.Surroundings(
                now: { clock.now },
                newID: {
                    var system = SystemRandomNumberGenerator()
                    return EntityID(milliseconds: UInt64(clock.now) * 1_000, using: &system)
                },
                newToken: { random.sessionToken() }
            )
        )
        said = Said(directory)
        inner = EmbeddedCloud(directory, authenticator: Trusting(), entitlements: said)
    }

    /// What a test says of everybody's subscription, or else the grants.
    private final class Said: EntitlementSource {
        let status = Mutex<Entitlement?>(nil)
        private let grants: Directory

        init(_ grants: Directory) { self.grants = grants }

        func entitlement(of user: User) async throws(CloudError) -> Entitlement {
            if let status = status.withLock({ $0 }) { return status }
            return try await grants.entitlement(of: user)
        }
    }

    deinit { directory.close() }

    private struct Trusting: Authenticator {
        func verify(_ credentials: Credentials, from address: String) async throws(CloudError) -> Identity {
            guard case .password(let name, _) = credentials else { throw .wrongCredentials }
            return Identity(issuer: "test", subject: name, email: "\(name)@x.test")
        }

        func change(email: String, from old: String, to new: String, address: String)
            async throws(CloudError)
        {
            throw .wrongCredentials
        }
    }

    /// From now on nothing but this comes back; nil for answers.
    func fail(_ error: CloudError?) { fault.withLock { $0 = error } }

    /// What the entitlement service says from now on, whoever asks; nil for the grants.
    func say(_ entitlement: Entitlement?) { said.status.withLock { $0 = entitlement } }

    /// How often something was asked.
    func count(_ question: String) -> Int { asked.withLock { $0[question] ?? 0 } }

    private func pass(_ question: String) throws(CloudError) {
        asked.withLock { $0[question, default: 0] += 1 }
        if let error = fault.withLock({ $0 }) { throw error }
    }

    func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        try pass("sign-in")
        return try await inner.signIn(credentials, device: device, from: address)
    }

    func account(_ token: SessionToken) async throws(CloudError) -> AccountReport {
        try pass("account")
        return try await inner.account(token)
    }

    func changePassword(from old: String, to new: String, at address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        try pass("password")
        try await inner.changePassword(from: old, to: new, at: address, token)
    }

    func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        try pass("devices")
        return try await inner.devices(token)
    }

    func signOut(device: EntityID, _ token: SessionToken) async throws(CloudError) {
        try pass("sign-out-device")
        try await inner.signOut(device: device, token)
    }

    func signOut(_ token: SessionToken) async throws(CloudError) {
        try pass("sign-out")
        try await inner.signOut(token)
    }

    func deleteData(_ token: SessionToken) async throws(CloudError) {
        try pass("delete-data")
        try await inner.deleteData(token)
    }

    func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        try pass("delete-account")
        try await inner.deleteAccount(token)
    }

    func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        try pass("push")
        return try await inner.push(batch, token)
    }

    func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage {
        try pass("changes")
        return try await inner.changes(query, token)
    }

    func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError) -> Head {
        try pass("signal")
        return try await inner.signal(seen: seen, waitSeconds: waitSeconds, token)
    }

    func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError) {
        try pass("detach")
        try await inner.detach(replica, lastN: lastN, token)
    }
}

/// What a household needs, kept over its openings.
final class House: Sendable {
    let folder = Folder()
    let clock = FixedClock(at: noon)
    let cloud: TestCloud
    let lines = Mutex<[String]>([])

    init() {
        do { cloud = try TestCloud(in: folder.path + "-cloud", clock) } catch {
            preconditionFailure("the test's cloud cannot be opened: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path + "-cloud") }

    func open(
        _ change: (inout Household.Limits) -> Void = { _ in },
        mayBegin: @escaping @Sendable (Effect) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect) -> Bool = { _ in true }
    ) throws -> Household {
        var limits = Household.Limits()
        change(&limits)
        let locales = try LocaleTable(
            tsv: "de-AT\tAT\tEUR\tmonday\t,\t\u{a0}\t3\t\tbefore-space\tGerman (Austria)\n"
        )
        let clock = clock
        return try Household(
            folder: try DataFolder.lock(folder.path),
            locales: locales,
            limits: limits,
            surroundings: Surroundings(
                milliseconds: { clock.now * 1_000 },
                random: Randomness(),
                log: { [weak self] line in self?.lines.withLock { $0.append(line) } },
                zoneOffset: { zone, _ in zone == "East" ? 7_200 : nil },
                // Pauses are short here: what is waited for is a condition, never a time.
                pause: { try? await Task.sleep(for: .milliseconds(max(1, $0 / 500))) }
            ),
            cloud: cloud,
            mayBegin: mayBegin,
            mayEnd: mayEnd
        )
    }

    /// A device that has answered the onboarding.
    func guest(_ household: Household) throws -> (token: DeviceToken, device: Device) {
        let token = household.newToken()
        let device = try household.welcome(token, from: "a", locale: "de-AT")
        for step in [OnboardingStep.currency, .secondary, .calendar] { try device.answered(step) }
        return (token, device)
    }

    /// Signs a device in.
    func signIn(_ name: String, on device: Device) async throws {
        let answer = try await cloud.signIn(
            .password(email: name, password: ""),
            device: NewDevice(name: "Test", guest: device.guest),
            from: "a"
        )
        try device.enter(answer)
    }

    /// An account that was made on another device, with so many transactions on the cloud.
    func account(_ name: String, transactions: Int = 0) async throws -> User {
        var random = SystemRandomNumberGenerator()
        let guest = EntityID(milliseconds: 1, using: &random)
        let user = try await cloud.signIn(
            .password(email: name, password: ""),
            device: NewDevice(name: "Elsewhere", guest: guest),
            from: "b"
        ).user
        if transactions > 0 {
            let held = Holdings(accounts: 1, transactions: transactions, categories: 1, changedAt: clock.now)
            try cloud.directory.note(held, of: user.id)
        }
        return user
    }

    /// Puts something of one's own into a book.
    func write(into device: Device, _ household: Household, _ name: String = "Mine") throws {
        try device.book().add(
            Account(
                id: household.surroundings.newID(),
                name: name,
                type: .cash,
                currency: .eur,
                openingMinor: 0
            )
        )
    }
}

extension Device {
    /// Verifies the subscription, and waits for as long as it takes. A verification that was under way may have been
    /// answered before what the test has just changed.
    func verify() async {
        await asking.withLock { $0 }?.value
        beginVerifying()
        await asking.withLock { $0 }?.value
    }
}

/// Waits for something that happens in the background; a test that waits for ten seconds has failed.
func eventually(
    _ what: String = "",
    _ condition: () throws -> Bool,
    at place: SourceLocation = #_sourceLocation
) async throws {
    for _ in 0..<5_000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record("this did not happen: \(what)", sourceLocation: place)
}
