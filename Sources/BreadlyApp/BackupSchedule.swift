// The backups that a server makes by itself: how they are called, how many there are, and where they may lie.

import Foundation
import Ledger

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
            // A name that only looks like it is of somebody else's file.
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
