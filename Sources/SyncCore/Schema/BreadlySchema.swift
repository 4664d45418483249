// The only declaration of what is synced with the cloud. Everything else about a field follows from its line
// here: the capture of its changes, the operations, the merge of values from two devices, the storage of a
// row that is received, the words of the history and of conflicts, and its places in the exports. "Adding a
// field, an entity" in the documentation of BreadlyApp lists the other steps for a new one.

extension SyncedEntity {
    /// A place where money is kept.
    public static let account = SyncedEntity(
        "account",
        table: "accounts",
        label: ("account", "accounts"),
        title: .fields(["name"], or: "?"),
        export: .list("accounts"),
        fields: [
            SyncedField("name", or: "?", within: 1...400),
            SyncedField("type", .choice(), or: "cash"),
            SyncedField("currency", .currency, or: "XXX", isGuarded: true),
            SyncedField(
                "opening",
                .money(in: .field("currency")),
                column: "opening_minor",
                or: 0,
                within: -1_000_000_000_000_000...1_000_000_000_000_000,
                label: "opening balance",
                isGuarded: true,
                export: "openingMinor"
            ),
            SyncedField("closed", .mark),
            SyncedField(
                "bankConnection",
                column: "bank_connection",
                within: 0...200,
                label: "bank connection",
                follows: "isBank"
            ),
            SyncedField(
                "bankAccount",
                column: "bank_account",
                within: 0...1_000,
                label: "account at the bank",
                follows: "isBank"
            ),
            SyncedField(
                "bankAccountType",
                .choice(),
                column: "bank_account_type",
                label: "kind of the account at the bank",
                follows: "isBank"
            ),
            SyncedField("isBank", .mark, column: "is_bank", label: "connected to a bank"),
            SyncedField(
                "lastSyncedAt",
                .number,
                column: "last_synced_at",
                within: Int64.min...Int64.max,
                label: "last refresh",
                grows: true,
                isAutomatic: true
            ),
            SyncedField(
                "bankRecordFrom",
                .day,
                column: "bank_record_from",
                label: "first day that is recorded by itself"
            ),
        ]
    )

    /// A purpose or a source of money.
    public static let category = SyncedEntity(
        "category",
        table: "categories",
        label: ("category", "categories"),
        title: .fields(["name"], or: "?"),
        export: .list("categories"),
        fields: [
            SyncedField("name", or: "?", within: 1...400),
            SyncedField("kind", .choice(), or: "expense"),
            SyncedField("icon", .choice(), or: "", within: 0...100),
            SyncedField("color", .choice(), or: "", within: 0...100),
            SyncedField("parent", .reference(to: "category")),
        ]
    )

    /// A spending limit.
    public static let budget = SyncedEntity(
        "budget",
        table: "budgets",
        label: ("budget", "budgets"),
        title: .fields(["category"], prefix: "Budget for ", or: "Budget"),
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
            SyncedField("until", .month, column: "until_month", label: "last month"),
            SyncedField(
                "carryFrom",
                .month,
                column: "carry_from",
                label: "carried over since",
                follows: "rollover"
            ),
            SyncedField("pace", .choice(shown: ["spread": "Spread over the month", "once": "Paid at once"])),
        ]
    )

    /// The choices of the user, in one row.
    public static let preferences = SyncedEntity(
        "preferences",
        table: "preferences",
        label: ("preferences", "preferences"),
        title: .fixed("Preferences"),
        export: .object("preferences"),
        hasTombstones: false,
        isEnteredByHand: false,
        fields: [
            SyncedField("baseCurrency", .currency, column: "base_currency", label: "default currency"),
            SyncedField(
                "secondaryCurrencies",
                .list,
                column: "secondary_currencies",
                label: "other currencies"
            ),
            SyncedField("weekStart", .choice(), column: "week_start", label: "start of the week"),
            SyncedField(
                "conflictPolicy",
                .choice(shown: ["ask": "Ask me", "newest": "The newest wins"]),
                column: "conflict_policy",
                label: "what happens when two devices differ"
            ),
            SyncedField("theme", .choice()),
            SyncedField("locale", within: 0...100),
            SyncedField("timeZone", column: "time_zone", within: 0...100, label: "time zone"),
        ]
    )

    /// A conflict of two values. The cloud writes it, and users only choose a value.
    public static let conflict = SyncedEntity(
        "conflict",
        table: "conflicts",
        label: ("decision", "decisions"),
        title: .fixed("A decision"),
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
        label: ("transaction", "transactions"),
        title: .fields(["payee", "category", "kind"], or: "Transaction"),
        export: .list("transactions"),
        isCountedFirst: true,
        fields: [
            SyncedField(
                "kind",
                .choice(),
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
                label: "amount on the account",
                isGuarded: true,
                follows: "amount",
                export: "accountMinor",
                spreadsheet: SpreadsheetColumn("account_amount", currency: "account_currency", isSigned: true)
            ),
            SyncedField(
                "toAccount",
                .reference(to: "account"),
                column: "to_account",
                label: "to",
                isGuarded: true,
                spreadsheet: SpreadsheetColumn("to_account")
            ),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                label: "amount that arrives",
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
                within: 0...1_000,
                label: "transaction of the bank"
            ),
        ]
    )
}

extension SyncedEntity {
    /// A transaction that comes again and again.
    public static let schedule = SyncedEntity(
        "schedule",
        table: "schedules",
        label: ("schedule", "schedules"),
        title: .fields(["payee", "category"], prefix: "Schedule for ", or: "Schedule"),
        export: .list("schedules"),
        fields: [
            SyncedField("kind", .choice(), or: "expense"),
            SyncedField("start", .day, column: "start_day", or: 0, label: "first day"),
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
                label: "amount on the account",
                follows: "amount",
                export: "accountMinor"
            ),
            SyncedField("toAccount", .reference(to: "account"), column: "to_account", label: "to"),
            SyncedField(
                "toAmount",
                .money(in: .account("toAccount")),
                column: "to_minor",
                label: "amount that arrives",
                follows: "amount",
                isShownBesideLeader: true,
                export: "toMinor"
            ),
            SyncedField("category", .reference(to: "category")),
            SyncedField("payee", or: "", within: 0...1_000),
            SyncedField("note", or: "", within: 0...10_000),
            SyncedField("tags", .tags, or: ""),
            SyncedField("every", .number, or: 1, within: 1...999, label: "distance"),
            SyncedField(
                "unit",
                .choice(shown: ["day": "Days", "week": "Weeks", "month": "Months", "year": "Years"]),
                or: "month"
            ),
            SyncedField("end", .day, column: "end_day", label: "last day"),
            SyncedField(
                "shift",
                .choice(shown: [
                    "none": "On that day", "before": "On the Friday before", "after": "On the Monday after",
                ]),
                or: "none",
                label: "day on a weekend"
            ),
            SyncedField(
                "record",
                .choice(shown: ["auto": "By itself", "ask": "Ask me"]),
                or: "auto",
                label: "way of recording"
            ),
            SyncedField("done", .day, column: "done_day", label: "done until", grows: true),
            SyncedField(
                "accountCurrency",
                .currency,
                column: "account_currency",
                label: "currency of the account",
                follows: "account"
            ),
            SyncedField(
                "toCurrency",
                .currency,
                column: "to_currency",
                label: "currency of the other account",
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
        label: ("note on a bank transaction", "notes on bank transactions"),
        title: .fields(["payee", "note", "category"], or: "A bank transaction"),
        export: .list("bankNotes"),
        fields: [
            SyncedField(
                "bankTransaction",
                column: "bank_transaction",
                or: "",
                within: 0...1_000,
                label: "transaction of the bank",
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
        label: ("receipt", "receipts"),
        title: .fields(["name"], or: "Receipt"),
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
                .choice(shown: [
                    "image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WebP", "image/heic": "HEIC",
                    "application/pdf": "PDF",
                ]),
                or: ""
            ),
            SyncedField("size", .number, or: 0),
            SyncedField("sha256", or: "", within: 0...64, label: "content"),
            SyncedField("width", .number),
            SyncedField("height", .number),
            SyncedField("created", .number, or: 0, label: "time of adding"),
        ]
    )
}

extension SyncedSchema {
    /// The kinds of rows that a book and a cloud of this version support.
    public static let breadly = SyncedSchema([
        .account, .category, .budget, .preferences, .conflict, .transaction, .schedule, .bankNote, .receipt,
    ])
}
