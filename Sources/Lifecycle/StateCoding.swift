// Text forms of states and events: for the device store, the log and the markers in pages.

extension State {
    /// The name in documents, logs and markers, such as `local_only`.
    public var name: String {
        switch self {
        case .uninitialized: "uninitialized"
        case .initializing: "initializing"
        case .onboarding: "onboarding"
        case .seedingGuest: "seeding_guest"
        case .localOnly: "local_only"
        case .verifyingAccount: "verifying_account"
        case .migratingGuest: "migrating_guest_to_auth"
        case .blocked: "blocked_no_sync"
        case .deletingServerData: "deleting_server_data"
        case .switchingToSync: "switching_to_sync"
        case .synced: "synced"
        case .draining: "draining_upload_queue"
        case .switchingToLocal: "switching_to_local"
        case .signingOut: "signing_out"
        case .deletingAccount: "deleting_account"
        case .error: "error"
        }
    }

    /// All names, in the order of the diagram.
    public static let names = [
        "uninitialized", "initializing", "onboarding", "seeding_guest", "local_only", "verifying_account",
        "migrating_guest_to_auth", "blocked_no_sync", "deleting_server_data", "switching_to_sync", "synced",
        "draining_upload_queue", "switching_to_local", "signing_out", "deleting_account", "error",
    ]

    /// The text for the device store, which `init(stored:)` decodes: the name, then `key=value` or a bare
    /// word for each associated value, and after ` < ` the state to return to.
    public var stored: String {
        ([name] + details).joined(separator: " ") + (origin.map { " < " + $0.stored } ?? "")
    }

    /// The associated values, one word each.
    private var details: [String] {
        func user(_ user: UserID?) -> [String] { user.map { ["user=\($0.text)"] } ?? [] }
        return switch self {
        case .uninitialized, .initializing: []
        case .onboarding(let who): user(who)
        case .seedingGuest(let seeding):
            user(seeding.user) + (seeding.clearsFirst ? ["clears"] : [])
                + (seeding.pendingAuth.map { ["\($0.isExisting ? "existing" : "new")=\($0.user.text)"] } ?? [])
        case .localOnly(let who, let isAttached): user(who) + (isAttached ? ["attached"] : [])
        case .verifyingAccount(let who, let origin): user(who) + ["from=\(origin.rawValue)"]
        case .migratingGuest(let who), .blocked(let who), .deletingServerData(let who),
            .switchingToLocal(let who),
            .deletingAccount(let who, _):
            user(who)
        case .switchingToSync(let who, let how): user(who) + ["how=\(how.rawValue)"]
        case .synced(let who, let mustSignIn): user(who) + (mustSignIn ? ["must_sign_in"] : [])
        case .draining(let who, let isStalled, let mustSignIn):
            user(who) + (isStalled ? ["stalled"] : []) + (mustSignIn ? ["must_sign_in"] : [])
        case .signingOut(let who, let why): user(who) + ["why=\(why.rawValue)"]
        case .error(let failure): ["at=\(failure.at)", "what=\(failure.what)"]
        }
    }

    /// The state to return to, for states that have one.
    private var origin: State? {
        switch self {
        case .deletingAccount(_, let from): from
        case .error(let failure): failure.from
        default: nil
        }
    }

    /// Decodes the text of `stored`. Returns nil if this version does not understand it.
    public init?(stored text: some StringProtocol) {
        // The deepest nesting is an error of a deletion with the state in which the user asked for it.
        self.init(stored: Substring(text), depth: 3)
    }

    private init?(stored text: Substring, depth: Int) {
        guard depth > 0 else { return nil }
        var words = text.split(separator: " ", omittingEmptySubsequences: false)
        var from: State?
        if let arrow = words.firstIndex(of: "<") {
            let rest = words[(arrow + 1)...].joined(separator: " ")
            from = State(stored: Substring(rest), depth: depth - 1)
            guard from != nil else { return nil }
            words.removeSubrange(arrow...)
        }
        guard let name = words.first else { return nil }
        var given = Given(words.dropFirst(), from)
        guard let state = Self.read(name, &given), given.isUsedUp else { return nil }
        self = state
    }

    private static func read(_ name: Substring, _ given: inout Given) -> State? {
        // States of a guest; the user is optional.
        switch name {
        case "uninitialized": return .uninitialized
        case "initializing": return .initializing
        case "onboarding": return .onboarding(given.user())
        case "local_only": return .localOnly(given.user(), isAttached: given.has("attached"))
        case "seeding_guest":
            let pending =
                given.user("existing").map { SignIn(user: $0, isExisting: true) }
                ?? given.user("new").map { SignIn(user: $0, isExisting: false) }
            return .seedingGuest(
                Seeding(user: given.user(), pendingAuth: pending, clearsFirst: given.has("clears"))
            )
        case "error":
            guard let at = given.value("at").flatMap({ Int64($0) }), let what = given.value("what"),
                let from = given.origin()
            else { return nil }
            return .error(Failure(from: from, what: what, at: at))
        default: break
        }
        guard let user = given.user() else { return nil }
        switch name {
        case "verifying_account":
            return given.value("from").flatMap { SignInOrigin(rawValue: $0) }.map {
                .verifyingAccount(user, from: $0)
            }
        case "migrating_guest_to_auth": return .migratingGuest(user)
        case "blocked_no_sync": return .blocked(user)
        case "deleting_server_data": return .deletingServerData(user)
        case "switching_to_sync":
            return given.value("how").flatMap { AttachMode(rawValue: $0) }.map { .switchingToSync(user, $0) }
        case "synced": return .synced(user, mustSignIn: given.has("must_sign_in"))
        case "draining_upload_queue":
            let isStalled = given.has("stalled")
            return .draining(user, isStalled: isStalled, mustSignIn: given.has("must_sign_in"))
        case "switching_to_local": return .switchingToLocal(user)
        case "signing_out":
            return given.value("why").flatMap { SignOutReason(rawValue: $0) }.map {
                .signingOut(user, why: $0)
            }
        case "deleting_account": return given.origin().map { .deletingAccount(user, from: $0) }
        default: return nil
        }
    }
}

/// The words of an encoded state. Each is consumed once; a word that is left over belongs to another version.
private struct Given {
    private var words: [Substring]
    private var from: State?
    private var isBroken = false

    init(_ words: ArraySlice<Substring>, _ from: State?) {
        self.words = Array(words)
        self.from = from
    }

    var isUsedUp: Bool { words.isEmpty && from == nil && !isBroken }

    mutating func has(_ word: Substring) -> Bool {
        guard let index = words.firstIndex(of: word) else { return false }
        words.remove(at: index)
        return true
    }

    mutating func value(_ key: String) -> String? {
        guard let index = words.firstIndex(where: { $0.hasPrefix(key + "=") }) else { return nil }
        return String(words.remove(at: index).dropFirst(key.count + 1))
    }

    /// An invalid user id fails the decoding: dropping it would turn a user's state into a guest's.
    mutating func user(_ key: String = "user") -> UserID? {
        guard let text = value(key) else { return nil }
        let user = UserID(text)
        isBroken = isBroken || user == nil
        return user
    }

    mutating func origin() -> State? {
        defer { from = nil }
        return from
    }
}

extension Event {
    /// The name in documents and logs, such as `APP_START`.
    public var name: String {
        switch self {
        case .appStart: "APP_START"
        case .initComplete: "INIT_COMPLETE"
        case .onboardingComplete: "ONBOARDING_COMPLETE"
        case .seedingComplete: "SEEDING_COMPLETE"
        case .userAuthenticated: "USER_AUTHENTICATED"
        case .accountVerified: "ACCOUNT_VERIFIED"
        case .verificationCancelled: "VERIFICATION_CANCELLED"
        case .migrationComplete: "MIGRATION_COMPLETE"
        case .subscriptionActivated: "SUBSCRIPTION_ACTIVATED"
        case .subscriptionExpired: "SUBSCRIPTION_EXPIRED"
        case .syncPreferenceChanged: "SYNC_PREFERENCE_CHANGED"
        case .queueDrained: "QUEUE_DRAINED"
        case .queueDrainTimeout: "QUEUE_DRAIN_TIMEOUT"
        case .schemaSwitchComplete: "SCHEMA_SWITCH_COMPLETE"
        case .userSignedOut: "USER_SIGNED_OUT"
        case .signOutComplete: "SIGN_OUT_COMPLETE"
        case .serverDataDeleteRequested: "SERVER_DATA_DELETE_REQUESTED"
        case .serverDataDeleted: "SERVER_DATA_DELETED"
        case .accountDeleteRequested: "ACCOUNT_DELETE_REQUESTED"
        case .accountDeleteComplete: "ACCOUNT_DELETE_COMPLETE"
        case .accountGone: "ACCOUNT_GONE"
        case .sessionRevoked: "SESSION_REVOKED"
        case .sessionErased: "SESSION_ERASED"
        case .error: "ERROR"
        case .retry: "RETRY"
        case .dismissed: "DISMISSED"
        }
    }
}
