// The committed files of released schemas, for the tests of migrations.

import Foundation
package import GRDB
package import Storage
package import TestKit

/// The files of every released schema of one database: `book-1.sqlite`, `book-2.sqlite` and so on.
package struct SchemaFiles {
    private let name: String
    private let committed: URL
    private let scratch: Scratch

    /// - Parameters:
    ///   - name: `book` for `book-1.sqlite`.
    ///   - scratch: the folder for copies.
    ///   - test: the test's own file: the folder `Schemas` is beside it.
    package init(_ name: String, copiedTo scratch: Scratch, of test: String = #filePath) {
        self.name = name
        self.scratch = scratch
        committed = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("Schemas")
    }

    /// The schemas of a list without a committed file.
    package func missing(of migrations: [Migration]) -> [Int] {
        let there = Set(DatabaseFile.names(in: committed.path))
        return migrations.map(\.number).filter { !there.contains("\(name)-\($0).sqlite") }
    }

    /// Whether each migration has the number after the number of the migration before it.
    package static func areConsecutive(_ migrations: [Migration]) -> Bool {
        zip(migrations, migrations.dropFirst()).allSatisfy { $1.number == $0.number + 1 }
    }

    /// Copies a schema's file.
    /// - Returns: the path of the copy.
    package func copy(_ schema: Int) throws -> String {
        let path = scratch("\(name)-\(schema).sqlite")
        let source = committed.appendingPathComponent("\(name)-\(schema).sqlite")
        try FileManager.default.copyItem(atPath: source.path, toPath: path)
        return path
    }

    /// The differences between a committed file and the file that today's migrations make: none, since a migration
    /// is not edited once it was used for a file.
    package func differences<Failure: StorageFailure>(
        of schema: Int,
        from migrations: [Migration],
        applicationID: Int32,
        functions: [DatabaseFunction] = [],
        _: Failure.Type
    ) throws -> Set<String> {
        let fresh = scratch("fresh.sqlite")
        try Store<Failure>.open(
            at: fresh,
            applicationID: applicationID,
            migrations: migrations.filter { $0.number <= schema },
            functions: functions,
            fingerprint: { _ in [:] }
        ).close()
        return try Self.statements(try copy(schema)).symmetricDifference(try Self.statements(fresh))
    }

    /// Every table with the number of its rows. The tables of SQLite and of its search do not count.
    package static func counts(_ path: String) throws -> [String: Int] {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let sql = """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                AND name NOT LIKE 'transactions_search%' AND name <> 'needed_program'
                """
            let tables = try db.all(sql) { $0.text(0) }
            return Dictionary(
                uniqueKeysWithValues: try tables.map { ($0, try db.number("SELECT count(*) FROM \"\($0)\"")) }
            )
        }
    }

    private static func statements(_ path: String) throws -> Set<String> {
        try Examination.run(path, isInUse: false, now: .max) { db in
            let sql = """
                SELECT type || ' ' || name || ': ' || ifnull(sql, '') FROM sqlite_schema
                WHERE name <> 'needed_program'
                """
            return Set(try db.all(sql) { $0.text(0) })
        }
    }
}
