// The life of a connection to a bank, as a pure function: (state, event) → (state, effects).
//
//   connecting ──AUTHORISED──▶ connected ──REFRESH_STARTED──▶ refreshing ──REFRESHED──▶ connected
//                                  ▲                           │      │
//                                  │ AUTHORISED       CONSENT_ENDED  REFRESH_FAILED
//                                  │                           ▼      ▼
//                                  ├──────────────── needs_reconnect  failing ──REFRESH_STARTED──▶ refreshing
//                                  │                                  │
//                                  └──────────────────────────────────┘
//
//   every state ── DISCONNECTED ──▶ disconnected ──AUTHORISED──▶ connected
//   every state but connecting ── JOINED ──▶ connected
//
// The function does no I/O and reads no clock: events carry all the facts that it decides on.

/// The state of a connection to a bank.
///
/// The device store contains it as JSON with the names of these cases, labels and fields: a changed name makes
/// stored states unreadable.
public enum BankConnectionState: Codable, Hashable, Sendable {
    /// The user has begun to connect, and has not consented yet.
    case connecting
    /// The connection can be read.
    case connected
    /// The accounts are being read.
    case refreshing(after: BankFailing?)
    /// The user has to consent again: the consent has ended, or the bank has withdrawn the access.
    case needsReconnect
    /// The last refresh failed, and the next one may succeed.
    case failing(BankFailing)
    /// The user has ended the connection on this device. It can be made again.
    case disconnected
}

extension BankConnectionState {
    /// The name, as the diagram writes it.
    public var name: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .refreshing: "refreshing"
        case .needsReconnect: "needs_reconnect"
        case .failing: "failing"
        case .disconnected: "disconnected"
        }
    }

    /// The failure that continues; nil for none.
    public var failing: BankFailing? {
        switch self {
        case .failing(let failing): failing
        case .refreshing(let failing): failing
        case .connecting, .connected, .needsReconnect, .disconnected: nil
        }
    }
}

/// A failure that continues.
public struct BankFailing: Codable, Hashable, Sendable {
    /// The time of the first failed refresh since the last successful one, in UTC seconds.
    public var since: Int64
    /// The failure of the last refresh.
    public var what: BankFailure
    /// The time before which the provider accepts no request, in UTC seconds; nil if it named none.
    public var until: Int64?

    /// Times are UTC seconds.
    public init(since: Int64, what: BankFailure, until: Int64? = nil) {
        self.since = since
        self.what = what
        self.until = until
    }
}

/// The failure of a refresh, without data of the user's.
public enum BankFailure: String, CaseIterable, Codable, Hashable, Sendable {
    /// There was no complete response in time.
    case unreachable
    /// The provider answers with an error.
    case refused
    /// The provider accepts no more requests for some time.
    case rateLimited = "rate_limited"
    /// The response cannot be used.
    case malformed
    /// The accounts were read, and this server could not store them.
    case notStored = "not_stored"
}

/// An event in the life of a connection.
public enum BankConnectionEvent: Hashable, Sendable {
    /// The user has consented, and the provider has granted access.
    case authorised
    /// A refresh begins.
    case refreshStarted
    /// A refresh has read all accounts.
    case refreshed
    /// A refresh has failed; `until` as in `BankFailing`.
    case refreshFailed(BankFailure, at: Int64, until: Int64? = nil)
    /// The provider has refused the access.
    case consentEnded
    /// The user's consent ends within two weeks, and was not renewed yet.
    case consentEndsSoon
    /// The process has started, and no refresh is running.
    case processStarted
    /// A later connection to the same accounts was read, and its access replaces the access of this connection.
    case joined
    /// The user ends the connection, or removes a connection that has ended.
    case disconnected
}

/// A consequence of an event.
public enum BankConnectionEffect: Hashable, Sendable {
    /// Reads the accounts, balances and transactions.
    case refresh
    /// Posts the notice that the user has to consent again, in place of the suggestion to renew the consent.
    case announceConsentEnd
    /// Posts the notice that suggests to renew the consent.
    case suggestRenewal
    /// Removes both notices.
    case withdrawAnnouncement
    /// Removes the tokens and the cached data.
    case removeData
    /// Removes the connection itself.
    case forget
    /// Ends the consent at the provider.
    case revoke
}

extension BankConnectionState {
    /// The state after an event, and the effects in their order. An event that does not fit the state changes
    /// nothing.
    public func after(_ event: BankConnectionEvent) -> (
        state: BankConnectionState, effects: [BankConnectionEffect]
    ) {
        switch (self, event) {
        case (.disconnected, .authorised): (.connected, [.refresh])
        case (.disconnected, .disconnected), (.connecting, .disconnected): (.disconnected, [.forget])
        // Its accounts are read by another connection, whose access it takes over.
        case (.disconnected, .joined): (.connected, [])
        case (.disconnected, _): (self, [])

        case (_, .disconnected): (.disconnected, [.withdrawAnnouncement, .removeData, .revoke])

        // A user who connects again during a refresh has another access: the refresh's result is not used.
        case (_, .authorised): (.connected, [.withdrawAnnouncement, .refresh])

        case (.connecting, .joined): (self, [])
        case (_, .joined): (.connected, [.withdrawAnnouncement])

        case (.connected, .refreshStarted): (.refreshing(after: nil), [])
        case (.failing(let failing), .refreshStarted): (.refreshing(after: failing), [])
        case (.connecting, .refreshStarted), (.refreshing, .refreshStarted),
            (.needsReconnect, .refreshStarted):
            (self, [])

        case (.refreshing, .refreshed): (.connected, [])
        case (.connecting, .refreshed), (.connected, .refreshed), (.needsReconnect, .refreshed),
            (.failing, .refreshed):
            (self, [])

        case (.refreshing(let failing), .refreshFailed(let what, let now, let until)):
            (.failing(BankFailing(since: failing?.since ?? now, what: what, until: until)), [])
        case (.connecting, .refreshFailed), (.connected, .refreshFailed), (.needsReconnect, .refreshFailed),
            (.failing, .refreshFailed):
            (self, [])

        case (.refreshing, .consentEnded), (.connected, .consentEnded), (.failing, .consentEnded):
            (.needsReconnect, [.announceConsentEnd])
        case (.connecting, .consentEnded), (.needsReconnect, .consentEnded): (self, [])

        case (.connected, .consentEndsSoon), (.refreshing, .consentEndsSoon), (.failing, .consentEndsSoon):
            (self, [.suggestRenewal])
        // A new consent is suggested already, or there is none yet.
        case (.connecting, .consentEndsSoon), (.needsReconnect, .consentEndsSoon): (self, [])

        // The process ended during the refresh.
        case (.refreshing(let failing), .processStarted): (failing.map { .failing($0) } ?? .connected, [])
        case (.connecting, .processStarted), (.connected, .processStarted),
            (.needsReconnect, .processStarted), (.failing, .processStarted):
            (self, [])
        }
    }
}
