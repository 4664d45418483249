// The transition table row by row, every pair outside it, and walks that must never get stuck.
import Testing

@testable import Lifecycle

private let failure = Failure(from: .seedingGuest, what: "disk_full", at: 1_000)
private let states: [State] =
    [.uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .error(failure)]
private let events: [Event] = [
    .appStart,
    .initComplete(needsOnboarding: true, needsSeed: true),
    .initComplete(needsOnboarding: true, needsSeed: false),
    .initComplete(needsOnboarding: false, needsSeed: true),
    .initComplete(needsOnboarding: false, needsSeed: false),
    .onboardingComplete, .seedingComplete, .error(what: "disk_full", at: 1_000), .retry,
]

/// The whole table as a person reads it. Pairs that are not here change nothing.
private let table = """
    uninitialized × APP_START → initializing [gatherContext]
    initializing × INIT_COMPLETE(onboarding, seed) → onboarding []
    initializing × INIT_COMPLETE(onboarding) → onboarding []
    initializing × INIT_COMPLETE(seed) → seeding_guest [seedDefaults]
    initializing × INIT_COMPLETE → local_only []
    initializing × ERROR → error initializing 1000 disk_full []
    onboarding × ONBOARDING_COMPLETE → seeding_guest [seedDefaults]
    seeding_guest × SEEDING_COMPLETE → local_only []
    seeding_guest × ERROR → error seeding_guest 1000 disk_full []
    error seeding_guest 1000 disk_full × RETRY → seeding_guest [seedDefaults]
    """

private func written(_ event: Event) -> String {
    guard case .initComplete(let onboarding, let seed) = event else { return event.name }
    let needs = [onboarding ? "onboarding" : nil, seed ? "seed" : nil].compactMap { $0 }
    return event.name + (needs.isEmpty ? "" : "(\(needs.joined(separator: ", ")))")
}

@Test func theTableIsExactlyThis() {
    var lines: [String] = []
    for state in states {
        for event in events {
            let next = step(state, event)
            if next.state == state {
                #expect(next.effects.isEmpty, "\(state) × \(event) must yield nothing")
            } else {
                lines.append("\(state.stored) × \(written(event)) → \(next.state.stored) \(next.effects)")
            }
        }
    }
    let shown = lines.joined(separator: "\n").replacing("Lifecycle.Effect.", with: "")
    #expect(shown == table)
}

@Test(arguments: states) func aStateSurvivesBeingStored(state: State) {
    #expect(State(stored: state.stored) == state)
}

@Test(arguments: ["", "nonsense", "error", "error seeding_guest x y", "error local_only 1 x", "LOCAL_ONLY"])
func whatNoVersionWroteIsNoState(text: String) {
    #expect(State(stored: text) == nil)
}

@Test func aStateAtRestIsEnteredAnew() {
    #expect(resume(.localOnly, now: 5).state == .initializing)
    #expect(resume(.localOnly, now: 5).effects == [.gatherContext])
}

@Test(arguments: [
    (State.uninitialized, [Effect]()), (.initializing, [.gatherContext]), (.onboarding, []),
    (.seedingGuest, [.seedDefaults]),
])
func anInterruptedStateRunsItsEffectAgain(state: State, effects: [Effect]) {
    let next = resume(state, now: 5)
    #expect(next.state == state)
    #expect(next.effects == effects)
}

@Test func anErrorIsDroppedOnlyAfterAnHour() {
    #expect(resume(.error(failure), now: 1_000 + 3_600).state == .error(failure))
    #expect(resume(.error(failure), now: 1_000 + 3_601).state == .initializing)
}

@Test func randomEventsNeverLeadToADeadEnd() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(state: seed)
    var state = State.uninitialized
    for walk in 0..<100_000 {
        guard let event = events.randomElement(using: &generator) else { continue }
        state = step(state, event).state
        let hasExit = events.contains { step(state, $0).state != state }
        #expect(hasExit || state == .localOnly, "seed \(seed), step \(walk): stuck in \(state)")
        if state == .localOnly { state = resume(state, now: 0).state }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
