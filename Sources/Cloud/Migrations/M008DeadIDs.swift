// The eighth schema of the cloud: dead ids as bytes.
import Storage

/// `dead_ids` is all that remains of a collected row for as long as its account exists: 16 bytes each,
/// instead of 26 characters.
///
/// Each of the 26 digits (Crockford's base 32) represents five bits; the first two bits are unused. Each byte is within
/// three digits from the digit that contains its first bit. SQLite before 3.41 cannot convert numbers into bytes, so
/// that each is a substring of a list of all bytes. A malformed id gives NULL, which the table refuses.
let cloudDeadIDsMigration = Migration(
    number: 8,
    name: "dead-ids",
    since: "0.1.0",
    sql: """
        ALTER TABLE dead_ids RENAME TO dead_ids_before;
        CREATE TABLE dead_ids (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          id          BLOB    NOT NULL CHECK (length(id) = 16),
          PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO dead_ids (account, id)
          WITH RECURSIVE
            bytes (list) AS (VALUES (
              x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'
            )),
            decoded (account, digits, count, id) AS (
              SELECT account, id || '0', 0, CAST('' AS BLOB) FROM dead_ids_before
              UNION ALL
              SELECT account, digits, count + 1, CAST(id || substr(list, 1 + ((
                  (nullif(instr('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, (8 * count + 2) / 5 + 1, 1)), 0) - 1) * 1024
                  + (nullif(instr('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, (8 * count + 2) / 5 + 2, 1)), 0) - 1) * 32
                  + (nullif(instr('0123456789abcdefghjkmnpqrstvwxyz', substr(digits, (8 * count + 2) / 5 + 3, 1)), 0) - 1)
                ) >> (7 - (8 * count + 2) % 5) & 255), 1) AS BLOB)
              FROM decoded, bytes WHERE count < 16
            )
          SELECT account, iif(length(digits) = 27, id, NULL) FROM decoded WHERE count = 16;
        DROP TABLE dead_ids_before;
        """
)
