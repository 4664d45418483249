// Which pages a state allows: the whole table.
import Devices
import Lifecycle
import Pages
import Testing

@testable import Web

@Suite struct TheGate {
    private static let failure = State.error(Failure(from: .initializing, what: "damaged_book", at: 0))

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
        #expect(Gate.detour(path, nil, nil) == "/onboarding/welcome")
        #expect(Gate.detour("/onboarding/welcome", nil, nil) == nil)
    }

    @Test func whoIsBeingAskedMayLookBackButNotAhead() {
        let pages: [(OnboardingStep, String)] = [
            (.currency, "/onboarding/currency"), (.secondary, "/onboarding/secondary"),
            (.calendar, "/onboarding/calendar"),
        ]
        for (step, page) in pages {
            for path in ["/", "/transactions", "/error", "/export/breadly.json", "/onboarding/welcome"] {
                #expect(Gate.detour(path, .onboarding(nil), step) == page, "\(path) at \(step)")
            }
            for (other, path) in pages {
                #expect(
                    Gate.detour(path, .onboarding(nil), step) == (other <= step ? nil : page),
                    "\(path) at \(step)"
                )
            }
        }
    }

    @Test func whoIsDoneIsNotAskedAgain() {
        for path in [
            "/onboarding/welcome", "/onboarding/currency", "/onboarding/calendar", "/error", "/error/retry",
        ] {
            #expect(Gate.detour(path, .localOnly(nil, isAttached: false), .done) == "/")
        }
        for path in ["/", "/transactions", "/help", "/export/breadly.json"] {
            #expect(Gate.detour(path, .localOnly(nil, isAttached: false), .done) == nil)
        }
    }

    @Test func whileSomethingIsBeingSettledOneLooksOn() throws {
        let anna = try #require(UserID("anna"))
        let busy: [State] = [
            .verifyingAccount(anna, from: .guest), .migratingGuest(anna), .blocked(anna),
            .deletingServerData(anna),
            .signingOut(anna, why: .chosen), .deletingAccount(anna, from: .blocked(anna)),
        ]
        for state in busy {
            for path in ["/", "/transactions", "/export/breadly.json", "/onboarding/currency"] {
                #expect(Gate.detour(path, state, .done) == "/status", "\(path) in \(state.name)")
            }
        }
        let usable: [State] = [
            .localOnly(anna, isAttached: true), .switchingToSync(anna, .download),
            .synced(anna, mustSignIn: true),
            .draining(anna, isStalled: true, mustSignIn: false), .switchingToLocal(anna),
        ]
        for state in usable {
            #expect(Gate.detour("/transactions", state, .done) == nil, "\(state.name)")
            #expect(Gate.detour("/onboarding/currency", state, .done) == "/")
        }
    }

    @Test func everyStateHasItsPlaceInTheDiagram() {
        #expect(LifecycleDiagram.names == Set(State.names))
    }

    @Test func whereAStepFailedThereIsOnlyItsPage() {
        for path in ["/", "/transactions", "/onboarding/currency", "/export/breadly.json"] {
            #expect(Gate.detour(path, Self.failure, .done) == "/error")
        }
        for path in ["/error", "/error/retry"] { #expect(Gate.detour(path, Self.failure, .done) == nil) }
    }
}

@Suite struct WrittenJSON {
    @Test func textIsQuotedAsTheStandardWants() {
        #expect(JSON.text("a\"b\\c\n\t\u{1}é😀").description == #""a\"b\\c\n\t\u0001é😀""#)
        let value: JSON = .object([("a", .list([.number(-1), .flag(true), .null])), ("b", .object([]))])
        #expect(value.description == #"{"a":[-1,true,null],"b":{}}"#)
    }
}
