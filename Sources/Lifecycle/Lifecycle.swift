// The life of one device, as a pure function: (state, event) → (state, effects).
//
//                          APP_START              needs onboarding
//       uninitialized ───────────────▶ initializing ───────────▶ onboarding
//                                       │        │                   │ ONBOARDING_COMPLETE
//                                       │        │ needs seed        ▼
//                                       │        └────────────▶ seeding_guest
//                            otherwise  │                            │ SEEDING_COMPLETE
//                                       ▼                            ▼
//                                  local_only ◀──────────────────────┘
//
//       initializing, seeding_guest ── ERROR ──▶ error ── RETRY ──▶ the state it came from
//
// It does no I/O and reads no clock: whatever it must know arrives in the event.

/// Where a device stands.
public enum State: Hashable, Sendable {
    /// Just opened, or has just become a fresh guest.
    case uninitialized
    /// The local book opens and context is gathered.
    case initializing
    /// A new user has steps left; nothing else is reachable.
    case onboarding
    /// Default data is written.
    case seedingGuest
    /// Runs on the local book alone.
    case localOnly
    /// The effect of a state failed for good.
    case error(Failure)
}

/// The states that run an effect, and so can fail and be retried.
public enum WorkingState: String, CaseIterable, Hashable, Sendable {
    case initializing
    case seedingGuest = "seeding_guest"

    /// The same state as a `State`.
    public var state: State {
        switch self {
        case .initializing: .initializing
        case .seedingGuest: .seedingGuest
        }
    }
}

/// What went wrong, kept so that a person can read it and a retry knows where to go on.
public struct Failure: Hashable, Sendable {
    /// The state whose effect failed.
    public let from: WorkingState
    /// A short key such as `damaged_book`: never personal data.
    public let what: String
    /// When, in seconds since 1970 (UTC).
    public let at: Int64

    /// A failure.
    public init(from: WorkingState, what: String, at: Int64) {
        self.from = from
        self.what = what
        self.at = at
    }
}

/// What has happened to a device: a decision that was made, or the result of an effect.
public enum Event: Hashable, Sendable {
    /// The device was opened.
    case appStart
    /// The book is open and says what is left to do.
    case initComplete(needsOnboarding: Bool, needsSeed: Bool)
    /// The last step of onboarding was answered.
    case onboardingComplete
    /// The default data stands in the book.
    case seedingComplete
    /// The effect of the present state failed for good. `at`: seconds since 1970 (UTC).
    case error(what: String, at: Int64)
    /// The user asked to try again.
    case retry
}

/// Work that a transition asks for. Every effect is idempotent: it may run again after a crash.
public enum Effect: Hashable, Sendable {
    /// Open the book and find out what is left to do; answered by `initComplete`.
    case gatherContext
    /// Write the default accounts and categories; answered by `seedingComplete`.
    case seedDefaults
}

/// The machine: what follows from an event in a state.
///
/// A pair that the table does not name leaves the state as it is and yields no effect.
public func step(_ state: State, _ event: Event) -> (state: State, effects: [Effect]) {
    // swift-format-ignore
    switch (state, event) {
    case (.uninitialized, .appStart):                              enter(.initializing)
    case (.initializing, .initComplete(needsOnboarding: true, _)): enter(.onboarding)
    case (.initializing, .initComplete(_, needsSeed: true)):       enter(.seedingGuest)
    case (.initializing, .initComplete):                           enter(.localOnly)
    case (.initializing, .error(let what, let at)):                fail(.initializing, what, at)
    case (.onboarding, .onboardingComplete):                       enter(.seedingGuest)
    case (.seedingGuest, .seedingComplete):                        enter(.localOnly)
    case (.seedingGuest, .error(let what, let at)):                fail(.seedingGuest, what, at)
    case (.error(let failure), .retry):                            enter(failure.from.state)

    case (.uninitialized, _), (.initializing, _), (.onboarding, _), (.seedingGuest, _), (.localOnly, _),
        (.error, _):
        (state, [])
    }
}

/// Where a device goes on whose state was read back after the process had ended.
///
/// A state at rest is entered anew through `initializing`, so that what was decided at its start is decided
/// again. An error older than an hour is dropped: what caused it has most likely passed.
/// - Parameter now: seconds since 1970 (UTC).
public func resume(_ persisted: State, now: Int64) -> (state: State, effects: [Effect]) {
    switch persisted {
    case .localOnly: enter(.initializing)
    case .error(let failure) where now - failure.at > staleErrorSeconds: enter(.initializing)
    case .uninitialized, .initializing, .onboarding, .seedingGuest, .error: enter(persisted)
    }
}

/// How long an error is kept, in seconds.
public let staleErrorSeconds: Int64 = 3_600

private func enter(_ state: State) -> (State, [Effect]) {
    switch state {
    case .initializing: (state, [.gatherContext])
    case .seedingGuest: (state, [.seedDefaults])
    case .uninitialized, .onboarding, .localOnly, .error: (state, [])
    }
}

private func fail(_ from: WorkingState, _ what: String, _ at: Int64) -> (State, [Effect]) {
    enter(.error(Failure(from: from, what: what, at: at)))
}
