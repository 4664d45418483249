// The ways to change a book, and the path of a user's change to the cloud.
//
//     form ──► a function of Book ──► changeAsUser
//                                               │
//                                               ▼
//                                      UPDATE accounts …            one transaction, from here to the outbox
//                                               │
//            trigger accounts_record_update     ▼   only while sync.is_recording
//                                           history                 what the user sees and undoes
//                                               │
//            trigger history_capture            ▼   only while sync.is_capturing, and device IS NULL
//                                            outbox                 what /sync lists as waiting
//                                               │
//            nextBatch                          ▼   numbers the next operations and returns them
//                                             push ──► the cloud merges
//                                               │
//            acknowledge                        ▼   applied, superseded, rejected
//                                         results                   stay in the outbox until the cursor has
//                                                                   passed them
//
//     a page of the cloud ──► applyRemoteRows ──► UPDATE accounts …   both flags are off: no trigger records
//                                               │                     or captures the change
//                                               └──► history, with the name of the other device
//
// Each table has a trigger for each of creation, change, deletion and restoring, which lists every declared
// field. Conflict records have no history; a trigger of their own writes the one field that can change here
// to the outbox. Except for its deletion, a change of a row that the outbox will send as a whole is not
// captured: of a row of a recently attached book that is not queued yet (`walk_…`), or of a creation that was
// never numbered. The row is sent in the state that it has by then.
import GRDB
import Storage

extension Book {
    /// Runs a change of the user in one transaction.
    ///
    /// Each changed row gets one entry in the history, with the present time. The change can be undone. It is
    /// captured for the cloud if the book is attached. The caches of pages are emptied, and the sync is
    /// notified of changes to send.
    func changeAsUser<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let now = clock()
        let value = try changeRows { db in
            // The records and operations of this change have one number and one time.
            try db.change("UPDATE sync SET tx = tx + 1, now = ?", [now])
            return try body(db)
        }
        noteChange()
        return value
    }

    /// Applies remote rows, or changes rows in another way that is not a change of the user here, in one
    /// transaction.
    ///
    /// Nothing is captured. The history gets only the entries that `body` adds in the name of another device.
    /// The caches of pages are emptied. The sync is not notified, because it made the change.
    func applyRemoteRows<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try changeRows { db in
            try db.switchedOff("is_recording") { try db.switchedOff("is_capturing") { try body(db) } }
        }
    }

    /// Changes the state of the sync, such as cursor, outbox and staged rows, in one transaction. `body` must
    /// not change any row that a page shows. Nothing goes into the history, and the caches of pages stay.
    func updateSyncState<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try write(body)
    }

    /// Changes what only this book knows, such as a suggestion that the user does not want, in one transaction. `body` must
    /// not change any row that is synced. Nothing goes into the history, and the caches of pages stay.
    func updateLocalState(_ body: (BookDatabase) throws -> Void) throws(BookError) { try write(body) }

    /// Replaces stored exchange rates in one transaction. They are no rows of the user: nothing goes into the history or
    /// to the cloud, and only the cache of these rates is emptied.
    func updateRates<Rates>(in cache: VersionedCache<Rates>, _ body: (BookDatabase) throws -> Void)
        throws(BookError)
    {
        try cache.changing { () throws(BookError) in try write(body) }
    }

    /// Runs one transaction, which is durable when the call returns. Every write of a book comes here.
    private func write<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let schema = schema
        return try knownSyncFacts.changing { () throws(BookError) in
            try knownAbsentFiles.changing { () throws(BookError) in
                try store.changing { try body(BookDatabase(connection: $0, schema: schema)) }
            }
        }
    }

    /// Runs one transaction and empties the caches of pages.
    private func changeRows<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        try lookups.changing { () throws(BookError) in
            try payees.changing { () throws(BookError) in
                try payeeNames.changing { () throws(BookError) in try write(body) }
            }
        }
    }
}

extension BookDatabase {
    /// Runs a part of a user's change that is not sent to the cloud, because it reverts a change that was
    /// never sent. It goes into the history and can be undone.
    func withoutSending<Value>(_ body: () throws -> Value) throws -> Value {
        try switchedOff("is_capturing", body)
    }

    /// Runs a part of a user's change that belongs to the beginning of a book, such as the starter
    /// categories. It does not go into the history, except in an attached book, where only recorded changes
    /// are sent.
    func asBeginning<Value>(_ body: () throws -> Value) throws -> Value {
        try number("SELECT is_capturing FROM sync") == 1 ? body() : switchedOff("is_recording", body)
    }

    /// Runs a part of a change while a flag of `sync` is 0. If `body` throws, its transaction restores the
    /// flag.
    fileprivate func switchedOff<Value>(_ flag: String, _ body: () throws -> Value) throws -> Value {
        let wasOn = try number("SELECT \(flag) FROM sync") == 1
        if wasOn { try change("UPDATE sync SET \(flag) = 0") }
        let value = try body()
        if wasOn { try change("UPDATE sync SET \(flag) = 1") }
        return value
    }
}
