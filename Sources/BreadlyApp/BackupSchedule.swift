// Scheduled backups: their names, their number, and their folder.

import Foundation
import Ledger

/// Backups that a server makes by itself, one a day.
public struct BackupSchedule: Hashable, Sendable {
    /// Where the backups are written; it is created if it is missing.
    public let folder: String
    /// The number of backups to keep; the oldest are removed.
    public let keep: Int

    /// - Parameter keep: at least 1.
    public init(folder: String, keep: Int) { (self.folder, self.keep) = (folder, keep) }

    /// The age of the newest backup at which the next one is made, in seconds.
    static let everySeconds: Int64 = 86_400
    /// The time after a failed backup until the next attempt, in seconds.
    static let retrySeconds: Int64 = 3_600

    /// The backups of one data folder: several servers may share the folder of their backups.
    struct Series: Sendable {
        let folder: String
        /// Six digits derived from the path of the data folder.
        private let mark: String

        init(_ schedule: BackupSchedule, of data: String) {
            folder = schedule.folder
            var digest = Digest()
            digest.add(Array(whole(data).utf8))
            mark = String(digest.text.prefix(6))
        }

        /// The name of a backup at a time in UTC seconds.
        func name(at seconds: Int64) -> String {
            let (day, second) = (seconds / 86_400, seconds % 86_400)
            func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
            let time = two(second / 3_600) + two(second / 60 % 60) + two(second % 60)
            return "breadly-\(CivilDate(dayNumber: Int32(clamping: day)))T\(time)Z-\(mark).tar.gz"
        }

        /// The time in a name, in UTC seconds; nil for a name that is not of this series.
        func time(of name: String) -> Int64? {
            guard name.hasPrefix("breadly-"), name.count == self.name(at: 0).count else { return nil }
            let text = name.dropFirst("breadly-".count)
            guard let date = CivilDate(iso: String(text.prefix(10))),
                let clock = Int64(text.dropFirst(11).prefix(6)),
                clock >= 0
            else { return nil }
            let seconds =
                Int64(date.dayNumber) * 86_400 + clock / 10_000 * 3_600 + clock / 100 % 100 * 60 + clock % 100
            // A similar name belongs to another program's file.
            return self.name(at: seconds) == name ? seconds : nil
        }

        /// The times of the existing backups, in UTC seconds, oldest first. A time in the future comes from a
        /// wrong clock: its file is ignored, and stays.
        func present(at now: Int64) -> [Int64] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .compactMap { time(of: $0) }.filter { $0 <= now }.sorted()
        }
    }

    /// Whether the folder of the backups is inside the folder that they save.
    /// - Parameter data: the data folder.
    public func lies(within data: String) -> Bool {
        let (target, data) = (whole(folder), whole(data))
        return target == data || target.hasPrefix(data + "/")
    }
}

/// A path with its links resolved, as far as it exists.
private func whole(_ path: String) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    guard url.path != "/", !FileManager.default.fileExists(atPath: url.path) else {
        return url.resolvingSymlinksInPath().path
    }
    return URL(fileURLWithPath: whole(url.deletingLastPathComponent().path))
        .appendingPathComponent(url.lastPathComponent).path
}
