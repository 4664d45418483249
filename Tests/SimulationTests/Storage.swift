// Disks that are full, files that cannot be opened, and books and clouds of the version before that are brought up to date.
import Foundation
import Ledger
import Storage
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

extension World {
    /// Whether this is a world of faulty disks.
    var isOfFaultyDisks: Bool { seed % 5 == 1 }
    /// Whether this is a world in which books and cloud are brought up to date.
    var isUpdated: Bool { seed % 5 == 2 }

    // MARK: - Faulty disks

    /// No file grows any more than it has, for a while; what is under way is rolled back by SQLite itself.
    private static let full = "PRAGMA max_page_count = 1"
    private static let roomy = "PRAGMA max_page_count = 1073741823"

    /// Something happens to a disk.
    func failDisk(of device: SimulatedDevice) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            guard device.life != .gone, !device.isFull else { return }
            count("full disk of a device")
            try setRoom(of: device, isFull: true)
            later(0...20_000) { [unowned self] in try setRoom(of: device, isFull: false) }
        case 1:
            count("full disk of the cloud")
            try setRoomOfCloud(isFull: true)
            later(0...20_000) { [unowned self] in try setRoomOfCloud(isFull: false) }
        case 2:
            count("change that fails")
            device.store.failuresToCome = Int.random(in: 1...4, using: &random)
        default:
            count("book that cannot be opened")
            device.isClosed = true
            later(0...20_000) { device.isClosed = false }
        }
    }

    func setRoom(of device: SimulatedDevice, isFull: Bool) throws {
        device.isFull = isFull
        // Of the writing connection, whose book may be replaced.
        try device.book.store.inDatabase { try $0.execute(sql: isFull ? Self.full : Self.roomy) }
    }

    func setRoomOfCloud(isFull: Bool) throws {
        isCloudFull = isFull
        _ = try directory.changing { try $0.execute(sql: isFull ? Self.full : Self.roomy) }
    }

    // MARK: - The version before

    /// The migration replaces these triggers, so that there must be some of these names.
    private static var undoBanks: String {
        let columns = [
            "bank_connection", "bank_account", "bank_account_type", "is_bank", "last_synced_at",
            "bank_record_from",
        ]
        let replaced = ["accounts", "transactions"]
        return "DROP TABLE bank_notes; DROP INDEX transactions_by_bank;"
            + replaced.map { "DROP TRIGGER \($0)_record_update;" }.joined()
            + columns.map { "ALTER TABLE accounts DROP COLUMN \($0);" }.joined()
            + "ALTER TABLE transactions DROP COLUMN bank_transaction;"
            + replaced.map {
                "CREATE TRIGGER \($0)_record_update AFTER UPDATE OF id ON \($0) BEGIN SELECT 1; END;"
            }
            .joined()
    }

    private static let undoReceipts = """
        DROP TABLE draft_receipts; DROP TABLE bank_answers; DROP TABLE receipts; DROP TABLE receipt_files;
        DROP INDEX history_receipts; ALTER TABLE sync DROP COLUMN is_incomplete; ALTER TABLE outbox DROP COLUMN field;
        """

    private static let undoMonthChanges =
        [
            "transactions_month_insert", "transactions_month_update", "transactions_month_delete",
            "accounts_month_insert",
            "accounts_month_update", "categories_month_insert", "categories_month_update",
        ].map { "DROP TRIGGER \($0);" }.joined() + "DROP TABLE month_changes;"

    private static let undoYears =
        ["insert", "update_out", "update_in", "delete"].map { "DROP TRIGGER transactions_payee_\($0);" }
        .joined()
            + """
            DROP TABLE payee_months; DROP TABLE payee_years; DROP TRIGGER charged_months_insert;
            DROP TRIGGER charged_months_update; DROP TABLE charged_years;
            CREATE TABLE payee_months (month, payee, kind, currency, count, minor);
            """

    private static let undoSchedules =
        "DROP TABLE rate_history; DROP TABLE rate_days; DROP TABLE dismissed_schedules; DROP TABLE schedules;"

    /// The migration replaces triggers, so that there must be some of these names.
    private static var undoSplits: String {
        let events = ["insert", "update_out", "update_in", "delete"]
        let replaced = ["", "charged_", "search_"].flatMap { kind in
            events.map { "transactions_\(kind)\($0)" }
        }
        let names = replaced + ["transactions_record_update"]
        return (names + events.map { "transactions_split_\($0)" }).map { "DROP TRIGGER \($0);" }.joined()
            + """
            DROP TABLE split_shares; DROP INDEX transactions_split;
            ALTER TABLE transactions DROP COLUMN split;
            """
            + names.map { "CREATE TRIGGER \($0) AFTER UPDATE OF note ON transactions BEGIN SELECT 1; END;" }
            .joined()
    }

    /// The migration replaces a trigger, so that there must be one of that name.
    private static let undoCharges =
        ["insert", "update_out", "update_in", "delete"].map { "DROP TRIGGER transactions_charged_\($0);" }
        .joined() + """
            DROP TABLE charged_months; DROP TRIGGER budgets_record_update;
            ALTER TABLE budgets DROP COLUMN until_month; ALTER TABLE budgets DROP COLUMN carry_from;
            ALTER TABLE budgets DROP COLUMN pace;
            CREATE TRIGGER budgets_record_update AFTER UPDATE OF limit_minor ON budgets BEGIN SELECT 1; END;
            PRAGMA user_version = 10;
            """
    private static let undoClosing = """
        DROP TABLE rates; DROP TRIGGER accounts_record_update; ALTER TABLE accounts DROP COLUMN closed;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF name ON accounts BEGIN SELECT 1; END;
        PRAGMA user_version = 10;
        """
    private static let undoStaging = """
        ALTER TABLE staged_rows RENAME TO aside; ALTER TABLE sync RENAME COLUMN staged_up_to TO aside_up_to;
        ALTER TABLE sync RENAME COLUMN download_reason TO download_aside; PRAGMA user_version = 9;
        """
    private static let undoForeign = "ALTER TABLE sync DROP COLUMN known; PRAGMA user_version = 8;"

    private static var undoHashes: String {
        let tables =
            BookSchema.breadly.tables.map(\.name).filter {
                !["schedules", "bank_notes", "receipts"].contains($0)
            } + [
                "foreign_rows", "deviations",
            ]
        return tables.flatMap { table in
            ["insert", "update", "delete"].map { "DROP TRIGGER \(table)_due_\($0);" }
        }.joined()
            + ["agreement", "row_hashes", "due_hashes", "deviations"].map { "DROP TABLE \($0);" }
            .joined() + "PRAGMA user_version = 7;"
    }

    private static let undoMarks = """
        DROP INDEX entities_by_day; ALTER TABLE entities DROP COLUMN day;
        ALTER TABLE sync_accounts DROP COLUMN buried; ALTER TABLE op_results DROP COLUMN field; DROP TABLE files; DROP TABLE rate_days; DROP TABLE implausible_rates; DROP TABLE rate_feed; DROP TABLE file_marks; ALTER TABLE sync_accounts DROP COLUMN was_older;
        ALTER TABLE replicas DROP COLUMN is_behind; PRAGMA user_version = 9;
        """
    private static let undoCloudHashes = """
        DROP TRIGGER entities_changed; DROP TRIGGER entities_added; DROP TRIGGER entities_removed;
        ALTER TABLE entities DROP COLUMN hash; ALTER TABLE sync_accounts DROP COLUMN rows_hash;
        PRAGMA user_version = 8;
        """

    /// A device is given this version while it is attached: its book is as the version before it left it, or as a
    /// process that died between two migrations. A queue, a cursor, a download half-way and losses come along.
    func update(_ device: SimulatedDevice) throws {
        guard device.life != .gone else { return }
        // The version before has no place for these values.
        let newer = """
            SELECT EXISTS (SELECT 1 FROM budgets
              WHERE until_month IS NOT NULL OR carry_from IS NOT NULL OR pace IS NOT NULL)
            OR EXISTS (SELECT 1 FROM accounts WHERE closed IS NOT NULL)
            OR EXISTS (SELECT 1 FROM transactions WHERE split IS NOT NULL OR bank_transaction IS NOT NULL)
            OR EXISTS (SELECT 1 FROM schedules) OR EXISTS (SELECT 1 FROM bank_notes)
            OR EXISTS (SELECT 1 FROM receipts)
            OR EXISTS (SELECT 1 FROM accounts WHERE bank_account IS NOT NULL)
            """
        guard try device.book.store.inDatabase({ try $0.number(newer) }) == 0 else { return }
        count("update of a device")
        note("device \(device.number) is updated")
        let mode: SyncEngine<SimulatedStore>.Mode? =
            device.runner == nil ? nil : device.life == .draining ? .drain : .run
        stopAll(device)
        device.book.close()
        let hasNoHashes = chance(1, in: 2)
        let undo =
            Self.undoReceipts + Self.undoBanks + Self.undoMonthChanges + Self.undoYears + Self.undoSchedules
            + Self.undoSplits
            + Self.undoClosing + Self.undoCharges + Self.undoStaging + Self.undoForeign
            + (hasNoHashes ? Self.undoHashes : "")
        try rewrite(device.path, undo)
        if hasNoHashes { device.hadNoHashes = true }
        let clock = clock
        device.store.book = try Book.open(at: device.path) { clock.now }
        if let mode { start(device, mode) }
    }

    /// The same of the cloud.
    func updateCloud() throws {
        count("update of the cloud")
        note("the cloud is updated")
        let wasUp = isCloudUp
        breakCloud()
        directory.close()
        let path = folder + "/cloud.sqlite"
        try rewrite(path, Self.undoMarks + (chance(1, in: 2) ? Self.undoCloudHashes : ""))
        try? FileManager.default.removeItem(atPath: path + ".mark")
        directory = try Self.open(folder, clock, seed ^ random.next())
        service = SyncService(directory)
        isCloudUp = wasUp
    }

    private func rewrite(_ path: String, _ sql: String) throws {
        let file = try DatabaseFile.open(at: path)
        try file.inDatabase { try $0.execute(sql: sql) }
        try file.close()
    }
}
