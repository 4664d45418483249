// The table of bank connections: every state with every event, and what must always hold.
import Foundation
import TestKit
import Testing

@testable import Lifecycle

private let failing = BankFailing(since: 1_000, what: .unreachable)

private let states: [(String, BankConnectionState)] = [
    ("connecting", .connecting), ("connected", .connected), ("refreshing", .refreshing(after: nil)),
    ("refreshing after a failure", .refreshing(after: failing)), ("needs_reconnect", .needsReconnect),
    ("failing", .failing(failing)), ("disconnected", .disconnected),
]

private let events: [(String, BankConnectionEvent)] = [
    ("AUTHORISED", .authorised), ("REFRESH_STARTED", .refreshStarted), ("REFRESHED", .refreshed),
    ("REFRESH_FAILED(malformed, 2000)", .refreshFailed(.malformed, at: 2_000)),
    ("CONSENT_ENDED", .consentEnded), ("CONSENT_ENDS_SOON", .consentEndsSoon),
    ("PROCESS_STARTED", .processStarted), ("JOINED", .joined), ("DISCONNECTED", .disconnected),
]

private func name(_ state: BankConnectionState) -> String {
    switch state {
    case .failing(let failing) where failing != BankFailing(since: 1_000, what: .unreachable):
        "failing(since \(failing.since), \(failing.what.rawValue))"
    default: states.first { $0.1 == state }?.0 ?? "\(state)"
    }
}

@Suite struct BankConnections {
    @Test func theTableIsExactlyThis() throws {
        var lines: [String] = []
        for (from, state) in states {
            lines.append(from)
            for (event, value) in events {
                let (next, effects) = state.after(value)
                let result = next == state && effects.isEmpty ? "–" : "→ \(name(next))"
                let consequences =
                    effects.isEmpty ? "" : "  [\(effects.map { "\($0)" }.joined(separator: ", "))]"
                lines.append(
                    "    \(event.padding(toLength: 34, withPad: " ", startingAt: 0))\(result)\(consequences)"
                )
            }
        }
        let difference = try Snapshots().difference(
            lines.joined(separator: "\n") + "\n",
            "bank-connections.txt"
        )
        #expect(difference.isEmpty, "\(difference)")
    }

    @Test func aFailureThatContinuesKeepsItsBeginning() {
        var state = BankConnectionState.connected
        for event in [
            .refreshStarted, .refreshFailed(.unreachable, at: 10), .refreshStarted,
            .refreshFailed(.rateLimited, at: 20),
        ] as [BankConnectionEvent] { state = state.after(event).state }
        #expect(state == .failing(BankFailing(since: 10, what: .rateLimited)))
        state = state.after(.refreshStarted).state.after(.refreshed).state
        #expect(state == .connected)
    }

    /// Wherever the process is killed, the next one can go on or the user can.
    @Test(arguments: states.map(\.1))
    func noStateIsADeadEnd(state: BankConnectionState) {
        let resumed = state.after(.processStarted).state
        if case .refreshing = resumed { Issue.record("\(state) resumes as a refresh that does not run") }
        #expect(resumed.after(.authorised).state == .connected)
        let (last, effects) = resumed.after(.disconnected)
        #expect(last == .disconnected)
        let isUnused = resumed == .disconnected || resumed == .connecting
        #expect(effects.contains(isUnused ? .forget : .removeData))
    }

    @Test(arguments: states.map(\.1) + BankFailure.allCases.map { .failing(BankFailing(since: 5, what: $0)) })
    func statesSurviveTheirStore(state: BankConnectionState) throws {
        let stored = try JSONEncoder().encode(state)
        #expect(try JSONDecoder().decode(BankConnectionState.self, from: stored) == state)
    }
}
