// The text of each state in the device store, and texts of other versions.
import GRDB
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing

@testable import DeviceStore

private func user(_ text: String) -> UserID {
    guard let id = UserID(text) else { preconditionFailure("\(text) is no id") }
    return id
}

private let anna = user("anna")

/// A state and its text.
private let texts: [(state: State, json: String)] = [
    (.uninitialized, #"{"uninitialized":{}}"#),
    (.initializing, #"{"initializing":{}}"#),
    (.onboarding(nil), #"{"onboarding":{}}"#),
    (.onboarding(anna), #"{"onboarding":{"_0":"anna"}}"#),
    (.seedingGuest(Seeding()), #"{"seedingGuest":{"_0":{"clearsFirst":false}}}"#),
    (
        .seedingGuest(Seeding(user: anna, clearsFirst: true)),
        #"{"seedingGuest":{"_0":{"clearsFirst":true,"user":"anna"}}}"#
    ),
    (
        .seedingGuest(Seeding(pendingAuth: SignIn(user: anna, isExisting: false))),
        #"{"seedingGuest":{"_0":{"clearsFirst":false,"pendingAuth":{"isExisting":false,"user":"anna"}}}}"#
    ),
    (
        .seedingGuest(Seeding(pendingAuth: SignIn(user: anna, isExisting: true))),
        #"{"seedingGuest":{"_0":{"clearsFirst":false,"pendingAuth":{"isExisting":true,"user":"anna"}}}}"#
    ),
    (.localOnly(nil, isAttached: false), #"{"localOnly":{"isAttached":false}}"#),
    (
        .localOnly(anna, isAttached: false), #"{"localOnly":{"_0":"anna","isAttached":false}}"#
    ),
    (
        .localOnly(anna, isAttached: true), #"{"localOnly":{"_0":"anna","isAttached":true}}"#
    ),
    (
        .verifyingAccount(anna, from: .guest), #"{"verifyingAccount":{"_0":"anna","from":"guest"}}"#
    ),
    (
        .verifyingAccount(anna, from: .onboarding),
        #"{"verifyingAccount":{"_0":"anna","from":"onboarding"}}"#
    ),
    (.migratingGuest(anna), #"{"migratingGuest":{"_0":"anna"}}"#),
    (.blocked(anna), #"{"blocked":{"_0":"anna"}}"#),
    (.deletingServerData(anna), #"{"deletingServerData":{"_0":"anna"}}"#),
    (
        .switchingToSync(anna, .upload), #"{"switchingToSync":{"_0":"anna","_1":"upload"}}"#
    ),
    (
        .switchingToSync(anna, .download), #"{"switchingToSync":{"_0":"anna","_1":"download"}}"#
    ),
    (
        .switchingToSync(anna, .resume), #"{"switchingToSync":{"_0":"anna","_1":"again"}}"#
    ),
    (.synced(anna, mustSignIn: false), #"{"synced":{"_0":"anna","mustSignIn":false}}"#),
    (
        .synced(anna, mustSignIn: true), #"{"synced":{"_0":"anna","mustSignIn":true}}"#
    ),
    (
        .draining(anna, isStalled: false, mustSignIn: false),
        #"{"draining":{"_0":"anna","isStalled":false,"mustSignIn":false}}"#
    ),
    (
        .draining(anna, isStalled: true, mustSignIn: true),
        #"{"draining":{"_0":"anna","isStalled":true,"mustSignIn":true}}"#
    ),
    (.switchingToLocal(anna), #"{"switchingToLocal":{"_0":"anna"}}"#),
    (
        .signingOut(anna, why: .chosen), #"{"signingOut":{"_0":"anna","why":"chosen"}}"#
    ),
    (
        .signingOut(anna, why: .accountGone), #"{"signingOut":{"_0":"anna","why":"account_gone"}}"#
    ),
    (
        .signingOut(anna, why: .erased), #"{"signingOut":{"_0":"anna","why":"erased"}}"#
    ),
    (
        .deletingAccount(anna, from: .blocked(anna)),
        #"{"deletingAccount":{"_0":"anna","from":{"blocked":{"_0":"anna"}}}}"#
    ),
    (
        .error(Failure(from: .initializing, what: "disk_full", at: -1)),
        #"{"error":{"_0":{"at":-1,"from":{"initializing":{}},"what":"disk_full"}}}"#
    ),
    (
        .error(
            Failure(
                from: .deletingAccount(anna, from: .localOnly(anna, isAttached: true)),
                what: "a/b=c",
                at: 1_000
            )
        ),
        #"{"error":{"_0":{"at":1000,"from":{"deletingAccount":{"_0":"anna","#
            + #""from":{"localOnly":{"_0":"anna","isAttached":true}}}},"what":"a/b=c"}}}"#
    ),
]

@Suite struct StateTests {
    private let folder = Scratch()

    @Test(arguments: texts.indices) func aStateHasExactlyThisText(index: Int) throws {
        let (state, json) = texts[index]
        #expect(try state.encoded() == json)
        #expect(State(encoded: json) == state)
    }

    @Test func theTableHasEveryKindOfState() {
        #expect(Set(texts.map { $0.state.name }) == Set(State.names))
    }

    @Test(arguments: [
        "", "{}", "null", "[]", #""blocked""#, #"{"paused":{}}"#, #"{"blocked":{}}"#,
        #"{"blocked":{"_0":null}}"#, #"{"onboarding":{"_0":""}}"#, #"{"onboarding":{"_0":"a b"}}"#,
        #"{"onboarding":{"_0":7}}"#, #"{"onboarding":{"user":"anna"}}"#, #"{"onboarding":{"_0":null}}"#,
        #"{"localOnly":{"_0":"anna"}}"#, #"{"localOnly":{"isAttached":1}}"#,
        #"{"localOnly":{"_0":"anna","isAttached":true,"isPaused":true}}"#,
        #"{"localOnly":{"isAttached":true,"_0":"anna"}}"#, #"{"localOnly":{"isAttached": true}}"#,
        #"{"localOnly":{"isAttached":true,"isAttached":true}}"#, #"{"localOnly":{"isAttached":true}} "#,
        #"{"blocked":{"_0":"anna"},"version":2}"#, #"{"blocked":{"_0":"anna"}"#,
        #"{"signingOut":{"_0":"anna","why":"whim"}}"#, #"{"switchingToSync":{"_0":"anna","_1":"resume"}}"#,
        #"{"deletingAccount":{"_0":"anna"}}"#, #"{"deletingAccount":{"_0":"anna","from":{"paused":{}}}}"#,
        #"{"error":{"_0":{"at":1.5,"from":{"initializing":{}},"what":"x"}}}"#,
        #"{"error":{"_0":{"at":1,"what":"x"}}}"#, "blocked_no_sync", "blocked_no_sync user=anna paused",
        #"{"onboarding":{"_0":"\#(String(repeating: "a", count: 65))"}}"#,
    ])
    func aTextOfAnotherVersionIsNoState(text: String) {
        #expect(State(encoded: text) == nil)
    }

    @Test(arguments: 1...6) func statesAreNestedNoDeeperThanThree(depth: Int) throws {
        var state = State.blocked(anna)
        for _ in 1..<depth { state = .deletingAccount(anna, from: state) }
        #expect(State(encoded: try state.encoded()) == (depth <= 3 ? state : nil))
    }

    @Test func aStoreReadsNoTextOfAnotherVersion() throws {
        let store = try DeviceStore.open(at: folder("sessions.sqlite"))
        try store.create(
            DeviceRecord(
                id: .number(1),
                cookieHash: CookieHash(repeating: 1),
                createdAt: noon,
                seenAt: noon,
                rotatedAt: noon,
                locale: "en",
                onboarding: "done",
                state: .blocked(anna)
            )
        )
        #expect(try store.device(.number(1))?.state == .blocked(anna))
        let newer = #"{"blocked":{"_0":"anna","until":1}}"#
        let cases: [(String, State)] = [
            (#"{"switchingToLocal":{"_0":"anna"}}"#, .switchingToLocal(anna)), (newer, .uninitialized),
            ("paused user=anna", .uninitialized),
        ]
        for (text, state) in cases {
            try store.file.changing { db in
                try db.execute(sql: "UPDATE devices SET state = ?", arguments: [text])
            }
            #expect(try store.device(.number(1))?.state == state, "\(text)")
            #expect(try store.device(.number(1))?.isStateUnknown == (state == .uninitialized), "\(text)")
            #expect(try store.all().map(\.state) == [state])
        }
        let line = TransitionRecord(at: noon, event: "E", from: "a", to: "b")
        try store.persist(state: .synced(anna, mustSignIn: true), transition: line, of: .number(1))
        let stored = try store.file.reading { db in
            try db.first("SELECT state FROM devices") { $0.text(0) }
        }
        #expect(stored == #"{"synced":{"_0":"anna","mustSignIn":true}}"#)
    }
}
