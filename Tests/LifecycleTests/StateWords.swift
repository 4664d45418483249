// States as lines of words, for the snapshot.
@testable import Lifecycle

extension State {
    /// The name, then `key=value` or a bare word for each associated value, and after ` < ` the state to
    /// return to.
    var words: String {
        ([name] + details).joined(separator: " ") + (origin.map { " < " + $0.words } ?? "")
    }

    /// The associated values, one word each.
    private var details: [String] {
        func user(_ user: UserID?) -> [String] { user.map { ["user=\($0.text)"] } ?? [] }
        return switch self {
        case .uninitialized, .initializing: []
        case .onboarding(let who): user(who)
        case .seedingGuest(let seeding):
            user(seeding.user) + (seeding.clearsFirst ? ["clears"] : [])
                + (seeding.pendingAuth.map { [($0.isExisting ? "existing=" : "new=") + $0.user.text] } ?? [])
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
}
