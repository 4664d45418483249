// The cloud in this process: its file, its authenticators, and the watch for changes by the operator's
// commands.

import Cloud
import CloudProtocol
import Devices
import Foundation
import HTTPServer
import Identity
import Ledger
import RateFeeds
import SyncCore

/// The embedded cloud.
final class EmbeddedService: Sendable {
    /// The cloud's API.
    let api: any CloudAPI
    private let cloud: EmbeddedCloud
    private let directory: Directory
    private let dependencies: Dependencies
    private let folder: String
    private let tasks = TaskScope()
    private static let tidyMilliseconds: Int64 = 3_600_000
    /// The pause between two steps over stored texts.
    private static let textMilliseconds: Int64 = 20
    /// The interval of checking the file for changes of other processes, which reads one number.
    private static let watchMilliseconds: Int64 = 1_000

    /// Opens `cloud.sqlite` in a folder that this process has locked.
    init(
        _ folder: String,
        _ settings: Settings,
        _ resources: Resources,
        _ dependencies: Devices.Dependencies,
        _ metrics: Metrics?
    ) throws(AppError) {
        self.dependencies = dependencies
        self.folder = folder
        directory = try Directory.open(folder, dependencies, acceptsNewAccounts: settings.acceptsNewAccounts)
        if let upgrade = directory.upgrade { dependencies.log("cloud: cloud.sqlite was \(upgrade)") }
        try Self.mark(directory, folder, dependencies)
        let passwords = PasswordAuthenticator(
            store: directory,
            cost: settings.passwordCost,
            rules: try resources.passwordRules(),
            network: { limitedNetwork(of: $0) },
            now: { dependencies.now },
            random: { dependencies.random.bytes($0) }
        )
        let provider = settings.openIDProvider(dependencies)
        cloud = EmbeddedCloud(
            directory,
            authenticator: WaysIn(passwords: settings.hasPasswords ? passwords : nil, provider: provider),
            entitlements: settings.premiumForEveryone ? PremiumForEveryone() : nil,
            limits: settings.userAccountLimits,
            fileLimits: FileLimits(
                fileBytes: Int64(settings.limits.receipts.fileBytes),
                accountBytes: settings.limits.receipts.deviceBytes
            )
        )
        api = if let metrics { MeasuredCloud(cloud, metrics) } else { cloud }
        try storeBundledRates(resources)
        keepTidy(dependencies)
        normaliseTexts()
        if let metrics { RateUpdates.begin(metrics) }
        if let address = settings.rates {
            let feed = EuropeanCentralBankFeed(
                address.text,
                http: EuropeanCentralBankFeed.client(),
                currencies: try resources.currencies()
            )
            let updates = RateUpdates(directory, feed, dependencies, metrics)
            tasks.run { await updates.run() }
        }
    }

    /// Stores the rates that came with the program, if there are none.
    private func storeBundledRates(_ resources: Resources) throws(AppError) {
        do throws(CloudError) {
            guard try directory.ratesVersion() == nil else { return }
        } catch { throw .cloud(error, path: folder) }
        let days = try resources.bundledRates()
        do throws(CloudError) { _ = try directory.store(days, from: .bundled) } catch {
            throw .cloud(error, path: folder)
        }
    }

    func isOpen(_ token: SessionToken) -> Bool { (try? directory.user(token)) != nil }

    /// Writes the figures for the operator's Prometheus.
    func write(into text: inout MetricsText) {
        text.line("breadly_waiting_devices", "\(cloud.waitingCount)", kind: "gauge")
        guard let figures = try? directory.figures() else { return }
        text.line("breadly_users", "\(figures.users)", kind: "gauge")
        text.line("breadly_sessions", "\(figures.sessions)", kind: "gauge")
        text.line("breadly_replicas", "\(figures.replicas)", kind: "gauge")
        for (kind, count) in figures.rows.sorted(by: { $0.key < $1.key }) {
            text.line("breadly_rows", labels: Metrics.written(["kind": kind]), "\(count)", kind: "gauge")
        }
        text.line("breadly_cloud_recounts_total", "\(figures.recounts)", kind: "counter")
        if let day = figures.ratesDay {
            let age = dependencies.now - Int64(day.dayNumber) * 86_400
            text.line("breadly_rates_age_seconds", "\(age)", kind: "gauge")
        }
        text.line("breadly_database_bytes", "\(figures.bytes)", kind: "gauge")
    }

    /// Collects obsolete deletions, once an hour.
    private func keepTidy(_ dependencies: Dependencies) {
        tasks.run { [directory, cloud] in
            while true {
                await dependencies.pause(Self.tidyMilliseconds)
                guard !Task.isCancelled else { return }
                do throws(CloudError) {
                    try SyncService(directory).collect()
                    try cloud.files.collect()
                } catch {
                    dependencies.log.error("cloud: obsolete data could not be collected: \(error)")
                }
                let damaged = cloud.files.examine()
                if damaged > 0 {
                    dependencies.log.error(
                        "cloud: damaged files of accounts (\(damaged)), which no device has sent again: see breadly doctor"
                    )
                }
                Self.mark(directory, dependencies)
            }
        }
    }

    /// Brings texts that earlier versions have stored into the one form, beside the requests. A process that ends
    /// meanwhile leaves the rest to the next start.
    private func normaliseTexts() {
        tasks.run { [cloud, dependencies] in
            var place: TextPlace?
            while !Task.isCancelled {
                do throws(CloudError) {
                    guard let next = try cloud.normaliseTexts(after: place) else { return }
                    place = next
                    await dependencies.pause(Self.textMilliseconds)
                } catch {
                    dependencies.log.error("cloud: texts could not be brought into one form: \(error)")
                    await dependencies.pause(Self.tidyMilliseconds)
                }
            }
        }
    }

    /// Calls back whenever another process, such as an operator's command, has changed the file, and with a user whose
    /// sessions another device has ended.
    func watch(changed: @escaping @Sendable () -> Void, ended: @escaping @Sendable (EntityID) -> Void) {
        cloud.whenSessionsEnd(ended)
        let seen = try? directory.outsideChanges()
        tasks.run { [directory, dependencies] in
            var seen = seen
            while true {
                await dependencies.pause(Self.watchMilliseconds)
                guard !Task.isCancelled else { return }
                guard let now = try? directory.outsideChanges() else { continue }
                // A failure of the disk shows with the next change.
                try? directory.dropTraces(isOfOthers: now != seen)
                guard now != seen else { continue }
                seen = now
                changed()
            }
        }
    }

    /// Whether the file can be read.
    /// - Returns: the problem in a sentence; nil if there is none.
    func problem() -> String? {
        do throws(CloudError) {
            _ = try directory.outsideChanges()
            return nil
        } catch { return "the accounts are not readable: \(error)" }
    }

    /// Closes the file.
    func close() {
        Background.wait { [tasks] in await tasks.close() }
        Self.mark(directory, dependencies)
        directory.close()
    }

    /// Checks whether the file is the file that this server left.
    private static func mark(_ directory: Directory, _ folder: String, _ dependencies: Dependencies)
        throws(AppError)
    {
        do throws(CloudError) {
            if try directory.checkMark() {
                dependencies.log.warning(
                    "cloud: cloud.sqlite is older than this server left it, or comes from elsewhere: devices send the missing changes again"
                )
            }
        } catch { throw .cloud(error, path: folder) }
        mark(directory, dependencies)
    }

    private static func mark(_ directory: Directory, _ dependencies: Dependencies) {
        do throws(CloudError) { try directory.mark() } catch { dependencies.log.error("cloud: \(error)") }
    }
}

/// Passes each kind of credentials to its authenticator.
private struct WaysIn: Authenticator {
    let passwords: PasswordAuthenticator?
    let provider: OpenIDProvider?

    func verify(_ credentials: Credentials, from address: String, known: Set<String>) async throws(CloudError)
        -> Identity
    {
        let judge: (any Authenticator)? =
            switch credentials {
            case .password, .newAccount: passwords
            case .idToken: provider
            }
        guard let judge else { throw .signIn(.wrongCredentials) }
        return try await judge.verify(credentials, from: address, known: known)
    }

    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError) {
        guard let passwords else { throw .signIn(.wrongCredentials) }
        try await passwords.change(update, of: email, from: address)
    }
}

extension Directory {
    /// Opens the cloud's file in a data folder.
    static func open(
        _ folder: String,
        _ dependencies: Devices.Dependencies,
        acceptsNewAccounts: Bool
    ) throws(AppError) -> Directory {
        do {
            return try Directory(
                at: folder + "/cloud.sqlite",
                acceptsNewAccounts: acceptsNewAccounts,
                dependencies: Directory.Dependencies(
                    now: { dependencies.now },
                    newID: { dependencies.newID() },
                    newToken: { dependencies.random.sessionToken() }
                )
            )
        } catch { throw .cloud(error, path: folder) }
    }
    /// Opens the cloud's file for a command.
    static func openBesideServer(_ folder: String, _ dependencies: Devices.Dependencies)
        throws(AppError) -> Directory
    {
        guard FileManager.default.fileExists(atPath: folder) else {
            throw .folder("\(folder): there is no such folder: name it with --data.")
        }
        let path = folder + "/cloud.sqlite"
        return try BreadlyApp.openBesideServer(path, in: folder) { () throws(AppError) in
            do throws(CloudError) { return try Directory.needsUpgrade(at: path, now: dependencies.now) } catch
            {
                throw AppError.cloud(error, path: folder)
            }
        } open: { () throws(AppError) in
            try Directory.open(folder, dependencies, acceptsNewAccounts: true)
        }
    }
}
