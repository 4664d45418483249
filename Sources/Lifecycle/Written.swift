// How states and events are written: for the device's store, the log and the markers of pages.

extension State {
    /// The name in documents, logs and markers, such as `local_only`.
    public var name: String {
        switch self {
        case .uninitialized: "uninitialized"
        case .initializing: WorkingState.initializing.rawValue
        case .onboarding: "onboarding"
        case .seedingGuest: WorkingState.seedingGuest.rawValue
        case .localOnly: "local_only"
        case .error: "error"
        }
    }

    /// What is kept in the device's store; `init(stored:)` reads it back.
    public var stored: String {
        switch self {
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly: name
        case .error(let failure): "error \(failure.from.rawValue) \(failure.at) \(failure.what)"
        }
    }

    /// Reads what `stored` wrote; nil where it is nothing this version knows.
    public init?(stored text: some StringProtocol) {
        for state in [State.uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly]
        where state.name == text {
            self = state
            return
        }
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "error", let from = WorkingState(rawValue: String(parts[1])),
            let at = Int64(parts[2])
        else { return nil }
        self = .error(Failure(from: from, what: String(parts[3]), at: at))
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
        case .error: "ERROR"
        case .retry: "RETRY"
        }
    }
}
