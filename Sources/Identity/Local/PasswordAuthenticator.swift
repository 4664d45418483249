// Sign-in with an e-mail address and a password that this server stores.

public import CloudProtocol
import Dispatch
import Encoding
import Synchronization

/// Verifies e-mail addresses and passwords. Safe to use from any thread.
///
/// Hashing needs tens of milliseconds and tens of megabytes on purpose. It runs on a queue of its own, one
/// password at a time, so that pages are served in the meantime.
public final class PasswordAuthenticator: Authenticator {
    /// As a user counts them: an accent belongs to its letter.
    static let fewestCharacters = 10
    /// The greatest length of a password in bytes, far beyond typed passwords.
    public static let mostBytes = 1_024

    private let store: any PasswordStore
    private let cost: PasswordHash.Cost
    private let rules: PasswordRules
    private let network: @Sendable (String) -> String
    private let now: @Sendable () -> Int64
    private let random: @Sendable (_ count: Int) -> [UInt8]
    private let queue = DispatchQueue(label: "breadly.passwords")
    private let limits = Mutex(Limits())
    /// The hash to compare for an unknown address, so that the check takes as long as for a known one. It is
    /// random, so that no password matches it.
    private let decoy: PasswordHash

    /// The limits of attempts: first by the client's address, and only at far higher counts for the whole
    /// user account. A device that was signed in to the account before has a count of its own, so that
    /// attackers cannot lock its user out.
    private struct Limits {
        var pairs = AttemptLimiter(free: 5)
        var accounts = AttemptLimiter(free: 100)
        var networks = AttemptLimiter(free: 20)
        var devices = AttemptLimiter(free: 5)
        /// Each new account costs a hash and a row.
        var newcomers = AttemptLimiter(free: 20)

        /// The wait before an attempt, in seconds. The attempt is counted if it is 0.
        mutating func begin(_ attempt: Attempt, _ now: Int64) -> Int64 {
            if let device = attempt.device {
                let wait = devices.wait(device, now: now)
                if wait == 0 { devices.begin(device, now: now) }
                return wait
            }
            let wait = max(
                pairs.wait(attempt.pair, now: now),
                accounts.wait(attempt.account, now: now),
                networks.wait(attempt.network, now: now)
            )
            guard wait == 0 else { return wait }
            pairs.begin(attempt.pair, now: now)
            accounts.begin(attempt.account, now: now)
            networks.begin(attempt.network, now: now)
            return 0
        }

        /// Discounts an attempt that proved right.
        mutating func end(_ attempt: Attempt) {
            if let device = attempt.device { return devices.forget(device) }
            pairs.forget(attempt.pair)
            accounts.discount(attempt.account)
            networks.discount(attempt.network)
        }
    }

    /// The keys under which an attempt is counted.
    private struct Attempt {
        let account: String
        let network: String
        /// A device that was signed in to the account before; nil for any other.
        let device: String?

        var pair: String { "\(account) \(network)" }
    }

    /// - Parameters:
    ///   - rules: the rules for new passwords.
    ///   - network: returns the key by which limits count an address.
    ///   - now: UTC seconds.
    ///   - random: returns random bytes.
    public init(
        store: any PasswordStore,
        cost: PasswordHash.Cost = .usual,
        rules: PasswordRules = PasswordRules(common: []),
        network: @escaping @Sendable (_ address: String) -> String = { $0 },
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.store = store
        self.cost = cost
        self.rules = rules
        self.network = network
        self.now = now
        self.random = random
        decoy = PasswordHash(ofNobody: random(32), salt: random(16), cost: cost)
    }

    /// Returns the identity of credentials. A wrong address and a wrong password give the same error.
    public func verify(_ credentials: Credentials, from address: String, known: Set<String>)
        async throws(CloudError) -> Identity
    {
        switch credentials {
        case .password(let email, let password):
            return try await signIn(email, password, address, known)
        case .newAccount(let email, let password):
            return try await signUp(email, password, address)
        case .idToken: throw .signIn(.wrongCredentials)
        }
    }

    /// Replaces a password by its owner, who knows the old one.
    /// - Throws: as `verify`.
    public func change(_ update: PasswordUpdate, of email: String, from address: String)
        async throws(CloudError)
    {
        // A change signs the user in.
        guard let key = EmailAddress(email)?.key, let known = try store.password(ofKey: key) else {
            throw .signIn(.wrongCredentials)
        }
        let identity = try await signIn(email, update.present, address, [known.subject])
        try await set(update.new, of: identity.subject, email)
    }

    /// Replaces a forgotten password, for the operator.
    /// - Throws: `wrongCredentials` if the address has no account; `weakPassword`.
    public func reset(email: String, to new: String) async throws(CloudError) {
        guard let address = EmailAddress(email), let known = try store.password(ofKey: address.key) else {
            throw .signIn(.wrongCredentials)
        }
        try await set(new, of: known.subject, known.email)
        limits.withLock { $0.accounts.forget(address.key) }
    }

    /// - Parameter subjects: the user accounts that the device was signed in to before.
    private func signIn(_ email: String, _ password: String, _ address: String, _ subjects: Set<String>)
        async throws(CloudError) -> Identity
    {
        guard let email = EmailAddress(email), password.utf8.count <= Self.mostBytes else {
            throw .signIn(.wrongCredentials)
        }
        let (now, network) = (now(), network(address))
        let known = try store.password(ofKey: email.key)
        let isOwn = known.map { subjects.contains($0.subject) } ?? false
        let attempt = Attempt(
            account: email.key,
            network: network,
            device: isOwn ? "\(email.key) \(network)" : nil
        )
        let wait = limits.withLock { $0.begin(attempt, now) }
        guard wait == 0 else { throw .signIn(.tooManyAttempts(retryAfterSeconds: wait)) }
        let hash = known.flatMap { PasswordHash($0.hash) } ?? decoy
        let isRight = await hashing { hash.matches(password) } && known != nil
        guard isRight, let known else { throw .signIn(.wrongCredentials) }
        limits.withLock { $0.end(attempt) }
        if hash.cost != cost { try await set(password, of: known.subject, nil) }
        return Identity(issuer: Identity.localIssuer, subject: known.subject, email: known.email)
    }

    private func signUp(_ email: String, _ password: String, _ address: String) async throws(CloudError)
        -> Identity
    {
        guard let email = EmailAddress(email) else { throw .signIn(.badEmail) }
        try check(password, of: email.text)
        let (now, address) = (now(), network(address))
        let wait = limits.withLock { limits in
            let wait = limits.newcomers.wait(address, now: now)
            if wait == 0 { limits.newcomers.begin(address, now: now) }
            return wait
        }
        guard wait == 0 else { throw .signIn(.tooManySignUps(retryAfterSeconds: wait)) }
        guard try store.password(ofKey: email.key) == nil else { throw .signIn(.emailTaken) }
        let subject = Hex.encode(random(16))
        let hash = try await hashed(password)
        try store.add(StoredPassword(subject: subject, email: email.text, hash: hash), key: email.key)
        return Identity(issuer: Identity.localIssuer, subject: subject, email: email.text)
    }

    /// - Parameter email: nil if the password was accepted before and is only hashed again at the current
    ///   cost.
    private func set(_ password: String, of subject: String, _ email: String?) async throws(CloudError) {
        if let email { try check(password, of: email) }
        let hash = try await hashed(password)
        guard try store.replace(hash: hash, of: subject) else { throw .accountGone }
    }

    private func hashed(_ password: String) async throws(CloudError) -> String {
        let (salt, cost) = (random(16), cost)
        let hash = await hashing { PasswordHash(of: password, salt: salt, cost: cost) }
        guard let hash else { throw .failed("no memory to hash a password with") }
        return hash.line
    }

    private func hashing<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    private func check(_ password: String, of email: String) throws(CloudError) {
        guard password.count >= Self.fewestCharacters, password.utf8.count <= Self.mostBytes else {
            throw .signIn(.weakPassword)
        }
        guard !rules.isCommon(password, of: email) else { throw .signIn(.commonPassword) }
    }
}
