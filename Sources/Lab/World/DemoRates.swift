// The exchange rates of a world: of today, two days old, or none.

import CloudProtocol
import Ledger
import SyncCore
import Synchronization

/// The age of the rates that the cloud of a world has.
enum RateState: String, CaseIterable, Sendable {
    case fresh
    case old
    case none
}

/// Relays all calls, and answers the calls about the latest rates with the rates that the lab has set.
final class RatedCloud: RelayingCloud {
    private let cloud: any CloudAPI
    private let bundled: [ExchangeRates]
    private let clock: WorldClock
    private let present: Mutex<(state: RateState, set: ExchangeRates)>

    /// - Parameter bundled: the rates that came with the program; their last day is shown as a day of the world.
    init(to cloud: any CloudAPI, bundled: [ExchangeRates], _ clock: WorldClock, _ state: RateState = .fresh) {
        self.cloud = cloud
        self.bundled = bundled
        self.clock = clock
        present = Mutex((state, Self.set(state, bundled, clock)))
    }

    var state: RateState { present.withLock { $0.state } }

    /// Publishes the rates again, dated from the present day of the world.
    func set(_ state: RateState) {
        let set = Self.set(state, bundled, clock)
        present.withLock { $0 = (state, set) }
    }

    private static func set(_ state: RateState, _ bundled: [ExchangeRates], _ clock: WorldClock)
        -> ExchangeRates
    {
        let today = CivilDate(dayNumber: Int32(clamping: clock.milliseconds / 86_400_000))
        let last = bundled.last
        let day = state == .old ? today.adding(days: -2) : today
        // An empty set takes the rates away from the devices that have some.
        return ExchangeRates(
            day: day,
            source: .demo,
            base: last?.base ?? .eur,
            rates: state == .none ? [:] : last?.rates ?? [:]
        )
    }

    private var version: RatesVersion { RatesVersion(of: present.withLock { $0.set }) }

    /// As `RelayingCloud`.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        try await endpoint.call(cloud, request, caller)
    }

    func rates(_ token: SessionToken) async throws(CloudError) -> LatestRates {
        // The cloud itself refuses a user without premium.
        _ = try await cloud.rates(token)
        return LatestRates(present.withLock { $0.set })
    }

    func account(_ token: SessionToken) async throws(CloudError) -> UserAccountReport {
        var report = try await cloud.account(token)
        report.rates = version
        return report
    }

    func signIn(_ credentials: Credentials, device: NewDevice, from address: String) async throws(CloudError)
        -> SignedIn
    {
        var signedIn = try await cloud.signIn(credentials, device: device, from: address)
        signedIn.rates = version
        return signedIn
    }

    var waitSeconds: Int64 { cloud.waitSeconds }
}
