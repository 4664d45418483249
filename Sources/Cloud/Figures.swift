// How much a cloud holds, for its operator.

import GRDB
import Storage
public import SyncCore

/// Numbers of a cloud's file.
public struct CloudFigures: Hashable, Sendable {
    /// Accounts of users.
    public var users: Int
    /// Signed-in devices.
    public var sessions: Int
    /// Books that are attached to an account.
    public var replicas: Int
    /// Live rows of all users, by kind.
    public var rows: [String: Int]
    /// How often, since the start, an account's hash did not fit its rows and was counted anew.
    public var recounts: Int
    /// The size of the file with its log, in bytes.
    public var bytes: Int64
}

extension Directory {
    /// How much there is.
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
                bytes: Int64(
                    max(0, DatabaseFile.size(of: path)) + max(0, DatabaseFile.size(of: path + "-wal"))
                )
            )
        }
    }
}
