// The size of a cloud, for its operator.

public import CloudProtocol
import GRDB
public import Ledger
import Storage

/// Counts of a cloud's file.
public struct CloudFigures: Hashable, Sendable {
    /// The number of user accounts.
    public var users: Int
    /// The number of open sessions.
    public var sessions: Int
    /// The number of attached books.
    public var replicas: Int
    /// The number of live rows of all users, by kind.
    public var rows: [String: Int]
    /// The number of hashes that did not match their rows since the start, and were computed again.
    public var recounts: Int
    /// The day of the newest exchange rates; nil if there are none.
    public var ratesDay: CivilDate?
    /// The size of the file with its log, in bytes.
    public var bytes: Int64
}

extension Directory {
    /// Counts the content of the file.
    /// - Throws: `failed`.
    public func figures() throws(CloudError) -> CloudFigures {
        let (path, recounts) = (path, recountCount)
        return try reading { db in
            let sums =
                "SELECT ifnull(sum(accounts), 0), ifnull(sum(transactions), 0), ifnull(sum(categories), 0)"
            let rows = try db.first("\(sums) FROM holdings") {
                ["account": $0.int(0), "transaction": $0.int(1), "category": $0.int(2)]
            }
            return CloudFigures(
                users: try db.number("SELECT count(*) FROM users"),
                sessions: try db.number("SELECT count(*) FROM sessions"),
                replicas: try db.number("SELECT count(*) FROM replicas WHERE is_detached = 0"),
                rows: rows ?? [:],
                recounts: recounts,
                ratesDay: try db.first("SELECT day FROM rate_days ORDER BY day DESC LIMIT 1") { $0.date(0) },
                bytes: Int64(
                    max(0, DatabaseFile.size(of: path)) + max(0, DatabaseFile.size(of: path + "-wal"))
                )
            )
        }
    }
}
