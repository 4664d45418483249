// Reads a state from a line of words, as the tables of the tests name it.
@testable import Lifecycle

extension State {
    /// Decodes a line such as `error at=1000 what=disk_full < seeding_guest user=anna clears`: the name, a
    /// word for each associated value, and after `<` the state to return to. Nil for any other text.
    init?(words text: String) {
        let parts = text.split(separator: " < ", omittingEmptySubsequences: false)
        guard parts.count <= State.deepest else { return nil }
        var state: State?
        for part in parts.reversed() {
            guard var words = Words(part), let next = words.state(from: state), words.isEmpty else {
                return nil
            }
            state = next
        }
        guard let state else { return nil }
        self = state
    }
}

/// The words of one state. Each is consumed once; a word that is left over belongs to another version.
private struct Words {
    private let name: Substring
    /// The values by their keys. A key ends with `=`, or is a bare word with an empty value.
    private var values: [Substring: Substring] = [:]

    /// Nil if a key occurs twice.
    init?(_ text: Substring) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        name = words.first ?? ""
        for word in words.dropFirst() {
            let end = word.firstIndex(of: "=").map { word.index(after: $0) } ?? word.endIndex
            guard values.updateValue(word[end...], forKey: word[..<end]) == nil else { return nil }
        }
    }

    var isEmpty: Bool { values.isEmpty }

    private mutating func consume(_ word: Substring) -> Bool { values.removeValue(forKey: word) != nil }

    /// An invalid value is not consumed, so that its state is refused.
    private mutating func consume<Value>(_ key: Substring, _ decode: (Substring) -> Value?) -> Value? {
        guard let value = values[key].flatMap(decode) else { return nil }
        values[key] = nil
        return value
    }

    mutating func state(from origin: State?) -> State? {
        switch (name, consume("user=") { UserID($0) }, origin) {
        case ("uninitialized", nil, nil): return .uninitialized
        case ("initializing", nil, nil): return .initializing
        case ("onboarding", let user, nil): return .onboarding(user)
        case ("seeding_guest", let user, nil):
            let pending =
                consume("existing=") { UserID($0) }.map { SignIn(user: $0, isExisting: true) }
                ?? consume("new=") { UserID($0) }.map { SignIn(user: $0, isExisting: false) }
            return .seedingGuest(Seeding(user: user, pendingAuth: pending, clearsFirst: consume("clears")))
        case ("local_only", let user, nil): return .localOnly(user, isAttached: consume("attached"))
        case ("verifying_account", let user?, nil):
            return consume("from=") { SignInOrigin(rawValue: String($0)) }.map {
                .verifyingAccount(user, from: $0)
            }
        case ("migrating_guest_to_auth", let user?, nil): return .migratingGuest(user)
        case ("blocked_no_sync", let user?, nil): return .blocked(user)
        case ("deleting_server_data", let user?, nil): return .deletingServerData(user)
        case ("switching_to_sync", let user?, nil):
            return consume("how=") { AttachMode(rawValue: String($0)) }.map { .switchingToSync(user, $0) }
        case ("synced", let user?, nil): return .synced(user, mustSignIn: consume("must_sign_in"))
        case ("draining_upload_queue", let user?, nil):
            return .draining(user, isStalled: consume("stalled"), mustSignIn: consume("must_sign_in"))
        case ("switching_to_local", let user?, nil): return .switchingToLocal(user)
        case ("signing_out", let user?, nil):
            return consume("why=") { SignOutReason(rawValue: String($0)) }.map { .signingOut(user, why: $0) }
        case ("deleting_account", let user?, let origin?): return .deletingAccount(user, from: origin)
        case ("error", nil, let origin?):
            guard let at = consume("at=", { Int64($0) }), let what = consume("what=", { String($0) }) else {
                return nil
            }
            return .error(Failure(from: origin, what: what, at: at))
        default: return nil
        }
    }
}
