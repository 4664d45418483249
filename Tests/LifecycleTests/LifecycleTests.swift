// The transition table row by row, every pair outside it, and walks that must never get stuck.
import Foundation
import TestKit
import Testing

@testable import Lifecycle

private func user(_ text: String) -> UserID {
    guard let id = UserID(text) else { preconditionFailure("\(text) is no id") }
    return id
}

private let anna = user("anna")
private let bob = user("bob")
private let failure = Failure(from: .seedingGuest(Seeding()), what: "disk_full", at: 1_000)

private let failedMigration = State.error(
    Failure(from: .migratingGuest(anna), what: "disk_full", at: 1_000)
)

private let states: [State] = [
    .uninitialized, .initializing, .onboarding(nil), .onboarding(anna), .seedingGuest(Seeding()),
    .seedingGuest(Seeding(user: anna, clearsFirst: true)),
    .seedingGuest(Seeding(pendingAuth: SignIn(user: anna, isExisting: false))),
    .seedingGuest(Seeding(pendingAuth: SignIn(user: anna, isExisting: true))),
    .localOnly(nil, isAttached: false), .localOnly(anna, isAttached: false),
    .localOnly(anna, isAttached: true),
    .verifyingAccount(anna, from: .guest), .verifyingAccount(anna, from: .onboarding), .migratingGuest(anna),
    .blocked(anna), .deletingServerData(anna), .switchingToSync(anna, .upload),
    .switchingToSync(anna, .download),
    .switchingToSync(anna, .resume), .synced(anna, mustSignIn: false), .synced(anna, mustSignIn: true),
    .draining(anna, isStalled: false, mustSignIn: false), .draining(anna, isStalled: true, mustSignIn: false),
    .draining(anna, isStalled: true, mustSignIn: true), .switchingToLocal(anna),
    .signingOut(anna, why: .chosen),
    .signingOut(anna, why: .accountGone), .signingOut(anna, why: .erased),
    .deletingAccount(anna, from: .synced(anna, mustSignIn: false)),
    .deletingAccount(anna, from: .localOnly(anna, isAttached: false)), .error(failure),
    .error(Failure(from: .deletingServerData(anna), what: "unreachable", at: 1_000)),
    failedMigration,
    .error(
        Failure(
            from: .deletingAccount(anna, from: .localOnly(anna, isAttached: false)),
            what: "unreachable",
            at: 1_000
        )
    ),
]

private func decoded(_ state: State) throws -> State {
    try JSONDecoder().decode(State.self, from: JSONEncoder().encode(state))
}

private func found(_ change: (inout Findings) -> Void = { _ in }) -> Event {
    var findings = Findings()
    change(&findings)
    return .initComplete(findings)
}

/// Every event with its possible values, and their text in the table.
private let events: [(String, Event)] = [
    ("APP_START", .appStart),
    ("INIT_COMPLETE(onboarding, seed)", found { ($0.needsOnboarding, $0.needsSeed) = (true, true) }),
    ("INIT_COMPLETE(onboarding, anna)", found { ($0.needsOnboarding, $0.user) = (true, anna) }),
    ("INIT_COMPLETE(seed)", found { $0.needsSeed = true }),
    ("INIT_COMPLETE", found()),
    ("INIT_COMPLETE(anna)", found { $0.user = anna }),
    ("INIT_COMPLETE(anna, attached)", found { ($0.user, $0.isAttached) = (anna, true) }),
    ("INIT_COMPLETE(anna, syncs)", found { ($0.user, $0.syncs) = (anna, true) }),
    (
        "INIT_COMPLETE(anna, syncs, attached)",
        found { ($0.user, $0.syncs, $0.isAttached) = (anna, true, true) }
    ),
    ("INIT_COMPLETE(syncs)", found { $0.syncs = true }),
    ("ONBOARDING_COMPLETE", .onboardingComplete),
    ("SEEDING_COMPLETE", .seedingComplete(isPremium: false)),
    ("SEEDING_COMPLETE(premium)", .seedingComplete(isPremium: true)),
    ("USER_AUTHENTICATED(anna, new)", .userAuthenticated(SignIn(user: anna, isExisting: false))),
    ("USER_AUTHENTICATED(anna, existing)", .userAuthenticated(SignIn(user: anna, isExisting: true))),
    ("USER_AUTHENTICATED(bob, existing)", .userAuthenticated(SignIn(user: bob, isExisting: true))),
    ("ACCOUNT_VERIFIED(data)", .accountVerified(hasServerData: true, isPremium: false)),
    ("ACCOUNT_VERIFIED(nothing)", .accountVerified(hasServerData: false, isPremium: false)),
    ("ACCOUNT_VERIFIED(data, premium)", .accountVerified(hasServerData: true, isPremium: true)),
    ("ACCOUNT_VERIFIED(nothing, premium)", .accountVerified(hasServerData: false, isPremium: true)),
    ("VERIFICATION_CANCELLED", .verificationCancelled),
    ("MIGRATION_COMPLETE", .migrationComplete(isPremium: false)),
    ("MIGRATION_COMPLETE(premium)", .migrationComplete(isPremium: true)),
    ("SUBSCRIPTION_ACTIVATED", .subscriptionActivated),
    ("SUBSCRIPTION_EXPIRED(0)", .subscriptionExpired(pending: 0)),
    ("SUBSCRIPTION_EXPIRED(3)", .subscriptionExpired(pending: 3)),
    ("SYNC_PREFERENCE_CHANGED(on)", .syncPreferenceChanged(on: true, isPremium: false, pending: 0)),
    ("SYNC_PREFERENCE_CHANGED(on, premium)", .syncPreferenceChanged(on: true, isPremium: true, pending: 0)),
    ("SYNC_PREFERENCE_CHANGED(off, 0)", .syncPreferenceChanged(on: false, isPremium: true, pending: 0)),
    ("SYNC_PREFERENCE_CHANGED(off, 3)", .syncPreferenceChanged(on: false, isPremium: true, pending: 3)),
    ("QUEUE_DRAINED", .queueDrained), ("QUEUE_DRAIN_TIMEOUT", .queueDrainTimeout),
    ("SCHEMA_SWITCH_COMPLETE", .schemaSwitchComplete), ("USER_SIGNED_OUT", .userSignedOut),
    ("SIGN_OUT_COMPLETE", .signOutComplete), ("SERVER_DATA_DELETE_REQUESTED", .serverDataDeleteRequested),
    ("SERVER_DATA_DELETED", .serverDataDeleted), ("ACCOUNT_DELETE_REQUESTED", .accountDeleteRequested),
    ("ACCOUNT_DELETE_COMPLETE", .accountDeleteComplete), ("ACCOUNT_GONE", .accountGone),
    ("SESSION_REVOKED", .sessionRevoked), ("SESSION_ERASED", .sessionErased),
    ("ERROR", .error(what: "disk_full", at: 1_000)), ("RETRY", .retry),
    ("DISMISSED", .dismissed),
]

/// Every pair that changes something, as a person reads it.
private func shownTable() -> String {
    var lines: [String] = []
    for state in states {
        for (written, event) in events {
            let next = step(state, event)
            guard next.state != state || !next.effects.isEmpty else { continue }
            let effects = next.effects.map { "\($0)" }.joined(separator: ", ")
                .replacing("Lifecycle.", with: "").replacing("UserID(text: \"anna\")", with: "anna")
                .replacing("UserID(text: \"bob\")", with: "bob")
            lines.append("\(state.words) × \(written) → \(next.state.words) [\(effects)]")
        }
    }
    return lines.joined(separator: "\n")
}

@Test func theTableIsExactlyThis() throws {
    let difference = try Snapshots().difference(shownTable() + "\n", "table.txt")
    #expect(difference.isEmpty, "\(difference)")
}

/// A row of the specification: the transition, for all associated values.
@Test(arguments: [
    ("uninitialized", "APP_START", "initializing"),
    ("initializing", "INIT_COMPLETE(onboarding, seed)", "onboarding"),
    ("initializing", "INIT_COMPLETE(seed)", "seeding_guest"),
    ("initializing", "INIT_COMPLETE(anna, syncs)", "switching_to_sync"),
    ("initializing", "INIT_COMPLETE", "local_only"), ("initializing", "INIT_COMPLETE(syncs)", "local_only"),
    ("onboarding", "ONBOARDING_COMPLETE", "seeding_guest"),
    ("onboarding", "USER_AUTHENTICATED(anna, new)", "onboarding"),
    ("onboarding", "USER_AUTHENTICATED(anna, existing)", "verifying_account"),
    ("seeding_guest", "USER_AUTHENTICATED(anna, new)", "seeding_guest"),
    ("seeding_guest", "SEEDING_COMPLETE", "local_only"),
    ("seeding_guest new=anna", "SEEDING_COMPLETE", "migrating_guest_to_auth"),
    ("seeding_guest existing=anna", "SEEDING_COMPLETE", "verifying_account"),
    ("seeding_guest user=anna clears", "SEEDING_COMPLETE(premium)", "switching_to_sync"),
    ("local_only", "USER_AUTHENTICATED(anna, new)", "migrating_guest_to_auth"),
    ("local_only", "USER_AUTHENTICATED(anna, existing)", "verifying_account"),
    ("verifying_account user=anna from=guest", "ACCOUNT_VERIFIED(data, premium)", "switching_to_sync"),
    ("verifying_account user=anna from=guest", "ACCOUNT_VERIFIED(data)", "blocked_no_sync"),
    ("verifying_account user=anna from=guest", "ACCOUNT_VERIFIED(nothing)", "seeding_guest"),
    ("verifying_account user=anna from=guest", "VERIFICATION_CANCELLED", "local_only"),
    ("verifying_account user=anna from=onboarding", "VERIFICATION_CANCELLED", "onboarding"),
    ("migrating_guest_to_auth user=anna", "MIGRATION_COMPLETE(premium)", "switching_to_sync"),
    ("migrating_guest_to_auth user=anna", "MIGRATION_COMPLETE", "local_only"),
    ("local_only user=anna", "SUBSCRIPTION_ACTIVATED", "switching_to_sync"),
    ("blocked_no_sync user=anna", "SUBSCRIPTION_ACTIVATED", "switching_to_sync"),
    ("local_only user=anna", "SYNC_PREFERENCE_CHANGED(on, premium)", "switching_to_sync"),
    ("switching_to_sync user=anna how=upload", "SCHEMA_SWITCH_COMPLETE", "synced"),
    ("synced user=anna", "SUBSCRIPTION_EXPIRED(3)", "draining_upload_queue"),
    ("synced user=anna", "SYNC_PREFERENCE_CHANGED(off, 3)", "draining_upload_queue"),
    ("synced user=anna", "SUBSCRIPTION_EXPIRED(0)", "switching_to_local"),
    ("synced user=anna", "SYNC_PREFERENCE_CHANGED(off, 0)", "switching_to_local"),
    ("draining_upload_queue user=anna", "QUEUE_DRAIN_TIMEOUT", "draining_upload_queue"),
    ("draining_upload_queue user=anna", "QUEUE_DRAINED", "switching_to_local"),
    ("draining_upload_queue user=anna", "SUBSCRIPTION_ACTIVATED", "synced"),
    ("draining_upload_queue user=anna", "SYNC_PREFERENCE_CHANGED(on, premium)", "synced"),
    ("local_only user=anna attached", "SUBSCRIPTION_EXPIRED(3)", "draining_upload_queue"),
    ("local_only user=anna attached", "SUBSCRIPTION_EXPIRED(0)", "switching_to_local"),
    ("synced user=anna must_sign_in", "USER_AUTHENTICATED(anna, existing)", "synced"),
    ("switching_to_local user=anna", "SCHEMA_SWITCH_COMPLETE", "local_only"),
    ("local_only user=anna", "USER_SIGNED_OUT", "signing_out"),
    ("synced user=anna", "USER_SIGNED_OUT", "signing_out"),
    ("blocked_no_sync user=anna", "USER_SIGNED_OUT", "signing_out"),
    ("draining_upload_queue user=anna", "USER_SIGNED_OUT", "signing_out"),
    ("signing_out user=anna why=chosen", "SIGN_OUT_COMPLETE", "uninitialized"),
    ("blocked_no_sync user=anna", "SERVER_DATA_DELETE_REQUESTED", "deleting_server_data"),
    ("deleting_server_data user=anna", "SERVER_DATA_DELETED", "seeding_guest"),
    ("local_only user=anna", "ACCOUNT_DELETE_REQUESTED", "deleting_account"),
    ("synced user=anna", "ACCOUNT_DELETE_REQUESTED", "deleting_account"),
    ("blocked_no_sync user=anna", "ACCOUNT_DELETE_REQUESTED", "deleting_account"),
    ("draining_upload_queue user=anna", "ACCOUNT_DELETE_REQUESTED", "deleting_account"),
    ("deleting_account user=anna < synced user=anna", "ACCOUNT_DELETE_COMPLETE", "uninitialized"),
    ("synced user=anna", "SESSION_REVOKED", "synced"),
    ("draining_upload_queue user=anna", "SESSION_REVOKED", "draining_upload_queue"),
    ("error at=1000 what=disk_full < seeding_guest", "RETRY", "seeding_guest"),
    ("error at=1000 what=x < deleting_account user=anna < synced user=anna", "DISMISSED", "synced"),
    ("error at=1000 what=x < deleting_server_data user=anna", "DISMISSED", "blocked_no_sync"),
])
func aRowOfTheTableHolds(from: String, event: String, to: String) throws {
    let state = try #require(State(words: from))
    let happened = try #require(events.first { $0.0 == event }?.1)
    let next = step(state, happened)
    #expect(next.state.name == to)
    #expect(next.state != state || !next.effects.isEmpty)
}

@Test func anAccountThatIsGoneEndsEverySessionButTakesNoGuestsBook() {
    for state in states {
        let next = step(state, .accountGone)
        switch state {
        case .verifyingAccount(_, from: .guest), .migratingGuest, failedMigration:
            #expect(
                next.state == .localOnly(nil, isAttached: false) && next.effects == [.announce(.accountGone)]
            )
        case .verifyingAccount:
            #expect(next.state == .onboarding(nil) && next.effects == [.announce(.accountGone)])
        case .seedingGuest(let seeding) where seeding.pendingAuth != nil:
            #expect(next.state == .seedingGuest(Seeding()) && next.effects == [.announce(.accountGone)])
        case .signingOut: #expect(next.state == state)
        default: #expect(next.state == (state.user.map { .signingOut($0, why: .accountGone) } ?? state))
        }
    }
}

@Test func aSessionThatIsErasedTakesTheBookWithItButNoGuests() {
    for state in states {
        let next = step(state, .sessionErased)
        switch state {
        case .verifyingAccount(_, from: .guest), .migratingGuest, failedMigration:
            #expect(next.state == .localOnly(nil, isAttached: false) && next.effects.isEmpty)
        case .verifyingAccount: #expect(next.state == .onboarding(nil) && next.effects.isEmpty)
        case .seedingGuest(let seeding) where seeding.user == nil:
            #expect(next.state == .seedingGuest(Seeding()) && next.effects.isEmpty)
        case .signingOut: #expect(next.state == state)
        default: #expect(next.state == (state.user.map { .signingOut($0, why: .erased) } ?? state))
        }
    }
}

@Test func nobodyElseGetsIntoABookThatIsSomebodys() {
    let other = Event.userAuthenticated(SignIn(user: bob, isExisting: true))
    for state in states where state.user == anna && state.name != "seeding_guest" {
        let next = step(state, other)
        #expect(next.state == state && next.effects.isEmpty, "\(state.words)")
    }
}

@Test(arguments: states) func aStateSurvivesItsEncoding(state: State) throws {
    #expect(try decoded(state) == state)
    #expect(State(words: state.words) == state)
    #expect(state.depth <= State.deepest)
    #expect(State.names.contains(state.name))
}

@Test(arguments: [
    "", "nonsense", "error", "error at=x what=y < initializing", "error at=1 what=x", "LOCAL_ONLY", "synced",
    "local_only user=", "local_only user=a b", "local_only later", "local_only user=a attached attached",
    "synced user=anna < local_only", "signing_out user=anna why=whim", "deleting_account user=anna",
    "error at=1 what=x < error at=1 what=x < error at=1 what=x < error at=1 what=x < initializing",
    "local_only user=" + String(repeating: "a", count: 65),
])
func wordsOfNoStateAreNone(text: String) {
    #expect(State(words: text) == nil)
}

@Test func aStateAtRestIsEnteredAnewAndAnInterruptedOneRunsItsEffectsAgain() {
    for state in states {
        let next = resume(state, now: 1_000)
        switch state {
        case .localOnly, .synced: #expect(next.state == .initializing && next.effects == [.gatherContext])
        default:
            #expect(next.state == state)
            // The transition may have announced something; the effects of the state itself are the same each
            // time.
            for (_, event) in events where step(state, event).state == state {
                let again = step(state, event).effects
                #expect(again.isEmpty || again == next.effects)
            }
        }
    }
}

@Test func anErrorIsDroppedOnlyAfterAnHour() {
    #expect(resume(.error(failure), now: 1_000 + 3_600).state == .error(failure))
    #expect(resume(.error(failure), now: 1_000 + 3_601).state == .initializing)
}

/// A start would take the guest's book for that of the account, and upload it.
@Test func anOldErrorLeadsBackToAnAccountThatHasNotReplacedTheBook() {
    let replacing: [State] = [
        .verifyingAccount(anna, from: .guest), .migratingGuest(anna), .blocked(anna),
        .switchingToSync(anna, .download), .seedingGuest(Seeding(user: anna, clearsFirst: true)),
        .seedingGuest(Seeding(pendingAuth: SignIn(user: anna, isExisting: true))),
    ]
    for from in replacing {
        let next = resume(.error(Failure(from: from, what: "disk_full", at: 1_000)), now: 1_000 + 3_601)
        #expect(next.state == from && next.effects == resume(from, now: 1_000).effects, "\(from.words)")
    }
    let upload = Failure(from: .switchingToSync(anna, .upload), what: "disk_full", at: 1_000)
    #expect(resume(.error(upload), now: 1_000 + 3_601).state == .initializing)
}

/// The book of a blocked account is empty: a start would write the defaults of a new account into it.
@Test func anOldErrorOfALeavingDoesNotLetABlockedAccountIn() {
    let requests: [State] = [.deletingServerData(anna), .deletingAccount(anna, from: .blocked(anna))]
    for from in requests {
        let old = Failure(from: from, what: "cloud_unreachable", at: 1_000)
        let next = resume(.error(old), now: 1_000 + 3_601)
        #expect(next.state == .blocked(anna) && next.effects == [.clearBook], "\(from.words)")
    }
    for reason in SignOutReason.allCases {
        let from = State.signingOut(anna, why: reason)
        let next = resume(.error(Failure(from: from, what: "disk_full", at: 1_000)), now: 1_000 + 3_601)
        #expect(next.state == from && next.effects == [.signOut(anna, reason)], "\(from.words)")
    }
    let synced = State.deletingAccount(anna, from: .synced(anna, mustSignIn: false))
    let deletion = Failure(from: synced, what: "cloud_unreachable", at: 1_000)
    #expect(resume(.error(deletion), now: 1_000 + 3_601).state == .initializing)
}

@Test(arguments: [Int64.min, .max]) func anErrorOfAnImpossibleMomentIsReckonedWith(at: Int64) throws {
    let stored = try #require(State(words: "error at=\(at) what=disk_full < seeding_guest"))
    #expect(resume(stored, now: 1_000).state == (at < 0 ? .initializing : stored))
}

@Test func randomEventsNeverLeaveTheTableNorLeadToADeadEnd() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix(seed: seed)
    var state = State.uninitialized
    for walk in 0..<1_000_000 {
        let (written, event) = events[Int.random(in: 0..<events.count, using: &random)]
        let before = state
        state =
            Int.random(in: 0..<50, using: &random) == 0
            ? resume(state, now: 2_000).state : step(state, event).state
        guard state != before else { continue }
        // Nothing that is stored is ever lost, however deep it came from.
        guard walk.isMultiple(of: 16) else { continue }
        #expect(
            try decoded(state) == state && State(words: state.words) == state && state.depth <= State.deepest,
            "seed \(seed), step \(walk): \(before.words) × \(written)"
        )
        let hasExit = events.contains { step(state, $0.1).state != state }
        #expect(hasExit, "seed \(seed), step \(walk): stuck in \(state.words)")
    }
}
