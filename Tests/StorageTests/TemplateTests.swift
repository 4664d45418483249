// New files that copy a template: the same as files in which the migrations ran.
import GRDB
import TestKit
import Testing

@testable import Storage

@Suite struct Templates {
    private typealias Rows = Store<TestFailure>

    private static let migrations = [
        Rows.first, Rows.second,
        Migration(
            number: 3,
            name: "third",
            since: "0.3.0",
            sql: """
                ALTER TABLE rows RENAME COLUMN more TO rest;
                CREATE INDEX rows_by_text ON rows (text);
                CREATE VIRTUAL TABLE words USING fts5(text);
                CREATE TRIGGER rows_insert AFTER INSERT ON rows BEGIN
                  INSERT INTO words (rowid, text) VALUES (NEW.number, NEW.text);
                END;
                INSERT INTO rows (number, text) VALUES (1, 'from the beginning');
                """
        ),
    ]

    let folder = Scratch()
    let template = SchemaTemplate(migrations: Templates.migrations, applicationID: Rows.id)

    private func open(_ name: String, _ template: SchemaTemplate?) throws -> Rows {
        try Self.open(at: folder(name), template)
    }

    private static func open(at path: String, _ template: SchemaTemplate?) throws -> Rows {
        try .open(
            at: path,
            applicationID: Rows.id,
            migrations: migrations,
            template: template,
            fingerprint: { _ in [:] }
        )
    }

    /// The schema, the settings of the file, and all rows.
    private func content(_ store: Rows) throws -> [String] {
        try store.inDatabase { db in
            let schema = "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name"
            var lines = try db.all(schema) { row in (0...3).map { row.text($0) }.joined(separator: " | ") }
            for pragma in [
                "application_id", "user_version", "page_size", "journal_mode", "auto_vacuum", "encoding",
            ] {
                lines.append("\(pragma) \(try String.fetchOne(db, sql: "PRAGMA \(pragma)") ?? "")")
            }
            lines += try db.all("SELECT number, text, rest FROM rows") {
                "\($0.int64(0)) \($0.text(1)) \($0.text(2))"
            }
            lines += try db.all("SELECT version FROM needed_program") { $0.text(0) }
            lines += try db.all("SELECT rowid FROM words WHERE words MATCH 'beginning'") { "\($0.int64(0))" }
            return lines
        }
    }

    @Test func aCopyIsTheSameAsTheMigrations() throws {
        let migrated = try content(open("migrated.sqlite", nil))
        for name in ["first.sqlite", "second.sqlite"] {
            let store = try open(name, template)
            #expect(try content(store) == migrated)
            #expect(store.upgrade == nil)
            store.close()
            #expect(try content(open(name, template)) == migrated, "opened again")
        }
    }

    @Test func filesShareNothing() throws {
        let (one, other) = (try open("one.sqlite", template), try open("other.sqlite", template))
        try one.changing { db in _ = try db.change("INSERT INTO rows (number, text) VALUES (2, 'mine')") }
        #expect(try one.count() == 2)
        #expect(try other.count() == 1)
        #expect(try open("later.sqlite", template).count() == 1)
    }

    @Test func manyFilesAreCreatedAtOnce() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            let template = template
            for path in (0..<20).map({ folder("many-\($0).sqlite") }) {
                group.addTask { try Self.open(at: path, template).count() }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test func anOlderFileIsUpgraded() throws {
        let older = try Rows.scratch(folder, "older.sqlite", [Rows.first])
        try older.add(7, "kept")
        older.close()
        let store = try open("older.sqlite", template)
        #expect(store.upgrade == SchemaUpgrade(from: 1, to: 3))
        #expect(
            try store.reading { db in try db.all("SELECT text FROM rows") { $0.text(0) } } == [
                "from the beginning", "kept",
            ]
        )
    }
}
