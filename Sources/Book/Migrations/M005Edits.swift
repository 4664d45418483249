// The fifth schema of a book: the base of an edit is what its form had shown.
import GRDB
import Storage

/// `edit_base` is set while a form's change is written: the cloud's sequence that the form reflected, which may be older
/// than what the book reflects by then.
let editsMigration = Migration(number: 5, name: "edits") { db in
    try db.execute(
        sql: """
            ALTER TABLE sync ADD COLUMN edit_base INTEGER;
            DROP TRIGGER history_capture;
            DROP TRIGGER conflicts_capture;
            """
    )
    let triggers = Capture.triggers { kind in
        "ifnull(edit_base, \(reflectedOfOld(kind: kind)))"
    }
    for trigger in triggers { try db.execute(sql: trigger) }
}
