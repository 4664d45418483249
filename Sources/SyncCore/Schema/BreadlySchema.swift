// The only declaration of what is synced with the cloud. Everything else about a field follows from its line
// here: the capture of its changes, the operations, the merge of values from two devices, and the storage of a
// row that is received. "Adding a field, an entity" in the documentation of
// BreadlyApp lists the other steps for a new one.

extension SyncedEntity {
    /// A place where money is kept.
    public static let account = SyncedEntity(
        "account",
        table: "accounts",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?", within: 1...400),
            SyncedField("type", .choice, or: "cash"),
            SyncedField("currency", .currency, or: "XXX", isGuarded: true),
            SyncedField(
                "opening",
                .money(in: .field("currency")),
                column: "opening_minor",
                or: 0,
                within: -1_000_000_000_000_000...1_000_000_000_000_000,
                isGuarded: true
            ),
            SyncedField("closed", .mark),
            SyncedField("bankConnection", column: "bank_connection", within: 0...200, follows: "isBank"),
            SyncedField("bankAccount", column: "bank_account", within: 0...1_000, follows: "isBank"),
            SyncedField("bankAccountType", .choice, column: "bank_account_type", follows: "isBank"),
            SyncedField("isBank", .mark, column: "is_bank"),
            SyncedField(
                "lastSyncedAt",
                .number,
                column: "last_synced_at",
                within: Int64.min...Int64.max,
                grows: true,
                isAutomatic: true
            ),
            SyncedField("bankRecordFrom", .day, column: "bank_record_from"),
            SyncedField("openingDay", .day, column: "opening_day"),
            SyncedField("position", within: 0...64, isAutomatic: true),
        ]
    )

    /// A purpose or a source of money.
    public static let category = SyncedEntity(
        "category",
        table: "categories",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?", within: 1...400),
            SyncedField("kind", .choice, or: "expense"),
            SyncedField("icon", .choice, or: "", within: 0...100),
            SyncedField("color", .choice, or: "", within: 0...100),
            SyncedField("parent", .reference(to: "category")),
            SyncedField("position", within: 0...64, isAutomatic: true),
            SyncedField("archived", .mark),
        ]
    )

    /// A spending limit.
    public static let budget = SyncedEntity(
        "budget",
        table: "budgets",
        title: .fields(["category"], inSentence: true),
        fields: [
            SyncedField("category", .reference(to: "category")),
            SyncedField(
                "limit",
                .money(in: .field("currency")),
                column: "limit_minor",
                or: 1,
                isGuarded: true,
                isMain: true
            ),
            SyncedField("currency", .currency, or: "XXX"),
            SyncedField("from", .month, column: "from_month", or: 12),
            SyncedField("rollover", .flag, or: 0),
            SyncedField("until", .month, column: "until_month"),
            SyncedField("carryFrom", .month, column: "carry_from", follows: "rollover"),
            SyncedField("pace", .choice),
        ]
    )

    /// The choices of the user, in one row.
    public static let preferences = SyncedEntity(
        "preferences",
        table: "preferences",
        title: .fixed,
        hasTombstones: false,
        isEnteredByHand: false,
        fields: [
            SyncedField("baseCurrency", .currency, column: "base_currency"),
            SyncedField("secondaryCurrencies", .list, column: "secondary_currencies"),
            SyncedField("weekStart", .choice, column: "week_start"),
            SyncedField("conflictPolicy", .choice, column: "conflict_policy"),
            SyncedField("theme", .choice),
            SyncedField("locale", within: 0...100),
            SyncedField("timeZone", column: "time_zone", within: 0...100),
        ]
    )

    /// A conflict of two values. The cloud writes it, and users only choose a value.
    public static let conflict = SyncedEntity(
        "conflict",
        table: "conflicts",
        title: .fixed,
        isRecorded: false,
        isEnteredByHand: false,
        fields: [
            SyncedField("kind", or: ""),
            SyncedField("entity", .id, or: "00000000000000000000000000"),
            SyncedField("field", or: ""),
            // The JSON of a value is longer than the value.
            SyncedField("kept", or: "null", within: 0...400_000),
            SyncedField("lost", or: "null", within: 0...400_000),
            SyncedField("keptBy", column: "kept_by", or: ""),
            SyncedField("lostBy", column: "lost_by", or: ""),
            SyncedField("keptName", column: "kept_name", or: ""),
            SyncedField("lostName", column: "lost_name", or: ""),
            SyncedField("at", .number, or: 0, within: Int64.min...Int64.max),
            SyncedField("held", .flag, column: "is_held", or: 0),
            SyncedField("choice", within: 0...200),
        ]
    )

    /// A movement of money.
    public static let transaction = SyncedEntity(
        "transaction",
        table: "transactions",
        title: .fields(["payee", "category", "kind"]),
        isCountedFirst: true,
        fields: [
            SyncedField("kind", .choice, or: "expense", isGuarded: true),
            SyncedField("date", .day, or: 0),
            SyncedField(
                "amount",
                .money(in: .field("currency")),
                column: "amount_minor",
                or: 1,
                isGuarded: true,
                isMain: true
            ),
            SyncedField("currency", .currency, or: "XXX", isGuarded: true),
            SyncedField("account", .reference(to: "account"), isRequired: true, isGuarded: true),
            SyncedField(
                "accountAmount",
                .money(in: .account("account")),
                column: "account_minor",
                or: 1,
                isGuarded: true,
                follows: "amount"
            ),
            SyncedField("toAccount", .reference(to: "account"), column: "to_account", isGuarded: true),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                isGuarded: true,
                follows: "amount",
                isShownBesideLeader: true
            ),
            SyncedField("category", .reference(to: "category"), isGuarded: true),
            SyncedField("payee", or: "", within: 0...1_000),
            SyncedField("note", or: "", within: 0...10_000),
            SyncedField("tags", .tags, or: ""),
            SyncedField(
                "split",
                .parts(in: .field("currency")),
                isGuarded: true
            ),
            SyncedField("bankTransaction", column: "bank_transaction", within: 0...1_000),
            SyncedField("occurrence", within: 0...37, isAutomatic: true),
            SyncedField("starred", .mark),
            SyncedField("rule", within: 0...26, isAutomatic: true),
        ]
    )
}

extension SyncedEntity {
    /// A transaction that comes again and again.
    public static let schedule = SyncedEntity(
        "schedule",
        table: "schedules",
        title: .fields(["payee", "category"], inSentence: true),
        fields: [
            SyncedField("kind", .choice, or: "expense"),
            SyncedField("start", .day, column: "start_day", or: 0),
            SyncedField(
                "amount",
                .money(in: .field("currency")),
                column: "amount_minor",
                or: 1,
                isMain: true
            ),
            SyncedField("currency", .currency, or: "XXX"),
            SyncedField("account", .reference(to: "account"), isRequired: true),
            SyncedField(
                "accountAmount",
                .money(in: .account("account")),
                column: "account_minor",
                or: 1,
                follows: "amount"
            ),
            SyncedField("toAccount", .reference(to: "account"), column: "to_account"),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                follows: "amount",
                isShownBesideLeader: true
            ),
            SyncedField("category", .reference(to: "category")),
            SyncedField("payee", or: "", within: 0...1_000),
            SyncedField("note", or: "", within: 0...10_000),
            SyncedField("tags", .tags, or: ""),
            SyncedField("every", .number, or: 1, within: 1...999),
            SyncedField("unit", .choice, or: "month"),
            SyncedField("end", .day, column: "end_day"),
            SyncedField("shift", .choice, or: "none"),
            SyncedField("record", .choice, or: "auto"),
            SyncedField("done", .day, column: "done_day", grows: true),
            SyncedField("accountCurrency", .currency, column: "account_currency", follows: "account"),
            SyncedField("toCurrency", .currency, column: "to_currency", follows: "toAccount"),
            SyncedField("series", .reference(to: "schedule"), follows: "done"),
            SyncedField("monthEnd", .mark, column: "month_end"),
        ]
    )
}

extension SyncedEntity {
    /// The user's writing on a transaction of a bank. The transaction itself is not synced.
    public static let bankNote = SyncedEntity(
        "bankNote",
        table: "bank_notes",
        title: .fields(["payee", "note", "category"]),
        fields: [
            SyncedField(
                "bankTransaction",
                column: "bank_transaction",
                or: "",
                within: 0...1_000,
                isAutomatic: true
            ),
            SyncedField("category", .reference(to: "category")),
            SyncedField("payee", or: "", within: 0...1_000),
            SyncedField("note", or: "", within: 0...10_000),
            SyncedField("tags", .tags, or: ""),
            SyncedField("hidden", .mark),
        ]
    )
}

extension SyncedEntity {
    /// A file beside a transaction. Its bytes travel apart from the row.
    public static let receipt = SyncedEntity(
        "receipt",
        table: "receipts",
        title: .fields(["name"]),
        fields: [
            SyncedField(
                "transaction",
                .reference(to: "transaction"),
                column: "transaction_id",
                isAutomatic: true
            ),
            SyncedField("name", or: "", within: 0...1_000),
            SyncedField("type", .choice, or: ""),
            SyncedField("size", .number, or: 0),
            SyncedField("sha256", or: "", within: 0...64),
            SyncedField("width", .number),
            SyncedField("height", .number),
            SyncedField("created", .number, or: 0),
        ]
    )
}

extension SyncedEntity {
    /// A filtered list of transactions that the user has given a name.
    public static let view = SyncedEntity(
        "view",
        table: "views",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?", within: 1...500),
            SyncedField("query", or: "", within: 0...2_000),
        ]
    )
}

extension SyncedEntity {
    /// A change of transactions that match. The conditions and the effects are lists in JSON: a row that they refer to
    /// may be gone.
    public static let rule = SyncedEntity(
        "rule",
        table: "rules",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?", within: 1...1_000),
            SyncedField("position", within: 0...64, isAutomatic: true),
            SyncedField("enabled", .flag, or: 1),
            SyncedField("match", .choice, column: "match_mode", or: "all"),
            SyncedField("conditions", or: "[]", within: 0...20_000),
            SyncedField("effects", or: "[]", within: 0...20_000),
        ]
    )
}

extension SyncedEntity {
    /// The category and the note that a new transaction of a payee begins with.
    public static let payeeDefault = SyncedEntity(
        "payeeDefault",
        table: "payee_defaults",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?", within: 1...1_000),
            SyncedField("category", .reference(to: "category")),
            SyncedField("note", or: "", within: 0...10_000),
        ]
    )
}

extension SyncedSchema {
    /// The kinds of rows that a book and a cloud of this version support.
    public static let breadly = SyncedSchema([
        .account, .category, .budget, .preferences, .conflict, .transaction, .schedule, .bankNote, .receipt,
        .view, .rule, .payeeDefault,
    ])
}
