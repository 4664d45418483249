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

    /// The backups of one data folder: several servers may share the folder that theirs go to.
    struct Series: Sendable {
        let folder: String
        /// Six digits of the data folder's place.
        private let mark: String

        init(_ schedule: BackupSchedule, of data: String) {
            folder = schedule.folder
            var digest = Digest()
            digest.add(Array(whole(data).utf8))
            mark = String(digest.text.prefix(6))
        }

        /// The name of a backup of a moment, in UTC seconds.
        func name(at seconds: Int64) -> String {
            let (day, second) = (seconds / 86_400, seconds % 86_400)
            func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
            let time = two(second / 3_600) + two(second / 60 % 60) + two(second % 60)
            return "breadly-\(CivilDate(dayNumber: Int32(clamping: day)))T\(time)Z-\(mark).tar.gz"
        }

        /// The moment of a name, in UTC seconds; nil for one that is not of this series.
        func moment(of name: String) -> Int64? {
            guard name.hasPrefix("breadly-"), name.count == self.name(at: 0).count else { return nil }
            let text = name.dropFirst("breadly-".count)
            guard let date = CivilDate(iso: String(text.prefix(10))),
                let time = Int64(text.dropFirst(11).prefix(6)),
                time >= 0
            else { return nil }
            let moment =
                Int64(date.dayNumber) * 86_400 + time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
            // Whatever else looks like it is somebody else's file.
            return self.name(at: moment) == name ? moment : nil
        }

        /// The moments of those that are there, in UTC seconds, oldest first. One that lies ahead was made by a clock that
        /// went wrong: it says nothing, and stays.
        func present(at now: Int64) -> [Int64] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .compactMap(moment).filter { $0 <= now }.sorted()
        }
    }

    /// Whether the backups would lie within what they hold.
    /// - Parameter data: the data folder.
    public func lies(within data: String) -> Bool {
        let (target, data) = (whole(folder), whole(data))
        return target == data || target.hasPrefix(data + "/")
    }
}

/// A path without links in it, as far as it exists.
private func whole(_ path: String) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    guard url.path != "/", !FileManager.default.fileExists(atPath: url.path) else {
        return url.resolvingSymlinksInPath().path
    }
    return URL(fileURLWithPath: whole(url.deletingLastPathComponent().path))
        .appendingPathComponent(url.lastPathComponent).path
}

/// Works as long as the server does. It looks every minute what is due: a minute that is missed is made up for by the next.
final class Maintenance: Sendable {
    private let folder: DataFolder
    private let schedule: BackupSchedule?
    private let series: BackupSchedule.Series?
    private let dependencies: Dependencies
    private let tasks = TaskScope()
    private let failures = Atomic(0)
    /// How long copies from before upgrades are kept, in seconds.
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
                // A clock that was set back must not keep anything waiting for longer than it would have.
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

    /// How old the newest backup is, and how many have failed.
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

    /// - Returns: whether there is one more.
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
            // What a process that was killed has left.
            for name in try files.contentsOfDirectory(atPath: schedule.folder) {
                guard let mark = name.firstRange(of: ".partial-"),
                    series.moment(of: String(name[..<mark.lowerBound])) != nil
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
            guard report.unreadable.isEmpty else {
                failures.add(1, ordering: .relaxed)
                for line in report.unreadable { dependencies.log.error("backup: not in it: \(line)") }
                // One that lacks something takes the place of none that has it.
                return true
            }
            for moment in series.present(at: now - 1).dropLast(schedule.keep - 1) {
                try files.removeItem(atPath: "\(schedule.folder)/\(series.name(at: moment))")
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
