// The cloud in this process: the endpoints of the HTTP cloud as function calls.

public import CloudProtocol
public import Ledger
public import SyncCore

/// The cloud's API on a directory.
public struct EmbeddedCloud: CloudAPI {
    private let directory: Directory
    private let rows: SyncService
    /// The bytes of files.
    public let files: FileService
    private let heads = Heads()
    private let watches: Watches
    private let news = SessionNews()
    private let pushRates: PushRates
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    private let authenticator: any Authenticator
    private let entitlements: any EntitlementSource

    /// The cloud of a directory.
    /// - Parameters:
    ///   - authenticator: verifies credentials.
    ///   - entitlements: the source of entitlements; by default the directory's own grants.
    ///   - limits: the limits of each account.
    ///   - fileLimits: the limits of the files of each account.
    ///   - pushesPerSecond: the greatest rate of pushes of a session, averaged over a long time.
    ///   - pause: suspends for a time, or until the task is cancelled.
    public init(
        _ directory: Directory,
        authenticator: any Authenticator,
        entitlements: (any EntitlementSource)? = nil,
        limits: UserAccountLimits = UserAccountLimits(),
        fileLimits: FileLimits = FileLimits(),
        pushesPerSecond: Int = 50,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void = pause(milliseconds:)
    ) {
        self.directory = directory
        let rows = SyncService(directory, limits: limits)
        self.rows = rows
        files = FileService(directory, limits: fileLimits)
        watches = Watches(
            now: { directory.now },
            newID: { directory.newToken().text },
            check: { token throws(CloudError) in try rows.head(token) }
        )
        pushRates = PushRates(perSecond: pushesPerSecond) { directory.now }
        self.pause = pause
        self.authenticator = authenticator
        self.entitlements = entitlements ?? directory
    }

    /// As `UserAccountsAPI`.
    public func signIn(_ credentials: Credentials, device: NewDevice, from address: String)
        async throws(CloudError) -> SignedIn
    {
        // Before a password is stored for an account that must not be created.
        if case .newAccount = credentials, !directory.acceptsNewAccounts { throw .signIn(.signUpClosed) }
        let known = try directory.localSubjects(of: Array(device.former.prefix(NewDevice.mostFormer)))
        let identity = try await authenticator.verify(credentials, from: address, known: known)
        let admission = try directory.signIn(identity, device: device)
        return SignedIn(
            user: admission.user,
            token: admission.token,
            isExistingAccount: admission.isExistingAccount,
            entitlement: try await entitlements.entitlement(of: admission.user),
            rates: try directory.ratesVersion()
        )
    }

    /// As `UserAccountsAPI`.
    public func account(_ token: SessionToken) async throws(CloudError) -> UserAccountReport {
        let user = try directory.user(token)
        let entitlement = try await entitlements.entitlement(of: user)
        try rows.note(entitlement, of: user.id)
        return UserAccountReport(
            user: user,
            holdings: try directory.holdings(token),
            entitlement: entitlement,
            usage: try rows.usage(of: user.id, token),
            limits: rows.limits,
            rates: try directory.ratesVersion()
        )
    }

    /// As `UserAccountsAPI`.
    public func changePassword(_ update: PasswordUpdate, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        let user = try directory.user(token)
        guard let email = try directory.passwordEmail(of: user.id) else { throw .signIn(.wrongCredentials) }
        try await authenticator.change(update, of: email, from: address)
        guard update.locksOthers else { return }
        try directory.lockOthers(token)
        ended(of: user.id)
    }

    /// As `UserAccountsAPI`.
    public func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)
    {
        let user = try directory.user(token)
        var asked = credentials
        switch credentials {
        case .password(_, let password):
            guard let email = try directory.passwordEmail(of: user.id) else {
                throw .signIn(.wrongCredentials)
            }
            asked = .password(email: email, password: password)
        case .idToken: break
        case .newAccount: throw .signIn(.wrongCredentials)
        }
        let known = try directory.localSubjects(of: [token])
        let identity = try await authenticator.verify(asked, from: address, known: known)
        guard try directory.user(of: identity) == user.id else { throw .signIn(.wrongCredentials) }
    }

    /// As `UserAccountsAPI`.
    public func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession] {
        try directory.devices(token)
    }

    /// As `UserAccountsAPI`.
    public func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError) {
        let user = try? directory.user(token).id
        try directory.signOut(device: device, erases: erases, token)
        if let user { ended(of: user) }
    }

    /// As `UserAccountsAPI`.
    public func signOut(_ token: SessionToken) async throws(CloudError) {
        let user = try? directory.user(token).id
        try directory.signOut(token)
        if let user { moved(user) }
    }

    /// As `UserAccountsAPI`.
    public func deleteData(_ token: SessionToken) async throws(CloudError) {
        let user = try? directory.user(token).id
        try directory.deleteData(token)
        if let user {
            // If it fails, the next collection removes them, or says in the log why it cannot.
            try? files.removeUnlisted(of: user)
            moved(user)
        }
    }

    /// As `UserAccountsAPI`.
    public func deleteAccount(_ token: SessionToken) async throws(CloudError) {
        let user = try? directory.user(token).id
        try directory.deleteAccount(token)
        if let user {
            // As above.
            try? files.removeUnlisted(of: user)
            ended(of: user)
        }
    }

    /// As `RatesAPI`.
    public func rates(_ token: SessionToken) async throws(CloudError) -> LatestRates {
        try await requirePremium(token)
        return LatestRates(try directory.newestRates()?.rates)
    }

    /// As `RatesAPI`.
    public func rateHistory(_ query: RateHistoryQuery, _ token: SessionToken) async throws(CloudError)
        -> RateHistoryAnswer
    {
        try await requirePremium(token)
        return try directory.rateHistory(query)
    }

    private func requirePremium(_ token: SessionToken) async throws(CloudError) {
        let user = try directory.user(token)
        guard try await entitlements.entitlement(of: user).isPremium else {
            throw .subscriptionRequired(drainUntil: nil)
        }
    }

    // MARK: - Sync

    /// The number of long polls that wait.
    public var waitingCount: Int { heads.count + watches.count }

    /// Calls back after sessions of a user were ended by another device, at any time and on any thread.
    public func whenSessionsEnd(_ body: @escaping @Sendable (_ user: EntityID) -> Void) { news.listen(body) }

    /// Wakes all polls of a user. The polls of ended sessions are refused.
    private func ended(of user: EntityID) {
        moved(user)
        news.ended(of: user)
    }

    private func moved(_ user: EntityID) {
        heads.moved(user)
        watches.moved(user)
    }

    /// As `SyncAPI`.
    public func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        let user = try directory.user(token)
        try pushRates.count(token)
        let answer = try rows.push(batch, token, try await entitlements.entitlement(of: user))
        moved(user.id)
        return answer
    }

    /// As `SyncAPI`.
    public func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage
    {
        let user = try directory.user(token)
        return try rows.changes(query, token, try await entitlements.entitlement(of: user))
    }

    /// As `SyncAPI`.
    public func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError)
        -> Head
    {
        let (user, head) = try rows.head(token)
        guard head == seen, waitSeconds > 0 else { return head }
        let moves = heads.moves(of: user)
        // Finds a change from before the stream existed.
        let present = try rows.head(token).head
        guard present == head else { return present }
        let limit = min(waitSeconds, SyncLimits.waitSeconds) * 1_000
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in moves { return } }
            group.addTask { [pause] in await pause(limit) }
            await group.next()
            group.cancelAll()
        }
        return try rows.head(token).head
    }

    /// As `SignalsAPI`.
    public func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer {
        try await watches.answer(request, pause: pause)
    }

    /// As `SyncAPI`.
    public func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError) {
        try rows.detach(replica, lastN: lastN, token)
    }

    /// Brings some texts that earlier versions have stored into the one form, and tells the devices of their user.
    /// - Parameter place: the place that the last step returned; nil to begin.
    /// - Returns: the place for the next step; nil if there is none.
    public func normaliseTexts(after place: TextPlace?) throws(CloudError) -> TextPlace? {
        guard let step = try rows.normaliseTexts(after: place) else { return nil }
        if let user = step.changed { moved(user) }
        return step.next
    }

    // MARK: - Files

    /// As `FilesAPI`.
    public func put(_ part: FilePart, _ token: SessionToken) async throws(CloudError) -> FileProgress {
        try files.put(part, of: try await sender(token))
    }

    /// As `FilesAPI`.
    public func missingFiles(after key: FileKey?, _ token: SessionToken) async throws(CloudError)
        -> MissingFiles
    {
        try files.missing(after: key, of: try await sender(token))
    }

    /// The user account of a session that may send files.
    private func sender(_ token: SessionToken) async throws(CloudError) -> EntityID {
        let user = try directory.user(token)
        let entitlement = try await entitlements.entitlement(of: user)
        if !entitlement.isPremium { try rows.requireGracePeriod(of: user.id, entitlement) }
        return user.id
    }

    /// As `FilesAPI`.
    public func bytes(_ range: FileRange, _ token: SessionToken) async throws(CloudError) -> [UInt8] {
        try await requirePremium(token)
        return try files.bytes(range, of: try directory.user(token).id)
    }
}
