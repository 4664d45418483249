// Periodic work on a data folder: scheduled backups, and the removal of copies from before upgrades.

import DeviceStore
import Devices
import Foundation
import Synchronization

/// Runs as long as the server does. It checks every minute whether a task is due; the next minute makes up
/// for a missed one.
final class Maintenance: Sendable {
    private let folder: DataFolder
    private let schedule: BackupSchedule?
    private let series: BackupSchedule.Series?
    private let dependencies: Dependencies
    private let tasks = TaskScope()
    private let failures = Atomic(0)
    /// The time for which copies from before upgrades are kept, in seconds.
    static let copySeconds: Int64 = 30 * 86_400
    private static let lookMilliseconds: Int64 = 60_000

    init(_ folder: DataFolder, _ schedule: BackupSchedule?, _ dependencies: Dependencies) {
        self.folder = folder
        self.schedule = schedule
        series = schedule.map { BackupSchedule.Series($0, of: folder.path) }
        self.dependencies = dependencies
    }

    func start() {
        tasks.run { [self] in
            var (nextTry, nextLook) = (Int64.min, Int64.min)
            while !Task.isCancelled {
                let now = dependencies.now
                // A clock that was set back must not lengthen a wait.
                if now >= nextLook || nextLook - now > 86_400 {
                    removeCopies()
                    nextLook = now + 86_400
                }
                let isWaiting = now < nextTry && nextTry - now <= BackupSchedule.everySeconds
                if let schedule, let series, !isWaiting, isDue(series) {
                    let isDone = backUp(schedule, series)
                    nextTry = now + (isDone ? BackupSchedule.everySeconds : BackupSchedule.retrySeconds)
                }
                await dependencies.pause(Self.lookMilliseconds)
            }
        }
    }

    func close() async { await tasks.close() }

    /// The age of the newest backup, and the number of failed backups.
    func write(into text: inout MetricsText) {
        guard let series else { return }
        text.line("breadly_backup_failures_total", "\(failures.load(ordering: .relaxed))", kind: "counter")
        let now = dependencies.now
        guard let last = series.present(at: now).last else { return }
        text.line("breadly_backup_age_seconds", "\(now - last)", kind: "gauge")
    }

    private func isDue(_ series: BackupSchedule.Series) -> Bool {
        let now = dependencies.now
        guard let last = series.present(at: now).last else { return true }
        return now - last >= BackupSchedule.everySeconds
    }

    /// - Returns: whether a backup was made.
    private func backUp(_ schedule: BackupSchedule, _ series: BackupSchedule.Series) -> Bool {
        let files = FileManager.default
        do {
            // A parent that is missing may be a disk that is not there.
            if !files.fileExists(atPath: schedule.folder) {
                try files.createDirectory(
                    atPath: schedule.folder,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700]
                )
            }
            // A killed process has left these files.
            for name in try files.contentsOfDirectory(atPath: schedule.folder) {
                guard let mark = name.firstRange(of: ".partial-"),
                    series.time(of: String(name[..<mark.lowerBound])) != nil
                else { continue }
                try? files.removeItem(atPath: "\(schedule.folder)/\(name)")
            }
            let now = dependencies.now
            let target = "\(schedule.folder)/\(series.name(at: now))"
            let report = try Backup.write(
                folder.path,
                to: target,
                compresses: true,
                isChecked: true,
                cores: 1,
                dependencies: dependencies
            )
            for name in report.skipped {
                dependencies.log("backup: \(name) went away meanwhile or is empty, and is not in it")
            }
            dependencies.log("backup: \(report.files) files are in \(target)")
            // The files stay damaged in each backup, so that older backups are removed nevertheless.
            for line in report.faults { dependencies.log.error("backup: \(line)") }
            guard report.unreadable.isEmpty else {
                failures.add(1, ordering: .relaxed)
                for line in report.unreadable { dependencies.log.error("backup: not in it: \(line)") }
                // An incomplete backup does not replace a complete one.
                return true
            }
            for moment in series.present(at: now - 1).dropLast(schedule.keep - 1) {
                try files.removeItem(atPath: "\(schedule.folder)/\(series.name(at: moment))")
            }
            return true
        } catch {
            // The server is stopping; the next start makes up for it.
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
