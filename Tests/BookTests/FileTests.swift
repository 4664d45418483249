// The file beneath a book: damage, full disks, migrations, upgrades, copies, and several hands at once.
import Foundation
import GRDB
import Glibc
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct FileTests {
    private let folder = Scratch()

    private func filled(_ name: String = "book.sqlite", rows: Int = 500) throws -> Book {
        let book = try Book.scratch(folder, name)
        try book.add(Account.sample(1, opening: 1_000))
        try book.add(Ledger.Category.sample(11))
        try book.record(all: (100..<100 + rows).map { .sample($0, category: 11, payee: "payee \($0 % 9)") })
        return book
    }

    private func overwrite(_ path: String, at offset: Int, with byte: UInt8, count: Int) {
        let descriptor = open(path, O_RDWR)
        defer { Glibc.close(descriptor) }
        let bytes = [UInt8](repeating: byte, count: count)
        #expect(pwrite(descriptor, bytes, count, off_t(offset)) == count)
    }

    @Test func aFileIsPrivateAndOpensAgain() throws {
        let path = folder("new/book.sqlite")
        try Book.open(at: path, clock: { noon }).close()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder("new"), &status) == 0 && status.st_mode & 0o777 == 0o700)
        try Book.open(at: path, clock: { noon }).close()
        #expect(try Book.checkIntegrity(at: path) == [])
    }

    @Test func aDamagedFileIsRefusedAndLeftAsItIs() throws {
        try filled().close()
        let path = folder("book.sqlite")
        let damages: [(name: String, damage: (String) -> Void)] = [
            ("header", { overwrite($0, at: 0, with: 7, count: 100) }),
            ("text", { overwrite($0, at: 0, with: 65, count: DatabaseFile.size(of: $0)) }),
            ("short", { truncate($0, 5_000) }),
        ]
        for (name, damage) in damages {
            let copy = folder(name)
            try Book.scratch(folder).backup(to: copy)
            damage(copy)
            let size = DatabaseFile.size(of: copy)
            #expect {
                try Book.open(at: copy, clock: { noon })
            } throws: { error in
                if case BookError.damaged = error { true } else { false }
            }
            #expect(DatabaseFile.size(of: copy) == size)
        }
        #expect(DatabaseFile.size(of: path) > 0)
    }

    @Test func damageInTheMiddleIsFoundByTheDoctorAndAfterAnUncleanStop() throws {
        let book = try filled(rows: 3_000)
        let copy = folder("copy.sqlite")
        try book.backup(to: copy)
        overwrite(copy, at: 40 * 2_048, with: 0xEE, count: 60 * 2_048)
        #expect(throws: BookError.self) {
            let findings = try Book.checkIntegrity(at: copy)
            if !findings.isEmpty { throw BookError.damaged("found") }
        }
        // A log beside the file is what an unclean stop leaves.
        overwriteLog(of: copy)
        #expect {
            try Book.open(at: copy, clock: { noon })
        } throws: { error in
            if case BookError.damaged = error { true } else { false }
        }
    }

    private func overwriteLog(of path: String) {
        let descriptor = open(path + "-wal", O_RDWR | O_CREAT, 0o600)
        defer { Glibc.close(descriptor) }
        #expect(write(descriptor, [0 as UInt8], 1) == 1)
    }

    @Test func anotherProgramsFileIsNotTouched() throws {
        let path = folder("other.sqlite")
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
        try other.close()
        #expect(throws: BookError.damaged("another program's file")) {
            try Book.open(at: path, clock: { noon })
        }
    }

    @Test func aStopWithoutClosingLosesNothingThatWasAnswered() throws {
        let book = try filled()
        try book.record(.sample(50, note: "the last one"))
        // The present content of the disk, as a killed process leaves it.
        for ending in ["", "-wal"] {
            try copyFile(folder("book.sqlite" + ending), to: folder("killed.sqlite" + ending))
        }
        let survivor = try Book.scratch(folder, "killed.sqlite")
        #expect(try survivor.transaction(.number(50))?.note == "the last one")
        #expect(try survivor.counts() == book.counts())
        #expect(try survivor.verifySums() == [])
    }

    @Test func aLogTornInTheMiddleEndsAtAWholeChange() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        for number in 100..<140 { try book.record(.sample(number)) }
        let log = folder("book.sqlite-wal")
        let whole = DatabaseFile.size(of: log)
        var random = SplitMix(seed: 11)
        for round in 0..<12 {
            let name = "torn\(round).sqlite"
            for ending in ["", "-wal"] {
                try copyFile(folder("book.sqlite" + ending), to: folder(name + ending))
            }
            truncate(folder(name + "-wal"), off_t(Int.random(in: whole / 3..<whole, using: &random)))
            let survivor = try Book.scratch(folder, name)
            let rows = try survivor.transactions(TransactionQuery()).page.rows
            // The first so many, without a gap.
            #expect(rows.map(\.id).reversed() == (100..<100 + rows.count).map { EntityID.number($0) })
            #expect(try survivor.account(.number(1))?.balanceMinor == Int128(rows.count) * -1_250)
            #expect(try survivor.verifySums() == [])
        }
    }

    private func copyFile(_ source: String, to target: String) throws {
        let from = open(source, O_RDONLY)
        let to = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer {
            Glibc.close(from)
            Glibc.close(to)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0 else { return }
            #expect(write(to, buffer, count) == count)
        }
    }

    @Test func aFullDiskRefusesTheChangeAndNothingElse() throws {
        let book = try filled()
        let before = try book.counts()
        try book.store.inDatabase { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        var refused = 0
        for number in 2_000..<2_200 {
            do {
                try book.record(.sample(number, note: String(repeating: "x", count: 1_900)))
            } catch {
                #expect(error == .diskFull)
                refused += 1
            }
        }
        #expect(refused > 100)
        #expect(try book.counts().transactions == before.transactions + 200 - refused)
        #expect(try book.verifySums() == [])
        try book.deleteTransaction(.number(100))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func aReadOnlyFolderIsSaidSo() throws {
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        #expect(throws: BookError.readOnly) { try Book.scratch(folder) }
    }

    @Test func whatIsNoPlaceForAFileIsAnError() throws {
        #expect(throws: BookError.self) { try Book.open(at: "", clock: { noon }) }
        #expect(throws: BookError.self) { try Book.open(at: folder.path, clock: { noon }) }
        #expect(throws: BookError.self) { try Book.open(at: folder("a/b/c.sqlite"), clock: { noon }) }
        #expect(throws: BookError.self) { try Book.open(at: "/proc/self/book.sqlite", clock: { noon }) }
        #expect(throws: BookError.self) { try Book.checkIntegrity(at: folder("none.sqlite")) }
    }

    @Test func aClosedBookSaysSo() throws {
        let book = try filled()
        for _ in 1...2 { book.close() }
        #expect(DatabaseFile.size(of: folder("book.sqlite-wal")) < 0)
        #expect(throws: BookError.closed) { try book.counts() }
        #expect(throws: BookError.closed) { try book.record(.sample(50)) }
    }

    // MARK: Migrations

    private static let newest = Migration.book.map(\.number).max() ?? 0
    private static let added = Migration(
        number: newest + 1,
        name: "added",
        since: "99.1.0",
        sql: "ALTER TABLE accounts ADD COLUMN archived INTEGER NOT NULL DEFAULT 0"
    )

    @Test func anUpgradeKeepsACopyAndAllRows() throws {
        try filled().close()
        let path = folder("book.sqlite")
        let upgraded = try Book.open(at: path, clock: { noon }, migrations: Migration.book + [Self.added])
        #expect(try upgraded.counts().transactions == 500)
        #expect(
            try upgraded.store.inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Self.newest
                + 1
        )
        upgraded.close()
        let copy = try Book.scratch(folder, "book.sqlite.schema-\(Self.newest)")
        #expect(try copy.counts().transactions == 500)
        let newer = NewerSchema(found: Self.newest + 1, known: Self.newest, needed: "99.1.0")
        #expect(throws: BookError.newerSchema(newer)) { try Book.scratch(folder) }
        #expect(throws: BookError.newerSchema(newer)) { try Book.checkIntegrity(at: path) }
        #expect("\(newer)".contains("install Breadly 99.1.0 or newer"))
    }

    @Test func aBookFromBeforeTheFirstReleaseIsToldApart() throws {
        let book = try filled()
        let path = book.path
        try book.store.inDatabase { try $0.execute(sql: "PRAGMA user_version = 24") }
        book.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = BookError.migrationRefused(
            "a version of Breadly before the first release has written it (schema 24, this one begins with 25): export it "
                + "with that version"
        )
        #expect(throws: refusal) { try Book.scratch(folder) }
        #expect(throws: refusal) { try Book.checkIntegrity(at: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(Book.isOfOtherVersion(header: before.prefix(100)))
    }

    @Test func anAccountWithoutAnIDIsDamage() throws {
        let book = try Book.scratch(folder)
        let sql = """
            DROP TABLE accounts; CREATE TABLE accounts (id, opening_minor, deleted_at);
            INSERT INTO accounts VALUES (NULL, 0, NULL)
            """
        // Not checked: nothing refers to a table that is damaged like that.
        try book.store.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
        book.close()
        #expect(throws: BookError.damaged("an account without an id")) {
            try Book.open(
                at: folder("book.sqlite"),
                clock: { noon },
                migrations: Migration.book + [Self.added]
            )
        }
    }

    static let bad: [(name: String, sql: String)] = [
        ("loses a row", "DELETE FROM transactions WHERE seq = 3"),
        ("hides a row", "UPDATE transactions SET deleted_at = 1 WHERE seq = 3"),
        ("changes an amount", "UPDATE transactions SET account_minor = account_minor + 1 WHERE seq = 3"),
        ("changes an opening", "UPDATE accounts SET opening_minor = 5"),
        ("fails", "CREATE TABLE half (x); SELECT nothing"),
    ]

    @Test(arguments: bad)
    func aMigrationThatChangesTheLedgerIsUndone(name: String, sql: String) throws {
        try filled().close()
        let path = folder("book.sqlite")
        let broken = Migration(number: Self.newest + 2, name: name, since: "99.2.0", sql: sql)
        #expect(throws: BookError.self) {
            try Book.open(at: path, clock: { noon }, migrations: Migration.book + [Self.added, broken])
        }
        let book = try Book.scratch(folder)
        #expect(try book.counts().transactions == 500)
        #expect(try book.account(.number(1))?.balanceMinor == 1_000 - 500 * 1_250)
        #expect(try Book.checkIntegrity(at: path) == [])
    }

    @Test func wrongSumsAreFoundAndPutRight() throws {
        let book = try filled()
        for (table, sql) in [
            ("month_sums", "UPDATE month_sums SET minor = minor + 1"),
            ("day_sums", "DELETE FROM day_sums"),
            ("account_sums", "UPDATE account_sums SET delta_minor = 0"),
            (
                "transactions_search",
                "INSERT INTO transactions_search (rowid, words) VALUES (5, char(57344) || 9)"
            ),
        ] {
            try book.store.inDatabase { try $0.execute(sql: sql) }
            #expect(try book.verifySums() == [table])
            #expect(try Book.checkIntegrity(at: book.path) == ["the sums in \(table) are wrong"])
            try book.rebuildSums()
            #expect(try book.verifySums() == [])
        }
    }

    @Test func sumsNearTheEndOfTheRangeAreRebuilt() throws {
        let book = try filled()
        let most: Int64 = 5_000_000_000_000_000_000
        try book.record(.sample(9_001, .income, "2025-11-15", most, payee: "Bank"))
        try book.record(.sample(9_002, .expense, "2025-11-15", most, payee: "Bank"))
        for table in ["payee_months", "charged_months", "payee_years", "charged_years"] {
            try book.store.inDatabase { try $0.execute(sql: "DELETE FROM \(table)") }
        }
        #expect(try Set(book.verifySums()).isSuperset(of: ["payee_months", "charged_months"]))
        try book.rebuildSums()
        #expect(try book.verifySums() == [])
        // The sums of years follow those of months again.
        try book.record(.sample(9_003, .expense, payee: "Bank"))
        #expect(try book.verifySums() == [])
    }

    // MARK: Copies, and several hands

    @Test func aBackupIsWholeWhileTheBookIsWrittenTo() async throws {
        let book = try filled()
        let copies = (0..<5).map { folder("backup\($0).sqlite") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 5_000..<5_200 { try book.record(.sample(number, category: 11)) } }
            group.addTask { for copy in copies { try book.backup(to: copy) } }
            try await group.waitForAll()
        }
        for copy in copies {
            #expect(try Book.checkIntegrity(at: copy) == [])
            let count = try Book.open(at: copy, clock: { noon }).counts().transactions
            #expect((500...700).contains(count))
        }
        #expect(throws: BookError.self) { try book.backup(to: copies[0]) }
    }

    @Test func anExportSeesOneMomentAndHoldsNobodyUp() throws {
        let book = try filled()
        var seen = 0
        try book.export { entity in
            guard entity.kind == "transaction" else { return nil }
            return { _ in
                // A change in the middle succeeds and is not part of it.
                if seen == 0 { try book.record(.sample(9_000, .expense, "2099-01-01")) }
                seen += 1
            }
        }
        #expect(seen == 500)
        #expect(try book.counts().transactions == 501)
    }

    @Test func manyHandsAtOnceLoseNothing() async throws {
        let book = try filled(rows: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hand in 0..<8 {
                group.addTask {
                    for number in 0..<40 {
                        let row = Transaction.sample(10_000 + hand * 100 + number, payee: "hand \(hand)")
                        try book.record(row)
                        if number % 4 == 0 { try book.deleteTransaction(row.id) }
                        let view = try book.transactions(TransactionQuery { $0.month = month("2025-11") })
                        // Within one reading, list and counts are of one moment.
                        #expect(view.counts.transactions == view.page.totals.reduce(0) { $0 + $1.count })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try book.counts().transactions == 10 + 8 * 30)
        #expect(try book.verifySums() == [])
    }

    @Test func pagesCoverEveryRowOnceThoughRowsAreAddedMeanwhile() throws {
        let book = try filled(rows: 300)
        let known = Set((100..<400).map { EntityID.number($0) })
        var query = TransactionQuery { $0.limit = 7 }
        var seen: [EntityID] = []
        var number = 20_000
        repeat {
            let page = try book.transactions(query).page
            seen += page.rows.map(\.id).filter(known.contains)
            query.after = page.next
            for date in ["2025-11-14", "2025-11-15", "2025-11-16"] {
                number += 1
                // Before, between and behind what was seen already.
                let id = EntityID(high: number % 2 == 0 ? 0 : 2, low: UInt64(number))
                var row = Transaction.sample(number, .expense, date)
                row.id = id
                try book.record(row)
            }
        } while query.after != nil && seen.count < 400 && number < 21_000
        #expect(Set(seen) == known && seen.count == known.count)
    }
}
