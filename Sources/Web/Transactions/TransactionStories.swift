// The list of transactions, and the form of one.

import Ledger
import Texts

enum TransactionStories {
    static let all = lists + FilterStories.all + forms + AddingStories.all

    private static let lists: [Story] = [
        Story("transactions", .transactions, "A month, with older pages") { $0.list() },
        Story("transactions-receipts", .transactions, "Rows with receipts") {
            var page = $0.month
            page.withReceipts = Set(page.rows.prefix(2).map(\.id))
            return $0.list(result: page)
        },
        Story("transactions-to-come", .transactions, "A month with entries of later days") {
            var page = $0.month
            page.rows.insert($0.laterExpense, at: 0)
            page.toCome = [.toCome]
            page.movedToCome = [MoneySum(minor: 5_000, currency: Sample.eur)]
            return $0.list(result: page)
        },
        Story("transactions-later", .transactions, "All days from tomorrow on") { sample in
            let total = CurrencyTotal(currency: Sample.eur, incomeMinor: 0, expenseMinor: 900, count: 1)
            let page = TransactionPage(rows: [sample.laterExpense], days: [], totals: [total], next: nil)
            return sample.list(result: page) {
                $0.days = Sample.today.adding(days: 1)...CivilDate.distantFuture
            }
        },
        Story("transactions-bank", .transactions, "Rows of a bank, one of them pending") {
            $0.framed(.idle).list(bank: [Sample.id(101): .pending, Sample.id(102): .booked])
        },
        Story("transactions-select", .transactions, "Rows that can be selected, and the bar") {
            $0.list(isSelecting: true)
        },
        Story("transactions-empty", .transactions, "A new book") {
            $0.list(result: .nothing, isEmpty: true)
        },
        Story("transactions-empty-month", .transactions, "A month without entries") {
            $0.list(result: .nothing)
        },
        Story("transactions-none", .transactions, "A search without results") {
            $0.list(result: .nothing) { ($0.text, $0.kind) = ("nothing & nowhere", .income) }
        },
        Story("transactions-everywhere", .transactions, "A search in all months") { sample in
            sample.list { ($0.month, $0.text) = (nil, sample.typed("market")) }
        },
        Story("transactions-days", .transactions, "Some days that are no month") {
            $0.list { $0.days = Sample.date(2026, 11, 10)...Sample.date(2026, 11, 21) }
        },
        Story("transactions-filtered", .transactions, "Filtered by account, category, kind and payee") {
            sample in
            sample.list {
                ($0.account, $0.category) = (Sample.id(3), .family(Sample.id(11)))
                ($0.isSpending, $0.payee) = (true, sample.typed("Trattoria Luca"))
            }
        },
        Story("transactions-uncategorized", .transactions, "Only those without a category") {
            $0.list { $0.category = .uncategorized }
        },
        Story("transactions-counted", .transactions, "Only those that count in a budget") {
            $0.list { ($0.isSpending, $0.counts) = (true, .known(Sample.eur)) }
        },
        Story("transactions-left-out", .transactions, "Only those that a budget leaves out") {
            $0.list { ($0.isSpending, $0.counts) = (true, .leftOut(Sample.eur)) }
        },
        Story("transactions-split", .transactions, "Splits: exact, with parts that exceed it, and unreadable")
        {
            $0.list(result: $0.splits)
        },
        Story("transactions-gone", .transactions, "Entries of a deleted account and a deleted category") {
            var entries = $0.transactions
            (entries[0].account, entries[1].category) = (Sample.id(99), Sample.id(98))
            return $0.list(result: .init(rows: Array(entries.prefix(3)), days: [], totals: [], next: nil))
        },
        Story("transactions-only-foreign", .transactions, "All in another currency than the base") { sample in
            let entries = sample.transactions.filter { $0.amount.currency == Sample.usd }
            let days = entries.map { DayTotal(date: $0.date, totals: [sample.totals[1]]) }
            return sample.list(
                result: .init(rows: entries, days: days, totals: [sample.totals[1]], next: nil)
            )
        },
        Story("transactions-no-account", .transactions, "All accounts are closed") {
            $0.list(catalog: $0.closedCatalog)
        },
        Story("transactions-long", .transactions, "Long names, names from right to left, and large amounts") {
            $0.of(.longLived).list()
        },
        Story("transactions-fresh", .transactions, "Several currencies, converted") { $0.mixedList(.fresh) },
        Story("transactions-guest", .transactions, "Several currencies of a guest") { $0.mixedList(.guest) },
    ]

    private static let forms: [Story] = [
        Story("transaction-new", .transactions, "A new expense") { $0.edit($0.blankEntry()) },
        Story("transaction-new-income", .transactions, "A new income") { $0.edit($0.blankEntry(.income)) },
        Story("transaction-new-transfer", .transactions, "A new transfer") {
            $0.edit($0.blankEntry(.transfer))
        },
        Story("transaction-no-account", .transactions, "A new one while all accounts are closed") {
            $0.edit($0.blankEntry(), catalog: $0.closedCatalog)
        },
        Story("transaction-refused", .transactions, "Refused: an amount and a day that cannot be read") {
            var state = $0.blankEntry()
            state.values.merge(["amount": "twelve", "date": "2026-02-31"]) { $1 }
            state.errors = ["amount": Text("amounts.unreadable"), "date": Text("transactions.enter-a-day")]
            return $0.edit(state)
        },
        Story("transaction-refused-all", .transactions, "Refused: an error beside each field") {
            var state = $0.blankEntry(.transfer)
            state.values.merge(["amount": "", "currency": "XXX", "to_amount": "1.2.3", "tags": "a, b"]) { $1 }
            state.errors = [
                "kind": Text("transactions.choose-a-kind"), "amount": Text("amounts.empty"),
                "currency": Text("forms.choose-a-currency"),
                "account": Text("transactions.choose-an-account"),
                "to_account": Text("transactions.choose-two-accounts"), "to_amount": Text("amounts.unclear"),
                "category": Text("forms.choose-a-category"), "date": Text("transactions.enter-a-day"),
                "payee": Text("forms.keep-it-to-limit", ["limit": .count(200)]),
                "note": Text("forms.keep-it-to-limit", ["limit": .count(2_000)]),
                "tags": Text("transactions.too-many-tags", ["limit": .count(20)]),
            ]
            return $0.edit(state)
        },
        Story("transaction-refused-transfer", .transactions, "Refused: a transfer with what only others have")
        {
            var state = $0.values(of: $0.split)
            state.values.merge([
                "kind": "transfer", "category": "\(Sample.id(10))", "to_account": "\(Sample.id(2))",
                "to_amount": "99",
            ]) { $1 }
            state.errors = [
                "category": Text("transactions.a-transfer-has-no-category"),
                "split": Text("splits.a-transfer-has-none"),
                "to_amount": Text(
                    "transactions.one-currency-has-one-amount",
                    ["currency": .string("EUR")]
                ),
            ]
            return $0.edit(state)
        },
        Story("transaction-asked", .transactions, "A year that is perhaps wrong") {
            var state = $0.blankEntry()
            state.values.merge(["amount": "8.40", "date": "0026-11-21"]) { $1 }
            state.ask(aboutYear: 26, of: "date")
            return $0.edit(state)
        },
        Story(
            "transaction-charged",
            .transactions,
            "Refused: the amount in the currency of the account is missing"
        ) {
            var state = $0.blankEntry()
            state.values.merge(["amount": "18.99", "currency": "USD"]) { $1 }
            state.errors = ["to_amount": Text("transactions.what-was-charged", ["currency": .string("EUR")])]
            return $0.edit(state)
        },
        Story("transaction-estimate", .transactions, "That amount was filled in by the latest rate") {
            var state = $0.blankEntry()
            state.values.merge(["amount": "18.99", "currency": "USD", "to_amount": "17.55"]) { $1 }
            let formats = $0.formats(.fresh)
            if let estimate = formats.conversion?.estimateText(for: .expense, formats) {
                state.errors = ["to_amount": estimate]
            }
            return $0.framed(.idle).edit(state)
        },
        Story("transaction-left-out", .transactions, "A currency that budgets leave out") {
            var state = $0.blankEntry()
            state.values.merge(["amount": "18.99", "currency": "USD"]) { $1 }
            return $0.edit(state, leftOut: Chrome.leftOutWarning(currency: Sample.usd))
        },
        Story("transaction-edit", .transactions, "Correcting an expense") { $0.edit($0.transactions[0]) },
        Story("transaction-transfer", .transactions, "Correcting a transfer") { $0.edit($0.transactions[2]) },
        Story("transaction-foreign", .transactions, "Correcting an expense in another currency") {
            $0.edit($0.transactions[3])
        },
        Story("transaction-refund", .transactions, "Correcting a refund") {
            var refund = $0.transactions[5]
            refund.category = Sample.id(10)
            return $0.edit(refund)
        },
        Story("transaction-gone", .transactions, "Its account and its category were deleted") {
            var transaction = $0.transactions[0]
            (transaction.account, transaction.category) = (Sample.id(99), Sample.id(98))
            return $0.edit(transaction)
        },
        Story("transaction-meanwhile", .transactions, "It was changed while its page was open") {
            var state = $0.values(of: $0.transactions[0])
            (state.seen, state.notice) = ("3", Text("forms.changed-meanwhile"))
            return $0.edit(state, editing: $0.transactions[0].id)
        },
        Story("transaction-split", .transactions, "Correcting a split") { $0.edit($0.split) },
        Story("transaction-split-missing", .transactions, "Parts that came apart: some is in no part") {
            var split = $0.split
            split.amount.minor += 1_000
            return $0.edit(split)
        },
        Story("transaction-split-exceeding", .transactions, "Parts that exceed the amount") {
            $0.edit($0.exceeded)
        },
        Story("transaction-split-unreadable", .transactions, "Parts of a newer version") {
            $0.edit($0.unreadable)
        },
        Story("transaction-split-refused", .transactions, "Refused: parts that do not add up") {
            var state = $0.values(of: $0.split)
            state.errors = [
                "split": Text("splits.not-assigned-yet", ["amount": .string("€3.20")]),
                "split_amount-2": Text("amounts.unreadable"),
            ]
            state.lists["split_category"]?[2] = "gone"
            return $0.edit(state)
        },
        Story("transaction-split-category", .transactions, "Refused: a category beside parts") {
            var state = $0.values(of: $0.split)
            state.values["category"] = "\(Sample.id(10))"
            state.errors = ["category": Text("transactions.each-part-has-its-category")]
            return $0.edit(state)
        },
        Story("transaction-long", .transactions, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.edit(sample.transactions[3])
        },
    ]
}

extension TransactionPage {
    fileprivate static let nothing = TransactionPage(rows: [], days: [], totals: [], next: nil)
}

extension Sample {
    fileprivate func values(of transaction: Transaction) -> FormState {
        TransactionForm.values(of: transaction, catalog: catalog, formats: formats)
    }

    /// A list of the present month.
    func list(
        result: TransactionPage? = nil,
        isEmpty: Bool = false,
        catalog: Catalog? = nil,
        bank: [EntityID: BankMark] = [:],
        isSelecting: Bool = false,
        views: [SavedView] = [],
        refusedAmount: ListFilters.RefusedAmount? = nil,
        notes: [Text] = [],
        view: SavedView? = nil,
        _ narrow: (inout TransactionQuery) -> Void = { _ in }
    ) -> TransactionsPage {
        var filters = ListFilters(refusedAmount: refusedAmount, notes: notes, view: view)
        filters.query.month = formats.today.yearMonth
        narrow(&filters.query)
        return TransactionsPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog ?? self.catalog,
            filters: filters,
            result: result ?? month,
            views: views,
            bank: bank,
            form: quickForm(formats, catalog: catalog),
            bookIsEmpty: isEmpty,
            isSelecting: isSelecting
        )
    }

    /// The transactions of the month with the totals of their days.
    fileprivate var month: TransactionPage {
        let days = Dictionary(grouping: transactions, by: \.date).map { date, rows in
            let spent = rows.filter { $0.kind == .expense }.reduce(Int128(0)) { $0 + Int128($1.amount.minor) }
            let total = CurrencyTotal(
                currency: Self.eur,
                incomeMinor: 0,
                expenseMinor: spent,
                count: rows.count
            )
            return DayTotal(date: date, totals: [total])
        }
        let next = TransactionCursor(date: Self.date(2026, 11, 15), id: Self.id(101))
        return TransactionPage(rows: transactions, days: days, totals: totals, next: next)
    }

    /// A split over three parts, which add up to the amount.
    fileprivate var split: Transaction {
        var split = transactions[0]
        split.category = nil
        split.split = .parts([
            SplitPart(category: Self.id(10), minor: split.amount.minor - 2_690, note: split.note),
            SplitPart(category: Self.id(13), minor: 2_500, note: typed("soap & sponges")),
            SplitPart(category: nil, minor: 190),
        ])
        return split
    }

    /// More was bought than was paid, because a deposit came back.
    fileprivate var returned: Transaction {
        var returned = split
        returned.split = .parts([
            SplitPart(category: Self.id(10), minor: split.amount.minor + 800),
            SplitPart(category: Self.id(13), minor: -800, note: typed("bottles")),
        ])
        returned.id = Self.id(203)
        return returned
    }

    fileprivate var exceeded: Transaction {
        var over = split
        over.amount.minor = 100
        over.id = Self.id(201)
        return over
    }

    fileprivate var unreadable: Transaction {
        var newer = split
        newer.split = .unreadable("[1]")
        newer.id = Self.id(202)
        return newer
    }

    fileprivate var splits: TransactionPage {
        var page = TransactionPage(
            rows: [split, returned, exceeded, unreadable],
            days: [],
            totals: totals,
            next: nil
        )
        page.partMinors = [split.id: 1_520, returned.id: -800]
        return page
    }

    func edit(
        _ state: FormState,
        editing: EntityID? = nil,
        catalog: Catalog? = nil,
        leftOut: Text? = nil,
        splitCaution: Text? = nil,
        repeats: [PayeeRepeat]? = nil,
        receipts: ReceiptsSection? = nil,
        unsaved: [UnsavedEntry] = []
    ) -> TransactionEditPage {
        let form = TransactionForm(
            state: state,
            editing: editing,
            once: Self.once,
            catalog: catalog ?? self.catalog,
            formats: formats,
            payees: payees,
            repeats: editing == nil ? repeats ?? self.repeats : [],
            kept: editing == nil ? [] : TransactionPrefill.fields,
            leftOut: leftOut,
            hasParts: true,
            splitCaution: splitCaution
        )
        return TransactionEditPage(
            chrome: chrome,
            form: form,
            editing: editing,
            receipts: receipts ?? (editing == nil ? drafts() : section([])),
            unsaved: unsaved
        )
    }

    func edit(_ transaction: Transaction, receipts: ReceiptsSection? = nil) -> TransactionEditPage {
        edit(
            values(of: transaction),
            editing: transaction.id,
            splitCaution: TransactionForm.splitCaution(transaction, formats: formats),
            receipts: receipts
        )
    }
}
