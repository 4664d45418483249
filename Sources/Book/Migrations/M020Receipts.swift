// The twentieth schema of a book: receipts beside transactions, and the files of this device that they refer to.
import Storage

/// `size` and `sent` are bytes, `created` and `used_at` UTC seconds. `receipt_files` is not synced. It has a row for each
/// file that is on this device: `is_cached` is 1 for a file that was fetched from the cloud and may be removed to make
/// room, `sent` the number of bytes of an unfinished upload, `failure` the code of the reason why an upload failed.
let receiptsMigration = Migration(
    number: 20,
    name: "receipts",
    since: "0.1.0",
    sql: """
        CREATE TABLE receipts (
          id             TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          transaction_id TEXT    CHECK (length(transaction_id) = 26),
          name           TEXT    NOT NULL CHECK (length(name) <= 1000),
          type           TEXT    NOT NULL CHECK (length(type) <= 200),
          size           INTEGER NOT NULL,
          sha256         TEXT    NOT NULL CHECK (length(sha256) <= 64),
          width          INTEGER,
          height         INTEGER,
          created        INTEGER NOT NULL,
          deleted_at     INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receipts_by_transaction ON receipts (transaction_id, created, id) WHERE deleted_at IS NULL;
        CREATE INDEX receipts_by_creation ON receipts (created, id) WHERE deleted_at IS NULL;
        CREATE INDEX receipts_by_content ON receipts (sha256, deleted_at);
        CREATE TABLE receipt_files (
          sha256    TEXT    NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
          size      INTEGER NOT NULL CHECK (size >= 0),
          status    TEXT    NOT NULL CHECK (status IN ('local_only', 'uploading', 'uploaded', 'failed')),
          sent      INTEGER NOT NULL CHECK (sent >= 0),
          failure   TEXT    CHECK (length(failure) <= 200),
          is_cached INTEGER NOT NULL CHECK (is_cached IN (0, 1)),
          used_at   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receipt_files_by_status ON receipt_files (status, used_at);
        CREATE INDEX history_receipts ON history (id, tx) WHERE kind = 'receipt';
        CREATE TRIGGER receipts_record_insert AFTER INSERT ON receipts
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER receipts_record_update AFTER UPDATE OF transaction_id, name, type, size, sha256, width, height, created ON receipts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.transaction_id IS NOT OLD.transaction_id OR NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.size IS NOT OLD.size OR NEW.sha256 IS NOT OLD.sha256 OR NEW.width IS NOT OLD.width OR NEW.height IS NOT OLD.height OR NEW.created IS NOT OLD.created)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'receipt', NEW.id, json_remove(json_object('transaction', OLD.transaction_id, 'name', OLD.name, 'type', OLD.type, 'size', OLD.size, 'sha256', OLD.sha256, 'width', OLD.width, 'height', OLD.height, 'created', OLD.created), iif(NEW.transaction_id IS OLD.transaction_id, '$.transaction', '$.""'), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.size IS OLD.size, '$.size', '$.""'), iif(NEW.sha256 IS OLD.sha256, '$.sha256', '$.""'), iif(NEW.width IS OLD.width, '$.width', '$.""'), iif(NEW.height IS OLD.height, '$.height', '$.""'), iif(NEW.created IS OLD.created, '$.created', '$.""')), json_remove(json_object('transaction', NEW.transaction_id, 'name', NEW.name, 'type', NEW.type, 'size', NEW.size, 'sha256', NEW.sha256, 'width', NEW.width, 'height', NEW.height, 'created', NEW.created), iif(NEW.transaction_id IS OLD.transaction_id, '$.transaction', '$.""'), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.size IS OLD.size, '$.size', '$.""'), iif(NEW.sha256 IS OLD.sha256, '$.sha256', '$.""'), iif(NEW.width IS OLD.width, '$.width', '$.""'), iif(NEW.height IS OLD.height, '$.height', '$.""'), iif(NEW.created IS OLD.created, '$.created', '$.""')) FROM sync;
        END;
        CREATE TRIGGER receipts_record_delete AFTER UPDATE OF deleted_at ON receipts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER receipts_record_restore AFTER UPDATE OF deleted_at ON receipts
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER receipts_due_insert AFTER INSERT ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER receipts_due_update AFTER UPDATE ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER receipts_due_delete AFTER DELETE ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', OLD.id) ON CONFLICT DO NOTHING;
        END;
        DROP TRIGGER history_capture;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7 WHEN 'receipt' THEN 8 END OR (walk_rank = CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7 WHEN 'receipt' THEN 8 END AND walk_after >= NEW.id))) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
            AND NOT (NEW.action = 'patch' AND EXISTS (SELECT 1 FROM outbox WHERE kind = NEW.kind AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL)) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, NEW.action, NEW.kind, NEW.id, NEW.after, NEW.before,
              ifnull(edit_base, iif(download_reason IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0))))
            FROM sync;
        END;
        """
)
