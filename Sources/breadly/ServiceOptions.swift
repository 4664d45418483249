import ArgumentParser
import BreadlyApp
import Foundation

/// `open` or `closed`.
enum OpenOrClosed: String, ExpressibleByArgument, CaseIterable { case open, closed }

/// Who is premium.
enum Premium: String, ExpressibleByArgument, CaseIterable { case granted, everyone }

/// What `serve` and `cloud` have in common: where they listen, whom they believe, who gets in.
struct ServiceOptions: ParsableArguments {
    @Option(help: "The address to listen on, in numbers. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port; 0 takes a free one. Default: 8080, and 8090 for the cloud.")
    var port: UInt16?

    @OptionGroup var data: DataOption

    @Option(
        name: .customLong("trusted-proxy"),
        help:
            "A network (CIDR) whose X-Forwarded-* headers are believed; for the cloud, the servers that use it."
    )
    var trustedProxy: [String] = []

    @Option(name: .customLong("sign-up"), help: "Whether anybody may make an account. Default: open.")
    var signUp: OpenOrClosed?

    @Option(help: "Who is premium: whom breadly grant says, or everyone who signs in. Default: granted.")
    var premium: Premium?

    @Option(
        help: "An address for Prometheus to ask for /metrics, as 127.0.0.1:9464, or a port. Default: none."
    )
    var metrics: String?

    @Option(help: "How many connections may be open at once. Default: 4096.")
    var connections: Int?

    @Option(help: "How many of them may be one address's, or one IPv6 network's (/64). Default: 512.")
    var connectionsPerAddress: Int?

    @Option(help: "The hosts that are answered beside that of --public-url, with commas. Default: all.")
    var hosts: String?

    @Option(help: "A folder for a backup a day, made by the server itself. Default: none.")
    var backupTo: String?

    @Option(help: "How many of them are kept. Default: 7.")
    var backupKeep: Int?

    @OptionGroup var identity: IdentityOptions

    @OptionGroup var log: LogOptions

    /// What they amount to.
    /// - Parameter usual: the port where none is named.
    func settings(port usual: UInt16) throws -> Settings {
        var settings = Settings()
        settings.host = try value(host, "host") ?? settings.host
        settings.port = try value(port, "port") ?? usual
        settings.data = try data.path()
        let proxies =
            try trustedProxy.isEmpty
            ? value(nil as String?, "trusted-proxy").map { [$0] } ?? [] : trustedProxy
        settings.trustedProxies = proxies.flatMap { $0.split(separator: ",").map(String.init) }
        settings.takesNewAccounts = try value(signUp, "sign-up") != .closed
        settings.premiumForEveryone = try value(premium, "premium") == .everyone
        (settings.hasPasswords, settings.provider) = try identity.ways()
        settings.metrics = try metricsPlace()
        settings.publicAddress = try identity.publicAddress()
        settings.hosts = try hostList()
        settings.backups = try backups()
        settings.connections = try value(connections, "connections") ?? settings.connections
        let perAddress = try value(connectionsPerAddress, "connections-per-address")
        settings.connectionsPerAddress = perAddress ?? settings.connectionsPerAddress
        settings.log = try log.settings()
        guard settings.connections >= 16, settings.connectionsPerAddress >= 1 else {
            throw ValidationError("--connections must be at least 16, --connections-per-address at least 1.")
        }
        return settings
    }

    private func backups() throws -> BackupSchedule? {
        let keep = try value(backupKeep, "backup-keep")
        guard let folder = try value(backupTo, "backup-to") else {
            guard keep == nil else { throw ValidationError("--backup-keep goes with --backup-to.") }
            return nil
        }
        guard (1...10_000).contains(keep ?? 7) else {
            throw ValidationError("--backup-keep must be between 1 and 10000.")
        }
        return BackupSchedule(folder: folder, keep: keep ?? 7)
    }

    private func hostList() throws -> [String] {
        let names = (try value(hosts, "hosts") ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
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
            throw ValidationError("'\(text)' is no address to listen on: write one such as 127.0.0.1:9464.")
        }
        return place
    }
}
