// What a server does for its data folder once in a while: backups on a schedule, and the end of copies from before upgrades.

import Book
import Devices
import Foundation
import Ledger
import Synchronization

/// Backups that a server makes by itself, one a day.
public struct BackupSchedule: Hashable, Sendable {
    /// The folder that they go to.
    public let folder: String
    /// How many are kept: the oldest ones go.
    public let keep: Int

    /// A schedule.
    public init(folder: String, keep: Int) { (self.folder, self.keep) = (folder, keep) }

    /// How old the newest one is when the next one is made, in seconds.
    static let everySeconds: Int64 = 86_400
    /// How long after one that has failed the next one is tried, in seconds.
    static let retrySeconds: Int64 = 3_600

    /// The name of a backup of a moment, in UTC seconds.
    static func name(at seconds: Int64) -> String {
        let (day, second) = (seconds / 86_400, seconds % 86_400)
        func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        let time = two(second / 3_600) + two(second / 60 % 60) + two(second % 60)
        return "breadly-\(CivilDate(dayNumber: Int32(clamping: day)))T\(time)Z.tar.gz"
    }

    /// The moment of a name, in UTC seconds; nil for one that is not of a backup.
    static func moment(of name: String) -> Int64? {
        guard name.hasPrefix("breadly-"), name.hasSuffix("Z.tar.gz"), name.count == self.name(at: 0).count
        else { return nil }
        let text = name.dropFirst("breadly-".count).dropLast("Z.tar.gz".count)
        guard let date = CivilDate(iso: String(text.prefix(10))), let time = Int64(text.suffix(6)), time >= 0
        else { return nil }
        let moment =
            Int64(date.dayNumber) * 86_400 + time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
        // Whatever else looks like it is somebody else's file.
        return self.name(at: moment) == name ? moment : nil
    }

    /// The moments of those that are there, in UTC seconds, oldest first.
    func present() -> [Int64] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap(Self.moment)
            .sorted()
    }
}

/// Works as long as the server does. It looks every minute what is due: a minute that is missed is made up for by the next.
final class Maintenance: Sendable {
    private let folder: DataFolder
    private let schedule: BackupSchedule?
    private let dependencies: Dependencies
    private let tasks = TaskScope()
    private let failures = Atomic(0)
    /// How long copies from before upgrades are kept, in seconds.
    static let copySeconds: Int64 = 30 * 86_400
    private static let lookMilliseconds: Int64 = 60_000

    /// - Throws: `AppError.backup` where the backups would lie within what they hold.
    init(_ folder: DataFolder, _ schedule: BackupSchedule?, _ dependencies: Dependencies) throws(AppError) {
        if let schedule {
            let (target, data) = (Self.whole(schedule.folder), Self.whole(folder.path))
            guard target != data, !target.hasPrefix(data + "/") else {
                throw .backup(
                    "\(schedule.folder) lies in the data folder: choose another one for --backup-to."
                )
            }
        }
        self.folder = folder
        self.schedule = schedule
        self.dependencies = dependencies
    }

    private static func whole(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    func start() {
        tasks.run { [self] in
            var (nextTry, nextLook) = (Int64.min, Int64.min)
            while !Task.isCancelled {
                if dependencies.now >= nextLook {
                    removeCopies()
                    nextLook = dependencies.now + 86_400
                }
                if let schedule, dependencies.now >= nextTry, isDue(schedule) {
                    if !backUp(schedule) { nextTry = dependencies.now + BackupSchedule.retrySeconds }
                }
                await dependencies.pause(Self.lookMilliseconds)
            }
        }
    }

    func close() async { await tasks.close() }

    /// How old the newest backup is, and how many have failed.
    func write(into text: inout MetricsText) {
        guard let schedule else { return }
        text.line("breadly_backup_failures_total", "\(failures.load(ordering: .relaxed))", kind: "counter")
        guard let last = schedule.present().last else { return }
        text.line("breadly_backup_age_seconds", "\(max(0, dependencies.now - last))", kind: "gauge")
    }

    private func isDue(_ schedule: BackupSchedule) -> Bool {
        let now = dependencies.now
        // One of the future is of a clock that went wrong: it says nothing of when the next one is due.
        guard let last = schedule.present().last(where: { $0 <= now }) else { return true }
        return now - last >= BackupSchedule.everySeconds
    }

    private func backUp(_ schedule: BackupSchedule) -> Bool {
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: schedule.folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            // What a process that was killed has left.
            for name in try files.contentsOfDirectory(atPath: schedule.folder)
            where name.hasPrefix("breadly-") && name.contains(".tar.gz.partial") {
                try? files.removeItem(atPath: "\(schedule.folder)/\(name)")
            }
            let target = "\(schedule.folder)/\(BackupSchedule.name(at: dependencies.now))"
            let report = try Backup.write(
                folder.path,
                to: target,
                compresses: true,
                cores: 1,
                dependencies: dependencies
            )
            for name in report.skipped {
                dependencies.log.warning("backup: \(name) went away meanwhile, and is not in it")
            }
            dependencies.log("backup: \(report.files) files are in \(target)")
            for moment in schedule.present().dropLast(schedule.keep) {
                try files.removeItem(atPath: "\(schedule.folder)/\(BackupSchedule.name(at: moment))")
            }
            return true
        } catch {
            // The server is told to stop; the next start makes up for it.
            guard !Task.isCancelled else { return true }
            failures.add(1, ordering: .relaxed)
            dependencies.log.error(
                "backup: it has failed, and is tried again in an hour: \(Backup.words(error))"
            )
            return false
        }
    }

    private func removeCopies() {
        do throws(DataFolderError) {
            let count = try folder.removeSchemaCopies(madeBefore: dependencies.now - Self.copySeconds)
            if count > 0 {
                dependencies.log(
                    "\(count) copies from before an upgrade were removed: they are older than 30 days"
                )
            }
        } catch {
            dependencies.log.warning("copies from before an upgrade cannot be removed: \(error.sentence)")
        }
    }
}
