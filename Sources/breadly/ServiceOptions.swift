import ArgumentParser
import BreadlyApp
import Foundation
import HTTPServer

enum OpenOrClosed: String, ExpressibleByArgument, CaseIterable { case open, closed }

/// The users who have premium.
enum Premium: String, ExpressibleByArgument, CaseIterable { case granted, everyone }

/// The shared options of `serve` and `cloud`: address, trusted proxies, and access.
struct ServiceOptions: ParsableArguments {
    @Option(help: "The numeric address to listen on, or localhost. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on; 0 for a free one. Default: 8080, or 8090 for the cloud.")
    var port: UInt16?

    @OptionGroup var data: DataOption

    @Option(
        name: .customLong("trusted-proxy"),
        help: "A network (CIDR) with trusted X-Forwarded-* headers; for the cloud, the servers that use it."
    )
    var trustedProxy: [String] = []

    @Option(
        name: .customLong("sign-up"),
        help: "Whether new users can create accounts: open or closed. Default: open."
    )
    var signUp: OpenOrClosed?

    @Option(help: "The premium users: granted (named with breadly grant) or everyone. Default: granted.")
    var premium: Premium?

    @Option(help: "A separate address for /metrics, such as 127.0.0.1:9464, or a local port. Default: none.")
    var metrics: String?

    @Option(help: "The maximum number of open connections. Default: 4096.")
    var connections: Int?

    @Option(help: "The maximum number of connections per address, or per IPv6 network (/64). Default: 512.")
    var connectionsPerAddress: Int?

    @Option(
        help:
            "Further host names to answer to, separated by commas. Default: only --public-url's, or else all."
    )
    var hosts: String?

    @Option(help: "A folder for daily backups by the server. Default: none.")
    var backupTo: String?

    @Option(help: "The number of daily backups to keep. Default: 7.")
    var backupKeep: Int?

    @OptionGroup var rates: RatesOption

    @OptionGroup var identity: IdentityOptions

    @OptionGroup var log: LogOptions

    /// The settings for the options.
    /// - Parameter usual: the default port.
    func settings(port usual: UInt16) throws -> Settings {
        var settings = Settings()
        settings.host = try listeningHost() ?? settings.host
        settings.port = try value(port, "port") ?? usual
        settings.data = try data.path()
        settings.trustedProxies = try proxies()
        settings.acceptsNewAccounts = try value(signUp, "sign-up") != .closed
        settings.premiumForEveryone = try value(premium, "premium") == .everyone
        (settings.hasPasswords, settings.provider) = try identity.ways()
        settings.metrics = try metricsPlace()
        settings.publicAddress = try identity.publicAddress()
        settings.hosts = try hostList()
        let most = try number(connections, "connections", in: 16...1_000_000)
        settings.connections = most ?? settings.connections
        let perAddress = try number(connectionsPerAddress, "connections-per-address", in: 1...1_000_000)
        settings.connectionsPerAddress = perAddress ?? settings.connectionsPerAddress
        settings.backups = try backups()
        settings.rates = try rates.address()
        settings.log = try log.settings()
        return settings
    }

    private func backups() throws -> BackupSchedule? {
        let keep = try number(backupKeep, "backup-keep", in: 1...10_000)
        guard let folder = try value(backupTo, "backup-to") else {
            guard keep == nil else { throw ValidationError("--backup-keep goes with --backup-to.") }
            return nil
        }
        let schedule = BackupSchedule(folder: folder, keep: keep ?? 7)
        guard !folder.isEmpty else { throw ValidationError("--backup-to has no name.") }
        guard !schedule.lies(within: try data.path()) else {
            throw ValidationError("--backup-to lies within the data folder: choose another one.")
        }
        return schedule
    }

    private func listeningHost() throws -> String? {
        guard let text = try value(host, "host") else { return nil }
        guard let address = listeningAddress(text) else {
            throw ValidationError(
                "'\(text)' is no address to listen on: write one in numbers, as 127.0.0.1 or ::, or localhost."
            )
        }
        return address
    }

    private func proxies() throws -> TrustedProxies {
        let texts = try trustedProxy.isEmpty ? value(nil, "trusted-proxy").map { [$0] } ?? [] : trustedProxy
        let networks = texts.flatMap(Self.list)
        if let proxies = TrustedProxies(networks) { return proxies }
        let faulty = networks.first { TrustedProxies([$0]) == nil } ?? ""
        throw ValidationError("'\(faulty)' is no network: write one such as 127.0.0.1/32 or fd00::/8.")
    }

    /// The items of a comma-separated list, without spaces around them.
    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private func hostList() throws -> [String] {
        let names = try value(hosts, "hosts").map(Self.list) ?? []
        for name in names {
            guard !name.isEmpty, !name.contains(where: { "/@?#* ".contains($0) }) else {
                throw ValidationError("'\(name)' is no host: write one such as budget.example.org.")
            }
        }
        return names
    }

    private func metricsPlace() throws -> MetricsPlace? {
        guard let text = try value(metrics, "metrics") else { return nil }
        guard let place = MetricsPlace(text) else {
            throw ValidationError(
                "'\(text)' is no address to listen on: write one such as localhost:9464 or [::1]:9464."
            )
        }
        return place
    }
}
