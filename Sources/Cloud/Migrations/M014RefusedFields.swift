// The fourteenth schema of the cloud: a refused operation names the field whose value was refused.
import Storage

let cloudRefusedFieldsMigration = Migration(
    number: 14,
    name: "refused fields",
    since: "0.1.0",
    sql: """
        ALTER TABLE op_results ADD COLUMN field TEXT;
        """
)
