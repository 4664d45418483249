// User accounts with passwords, from the sign-up to the deletion, with the real directory.
import Cloud
import CloudProtocol
import Foundation
import Identity
import Ledger
import TestKit
import Testing

@Suite struct PasswordsInTheCloud {
    let cloud: CloudUnderTest
    let api: any UserAccountsAPI

    init() throws {
        let cloud = try CloudUnderTest(.inProcess)
        self.cloud = cloud
        api = Self.api(cloud.directory, cloud.clock)
    }

    private static func api(_ directory: Directory, _ clock: FixedClock) -> any UserAccountsAPI {
        EmbeddedCloud(
            directory,
            authenticator: PasswordAuthenticator(
                store: directory,
                cost: PasswordHash.Cost(logRounds: 4, blockSize: 1, parallelism: 1),
                now: { clock.now },
                random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
            )
        )
    }

    private let new = Credentials.newAccount(email: "anna@x.test", password: "correct horse battery")
    private let known = Credentials.password(email: "anna@x.test", password: "correct horse battery")

    @Test func aNewAccountIsNewOnce() async throws {
        let first = try await api.signIn(new, device: "Here", from: "")
        #expect(!first.isExistingAccount && first.user.email == "anna@x.test")
        let second = try await api.signIn(known, device: "There", from: "")
        #expect(second.isExistingAccount && second.user == first.user)
        await #expect(throws: CloudError.signIn(.emailTaken)) {
            try await api.signIn(new, device: "", from: "")
        }
    }

    @Test func aClosedCloudStoresNoPasswordOfAnUnknownUser() async throws {
        cloud.directory.close()
        let closed = try CloudUnderTest.open(cloud.folder, cloud.clock, false)
        let api = Self.api(closed, cloud.clock)
        await #expect(throws: CloudError.signIn(.signUpClosed)) {
            try await api.signIn(new, device: "", from: "")
        }
        #expect(try closed.password(ofKey: "anna@x.test") == nil)
    }

    @Test func anAccountThatIsDeletedWhileItsPasswordIsLookedAtStaysDeleted() async throws {
        let first = try await api.signIn(new, device: "", from: "")
        let local = try #require(try cloud.directory.password(ofKey: "anna@x.test"))
        // The result of the password check, just before the account was deleted.
        let identity = Identity(issuer: Identity.localIssuer, subject: local.subject, email: local.email)
        try await api.deleteAccount(first.token)
        let device = NewDevice(name: "", guest: EntityID(high: 1, low: 1))
        #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try cloud.directory.signIn(identity, device: device)
        }
        #expect(try cloud.directory.users().isEmpty)
    }

    @Test func aDeletedAccountLeavesNoPasswordBehind() async throws {
        let first = try await api.signIn(new, device: "", from: "")
        try await api.deleteAccount(first.token)
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await api.signIn(known, device: "", from: "")
        }
        let again = try await api.signIn(new, device: "", from: "")
        #expect(!again.isExistingAccount && again.user.id != first.user.id)
    }

    @Test func aUserShowsThatItIsTheyWhoAsk() async throws {
        let anna = try await api.signIn(new, device: "", from: "")
        let bob = Credentials.newAccount(email: "bob@x.test", password: "another horse battery")
        let other = try await api.signIn(bob, device: "", from: "")
        let right = Credentials.password(email: "", password: "correct horse battery")
        try await api.confirm(right, from: "", anna.token)
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await api.confirm(right, from: "", other.token)
        }
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await api.confirm(new, from: "", anna.token)
        }
        let token = Credentials.idToken("x", nonce: "n", accessToken: nil)
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await api.confirm(token, from: "", anna.token)
        }
        try await api.signOut(anna.token)
        await #expect(throws: CloudError.sessionRevoked) {
            try await api.confirm(right, from: "", anna.token)
        }
    }

    /// Guesses from everywhere slow the account; the device that was signed in to it shows that by its old token.
    @Test func whoWasSignedInThereBeforeIsNotSlowedByOthers() async throws {
        let anna = try await api.signIn(new, device: "", from: "192.0.2.1")
        try await api.signOut(anna.token)
        let guess = Credentials.password(email: "anna@x.test", password: "guess")
        for number in 0..<100 {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) {
                try await api.signIn(guess, device: "", from: "198.51.100.\(number)")
            }
        }
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await api.signIn(known, device: "", from: "192.0.2.1")
        }
        let device = NewDevice(name: "", guest: EntityID(high: 1, low: 1), former: [anna.token])
        let again = try await api.signIn(known, device: device, from: "192.0.2.1")
        #expect(again.user == anna.user)
    }
}
