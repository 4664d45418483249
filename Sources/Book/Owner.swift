// The owner of a book. All rows of a book have one owner, so it is stored once.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The guest or user that owns all rows; nil in a book that was never given an owner.
    public func owner() throws(BookError) -> EntityID? {
        try reading { db in try db.first("SELECT id FROM owner", []) { try $0.id(0) } }
    }

    /// Makes a user the owner of all rows: one small change, whatever the size of the book. A repeated call
    /// does nothing.
    public func move(to owner: EntityID) throws(BookError) {
        try changeAsUser { db in
            let sql =
                "INSERT INTO owner (only_row, id) VALUES (1, ?) ON CONFLICT DO UPDATE SET id = excluded.id"
            try db.change(sql, [owner.column])
        }
    }
}
