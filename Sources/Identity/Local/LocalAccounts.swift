// Accounts of this server's own: an e-mail address and a password.

import Dispatch
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
    private let now: @Sendable () -> Int64
    private let random: @Sendable (_ count: Int) -> [UInt8]
    private let queue = DispatchQueue(label: "breadly.passwords")
    private let limits = Mutex(Limits())
    /// What an address that is not known is compared with: checking takes as long as for one that is. Random, so that
    /// it is nobody's password; the hash itself need not be one.
    private let decoy: PasswordHash

    private struct Limits {
        var accounts = AttemptLimiter(free: 5)
        var addresses = AttemptLimiter(free: 20)
        /// Each new account costs a hashing and a row, whether it is wanted or not.
        var newcomers = AttemptLimiter(free: 20)
    }

    /// Accounts.
    /// - Parameters:
    ///   - now: UTC seconds.
    ///   - random: so many random bytes.
    public init(
        store: any PasswordStore,
        cost: PasswordHash.Cost = .usual,
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.store = store
        self.cost = cost
        self.now = now
        self.random = random
        decoy = PasswordHash(ofNobody: random(32), salt: random(16), cost: cost)
    }

    /// Says whose credentials these are. One answer stands for a wrong address and a wrong password.
    public func verify(_ credentials: Credentials, from address: String) async throws(CloudError) -> Identity
    {
        switch credentials {
        case .password(let email, let password):
            return try await signIn(email, password, address)
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
        let identity = try await signIn(email, old, address)
        try await set(new, of: identity.subject)
    }

    /// Puts another password in the place of one that was forgotten: by the operator.
    /// - Throws: `wrongCredentials` where the address has no account; `weakPassword`.
    public func reset(email: String, to new: String) async throws(CloudError) {
        guard let address = EmailAddress(email), let known = try store.password(ofKey: address.key) else {
            throw .wrongCredentials
        }
        try await set(new, of: known.subject)
        limits.withLock { $0.accounts.forget(address.key) }
    }

    private func signIn(_ email: String, _ password: String, _ address: String) async throws(CloudError)
        -> Identity
    {
        guard let email = EmailAddress(email), password.utf8.count <= Self.mostBytes else {
            throw .wrongCredentials
        }
        let now = now()
        let wait = limits.withLock { limits in
            let wait = max(
                limits.accounts.wait(email.key, now: now),
                limits.addresses.wait(address, now: now)
            )
            if wait == 0 {
                limits.accounts.begin(email.key, now: now)
                limits.addresses.begin(address, now: now)
            }
            return wait
        }
        guard wait == 0 else { throw .tooManyAttempts(retryAfterSeconds: wait) }
        let known = try store.password(ofKey: email.key)
        let hash = known.flatMap { PasswordHash($0.hash) } ?? decoy
        let isRight = await hashing { hash.matches(password) } && known != nil
        guard isRight, let known else { throw .wrongCredentials }
        limits.withLock { limits in
            limits.accounts.forget(email.key)
            limits.addresses.takeBack(address)
        }
        if hash.cost != cost { try await set(password, of: known.subject, isOld: true) }
        return Identity(issuer: Identity.localIssuer, subject: known.subject, email: known.email)
    }

    private func signUp(_ email: String, _ password: String, _ address: String) async throws(CloudError)
        -> Identity
    {
        guard let email = EmailAddress(email) else { throw .badEmail }
        guard Self.isStrong(password) else { throw .weakPassword }
        let now = now()
        let wait = limits.withLock { limits in
            let wait = limits.newcomers.wait(address, now: now)
            if wait == 0 { limits.newcomers.begin(address, now: now) }
            return wait
        }
        guard wait == 0 else { throw .tooManyAttempts(retryAfterSeconds: wait) }
        guard try store.password(ofKey: email.key) == nil else { throw .emailTaken }
        let subject = hexadecimal(random(16))
        let hash = try await hashed(password)
        try store.add(StoredPassword(subject: subject, email: email.text, hash: hash), key: email.key)
        return Identity(issuer: Identity.localIssuer, subject: subject, email: email.text)
    }

    /// - Parameter isOld: it was accepted before, and is only hashed at today's cost.
    private func set(_ password: String, of subject: String, isOld: Bool = false) async throws(CloudError) {
        guard isOld || Self.isStrong(password) else { throw .weakPassword }
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

    private static func isStrong(_ password: String) -> Bool {
        password.count >= fewestCharacters && password.utf8.count <= mostBytes
    }
}
