// The twenty-third schema of a book: the field of a change whose value the cloud has refused.
import Storage

let refusedFieldsMigration = Migration(
    number: 23,
    name: "refused fields",
    since: "0.1.0",
    sql: """
        ALTER TABLE outbox ADD COLUMN field TEXT;
        """
)
