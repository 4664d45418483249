// Helpers of the tests of files: a store with one table.
import GRDB
import Storage
import TestKit

/// The error of the tests' stores.
struct TestFailure: Error, Hashable, StorageFailure {
    let cause: StorageError

    init(_ error: any Error) { cause = (error as? TestFailure)?.cause ?? StorageError(error) }
}

extension Store<TestFailure> {
    static let id: Int32 = 0x5465_7374

    static let first = Migration(
        number: 1,
        name: "first",
        since: "0.1.0",
        sql: "CREATE TABLE rows (number INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT"
    )
    static let second = Migration(
        number: 2,
        name: "second",
        since: "0.2.0",
        sql: "ALTER TABLE rows ADD COLUMN more TEXT NOT NULL DEFAULT ''"
    )

    static func scratch(
        _ folder: Scratch,
        _ name: String = "rows.sqlite",
        _ migrations: [Migration] = [first]
    ) throws -> Store {
        try open(at: folder(name), applicationID: id, migrations: migrations) { db in
            ["rows": Int64(try db.number("SELECT count(*) FROM rows"))]
        }
    }

    func add(_ number: Int, _ text: String = "") throws {
        _ = try changing { db in
            try db.change("INSERT INTO rows (number, text) VALUES (?, ?)", [number, text])
        }
    }

    func count() throws -> Int { try reading { db in try db.number("SELECT count(*) FROM rows") } }
}
