// Which pages a state allows: the whole table.
import Devices
import Lifecycle
import Testing

@testable import Web

@Suite struct TheGate {
    private static let failure = State.error(Failure(from: .initializing, what: "damaged_book", at: 0))

    @Test func whatIsDueIsRecordedWhereTheUserHasTheBook() throws {
        let anna = try #require(UserID("anna"))
        let recording: [State] = [
            .localOnly(nil, isAttached: false), .localOnly(anna, isAttached: true),
            .switchingToSync(anna, .download), .synced(anna, mustSignIn: true),
            .draining(anna, isStalled: true, mustSignIn: false), .switchingToLocal(anna),
        ]
        #expect(recording.filter { !$0.recordsSchedules } == [])
        // These books are about to be cleared or replaced, or are not their reader's.
        let others: [State] = [
            .uninitialized, .initializing, .onboarding(anna), .seedingGuest(Seeding()),
            .verifyingAccount(anna, from: .guest), .migratingGuest(anna), .blocked(anna),
            .deletingServerData(anna), .signingOut(anna, why: .chosen),
            .deletingAccount(anna, from: .synced(anna, mustSignIn: false)), Self.failure,
        ]
        #expect(others.filter { $0.recordsSchedules } == [])
    }

    @Test(arguments: ["/status", "/status.json", "/healthz", "/readyz"])
    func someAddressesAreAlwaysOpen(path: String) {
        for state in [
            nil, .uninitialized, .initializing, .onboarding(nil), .seedingGuest(Seeding()),
            .localOnly(nil, isAttached: false), Self.failure,
        ] as [State?] {
            #expect(Gate.detour(path, state, .currency) == nil)
        }
    }

    @Test(arguments: [
        "/", "/transactions", "/onboarding/currency", "/error", "/settings", "/export/breadly.json",
    ])
    func aVisitorIsWelcomedFirst(path: String) {
        #expect(Gate.detour(path, nil, nil)?.text == "/onboarding/welcome")
        #expect(Gate.detour("/onboarding/welcome", nil, nil) == nil)
    }

    @Test func whoIsBeingAskedMayLookBackButNotAhead() {
        let pages: [(OnboardingStep, String)] = [
            (.currency, "/onboarding/currency"), (.secondary, "/onboarding/secondary"),
            (.calendar, "/onboarding/calendar"),
        ]
        for (step, page) in pages {
            #expect(Gate.detour("/onboarding/welcome", .onboarding(nil), step) == nil, "the way back")
            for path in ["/", "/transactions", "/error", "/export/breadly.json"] {
                #expect(Gate.detour(path, .onboarding(nil), step)?.text == page, "\(path) at \(step)")
            }
            for (other, path) in pages {
                #expect(
                    Gate.detour(path, .onboarding(nil), step)?.text == (other <= step ? nil : page),
                    "\(path) at \(step)"
                )
            }
        }
    }

    @Test func whoIsDoneIsNotAskedAgain() {
        for path in [
            "/onboarding/welcome", "/onboarding/currency", "/onboarding/calendar", "/error", "/error/retry",
        ] {
            #expect(Gate.detour(path, .localOnly(nil, isAttached: false), .done)?.text == "/")
        }
        for path in ["/", "/transactions", "/help", "/export/breadly.json"] {
            #expect(Gate.detour(path, .localOnly(nil, isAttached: false), .done) == nil)
        }
    }

    @Test func aDestructiveOperationShowsItsWaitingPage() throws {
        let anna = try #require(UserID("anna"))
        let busy: [(State, String)] = [
            (.verifyingAccount(anna, from: .guest), "/verifying"), (.migratingGuest(anna), "/status"),
            (.blocked(anna), "/blocked"), (.deletingServerData(anna), "/blocked"),
            (.signingOut(anna, why: .chosen), "/sign-out"),
            (.deletingAccount(anna, from: .blocked(anna)), "/account/delete"),
        ]
        for (state, page) in busy {
            for path in ["/", "/transactions", "/export/breadly.json", "/onboarding/currency", "/settings"] {
                #expect(Gate.detour(path, state, .done)?.text == page, "\(path) in \(state.name)")
            }
            #expect(Gate.detour(page, state, .done) == nil)
        }
        let usable: [State] = [
            .localOnly(anna, isAttached: true), .switchingToSync(anna, .download),
            .synced(anna, mustSignIn: true),
            .draining(anna, isStalled: true, mustSignIn: false), .switchingToLocal(anna),
        ]
        for state in usable {
            #expect(Gate.detour("/transactions", state, .done) == nil, "\(state.name)")
            #expect(Gate.detour("/onboarding/currency", state, .done)?.text == "/")
        }
    }

    @Test func whoIsBlockedReachesTheThreeWaysOnAndNothingElse() throws {
        let state = State.blocked(try #require(UserID("anna")))
        for path in [
            "/blocked", "/blocked/delete-server-data", "/subscription", "/subscription/restore", "/sign-out",
            "/account/delete", "/status.json", "/verifying/retry", "/settings/devices",
            "/settings/devices/1/sign-out",
            // Of a session that has ended. Another one is led to the settings, and from there back.
            "/sign-in",
        ] {
            #expect(Gate.detour(path, state, .done) == nil, "\(path)")
        }
        for path in ["/settings", "/verifying", "/error"] {
            #expect(Gate.detour(path, state, .done)?.text == "/blocked", "\(path)")
        }
    }

    /// An account with too many devices takes this one only after another one was signed out.
    @Test func whoWaitsForAnAccountReachesItsDevices() throws {
        let state = State.verifyingAccount(try #require(UserID("anna")), from: .guest)
        for path in ["/verifying/cancel", "/settings/devices", "/settings/devices/1/sign-out"] {
            #expect(Gate.detour(path, state, .done) == nil, "\(path)")
        }
        for path in ["/settings", "/settings/password", "/blocked"] {
            #expect(Gate.detour(path, state, .done)?.text == "/verifying", "\(path)")
        }
    }

    /// The guest's book can be read until the first page of the account takes its place.
    @Test func theBookThatIsReplacedCanBeReadAndNotChanged() throws {
        let anna = try #require(UserID("anna"))
        let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV".lowercased()
        let readable = [
            "/transactions", "/accounts", "/accounts/\(id)/transactions", "/categories", "/budgets",
            "/schedules",
            "/reports", "/rates", "/help", "/attachments/\(id)", "/attachments/\(id)/thumbnail",
            "/export/breadly.json", "/export/breadly.zip", "/export/transactions.csv", "/verifying",
        ]
        let others = [
            "/", "/transactions/new", "/transactions/\(id)", "/accounts/\(id)", "/budgets/\(id)", "/settings",
            "/sync",
            "/banks", "/attachments", "/attachments/deleted", "/history", "/sign-out", "/onboarding/welcome",
        ]
        let state = State.verifyingAccount(anna, from: .guest)
        for path in readable {
            #expect(Gate.detour(path, state, .done, readsFormerBook: true) == nil, "\(path)")
            guard path != "/verifying" else { continue }
            #expect(Gate.detour(path, state, .done)?.text == "/verifying", "\(path): not verified, or a form")
            #expect(Gate.detour(path, .blocked(anna), .done, readsFormerBook: true)?.text == "/blocked")
            let locked = Gate.detour(path, state, .done, isLocked: true, readsFormerBook: true)
            #expect(locked?.text == "/sign-in")
        }
        for path in others {
            #expect(Gate.detour(path, state, .done, readsFormerBook: true)?.text == "/verifying", "\(path)")
        }
    }

    @Test func aLockedDeviceReachesOnePageWhateverItsState() throws {
        let anna = try #require(UserID("anna"))
        let states: [State] = [
            .localOnly(anna, isAttached: true), .synced(anna, mustSignIn: true), .blocked(anna),
            .onboarding(anna), Self.failure,
        ]
        for state in states {
            for path in ["/", "/blocked", "/error", "/status", "/sign-up", "/export/breadly.json"] {
                #expect(Gate.detour(path, state, .done, isLocked: true)?.text == "/sign-in", "\(path)")
            }
            for path in ["/sign-in", "/sign-in/oidc", "/sign-in/callback", "/healthz", "/events"] {
                #expect(Gate.detour(path, state, .done, isLocked: true) == nil, "\(path)")
            }
        }
    }

    @Test func aGuestCanSignInAtAnyMomentAUserCannot() throws {
        let anna = try #require(UserID("anna"))
        for path in ["/sign-in", "/sign-up"] {
            #expect(Gate.detour(path, nil, nil) == nil)
            #expect(Gate.detour(path, .onboarding(nil), .secondary) == nil)
            #expect(Gate.detour(path, .localOnly(nil, isAttached: false), .done) == nil)
            #expect(Gate.detour(path, .onboarding(anna), .secondary)?.text == "/onboarding/secondary")
            #expect(Gate.detour(path, .verifyingAccount(anna, from: .guest), .done)?.text == "/verifying")
        }
    }

    @Test func aFreshGuestBeginsAtTheFirstPage() {
        let state = State.onboarding(nil)
        #expect(Gate.detour("/", state, .welcome)?.text == "/onboarding/welcome")
        #expect(Gate.detour("/onboarding/welcome", state, .welcome) == nil)
        #expect(Gate.detour("/onboarding/currency", state, .welcome)?.text == "/onboarding/welcome")
    }

    @Test func aServerWithoutGuestsLetsNobodyBeginWithoutAnAccount() throws {
        let anna = try #require(UserID("anna"))
        #expect(
            Gate.detour("/onboarding/currency", .onboarding(nil), .currency, guests: false)?.text
                == "/onboarding/welcome"
        )
        #expect(Gate.detour("/onboarding/welcome", .onboarding(nil), .currency, guests: false) == nil)
        #expect(Gate.detour("/sign-in", .onboarding(nil), .currency, guests: false) == nil)
        #expect(Gate.detour("/onboarding/currency", .onboarding(anna), .currency, guests: false) == nil)
        // A guest with a book keeps it.
        #expect(Gate.detour("/", .localOnly(nil, isAttached: false), .done, guests: false) == nil)
    }

    @Test func everyStateHasItsPlaceInTheDiagram() {
        #expect(LifecycleDiagram.names == Set(State.names))
    }

    @Test func whereAStepFailedThereIsOnlyItsPage() {
        for path in ["/", "/transactions", "/onboarding/currency", "/export/breadly.json"] {
            #expect(Gate.detour(path, Self.failure, .done)?.text == "/error")
        }
        for path in ["/error", "/error/retry"] { #expect(Gate.detour(path, Self.failure, .done) == nil) }
    }
}
