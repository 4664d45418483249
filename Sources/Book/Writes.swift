// The ways to change a book, and how what its user changes reaches the cloud.
//
//     form ──► a verb of Book ──► changeAsUser ─┐
//                                               ▼
//                                      UPDATE accounts …            one transaction, from here to the outbox
//                                               │
//            trigger accounts_record_update     ▼   only while sync.is_recording
//                                           history                 what the user sees and undoes
//                                               │
//            trigger history_capture            ▼   only while sync.is_capturing, and device IS NULL
//                                            outbox                 what /sync lists as waiting
//                                               │
//            nextBatch (`cut`)                  ▼   numbers them, and sends what is there
//                                             push ──► the cloud merges
//                                               │
//            results (`settle`)                 ▼   applied, superseded, rejected
//                                       acknowledged                until the cursor has passed it: then the row of
//                                                                   the outbox goes
//
//     a page of the cloud ──► applyRemoteRows ──► UPDATE accounts …  both flags are off: no trigger takes it for the
//                                               │                    user's
//                                               └──► history, with the name of the other device
//
// Each table has a trigger for each of creation, change, deletion and restoring, which names every declared field;
// conflict records have no history, and the one field that is changed here goes to the outbox by a trigger of its own.
// A row of an attached book that is still to be sent as a whole (`walk_…`), or waits as a creation, is not captured: it
// is sent as it will be then.
import GRDB
import Storage

extension Book {
    /// A change of the user's: all of it or nothing.
    ///
    /// Each row that it changes is in the history as one entry of this moment, can be undone, and is captured for the
    /// cloud where the book is attached. What pages keep in memory is read anew, and the sync is told that there is
    /// something to send.
    func changeAsUser<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let now = clock()
        let value = try changeRows { db in
            // All that is captured and recorded of this change belongs together, and is of this moment.
            try db.change("UPDATE sync SET tx = tx + 1, now = ?", [now])
            return try body(db)
        }
        noteChange()
        return value
    }

    /// Applies rows of the cloud, or what else changes rows without anybody having changed them here: all of it or nothing.
    ///
    /// Nothing is captured. The history gets only what `body` notes in it under another device's name. What pages keep in
    /// memory is read anew; the sync, which has brought it, is not told.
    func applyRemoteRows<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try changeRows { db in
            try db.switchedOff("is_recording") { try db.switchedOff("is_capturing") { try body(db) } }
        }
    }

    /// Changes what the sync keeps beside the rows, such as cursor, outbox and staged rows, and no row that a page shows:
    /// all of it or nothing. Nothing is in the history, and what pages keep in memory stays.
    func updateSyncState<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try write(body)
    }

    /// One transaction, durable when this returns.
    private func write<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let schema = schema
        return try store.changing { try body(BookDatabase(connection: $0, schema: schema)) }
    }

    /// One transaction after which what pages keep in memory is read anew.
    private func changeRows<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try lookups.changing { () throws(BookError) in
            try payees.changing { () throws(BookError) in try write(body) }
        }
    }
}

extension BookDatabase {
    /// A part of a user's change that the cloud needs not hear of, because it takes back what was never sent. It is in the
    /// history and can be undone.
    func withoutSending<Value>(_ body: () throws -> Value) throws -> Value {
        try switchedOff("is_capturing", body)
    }

    /// A part of a user's change that belongs to the beginning of a book, such as the starter categories. It is not in the
    /// history, except in a book that is attached: what is sent is what is recorded.
    func asBeginning<Value>(_ body: () throws -> Value) throws -> Value {
        try number("SELECT is_capturing FROM sync") == 1 ? body() : switchedOff("is_recording", body)
    }

    /// A part of a change while which a flag of `sync` is 0. Where `body` throws, its transaction undoes that too.
    fileprivate func switchedOff<Value>(_ flag: String, _ body: () throws -> Value) throws -> Value {
        let wasOn = try number("SELECT \(flag) FROM sync") == 1
        if wasOn { try change("UPDATE sync SET \(flag) = 0") }
        let value = try body()
        if wasOn { try change("UPDATE sync SET \(flag) = 1") }
        return value
    }
}
