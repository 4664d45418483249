// The seventh schema of a book: the base of a change that is made while a download is under way.
import GRDB
import Storage

/// Such a change had the head of the download for its base, also where its row had not come yet.
let basesMigration = Migration(number: 7, name: "bases") { db in
    try db.execute(sql: "DROP TRIGGER history_capture; DROP TRIGGER conflicts_capture;")
    let triggers = Capture.triggers { kind in
        "ifnull(edit_base, \(Capture.reflected(kind: kind, id: "NEW.id")))"
    }
    for trigger in triggers { try db.execute(sql: trigger) }
}
