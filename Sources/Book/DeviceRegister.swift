// The register of devices: which cookie is which device, where its lifecycle stands, what it is to be shown.
import Foundation
import GRDB
public import Ledger
public import Storage

/// The file `sessions.sqlite`. Safe to use from any thread.
///
/// Every change is durable when its call returns.
public final class DeviceRegister: Sendable {
    /// What SQLite keeps in the file's header to say whose it is.
    static let applicationID: Int32 = 0x4272_6473
    /// How long a replaced cookie still works once its successor was used, for requests under way.
    public static let graceSeconds: Int64 = 60
    /// How many transitions are kept for each device.
    public static let transitionsKept = 100
    /// Being seen is written at most once in so many seconds.
    public static let seenEverySeconds: Int64 = 3_600

    let store: Store<BookError>

    private init(_ store: Store<BookError>) { self.store = store }

    /// Opens the register, made if there is none.
    /// - Throws: `BookError`, as `Book.open`.
    public static func open(at path: String) throws(BookError) -> DeviceRegister {
        try open(at: path, migrations: Migration.register)
    }

    static func open(at path: String, migrations: [Migration]) throws(BookError) -> DeviceRegister {
        DeviceRegister(
            try Store<BookError>.open(at: path, applicationID: applicationID, migrations: migrations) {
                db in
                ["devices": Int64(try db.number("SELECT count(*) FROM devices"))]
            }
        )
    }

    /// The upgrade that opening it has made; nil where there was nothing to do.
    public var upgrade: SchemaUpgrade? { store.upgrade }

    /// Whether opening a register would bring its file to another schema. Nothing is made or changed to find out.
    public static func needsUpgrade(at path: String, now: Int64) throws(BookError) -> Bool {
        do {
            return try Examination.schema(of: path, now: now) < (Migration.register.last?.number ?? 0)
        } catch {
            throw BookError(error)
        }
    }

    /// Closes it. Every later call throws `closed`.
    public func close() { store.close() }

    /// The device that holds a cookie; also by its previous one, until a minute after the new one was first used.
    /// - Parameter now: UTC seconds.
    public func find(cookieHash: CookieHash, now: Int64) throws(BookError) -> DeviceRecord? {
        try store.reading { db in
            let bytes = cookieHash.column
            let current =
                "SELECT \(DeviceRecord.read), 0, \(Self.isUnused) FROM devices WHERE cookie_hash = ?"
            if let device = try db.first(current, [bytes], { try DeviceRecord($0) }) { return device }
            let previous = """
                SELECT \(DeviceRecord.read), 1, \(Self.isUnused) FROM devices
                WHERE previous_hash = ? AND previous_valid_until >= ?
                """
            return try db.first(previous, [bytes, now]) { try DeviceRecord($0) }
        }
    }

    /// The device whose cookie this was until a sign-in replaced it by one that was never used: its answer may have been
    /// lost on the way. Such a cookie opens nothing by itself.
    public func find(replacedBySignIn cookieHash: CookieHash) throws(BookError) -> DeviceRecord? {
        try store.reading { db in
            let sql = """
                SELECT \(DeviceRecord.read), 1, 1 FROM devices
                WHERE previous_hash = ? AND previous_valid_until = \(Self.dead)
                """
            return try db.first(sql, [cookieHash.column]) { try DeviceRecord($0) }
        }
    }

    /// A device by its id, or nil.
    public func device(_ id: EntityID) throws(BookError) -> DeviceRecord? {
        try store.reading { db in
            let sql = "SELECT \(DeviceRecord.read), 0, 0 FROM devices WHERE id = ?"
            return try db.first(sql, [id.column]) { try DeviceRecord($0) }
        }
    }

    /// Adds a device.
    /// - Throws: `idTaken` where its id or its cookie is known already.
    public func create(_ device: DeviceRecord) throws(BookError) {
        try store.changing { db in
            let known = "SELECT 1 FROM devices WHERE id = ?1 OR cookie_hash = ?2 OR previous_hash = ?2"
            guard try db.first(known, [device.id.column, device.cookieHash.column], { _ in true }) == nil
            else {
                throw BookError.idTaken(device.id)
            }
            try db.change(
                """
                INSERT INTO devices (\(DeviceRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    device.id.column, device.cookieHash.column, device.createdAt, device.seenAt,
                    device.rotatedAt,
                    device.locale, device.onboarding, device.state, device.guest.column,
                    device.isHostBound,
                ]
            )
        }
    }

    /// Whether a device's book was made and was not removed since.
    public func hasBook(_ device: EntityID) throws(BookError) -> Bool { try bookState(of: device) ?? false }

    /// The same; nil where there is no such device.
    public func bookState(of device: EntityID) throws(BookError) -> Bool? {
        try store.reading { db in
            try db.first("SELECT has_book FROM devices WHERE id = ?", [device.column]) { $0.int(0) == 1 }
        }
    }

    /// Notes that a device's book was made, or is about to be removed.
    public func note(hasBook: Bool, _ device: EntityID) throws(BookError) {
        try store.changing { db in
            let sql = "UPDATE devices SET has_book = ? WHERE id = ? AND has_book <> ?"
            try db.change(sql, [hasBook, device.column, hasBook])
        }
    }

    /// Replaces a device's cookie. The one before works until the new one was used, and a minute more: an answer that
    /// got lost on its way with the new cookie in it must not cost anybody their book. The one before that dies.
    /// - Parameters:
    ///   - oldHash: replaced only where it still is the device's; nil for whichever is.
    ///   - outlives: false where the one before dies at once: somebody signs in or out, and who knows it from before must
    ///     not come along.
    /// - Returns: whether it was replaced.
    /// - Throws: `unknownDevice`; `idTaken` where the new cookie is known already.
    @discardableResult
    public func rotate(
        _ device: EntityID,
        from oldHash: CookieHash? = nil,
        to newHash: CookieHash,
        outlives: Bool = true,
        now: Int64
    ) throws(BookError) -> Bool {
        try store.changing { db in
            if let oldHash {
                let isCurrent = "SELECT 1 FROM devices WHERE id = ? AND cookie_hash = ?"
                if try db.first(isCurrent, [device.column, oldHash.column], { _ in true }) != true {
                    // A form that met the replacement for age came with the one before.
                    guard !outlives else { return false }
                    return try db.endPrevious(oldHash, of: device, newHash, now)
                }
            }
            let known = "SELECT 1 FROM devices WHERE cookie_hash = ?1 OR previous_hash = ?1"
            guard try db.first(known, [newHash.column], { _ in true }) == nil else {
                throw BookError.idTaken(device)
            }
            let changed = try db.change(
                """
                UPDATE devices SET
                  previous_hash = cookie_hash, previous_valid_until = ?, cookie_hash = ?, rotated_at = ?
                WHERE id = ?
                """,
                [outlives ? Self.unused : Self.dead, newHash.column, now, device.column]
            )
            guard changed == 1 else { throw BookError.unknownDevice(device) }
            return true
        }
    }

    /// Makes a device's cookie due: its next visit gets another one.
    public func expireCookie(of device: EntityID) throws(BookError) {
        _ = try store.changing { db in
            try db.change("UPDATE devices SET rotated_at = 0 WHERE id = ?", [device.column])
        }
    }

    /// Notes that a device's new cookie was used: the one before dies in a minute, or is forgotten where it is dead.
    public func confirm(_ device: EntityID, now: Int64) throws(BookError) {
        _ = try store.changing { db in
            try db.change(
                """
                UPDATE devices SET previous_hash = NULL, previous_valid_until = NULL
                WHERE id = ? AND previous_valid_until = ?
                """,
                [device.column, Self.dead]
            )
            let sql = "UPDATE devices SET previous_valid_until = ? WHERE id = ? AND previous_valid_until = ?"
            return try db.change(sql, [now + Self.graceSeconds, device.column, Self.unused])
        }
    }

    /// Notes that a device's cookie is one that browsers send over TLS to this host alone.
    public func bindToHost(_ device: EntityID) throws(BookError) {
        _ = try store.changing { db in
            try db.change("UPDATE devices SET is_host_bound = 1 WHERE id = ?", [device.column])
        }
    }

    /// Replaces a new cookie that its browser never got by another; the one before stays what it is.
    /// - Parameters:
    ///   - newHash: replaced only where it still is the device's; nil for whichever is.
    ///   - oldHash: the one before.
    /// - Returns: whether it was replaced: not where the new cookie was used in the meantime.
    public func replaceUnused(
        _ device: EntityID,
        from newHash: CookieHash? = nil,
        after oldHash: CookieHash,
        by freshHash: CookieHash,
        now: Int64
    ) throws(BookError) -> Bool {
        try store.changing { db in
            let sql = """
                UPDATE devices SET cookie_hash = ?1, rotated_at = ?2
                WHERE id = ?3 AND previous_hash = ?4 AND previous_valid_until IN (\(Self.unused), \(Self.dead))
                  AND cookie_hash = ifnull(?5, cookie_hash)
                """
            let present = newHash?.column ?? .null
            let arguments: StatementArguments = [
                freshHash.column, now, device.column, oldHash.column, present,
            ]
            return try db.change(sql, arguments) == 1
        }
    }

    /// Stands for the end of the previous cookie while the new one was not used yet.
    private static let unused = Int64.max
    /// Stands for the end of a previous cookie that opens nothing any more.
    fileprivate static let dead: Int64 = -1
    private static let isUnused = "ifnull(previous_valid_until IN (\(unused), \(dead)), 0)"

    /// Notes that a device was used; written only where the last note is an hour old.
    /// - Returns: whether it was written.
    @discardableResult
    public func touch(_ device: DeviceRecord, now: Int64) throws(BookError) -> Bool {
        guard now - Self.seenEverySeconds >= device.seenAt else { return false }
        return try store.changing { db in
            // Another request may have written it since the record was read.
            let sql = "UPDATE devices SET seen_at = ? WHERE id = ? AND seen_at <= ?"
            return try db.change(sql, [now, device.id.column, now - Self.seenEverySeconds]) == 1
        }
    }

    /// Keeps the step of onboarding that comes next.
    /// - Throws: `unknownDevice`.
    public func setOnboarding(_ step: String, of device: EntityID) throws(BookError) {
        try store.changing { db in
            guard try db.change("UPDATE devices SET onboarding = ? WHERE id = ?", [step, device.column]) == 1
            else { throw BookError.unknownDevice(device) }
        }
    }

    /// Keeps the lifecycle's state, adds the transition to the log and changes the session with it, as one change.
    /// - Parameter onboarding: the step that comes next from now on; nil where that stays as it is.
    /// - Throws: `unknownDevice`.
    public func persist(
        state: String,
        transition: TransitionRecord,
        of device: EntityID,
        session: SessionChange = .keep,
        onboarding: String? = nil
    ) throws(BookError) {
        try store.changing { db in
            if let onboarding {
                try db.change("UPDATE devices SET onboarding = ? WHERE id = ?", [onboarding, device.column])
            }
            try db.change(session, of: device, transition.at)
            guard try db.change("UPDATE devices SET state = ? WHERE id = ?", [state, device.column]) == 1
            else { throw BookError.unknownDevice(device) }
            try db.change(
                "INSERT INTO transitions (device, at, event, from_state, to_state) VALUES (?, ?, ?, ?, ?)",
                [device.column, transition.at, transition.event, transition.from, transition.to]
            )
            try db.change(
                """
                DELETE FROM transitions WHERE device = ?1 AND seq <= (
                  SELECT seq FROM transitions WHERE device = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2
                )
                """,
                [device.column, Self.transitionsKept]
            )
        }
    }

    /// A device's last transitions, oldest first.
    public func transitions(of device: EntityID) throws(BookError) -> [TransitionRecord] {
        try store.reading { db in
            let sql = "SELECT at, event, from_state, to_state FROM transitions WHERE device = ? ORDER BY seq"
            return try db.all(sql, [device.column]) {
                TransitionRecord(at: $0.int64(0), event: $0.text(1), from: $0.text(2), to: $0.text(3))
            }
        }
    }

    /// Leaves something to be shown; the same key again replaces it.
    /// - Throws: `unknownDevice`.
    public func post(_ notice: Notice, to device: EntityID) throws(BookError) {
        try store.changing { db in
            guard try db.isKnown(device) else { throw BookError.unknownDevice(device) }
            try db.change(
                """
                INSERT INTO notices (device, key, at, text) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET at = excluded.at, text = excluded.text
                """,
                [device.column, notice.key, notice.at, notice.text]
            )
        }
    }

    /// What waits to be shown, oldest first. It stays until it is dismissed.
    public func notices(of device: EntityID) throws(BookError) -> [Notice] {
        try store.reading { db in
            let sql = "SELECT key, at, text FROM notices WHERE device = ? ORDER BY at, key"
            return try db.all(sql, [device.column]) {
                Notice(key: $0.text(0), at: $0.int64(1), text: $0.text(2))
            }
        }
    }

    /// Takes a notice away.
    /// - Returns: whether it was there: of two pages that show a toast, one gets it.
    @discardableResult
    public func dismiss(_ key: String, of device: EntityID) throws(BookError) -> Bool {
        try store.changing { db in
            try db.change("DELETE FROM notices WHERE device = ? AND key = ?", [device.column, key]) == 1
        }
    }

    /// How many devices there are.
    public func count() throws(BookError) -> Int {
        try store.reading { db in try db.number("SELECT count(*) FROM devices") }
    }

    /// Every device, oldest first.
    public func all() throws(BookError) -> [DeviceRecord] {
        try store.reading { db in
            try db.all("SELECT \(DeviceRecord.read), 0, 0 FROM devices ORDER BY id") {
                try DeviceRecord($0)
            }
        }
    }

    /// Removes a device with its log and notices; its book's file is the caller's. Again it does nothing.
    public func forget(_ device: EntityID) throws(BookError) {
        _ = try store.changing { db in try db.change("DELETE FROM devices WHERE id = ?", [device.column]) }
    }

    /// Writes a consistent copy to a new file, while the register is in use.
    /// - Throws: as `Book.backup`.
    public func backup(to target: String) throws(BookError) { try store.backup(to: target) }
}

extension DeviceRecord {
    static let columns =
        "id, cookie_hash, created_at, seen_at, rotated_at, locale, onboarding, state, guest, is_host_bound"
    /// The columns that are read of one, without how it was found.
    static let read = columns + ", CASE WHEN previous_valid_until >= 0 THEN previous_hash END"

    init(_ row: Columns) throws {
        guard let hash = CookieHash(row.bytes(1)) else {
            throw BookError.damaged("a cookie's hash that is none")
        }
        self.init(
            id: try row.id(0),
            cookieHash: hash,
            createdAt: row.int64(2),
            seenAt: row.int64(3),
            rotatedAt: row.int64(4),
            locale: row.text(5),
            onboarding: row.text(6),
            state: row.text(7),
            guest: row.isNull(8) ? nil : try row.id(8),
            isHostBound: row.int(9) == 1,
            previousCookie: row.isNull(10) ? nil : CookieHash(row.bytes(10)),
            byPreviousCookie: row.int(11) == 1,
            awaitsNewCookie: row.int(12) == 1
        )
    }
}

extension CookieHash {
    var column: DatabaseValue { Data(bytes).databaseValue }
}

extension Database {
    /// Puts a new cookie in the place of the present one and of the one before, from which a browser comes.
    fileprivate func endPrevious(_ old: CookieHash, of device: EntityID, _ new: CookieHash, _ now: Int64)
        throws
        -> Bool
    {
        try change(
            """
            UPDATE devices SET previous_valid_until = ?1, cookie_hash = ?2, rotated_at = ?3
            WHERE id = ?4 AND previous_hash = ?5 AND previous_valid_until >= ?3
            """,
            [DeviceRegister.dead, new.column, now, device.column, old.column]
        ) == 1
    }

    fileprivate func isKnown(_ device: EntityID) throws -> Bool {
        try first("SELECT 1 FROM devices WHERE id = ?", [device.column], { _ in true }) ?? false
    }
}
