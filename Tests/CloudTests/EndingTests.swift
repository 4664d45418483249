// When premium has ended: who may still send, and until when.
import CloudProtocol
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud

/// Returns the same entitlement for all users.
private final class Word: EntitlementSource {
    private let said = Mutex(Entitlement(.active))

    func say(_ entitlement: Entitlement) { said.withLock { $0 = entitlement } }

    func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement { said.withLock { $0 } }
}

@Suite struct TheEndOfASubscription: TalksToACloud {
    private static let day: Int64 = 86_400

    @Test(arguments: Transport.allCases) func aGrantThatWasTakenBackEndsOnce(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let user = try cloud.directory.user(token).id
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        _ = try cloud.directory.revoke(user)
        let until = cloud.clock.now + SyncLimits.drainSeconds
        cloud.clock.advance(by: 89 * Self.day)
        _ = try await cloud.api.push(batch(1, [create(2, 12)]), token)
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: until)) {
            try await cloud.api.changes(since(0, replica: 1), token)
        }
        cloud.clock.advance(by: 2 * Self.day)
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: until)) {
            try await cloud.api.push(batch(1, [create(3, 13)]), token)
        }
        cloud.clock.advance(by: 110 * Self.day)
        let late = try await cloud.signIn("anna", on: "New").token
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.push(batch(2, [create(1, 14, op: 50)]), late)
        }
        try cloud.directory.grant(user, until: nil)
        #expect(try await cloud.api.push(batch(1, [create(3, 13)]), token).lastN == 3, "renewed")
    }

    @Test(arguments: Transport.allCases) func whoComesAfterTheEndMaySendNothing(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        _ = try cloud.directory.revoke(try cloud.directory.user(token).id)
        cloud.clock.advance(by: 1)
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.push(batch(2, [create(1, 12, op: 50)]), token)
        }
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.changes(since(0, replica: 2), token)
        }
        #expect(try await cloud.api.push(batch(1, [create(2, 13)]), token).lastN == 2)
    }

    @Test(arguments: [Entitlement.Status.none, .pending, .expired, .revoked])
    func anEndThatNobodyNamesIsKept(_ status: Entitlement.Status) async throws {
        let word = Word()
        let cloud = try CloudUnderTest(.inProcess, entitlements: word)
        let token = try await cloud.signIn("anna").token
        _ = try await cloud.api.push(batch(1, [create(1, 11)]), token)
        // A store that takes a subscription back may go on saying until when it would have run.
        word.say(Entitlement(status, expiresAt: status == .revoked ? cloud.clock.now + 300 * Self.day : nil))
        let until = cloud.clock.now + SyncLimits.drainSeconds
        _ = try await cloud.api.account(token)
        cloud.clock.advance(by: 89 * Self.day)
        _ = try await cloud.api.push(batch(1, [create(2, 12)]), token)
        cloud.clock.advance(by: 2 * Self.day)
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: until)) {
            try await cloud.api.push(batch(1, [create(3, 13)]), token)
        }
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: until)) {
            try await cloud.api.changes(since(0, replica: 1), token)
        }
        word.say(Entitlement(.active))
        _ = try await cloud.api.changes(since(0, replica: 1), token)
        word.say(Entitlement(status))
        #expect(try await cloud.api.push(batch(1, [create(3, 13)]), token).lastN == 3, "another end")
    }

    @Test func anEarlierEndThanTheTakingBackCounts() throws {
        let user = UserAccount(id: number(1), email: nil, name: nil, createdAt: 0, hasPassword: false)
        #expect(Grant(user: user, expiresAt: 50, revokedAt: 90).entitlement(at: 100).expiresAt == 50)
        #expect(Grant(user: user, expiresAt: 95, revokedAt: 90).entitlement(at: 100).expiresAt == 90)
        #expect(Grant(user: user, expiresAt: nil, revokedAt: 90).entitlement(at: 100).expiresAt == 90)
    }
}
