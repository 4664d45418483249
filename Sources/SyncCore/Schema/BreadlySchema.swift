// The only declaration of what is synced with the cloud. Everything else about a field follows from its line
// here: the capture of its changes, the operations, the merge of values from two devices, the storage of a
// row that is received, and its places in the exports. "Adding a
// field, an entity" in the documentation of BreadlyApp lists the other steps for a new one.

extension SyncedEntity {
    /// A place where money is kept.
    public static let account = SyncedEntity(
        "account",
        table: "accounts",
        title: .fields(["name"]),
        export: .list("accounts"),
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
                isGuarded: true,
                export: "openingMinor"
            ),
            SyncedField("closed", .mark),
            SyncedField(
                "bankConnection",
                column: "bank_connection",
                within: 0...200,
                follows: "isBank"
            ),
            SyncedField(
                "bankAccount",
                column: "bank_account",
                within: 0...1_000,
                follows: "isBank"
            ),
            SyncedField(
                "bankAccountType",
                .choice,
                column: "bank_account_type",
                follows: "isBank"
            ),
            SyncedField("isBank", .mark, column: "is_bank"),
            SyncedField(
                "lastSyncedAt",
                .number,
                column: "last_synced_at",
                within: Int64.min...Int64.max,
                grows: true,
                isAutomatic: true
            ),
            SyncedField(
                "bankRecordFrom",
                .day,
                column: "bank_record_from"
            ),
        ]
    )

    /// A purpose or a source of money.
    public static let category = SyncedEntity(
        "category",
        table: "categories",
        title: .fields(["name"]),
        export: .list("categories"),
        fields: [
            SyncedField("name", or: "?", within: 1...400),
            SyncedField("kind", .choice, or: "expense"),
            SyncedField("icon", .choice, or: "", within: 0...100),
            SyncedField("color", .choice, or: "", within: 0...100),
            SyncedField("parent", .reference(to: "category")),
        ]
    )

    /// A spending limit.
    public static let budget = SyncedEntity(
        "budget",
        table: "budgets",
        title: .fields(["category"], inSentence: true),
        export: .list("budgets"),
        fields: [
            SyncedField("category", .reference(to: "category")),
            SyncedField(
                "limit",
                .money(in: .field("currency")),
                column: "limit_minor",
                or: 1,
                isGuarded: true,
                isMain: true,
                export: "limitMinor"
            ),
            SyncedField("currency", .currency, or: "XXX"),
            SyncedField("from", .month, column: "from_month", or: 12),
            SyncedField("rollover", .flag, or: 0),
            SyncedField("until", .month, column: "until_month"),
            SyncedField(
                "carryFrom",
                .month,
                column: "carry_from",
                follows: "rollover"
            ),
            SyncedField("pace", .choice),
        ]
    )

    /// The choices of the user, in one row.
    public static let preferences = SyncedEntity(
        "preferences",
        table: "preferences",
        title: .fixed,
        export: .object("preferences"),
        hasTombstones: false,
        isEnteredByHand: false,
        fields: [
            SyncedField("baseCurrency", .currency, column: "base_currency"),
            SyncedField(
                "secondaryCurrencies",
                .list,
                column: "secondary_currencies"
            ),
            SyncedField("weekStart", .choice, column: "week_start"),
            SyncedField(
                "conflictPolicy",
                .choice,
                column: "conflict_policy"
            ),
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
        export: .none,
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
        export: .list("transactions"),
        isCountedFirst: true,
        fields: [
            SyncedField(
                "kind",
                .choice,
                or: "expense",
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("kind")
            ),
            SyncedField("date", .day, or: 0, spreadsheet: SpreadsheetColumn("date", isFirst: true)),
            SyncedField(
                "amount",
                .money(in: .field("currency")),
                column: "amount_minor",
                or: 1,
                isGuarded: true,
                isMain: true,
                export: "amountMinor",
                spreadsheet: SpreadsheetColumn("amount", isSigned: true)
            ),
            SyncedField(
                "currency",
                .currency,
                or: "XXX",
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("currency")
            ),
            SyncedField(
                "account",
                .reference(to: "account"),
                isRequired: true,
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("account")
            ),
            SyncedField(
                "accountAmount",
                .money(in: .account("account")),
                column: "account_minor",
                or: 1,
                isGuarded: true,
                follows: "amount",
                export: "accountMinor",
                spreadsheet: SpreadsheetColumn("account_amount", currency: "account_currency", isSigned: true)
            ),
            SyncedField(
                "toAccount",
                .reference(to: "account"),
                column: "to_account",
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("to_account")
            ),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                isGuarded: true,
                follows: "amount",
                isShownBesideLeader: true,
                export: "toMinor",
                spreadsheet: SpreadsheetColumn("to_amount", currency: "to_currency")
            ),
            SyncedField(
                "category",
                .reference(to: "category"),
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("category")
            ),
            SyncedField("payee", or: "", within: 0...1_000, spreadsheet: SpreadsheetColumn("payee")),
            SyncedField("note", or: "", within: 0...10_000, spreadsheet: SpreadsheetColumn("note")),
            SyncedField("tags", .tags, or: "", spreadsheet: SpreadsheetColumn("tags")),
            SyncedField(
                "split",
                .parts(in: .field("currency")),
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("part")
            ),
            SyncedField(
                "bankTransaction",
                column: "bank_transaction",
                within: 0...1_000
            ),
        ]
    )
}

extension SyncedEntity {
    /// A transaction that comes again and again.
    public static let schedule = SyncedEntity(
        "schedule",
        table: "schedules",
        title: .fields(["payee", "category"], inSentence: true),
        export: .list("schedules"),
        fields: [
            SyncedField("kind", .choice, or: "expense"),
            SyncedField("start", .day, column: "start_day", or: 0),
            SyncedField(
                "amount",
                .money(in: .field("currency")),
                column: "amount_minor",
                or: 1,
                isMain: true,
                export: "amountMinor"
            ),
            SyncedField("currency", .currency, or: "XXX"),
            SyncedField("account", .reference(to: "account"), isRequired: true),
            SyncedField(
                "accountAmount",
                .money(in: .account("account")),
                column: "account_minor",
                or: 1,
                follows: "amount",
                export: "accountMinor"
            ),
            SyncedField("toAccount", .reference(to: "account"), column: "to_account"),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                follows: "amount",
                isShownBesideLeader: true,
                export: "toMinor"
            ),
            SyncedField("category", .reference(to: "category")),
            SyncedField("payee", or: "", within: 0...1_000),
            SyncedField("note", or: "", within: 0...10_000),
            SyncedField("tags", .tags, or: ""),
            SyncedField("every", .number, or: 1, within: 1...999),
            SyncedField(
                "unit",
                .choice,
                or: "month"
            ),
            SyncedField("end", .day, column: "end_day"),
            SyncedField(
                "shift",
                .choice,
                or: "none"
            ),
            SyncedField(
                "record",
                .choice,
                or: "auto"
            ),
            SyncedField("done", .day, column: "done_day", grows: true),
            SyncedField(
                "accountCurrency",
                .currency,
                column: "account_currency",
                follows: "account"
            ),
            SyncedField(
                "toCurrency",
                .currency,
                column: "to_currency",
                follows: "toAccount"
            ),
            SyncedField("series", .reference(to: "schedule"), follows: "done"),
        ]
    )
}

extension SyncedEntity {
    /// The user's writing on a transaction of a bank. The transaction itself is not synced.
    public static let bankNote = SyncedEntity(
        "bankNote",
        table: "bank_notes",
        title: .fields(["payee", "note", "category"]),
        export: .list("bankNotes"),
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
        export: .list("attachments"),
        fields: [
            SyncedField(
                "transaction",
                .reference(to: "transaction"),
                column: "transaction_id",
                isAutomatic: true
            ),
            SyncedField("name", or: "", within: 0...1_000),
            SyncedField(
                "type",
                .choice,
                or: ""
            ),
            SyncedField("size", .number, or: 0),
            SyncedField("sha256", or: "", within: 0...64),
            SyncedField("width", .number),
            SyncedField("height", .number),
            SyncedField("created", .number, or: 0),
        ]
    )
}

extension SyncedSchema {
    /// The kinds of rows that a book and a cloud of this version support.
    public static let breadly = SyncedSchema([
        .account, .category, .budget, .preferences, .conflict, .transaction, .schedule, .bankNote, .receipt,
    ])
}
