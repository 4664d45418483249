// Whose book it is. All rows of a book are one person's, so that the owner stands in it once.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The guest or user that all rows belong to; nil in a book that was not begun for anybody.
    public func owner() throws(BookError) -> EntityID? {
        try reading { db in try db.first("SELECT id FROM owner", []) { try $0.id(0) } }
    }

    /// Makes all rows a user's, whosever they were: one small change, however many there are. Again it does nothing.
    public func move(to owner: EntityID) throws(BookError) {
        try changeAsUser { db in
            let sql =
                "INSERT INTO owner (only_row, id) VALUES (1, ?) ON CONFLICT DO UPDATE SET id = excluded.id"
            try db.change(sql, [owner.column])
        }
    }
}
