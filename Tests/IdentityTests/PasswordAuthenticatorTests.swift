// User accounts with passwords: the stored hash, the checks at a sign-in, and the delays against guessing.
import CloudProtocol
import Foundation
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Identity

/// Passwords in memory.
private final class Passwords: PasswordStore {
    let kept = Mutex<[String: StoredPassword]>([:])

    func password(ofKey key: String) throws(CloudError) -> StoredPassword? { kept.withLock { $0[key] } }

    func add(_ password: StoredPassword, key: String) throws(CloudError) {
        let isNew = kept.withLock { kept in
            guard kept[key] == nil else { return false }
            kept[key] = password
            return true
        }
        guard isNew else { throw .signIn(.emailTaken) }
    }

    func replace(hash: String, of subject: String) throws(CloudError) -> Bool {
        kept.withLock { kept in
            guard let key = kept.first(where: { $0.value.subject == subject })?.key else { return false }
            kept[key]?.hash = hash
            return true
        }
    }
}

private let cheap = PasswordHash.Cost(logRounds: 4, blockSize: 1, parallelism: 1)
private let good = "correct horse battery"

@Suite struct PasswordHashes {
    /// RFC 7914, section 12: scrypt("password", "NaCl", N=1024, r=8, p=16).
    @Test func theyAreThoseOfTheStandard() throws {
        let bytes: [UInt8] = [
            0xFD, 0xBA, 0xBE, 0x1C, 0x9D, 0x34, 0x72, 0x00, 0x78, 0x56, 0xE7, 0x19, 0x0D, 0x01, 0xE9, 0xFE,
            0x7C, 0x6A,
            0xD7, 0xCB, 0xC8, 0x23, 0x78, 0x30, 0xE7, 0x73, 0x76, 0x63, 0x4B, 0x37, 0x31, 0x62,
        ]
        let line =
            "$scrypt$ln=10,r=8,p=16$TmFDbA$"
            + Data(bytes).base64EncodedString().filter { $0 != "=" }
        let hash = try #require(PasswordHash(line))
        #expect(hash.matches("password") && !hash.matches("Password") && !hash.matches(""))
        #expect(hash.line == line)
    }

    @Test func aLineSurvivesAndSaysItsCost() throws {
        let hash = try #require(PasswordHash(of: good, salt: Array(0..<16), cost: cheap))
        #expect(PasswordHash(hash.line) == hash && hash.cost == cheap && hash.matches(good))
        let other = try #require(PasswordHash(of: good, salt: Array(1..<17), cost: cheap))
        #expect(other.line != hash.line)
        // A letter with its accent, composed or not.
        let composed = try #require(PasswordHash(of: "caf\u{e9} caf\u{e9}", salt: [1], cost: cheap))
        #expect(composed.matches("cafe\u{301} cafe\u{301}"))
    }

    @Test(arguments: [
        "", "x", "$scrypt$ln=4,r=1,p=1$AAAA", "$bcrypt$ln=4,r=1,p=1$AAAA$AAAA", "$scrypt$ln=4,r=1$AAAA$AAAA",
        "$scrypt$ln=40,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1,p=99$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1,p=1$$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1,p=1$AAAA$AAAA",
        "$scrypt$ln=-4,r=1,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func whatIsNoHashIsNone(line: String) { #expect(PasswordHash(line) == nil) }
}

@Suite struct LocalSignIn {
    private let clock = FixedClock(at: 1_795_262_400)
    private let store = Passwords()
    private let accounts: PasswordAuthenticator

    init() { accounts = Self.accounts(store, clock, cheap) }

    private static func accounts(_ store: Passwords, _ clock: FixedClock, _ cost: PasswordHash.Cost)
        -> PasswordAuthenticator
    {
        PasswordAuthenticator(
            store: store,
            cost: cost,
            rules: PasswordRules(list: "123456\nqwertyuiop\n1234567890\npassword123\n"),
            network: { $0.hasPrefix("2001:db8::") ? "2001:db8::/64" : $0 },
            now: { clock.now },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        )
    }

    private func signUp(_ email: String, _ password: String = good) async throws -> Identity {
        try await accounts.verify(.newAccount(email: email, password: password), from: "192.0.2.1", known: [])
    }

    @discardableResult
    private func signIn(
        _ email: String,
        _ password: String = good,
        from address: String = "192.0.2.1",
        known: Set<String> = []
    ) async throws -> Identity {
        try await accounts.verify(.password(email: email, password: password), from: address, known: known)
    }

    @Test func whoSignedUpIsLetIn() async throws {
        let made = try await signUp(" Anna@X.test ")
        #expect(made.issuer == "local" && made.email == "Anna@X.test" && made.subject.count == 32)
        #expect(try await signIn("anna@x.TEST") == made)
        #expect(try store.password(ofKey: "anna@x.test")?.hash.contains(good) == false)
    }

    @Test func aWrongAddressAndAWrongPasswordAreTheSame() async throws {
        _ = try await signUp("anna@x.test")
        for (email, password) in [
            ("anna@x.test", "wrong horse battery"), ("nobody@x.test", good), ("no address", good), ("", ""),
            ("anna@x.test", String(repeating: "x", count: 2_000)),
            ("nobody@x.test", "nobody has this password"),
        ] {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) { try await signIn(email, password) }
        }
    }

    @Test(arguments: [
        "", "x", "@", "a@", "@b", "a@b@c", "a b@c", "a\u{0}@b", "a@\n b",
        String(repeating: "a", count: 260) + "@b",
    ])
    func whatIsNoAddressIsRefused(email: String) async {
        await #expect(throws: CloudError.signIn(.badEmail)) { try await signUp(email) }
    }

    @Test(arguments: [
        "", "123456789", String(repeating: "é", count: 9), String(repeating: "x", count: 1_025),
    ])
    func aPasswordHasBounds(password: String) async {
        await #expect(throws: CloudError.signIn(.weakPassword)) { try await signUp("anna@x.test", password) }
    }

    @Test func anAddressIsTakenOnceHoweverItIsWritten() async throws {
        _ = try await signUp("anna@x.test")
        await #expect(throws: CloudError.signIn(.emailTaken)) {
            try await signUp("ANNA@x.test", "another password")
        }
        #expect(try await signIn("anna@x.test").email == "anna@x.test")
        let accounts = accounts
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    let bob = Credentials.newAccount(email: "bob@x.test", password: good)
                    return (try? await accounts.verify(bob, from: "", known: [])) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    /// Makes so many wrong guesses from an address, waiting where it must.
    /// - Returns: the waits.
    private func guess(_ count: Int, from address: (Int) -> String) async -> [Int64] {
        var waits: [Int64] = []
        for number in 0..<count {
            do { try await signIn("anna@x.test", "guess", from: address(number)) } catch {
                if case CloudError.signIn(.tooManyAttempts(let seconds)) = error {
                    waits.append(seconds)
                    clock.advance(by: seconds)
                } else {
                    #expect(error as? CloudError == .signIn(.wrongCredentials))
                }
            }
        }
        return waits
    }

    @Test func guessingGetsSlowerAndSlower() async throws {
        _ = try await signUp("anna@x.test")
        #expect(await guess(12) { _ in "198.51.100.1" } == [1, 2, 4, 8])
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await signIn("anna@x.test", "guess", from: "198.51.100.1")
        }
        // Even the right password has to wait there; other networks do not wait.
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 16))) {
            try await signIn("anna@x.test", from: "198.51.100.1")
        }
        try await signIn("anna@x.test")
        _ = try await signUp("bob@x.test")
        try await signIn("bob@x.test", from: "198.51.100.1")
        clock.advance(by: 16)
        try await signIn("anna@x.test", from: "198.51.100.1")
        // A successful sign-in resets the count.
        for _ in 0..<5 {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) {
                try await signIn("anna@x.test", "guess", from: "198.51.100.1")
            }
        }
    }

    /// Guesses from many networks slow down the account in the end, but never a device that was signed in to
    /// it.
    @Test func aUserIsNotKeptOutOfTheirOwnAccount() async throws {
        let made = try await signUp("anna@x.test")
        #expect(await guess(100) { "198.51.100.\($0 / 2)" }.isEmpty)
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn("anna@x.test")
        }
        try await signIn("anna@x.test", known: [made.subject])
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn("anna@x.test", known: ["another account's"])
        }
        clock.advance(by: 1)
        try await signIn("anna@x.test")
        // An attacker with such a device guesses no faster.
        for _ in 0..<5 {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) {
                try await signIn("anna@x.test", "guess", known: [made.subject])
            }
        }
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn("anna@x.test", known: [made.subject])
        }
    }

    @Test func anAddressSignsUpTwentyTimesADay() async throws {
        for number in 0..<20 { _ = try await signUp("user\(number)@x.test") }
        // A taken address counts like a free one.
        for email in ["new@x.test", "user1@x.test"] {
            await #expect(throws: CloudError.signIn(.tooManySignUps(retryAfterSeconds: 1))) {
                try await signUp(email)
            }
        }
        _ = try await accounts.verify(
            .newAccount(email: "other@x.test", password: good),
            from: "192.0.2.2",
            known: []
        )
        // Signing in is another matter.
        try await signIn("user1@x.test")
    }

    @Test func addressesOfANetworkPrefixAreCountedAsOne() async throws {
        _ = try await signUp("anna@x.test")
        #expect(await guess(6) { "2001:db8::\($0)" } == [1])
    }

    @Test(arguments: [
        "qwertyuiop", "QWERTYUIOP", "1234567890", "password123", "annalena@x.test", "annalena12",
        "12annalena!",
        "breadly2026", "BreadlyBreadly", "breadlyannalena", "aaaaaaaaaa", "AbcAbcAbcAb", "kmkmkmkmkmkm",
        "defghijklmno", "9876543210",
    ])
    func whatIsGuessedFirstIsNoPassword(password: String) async throws {
        await #expect(throws: CloudError.signIn(.commonPassword)) {
            try await signUp("annalena@x.test", password)
        }
    }

    @Test(arguments: [
        "correct horse battery", "annalena likes bread", "my breadly book of 2026", "qwertyuiop-7up",
    ])
    func aSentenceIsOne(password: String) async throws {
        _ = try await signUp("annalena@x.test", password)
    }

    @Test func anAddressThatTriesManyAccountsHasToWaitToo() async throws {
        for number in 0..<20 {
            await #expect(throws: CloudError.signIn(.wrongCredentials)) {
                try await signIn("a\(number)@x.test", "guess")
            }
        }
        await #expect(throws: CloudError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn("b@x.test", "guess")
        }
        _ = try await signUp("anna@x.test")
        try await signIn("anna@x.test", from: "203.0.113.5")
    }

    @Test func guessesAtOnceAreCountedToo() async throws {
        _ = try await signUp("anna@x.test")
        let accounts = accounts
        let looked = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let guess = Credentials.password(email: "anna@x.test", password: "guess")
                    let failure = await #expect(throws: CloudError.self) {
                        try await accounts.verify(guess, from: "", known: [])
                    }
                    return failure == .signIn(.wrongCredentials)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(looked == 5)
    }

    @Test func aPasswordIsChangedByWhoKnowsItAndResetByTheOperator() async throws {
        let made = try await signUp("anna@x.test")
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await accounts.change(
                PasswordUpdate(from: "wrong", to: "a new password", locksOthers: false),
                of: "anna@x.test",
                from: ""
            )
        }
        await #expect(throws: CloudError.signIn(.weakPassword)) {
            try await accounts.change(
                PasswordUpdate(from: good, to: "short", locksOthers: false),
                of: "anna@x.test",
                from: ""
            )
        }
        try await accounts.change(
            PasswordUpdate(from: good, to: "a new password", locksOthers: false),
            of: "anna@x.test",
            from: ""
        )
        await #expect(throws: CloudError.signIn(.wrongCredentials)) { try await signIn("anna@x.test") }
        #expect(try await signIn("anna@x.test", "a new password") == made)
        try await accounts.reset(email: "Anna@x.test", to: "set by operator")
        #expect(try await signIn("anna@x.test", "set by operator") == made)
        await #expect(throws: CloudError.signIn(.wrongCredentials)) {
            try await accounts.reset(email: "nobody@x.test", to: "set by operator")
        }
    }

    @Test func anOldHashIsMadeAnewAtTodaysCost() async throws {
        _ = try await signUp("anna@x.test")
        let dearer = PasswordHash.Cost(logRounds: 5, blockSize: 1, parallelism: 1)
        let later = Self.accounts(store, clock, dearer)
        let anna = Credentials.password(email: "anna@x.test", password: good)
        _ = try await later.verify(anna, from: "", known: [])
        #expect(try store.password(ofKey: "anna@x.test")?.hash.hasPrefix("$scrypt$ln=5,") == true)
        _ = try await later.verify(anna, from: "", known: [])
    }
}

@Suite struct Attempts {
    @Test func theWaitHasAnEndAndAllIsForgottenAfterADay() {
        var limiter = AttemptLimiter(free: 2)
        for _ in 0..<60 { limiter.begin("a", now: 100) }
        #expect(limiter.wait("a", now: 100) == 900 && limiter.wait("a", now: 1_000) == 0)
        #expect(limiter.wait("b", now: 100) == 0)
        #expect(limiter.wait("a", now: 100 + 86_400) == 0)
        limiter.begin("a", now: 100 + 86_400)
        #expect(limiter.wait("a", now: 100 + 86_400) == 0)
    }

    @Test func anonymousClientsNeitherFillTheMemoryNorPushAGuesserOut() {
        var limiter = AttemptLimiter(free: 2, mostKeys: 100)
        for _ in 0..<5 { limiter.begin("guesser", now: 100) }
        for number in 0..<10_000 { limiter.begin("client \(number)", now: 100) }
        #expect(limiter.wait("guesser", now: 100) > 0)
    }
}
