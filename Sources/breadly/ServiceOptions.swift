import ArgumentParser
import BreadlyApp
import Foundation
import HTTPServer

enum OpenOrClosed: String, ExpressibleByArgument, CaseIterable { case open, closed }

/// The users who have premium.
enum Premium: String, ExpressibleByArgument, CaseIterable { case granted, everyone }

/// The shared options of `serve` and `cloud`: address, trusted proxies, and access.
struct ServiceOptions: ParsableArguments {
    @OptionGroup var listening: ListeningOptions

    @OptionGroup var data: DataOption

    @Option(
        name: .customLong("sign-up"),
        help: "Whether new users can create accounts: open or closed. Default: open."
    )
    var signUp: OpenOrClosed?

    @Option(help: "The premium users: granted (named with breadly grant) or everyone. Default: granted.")
    var premium: Premium?

    @Option(help: "A separate address for /metrics, such as 127.0.0.1:9464, or a local port. Default: none.")
    var metrics: String?

    @Option(
        help:
            "Further host names to answer to, separated by commas. Default: only --public-url's, or else all."
    )
    var hosts: String?

    @Option(help: "A folder for daily backups by the server. Default: none.")
    var backupTo: String?

    @Option(help: "The number of daily backups to keep. Default: 7.")
    var backupKeep: Int?

    @OptionGroup var receipts: ReceiptOptions

    @OptionGroup var rates: RatesOption

    @OptionGroup var identity: IdentityOptions

    @OptionGroup var log: LogOptions

    /// The settings for the options.
    /// - Parameter usual: the default port.
    func settings(port usual: UInt16) throws -> Settings {
        var settings = Settings()
        try listening.set(&settings, port: usual)
        settings.data = try data.path()
        settings.acceptsNewAccounts = try value(signUp, "sign-up") != .closed
        settings.premiumForEveryone = try value(premium, "premium") == .everyone
        (settings.hasPasswords, settings.provider) = try identity.methods()
        settings.metrics = try metricsPlace()
        settings.publicAddress = try identity.publicAddress()
        settings.hosts = try hostList()
        settings.backups = try backups()
        settings.rates = try rates.address()
        settings.log = try log.settings()
        try receipts.set(&settings)
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

    private func hostList() throws -> [String] {
        let names = try value(hosts, "hosts").map(list) ?? []
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
