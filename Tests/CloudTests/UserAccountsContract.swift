// The contract of every cloud about user accounts, over each transport.
import Cloud
import CloudClient
public import CloudProtocol
import CloudRoutes
import Devices
import Foundation
import HTTPServer
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

/// How a cloud is reached.
enum Transport: String, CaseIterable, Sendable { case inProcess, http }

/// A cloud to be tested, and the way into its directory.
final class CloudUnderTest: Sendable {
    let folder: String
    let clock = FixedClock(at: 1_795_262_400)
    let directory: Directory
    let api: any CloudAPI
    private let server: Server?
    /// Where it is, over HTTP.
    var address: String { "http://127.0.0.1:\(server?.port ?? 0)" }

    init(
        _ transport: Transport,
        acceptsNewAccounts: Bool = true,
        entitlements: (any EntitlementSource)? = nil,
        limits: UserAccountLimits = UserAccountLimits(),
        pushesPerSecond: Int = 1_000
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        directory = try Self.open(folder, clock, acceptsNewAccounts)
        let cloud = EmbeddedCloud(
            directory,
            authenticator: Believer(),
            entitlements: entitlements,
            limits: limits,
            pushesPerSecond: pushesPerSecond
        )
        (api, server) = try Self.reach(cloud, by: transport)
    }

    /// The same cloud, as it is reached by a transport.
    static func reach(_ cloud: EmbeddedCloud, by transport: Transport) throws -> (any CloudAPI, Server?) {
        guard transport == .http else { return (cloud, nil) }
        var configuration = Configuration()
        configuration.port = 0
        configuration.takesJSON = { CloudRoutes.owns($0) }
        configuration.jsonBytes = { _ in SyncLimits.bytes }
        let routes = CloudRoutes(cloud, isActive: { _ in true }, log: .off, run: { Background.run($0) })
        let server = try Server(configuration) { routes.answer($0) ?? .text(.notFound, "") }
        return (RemoteCloud(at: "http://127.0.0.1:\(server.port)", on: Background.shared), server)
    }

    /// A sign-in with a fixed identity.
    func signIn(_ name: String, on device: String = "Test") async throws(CloudError) -> SignedIn {
        let words = "test|\(name)||"
        let device = NewDevice(name: device, guest: EntityID(high: 1, low: 1))
        return try await api.signIn(.password(email: words, password: ""), device: device, from: "a")
    }

    deinit {
        server?.stop(withinSeconds: 0)
        directory.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func open(_ folder: String, _ clock: FixedClock, _ acceptsNewAccounts: Bool = true) throws
        -> Directory
    {
        let random = Mutex<any RandomNumberGenerator & Sendable>(SystemRandomNumberGenerator())
        return try Directory(
            at: folder + "/cloud.sqlite",
            acceptsNewAccounts: acceptsNewAccounts,
            dependencies: Directory.Dependencies(
                now: { clock.now },
                newID: {
                    random.withLock { EntityID(milliseconds: UInt64(clock.now) * 1_000, using: &$0) }
                },
                newToken: { random.withLock { SessionToken(using: &$0) } }
            )
        )
    }
}

/// Takes an issuer, a subject and so on for an address, and believes them.
private struct Believer: Authenticator {
    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError) {
        throw .signIn(.wrongCredentials)
    }

    func verify(_ credentials: Credentials, from address: String, known: Set<String>) async throws(CloudError)
        -> Identity
    {
        guard case .password(let text, _) = credentials else { throw .signIn(.badEmail) }
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { throw .signIn(.wrongCredentials) }
        return Identity(
            issuer: parts[0],
            subject: parts[1],
            email: parts[2].isEmpty ? nil : parts[2],
            name: parts[3].isEmpty ? nil : parts[3]
        )
    }
}

extension NewDevice: ExpressibleByStringInterpolation {
    /// A device of this name, of a new guest.
    public init(stringLiteral name: String) {
        var random = SystemRandomNumberGenerator()
        self.init(name: name, guest: EntityID(milliseconds: 1_795_262_400_000, using: &random))
    }
}

extension UserAccountsAPI {
    fileprivate func user(_ token: SessionToken) async throws(CloudError) -> UserAccount {
        try await account(token).user
    }

    fileprivate func holdings(_ token: SessionToken) async throws(CloudError) -> Holdings {
        try await account(token).holdings
    }

    fileprivate func signIn(_ identity: Identity, device: NewDevice) async throws(CloudError) -> SignedIn {
        let parts = [identity.issuer, identity.subject, identity.email ?? "", identity.name ?? ""]
        let credentials = Credentials.password(email: parts.joined(separator: "|"), password: "")
        return try await signIn(credentials, device: device, from: "192.0.2.1")
    }
}

/// A store that does not answer.
private struct SilentStore: EntitlementSource {
    static let error = CloudError.unreachable("the store does not answer")

    func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement { throw Self.error }
}

private let anna = Identity(issuer: "https://id.example", subject: "1", email: "anna@x.test", name: "Anna")

@Suite struct AccountsOfACloud {
    @Test(arguments: Transport.allCases) func theFirstSignInMakesTheAccountAndTheNextFindsIt(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let first = try await cloud.api.signIn(anna, device: "Firefox on Linux")
        #expect(!first.isExistingAccount && first.user.email == "anna@x.test")
        let second = try await cloud.api.signIn(anna, device: "Phone")
        #expect(second.isExistingAccount && second.user.id == first.user.id && second.token != first.token)
        #expect(try await cloud.api.user(first.token).id == first.user.id)
    }

    /// So there is no user who is signed in and whose subscription was never known.
    @Test func aSignInBringsTheSubscriptionOrFails() async throws {
        let silent = try CloudUnderTest(.inProcess, entitlements: SilentStore())
        await #expect(throws: SilentStore.error) { try await silent.api.signIn(anna, device: "") }
        let cloud = try CloudUnderTest(.inProcess, entitlements: PremiumForEveryone())
        #expect(try await cloud.api.signIn(anna, device: "").entitlement == Entitlement(.active))
    }

    @Test(arguments: Transport.allCases) func anAccountIsItsIssuerAndSubjectNeverItsEMail(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let first = try await cloud.api.signIn(anna, device: "")
        var other = anna
        other.subject = "2"
        #expect(try await cloud.api.signIn(other, device: "").user.id != first.user.id)
        other = anna
        other.issuer = "https://id.example/"
        #expect(try await !cloud.api.signIn(other, device: "").isExistingAccount)
        var renamed = anna
        renamed.email = "new@x.test"
        renamed.name = nil
        let again = try await cloud.api.signIn(renamed, device: "").user
        #expect(again.id == first.user.id && again.email == "new@x.test" && again.name == "Anna")
    }

    @Test(arguments: Transport.allCases) func ofManySignInsAtOnceExactlyOneIsNew(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let api = cloud.api
        let answers = try await withThrowingTaskGroup(of: SignedIn.self) { group in
            for number in 0..<40 {
                group.addTask { try await api.signIn(anna, device: "\(number)") }
            }
            return try await group.reduce(into: [SignedIn]()) { $0.append($1) }
        }
        #expect(answers.count { !$0.isExistingAccount } == 1)
        #expect(Set(answers.map(\.user.id)).count == 1 && Set(answers.map(\.token)).count == 40)
        #expect(try await cloud.api.devices(answers[0].token).count == 40)
    }

    @Test(arguments: Transport.allCases) func whatIsNoIdentityIsRefused(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        for text in ["", String(repeating: "x", count: 256), "a\u{0}b", "a\nb"] {
            for identity in [Identity(issuer: text, subject: "1"), Identity(issuer: "i", subject: text)] {
                await #expect(throws: CloudError.malformed) {
                    try await cloud.api.signIn(identity, device: "")
                }
            }
        }
        let longest = Identity(issuer: "i", subject: String(repeating: "x", count: 255))
        let long = try await cloud.api.signIn(longest, device: "\(String(repeating: "d", count: 500))")
        #expect(try await cloud.api.devices(long.token).first?.name.count == 100)
    }

    @Test(arguments: Transport.allCases) func aClosedCloudLetsOnlyThoseInWhomItKnows(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let known = try await cloud.api.signIn(anna, device: "")
        cloud.directory.close()
        let (closed, server) = try CloudUnderTest.reach(
            EmbeddedCloud(
                try CloudUnderTest.open(cloud.folder, cloud.clock, false),
                authenticator: Believer()
            ),
            by: transport
        )
        defer { server?.stop(withinSeconds: 0) }
        #expect(try await closed.signIn(anna, device: "").user.id == known.user.id)
        let unknown = Identity(issuer: "https://id.example", subject: "9")
        await #expect(throws: CloudError.signIn(.signUpClosed)) {
            try await closed.signIn(unknown, device: "")
        }
        // Nothing of the attempt is left behind.
        await #expect(throws: CloudError.signIn(.signUpClosed)) {
            try await closed.signIn(unknown, device: "")
        }
    }

    @Test(arguments: Transport.allCases) func aForgedTokenIsNobodys(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        _ = try await cloud.api.signIn(anna, device: "")
        let forged = try #require(SessionToken(String(repeating: "0", count: 64)))
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.user(forged) }
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.holdings(forged) }
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.deleteAccount(forged) }
        for text in ["", "x", String(repeating: "F", count: 64), String(repeating: "f", count: 63)] {
            #expect(SessionToken(text) == nil)
        }
    }

    @Test(arguments: Transport.allCases) func aDeviceCanBeSignedOutFromAnother(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let here = try await cloud.api.signIn(anna, device: "Here")
        cloud.clock.advance(by: 60)
        let there = try await cloud.api.signIn(anna, device: "There")
        let devices = try await cloud.api.devices(here.token)
        #expect(devices.map(\.name) == ["There", "Here"] && devices.map(\.isThisDevice) == [false, true])
        let other = try #require(devices.first)
        try await cloud.api.signOut(device: other.id, erases: false, here.token)
        await #expect(throws: CloudError.sessionLocked) { try await cloud.api.user(there.token) }
        let listed = try await cloud.api.devices(here.token)
        #expect(listed.map(\.name) == ["Here", "There"] && listed.map(\.isLocked) == [false, true])
        // Again, and of another user's device, it does nothing.
        try await cloud.api.signOut(device: other.id, erases: false, here.token)
        let unknown = try await cloud.api.signIn(Identity(issuer: "i", subject: "s"), device: "")
        for erases in [false, true] {
            try await cloud.api.signOut(device: devices[1].id, erases: erases, unknown.token)
            try await cloud.api.signOut(device: other.id, erases: erases, unknown.token)
        }
        #expect(try await cloud.api.user(here.token).id == here.user.id)
        await #expect(throws: CloudError.sessionLocked) { try await cloud.api.user(there.token) }
    }

    @Test(arguments: Transport.allCases) func theSessionThatWasUsedLeastRecentlyGivesWayToTheFiftyFirst(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        var tokens: [SessionToken] = []
        for number in 0..<50 {
            tokens.append(try await cloud.api.signIn(anna, device: "\(number)").token)
            cloud.clock.advance(by: 3_600)
        }
        // The first one is used once more.
        _ = try await cloud.api.user(tokens[0])
        let last = try await cloud.api.signIn(anna, device: "50").token
        let names = Set(try await cloud.api.devices(last).map(\.name))
        #expect(names.count == 50 && names.isSuperset(of: ["0", "2", "50"]))
        // The session has ended without a lock: the data on the device stays accessible.
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.user(tokens[1]) }
    }

    @Test(arguments: Transport.allCases) func aSessionThatWasNotUsedFor400DaysHasEnded(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let (used, unused) = (
            try await cloud.api.signIn(anna, device: "A").token,
            try await cloud.api.signIn(anna, device: "B").token
        )
        cloud.clock.advance(by: 399 * 86_400)
        _ = try await cloud.api.user(used)
        cloud.clock.advance(by: 2 * 86_400)
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.user(unused) }
        #expect(try await cloud.api.devices(used).map(\.name) == ["A"])
    }

    @Test(arguments: Transport.allCases) func aDeviceThatIsLockedCanBeErased(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let here = try await cloud.api.signIn(anna, device: "Here")
        let there = try await cloud.api.signIn(anna, device: "There")
        let third = try await cloud.api.signIn(anna, device: "Third")
        for name in ["There", "Third"] {
            let device = try #require(try await cloud.api.devices(here.token).first { $0.name == name })
            try await cloud.api.signOut(device: device.id, erases: name == "Third", here.token)
        }
        await #expect(throws: CloudError.sessionErased) { try await cloud.api.user(third.token) }
        let locked = try #require(try await cloud.api.devices(here.token).first { $0.isLocked })
        try await cloud.api.signOut(device: locked.id, erases: true, here.token)
        await #expect(throws: CloudError.sessionErased) { try await cloud.api.user(there.token) }
        #expect(try await cloud.api.devices(here.token).map(\.name) == ["Here"])
    }

    @Test(arguments: Transport.allCases) func aDeviceOnWhichItsUserSignsInAgainIsNoLongerLocked(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let here = try await cloud.api.signIn(anna, device: "Here")
        let there = try await cloud.api.signIn(anna, device: "There")
        #expect(try cloud.directory.lock(here.user.id) == 2)
        let again = try await cloud.api.signIn(anna, device: "There")
        // As its server does with the token that the new one has replaced.
        try await cloud.api.signOut(there.token)
        let listed = try await cloud.api.devices(again.token)
        #expect(listed.map(\.name) == ["There", "Here"] && listed.map(\.isLocked) == [false, true])
        // With the account go the books of all devices that hold one.
        #expect(try cloud.directory.remove(here.user.id))
        for token in [here.token, there.token, again.token] {
            await #expect(throws: CloudError.accountGone) { try await cloud.api.user(token) }
        }
    }

    @Test(arguments: Transport.allCases) func signingOutEndsThisSessionAlone(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let here = try await cloud.api.signIn(anna, device: "Here")
        let there = try await cloud.api.signIn(anna, device: "There")
        try await cloud.api.signOut(here.token)
        try await cloud.api.signOut(here.token)
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.user(here.token) }
        #expect(try await cloud.api.user(there.token).id == there.user.id)
    }

    @Test(arguments: Transport.allCases) func beingSeenIsNotedOnceAnHour(_ transport: Transport) async throws
    {
        let cloud = try CloudUnderTest(transport)
        let session = try await cloud.api.signIn(anna, device: "")
        let begun = cloud.clock.now
        cloud.clock.advance(by: 3_599)
        _ = try await cloud.api.user(session.token)
        #expect(try await cloud.api.devices(session.token).first?.seenAt == begun)
        cloud.clock.advance(by: 1)
        _ = try await cloud.api.user(session.token)
        #expect(try await cloud.api.devices(session.token).first?.seenAt == begun + 3_600)
    }

    @Test(arguments: Transport.allCases) func dataIsDeletedAndTheAccountStays(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let session = try await cloud.api.signIn(anna, device: "")
        #expect(try await !cloud.api.holdings(session.token).isServerData)
        let held = Holdings(accounts: 1, transactions: 240, categories: 12, changedAt: 5)
        try cloud.directory.note(held, of: session.user.id)
        #expect(try await cloud.api.holdings(session.token) == held)
        try await cloud.api.deleteData(session.token)
        try await cloud.api.deleteData(session.token)
        #expect(try await cloud.api.holdings(session.token) == Holdings())
        #expect(try await cloud.api.signIn(anna, device: "").isExistingAccount)
    }

    @Test(arguments: Transport.allCases) func aDeletedAccountIsGoneForAllItsDevices(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let here = try await cloud.api.signIn(anna, device: "Here")
        let there = try await cloud.api.signIn(anna, device: "There")
        try cloud.directory.note(
            Holdings(accounts: 1, transactions: 1, categories: 1, changedAt: 5),
            of: here.user.id
        )
        try await cloud.api.deleteAccount(here.token)
        // Sent twice: the first time it was done.
        try await cloud.api.deleteAccount(here.token)
        await #expect(throws: CloudError.accountGone) { try await cloud.api.user(there.token) }
        await #expect(throws: CloudError.accountGone) { try await cloud.api.holdings(here.token) }
        let fresh = try await cloud.api.signIn(anna, device: "")
        #expect(!fresh.isExistingAccount && fresh.user.id != here.user.id)
        #expect(try await cloud.api.holdings(fresh.token) == Holdings())
        // Why a session ended is not remembered for ever.
        cloud.clock.advance(by: 401 * 86_400)
        try await cloud.api.signOut(fresh.token)
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.user(there.token) }
    }

    @Test(arguments: Transport.allCases) func theOperatorSeesAndRemovesAccounts(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let first = try await cloud.api.signIn(anna, device: "")
        let second = try await cloud.api.signIn(Identity(issuer: "i", subject: "s"), device: "")
        #expect(Set(try cloud.directory.users().map(\.id)) == [first.user.id, second.user.id])
        #expect(try cloud.directory.remove(first.user.id))
        #expect(try !cloud.directory.remove(first.user.id))
        await #expect(throws: CloudError.accountGone) { try await cloud.api.user(first.token) }
        #expect(try cloud.directory.users().map(\.id) == [second.user.id])
        #expect(throws: CloudError.accountGone) {
            try cloud.directory.note(Holdings(), of: first.user.id)
        }
    }

    @Test(arguments: Transport.allCases) func whatWasDoneIsThereAfterAReopening(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let session = try await cloud.api.signIn(anna, device: "Here")
        cloud.directory.close()
        await #expect(throws: CloudError.self) { try await cloud.api.user(session.token) }
        let (again, server) = try CloudUnderTest.reach(
            EmbeddedCloud(try CloudUnderTest.open(cloud.folder, cloud.clock), authenticator: Believer()),
            by: transport
        )
        defer { server?.stop(withinSeconds: 0) }
        #expect(try await again.user(session.token) == session.user)
    }

    @Test(arguments: Transport.allCases) func aTokenIsNowhereInTheFile(_ transport: Transport) async throws {
        let cloud = try CloudUnderTest(transport)
        let session = try await cloud.api.signIn(anna, device: "Here")
        cloud.directory.close()
        let path = cloud.folder + "/cloud.sqlite"
        for suffix in ["", "-wal"] {
            let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
            #expect(bytes.firstRange(of: Data(session.token.text.utf8)) == nil)
        }
    }
}
