// The notices of a device: messages that stay until they are dismissed.
import Foundation
import GRDB
public import Ledger
import Storage
public import Texts

/// A message that stays on a device until it is dismissed.
public struct Notice: Hashable, Sendable {
    /// The kind of message; a device has at most one of each kind.
    public var key: String
    /// UTC seconds.
    public var at: Int64
    /// The text for the user.
    public var text: Text

    /// - Parameter at: UTC seconds.
    public init(key: String, at: Int64, text: Text) {
        self.key = key
        self.at = at
        self.text = text
    }
}

extension Text {
    /// The text as the table `notices` stores it: JSON with sorted keys.
    func encoded() throws -> String { try StoredJSON.encode(self) }

    /// Reads a stored text. A text of a newer version that this one cannot read becomes a sentence that says so.
    init(encoded: String) {
        self =
            (try? JSONDecoder().decode(Text.self, from: Data(encoded.utf8)))
            ?? Text("notices.of-a-newer-version")
    }
}

extension DeviceStore {
    /// Adds a notice; one with the same key is replaced.
    /// - Throws: `unknownDevice`.
    public func post(_ notice: Notice, to device: EntityID) throws(DeviceStoreError) {
        try file.changing { db in
            guard try db.contains(device) else { throw DeviceStoreError.unknownDevice(device) }
            try db.post(notice, to: device)
        }
    }

    /// The notices of a device, oldest first.
    public func notices(of device: EntityID) throws(DeviceStoreError) -> [Notice] {
        try file.reading { db in
            let sql = "SELECT key, at, text FROM notices WHERE device = ? ORDER BY at, key"
            return try db.all(sql, [device.column]) {
                Notice(key: $0.text(0), at: $0.int64(1), text: Text(encoded: $0.text(2)))
            }
        }
    }

    /// Removes a notice.
    /// - Returns: whether it existed: only one of two concurrent requests removes it.
    @discardableResult
    public func dismiss(_ key: String, of device: EntityID) throws(DeviceStoreError) -> Bool {
        try file.changing { db in
            try db.change("DELETE FROM notices WHERE device = ? AND key = ?", [device.column, key]) == 1
        }
    }
}

extension Database {
    /// Adds a notice to a device that exists; one with the same key is replaced.
    func post(_ notice: Notice, to device: EntityID) throws {
        let sql = """
            INSERT INTO notices (device, key, at, text) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET at = excluded.at, text = excluded.text
            """
        try change(sql, [device.column, notice.key, notice.at, notice.text.encoded()])
    }
}

/// The keys of the notices about banks, which are removed together with the connections of a device.
public enum BankNotice: String, CaseIterable, Sendable {
    /// The user has to consent again.
    case consentEnded = "bank-consent-ended"
    /// The user's consent ends within two weeks.
    case consentEndsSoon = "bank-consent-ends-soon"
}
