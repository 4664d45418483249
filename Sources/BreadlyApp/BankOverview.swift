// The operator's view of bank connections, also while a server works on the folder. It contains nothing that a bank
// says.

import BankFeeds
import CloudProtocol
import DeviceStore
public import Devices
import Ledger
import Lifecycle
import Outbound

/// The bank connections of a data folder, for the operator's command.
public struct BankOverview: Encodable, Hashable, Sendable {
    /// A provider that is set up, or has connections.
    public struct Provider: Encodable, Hashable, Sendable {
        /// The key, such as `truelayer`.
        public let provider: String
        /// Whether its servers answer; nil if they were not asked, because the command was not given the options.
        public let answers: Bool?
        /// The reason why they do not, or were not asked; nil if they do.
        public let problem: String?
    }

    /// A connection. Times are UTC, as `2026-11-21 12:00 UTC`.
    public struct Connection: Encodable, Hashable, Sendable {
        /// The email address, the name or the id of the user.
        public let user: String
        /// The id of the device, as `breadly devices` lists it.
        public let device: String
        /// The key of the provider.
        public let provider: String
        /// The state, as in the state machine; a refresh that runs or was interrupted counts as `refreshing`.
        public let state: String
        /// The failure that continues, such as `rate_limited`; nil for none.
        public let failure: String?
        /// The time since which it fails.
        let failingSince: String?
        /// The time of the last successful refresh; nil before the first.
        public let refreshedAt: String?
        /// The time at which the user's consent ends; nil if it does not.
        public let consentEndsAt: String?
    }

    /// The providers that are set up, in the order of the pages; then the providers that only have connections.
    public let providers: [Provider]
    /// By user, then by device.
    public let connections: [Connection]

    /// Reads the device store, and asks the providers whether they answer.
    /// - Parameters:
    ///   - banks: the providers that are set up.
    ///   - resources: for the table of currencies.
    /// - Throws: `AppError.folder` if there is no device store.
    public init(
        _ folder: String,
        _ banks: BankSettings,
        resources: Resources,
        dependencies: Dependencies
    ) async throws(AppError) {
        connections = try Self.connections(in: folder, dependencies)
        var providers: [Provider] = []
        if banks.hasProviders {
            for feed in banks.feeds(try resources.currencies(), dependencies) {
                let problem = await Self.problem(of: feed)
                providers.append(
                    Provider(provider: feed.provider.key, answers: problem == nil, problem: problem)
                )
            }
        }
        let asked = Set(providers.map(\.provider))
        for provider in Set(connections.map(\.provider)).subtracting(asked).sorted() {
            let options = provider == "simplefin" ? "--simplefin" : "--\(provider)-…"
            let problem =
                "was not asked: give this command \(options) as breadly serve has it, or its variables"
            providers.append(Provider(provider: provider, answers: nil, problem: problem))
        }
        self.providers = providers
    }

    private static func problem(of feed: any BankFeed) async -> String? {
        if let obstacle = HTTPClient.obstacle { return "no request can be sent: \(obstacle)" }
        do throws(BankFeedError) {
            try await feed.check()
            return nil
        } catch { return "\(error)" }
    }

    private static func connections(in folder: String, _ dependencies: Dependencies) throws(AppError)
        -> [Connection]
    {
        let devices = try DeviceAdministration(folder, dependencies: dependencies)
        defer { devices.close() }
        var found: [Connection] = []
        for (user, device, record) in try devices.bankConnections() {
            func time(_ seconds: Int64?) -> String? { seconds.map { dependencies.minute(of: $0) } }
            let failing = record.state.failing
            found.append(
                Connection(
                    user: user,
                    device: "\(device)",
                    provider: record.provider,
                    state: record.state.name,
                    failure: failing?.what.rawValue,
                    failingSince: time(failing?.since),
                    refreshedAt: time(record.refreshedAt),
                    consentEndsAt: time(record.accessEndsAt)
                )
            )
        }
        return found.sorted { ($0.user, $0.device, $0.provider) < ($1.user, $1.device, $1.provider) }
    }

    /// The report for people, in lines.
    public var lines: [String] {
        var lines = providers.map { "\($0.provider)  \($0.problem ?? "answers")" }
        if providers.isEmpty {
            lines.append("No provider is set up: give the options of breadly serve, or their variables")
        }
        lines += connections.map { connection in
            let refreshed = connection.refreshedAt.map { "last refresh \($0)" } ?? "never refreshed"
            let failing = connection.failure.map { " (\($0) since \(connection.failingSince ?? ""))" } ?? ""
            return "\(connection.user)  \(connection.device)  \(connection.provider)  "
                + "\(connection.state)\(failing)  \(refreshed)"
        }
        if connections.isEmpty { lines.append("No bank is connected") }
        return lines
    }
}

extension Dependencies {
    /// A time in UTC, to the minute.
    fileprivate func minute(of seconds: Int64) -> String {
        let minute = minuteOfDay(seconds, in: "UTC")
        let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(day(of: seconds, in: "UTC")) \(digits[0]):\(digits[1]) UTC"
    }
}
