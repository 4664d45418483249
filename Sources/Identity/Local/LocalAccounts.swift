// Accounts of this server's own: an e-mail address and a password.

import Dispatch
import Encoding
public import SyncCore
import Synchronization

/// Looks at e-mail addresses and passwords. Safe to use from any thread.
///
/// Hashing takes tens of milliseconds and tens of megabytes on purpose: it runs on a queue of its own, one password
/// at a time, so that pages go on being served meanwhile.
public final class LocalAccounts: Authenticator {
    /// The fewest characters of a password.
    public static let fewestCharacters = 10
    /// The most bytes of one: nobody types more.
    public static let mostBytes = 1_024

    private let store: any PasswordStore
    private let cost: PasswordHash.Cost
    private let rules: PasswordRules
    private let network: @Sendable (String) -> String
    private let now: @Sendable () -> Int64
    private let random: @Sendable (_ count: Int) -> [UInt8]
    private let queue = DispatchQueue(label: "breadly.passwords")
    private let limits = Mutex(Limits())
    /// What an address that is not known is compared with: checking takes as long as for one that is. Random, so that
    /// it is nobody's password; the hash itself need not be one.
    private let decoy: PasswordHash

    /// Who guesses waits: first where they guess from, and only much later everybody at the account. A device that has
    /// been signed in to it before is counted for itself, so that nobody can keep its user out.
    private struct Limits {
        var pairs = AttemptLimiter(free: 5)
        var accounts = AttemptLimiter(free: 100)
        var networks = AttemptLimiter(free: 20)
        var devices = AttemptLimiter(free: 5)
        /// Each new account costs a hashing and a row, whether it is wanted or not.
        var newcomers = AttemptLimiter(free: 20)

        /// How long an attempt has to wait, in seconds; it is counted where that is 0.
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

        /// Takes an attempt back that was right.
        mutating func end(_ attempt: Attempt) {
            if let device = attempt.device { return devices.forget(device) }
            pairs.forget(attempt.pair)
            accounts.takeBack(attempt.account)
            networks.takeBack(attempt.network)
        }
    }

    /// What one attempt is counted as.
    private struct Attempt {
        let account: String
        let network: String
        /// A device of the account's own; nil for any other.
        let device: String?

        var pair: String { "\(account) \(network)" }
    }

    /// Accounts.
    /// - Parameters:
    ///   - rules: what a new password must not be.
    ///   - network: what limits count an address as.
    ///   - now: UTC seconds.
    ///   - random: so many random bytes.
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

    /// Says whose credentials these are. One answer stands for a wrong address and a wrong password.
    public func verify(_ credentials: Credentials, from address: String, known: Set<String>)
        async throws(CloudError) -> Identity
    {
        switch credentials {
        case .password(let email, let password):
            return try await signIn(email, password, address, known)
        case .newAccount(let email, let password):
            return try await signUp(email, password, address)
        case .idToken: throw .wrongCredentials
        }
    }

    /// Puts another password in the place of the one that is known.
    /// - Throws: as `verify`.
    public func change(email: String, from old: String, to new: String, address: String)
        async throws(CloudError)
    {
        // Whoever changes it is signed in.
        guard let key = EmailAddress(email)?.key, let known = try store.password(ofKey: key) else {
            throw .wrongCredentials
        }
        let identity = try await signIn(email, old, address, [known.subject])
        try await set(new, of: identity.subject, email)
    }

    /// Puts another password in the place of one that was forgotten: by the operator.
    /// - Throws: `wrongCredentials` where the address has no account; `weakPassword`.
    public func reset(email: String, to new: String) async throws(CloudError) {
        guard let address = EmailAddress(email), let known = try store.password(ofKey: address.key) else {
            throw .wrongCredentials
        }
        try await set(new, of: known.subject, known.email)
        limits.withLock { $0.accounts.forget(address.key) }
    }

    /// - Parameter subjects: of the accounts that the device has been signed in to.
    private func signIn(_ email: String, _ password: String, _ address: String, _ subjects: Set<String>)
        async throws(CloudError) -> Identity
    {
        guard let email = EmailAddress(email), password.utf8.count <= Self.mostBytes else {
            throw .wrongCredentials
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
        guard wait == 0 else { throw .tooManyAttempts(retryAfterSeconds: wait) }
        let hash = known.flatMap { PasswordHash($0.hash) } ?? decoy
        let isRight = await hashing { hash.matches(password) } && known != nil
        guard isRight, let known else { throw .wrongCredentials }
        limits.withLock { $0.end(attempt) }
        if hash.cost != cost { try await set(password, of: known.subject, nil) }
        return Identity(issuer: Identity.localIssuer, subject: known.subject, email: known.email)
    }

    private func signUp(_ email: String, _ password: String, _ address: String) async throws(CloudError)
        -> Identity
    {
        guard let email = EmailAddress(email) else { throw .badEmail }
        try check(password, of: email.text)
        let (now, address) = (now(), network(address))
        let wait = limits.withLock { limits in
            let wait = limits.newcomers.wait(address, now: now)
            if wait == 0 { limits.newcomers.begin(address, now: now) }
            return wait
        }
        guard wait == 0 else { throw .tooManyAttempts(retryAfterSeconds: wait) }
        guard try store.password(ofKey: email.key) == nil else { throw .emailTaken }
        let subject = Hex.encode(random(16))
        let hash = try await hashed(password)
        try store.add(StoredPassword(subject: subject, email: email.text, hash: hash), key: email.key)
        return Identity(issuer: Identity.localIssuer, subject: subject, email: email.text)
    }

    /// - Parameter email: nil where the password was accepted before, and is only hashed at today's cost.
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
            throw .weakPassword
        }
        guard !rules.isCommon(password, of: email) else { throw .commonPassword }
    }
}
