// Daily work at sizes that few books reach: many rows that are changed at once, many rules over many rows, and names of
// payees while they are typed.

import Book
import Foundation
import Ledger

/// The times of daily work in a book of 100,000 transactions and 10,000 payees.
struct DailyFigures {
    /// A change of the category of 1,000 rows, and its Undo, in milliseconds.
    let recategorised: Double
    let undone: Double
    /// The same of 10,000 rows, the most that are changed at once.
    let mostRecategorised: Double
    /// 200 rules over all transactions, in seconds.
    let rules: Double
    /// The slowest suggestions while a name is typed, letter by letter, in microseconds.
    let suggestions: Double
    /// The suggestions for the first letters after a change of the book, in microseconds.
    let suggestionsAfterChange: Double

    private static let payeeCount = 10_000
    private static let typed = [
        "b", "bi", "bil", "bill", "billa", "billa 4", "billa 42", "shell 10", "zzz", "1",
    ]

    /// Fills a book with a number of transactions and measures it.
    init(_ count: Int, in folder: String, today: CivilDate) throws {
        let book = try Book.open(at: folder + "/daily.sqlite") { 0 }
        defer { book.close() }
        let account = Account(
            id: EntityID(high: 2, low: 0),
            name: "Bank",
            type: .bank,
            currency: .eur,
            openingMinor: 0
        )
        let categories = (0..<12).map { number in
            Ledger.Category(
                id: EntityID(high: 3, low: UInt64(number)),
                name: "\(number)",
                kind: .expense,
                icon: "",
                color: "",
                parent: nil
            )
        }
        try book.seed(categories: categories, accounts: [account], for: EntityID(high: 4, low: 0))
        let rows = Self.transactions(count, on: account, of: Array(categories.dropLast(2)), today)
        try book.record(all: rows)

        let (one, other) = (categories[10], categories[11])
        let change = try Self.recategorise(rows.prefix(1_000).map(\.id), as: one, in: book)
        let begun = ContinuousClock.now
        guard case .done = try book.undo(change.number, overriding: false) else {
            throw BenchError("the change was not undone")
        }
        undone = taken(since: begun) / 1e3
        recategorised = change.milliseconds
        mostRecategorised =
            try Self.recategorise(rows.prefix(TransactionSelection.limit).map(\.id), as: other, in: book)
            .milliseconds
        rules = try Self.rules(over: rows, account, categories)
        suggestions =
            try Self.typed.map { text in
                try median(of: 100) { _ = try book.payeeUses(matching: text) }
            }.max() ?? 0
        suggestionsAfterChange = try (0..<11).map { number in
            var transaction = rows[number]
            transaction.id = EntityID(high: 9, low: UInt64(number))
            try book.record(transaction)
            let begun = ContinuousClock.now
            guard try !book.payeeUses(matching: "bi").isEmpty else {
                throw BenchError("nothing is suggested")
            }
            return taken(since: begun)
        }.sorted()[5]
    }

    /// Expenses of ten thousand payees, in which each name comes as often as any other.
    private static func transactions(
        _ count: Int,
        on account: Account,
        of categories: [Ledger.Category],
        _ today: CivilDate
    ) -> [Transaction] {
        var generator = Generator(accounts: [account.id], categories: categories, today: today)
        return generator.transactions(count).enumerated().map { number, generated in
            var transaction = generated
            transaction.payee = "\(generated.payee) \(number % payeeCount)"
            guard transaction.kind != .expense else { return transaction }
            (transaction.kind, transaction.toAccount, transaction.toMinor) = (.expense, nil, nil)
            transaction.category = categories[number % categories.count].id
            return transaction
        }
    }

    private static func recategorise(_ ids: [EntityID], as category: Ledger.Category, in book: Book) throws
        -> (number: Int64, milliseconds: Double)
    {
        let begun = ContinuousClock.now
        let result = try book.change(.rows(ids), by: .category(category))
        let milliseconds = taken(since: begun) / 1e3
        guard let number = result.change, result.changedCount == ids.count else {
            throw BenchError("\(result.changedCount) of \(ids.count) rows were changed")
        }
        return (number, milliseconds)
    }

    /// The time of 200 rules, of which some look at amounts and some are regular expressions, in seconds.
    private static func rules(
        over rows: [Transaction],
        _ account: Account,
        _ categories: [Ledger.Category]
    ) throws -> Double {
        let rules = (0..<200).map { number in
            var conditions = [RuleCondition(.text, .contains, .text("shop \(number)"))]
            switch number % 10 {
            case 0: conditions = [RuleCondition(.payee, .contains, .text("billa \(number)"))]
            case 1:
                let amount = RuleAmount(low: Int64(number) * 10_000, high: .max, isSigned: false)
                conditions.append(RuleCondition(.amount, .more, .amount(amount)))
            case 2: conditions = [RuleCondition(.text, .matches, .text("^card \\d+ \(number) "))]
            default: break
            }
            return Rule(
                id: EntityID(high: 5, low: UInt64(number)),
                name: "\(number)",
                conditions: conditions,
                effects: RuleEffects(category: categories[number % categories.count].id)
            )
        }
        let references = RuleReferences(
            categories: Dictionary(uniqueKeysWithValues: categories.map { ($0.id, $0.kind) }),
            accounts: [account.id: account.currency]
        )
        let begun = ContinuousClock.now
        var runner = RuleRunner(RuleSet(rules, Book.patterns), references)
        var matches = 0
        for row in rows {
            let result = runner.run(RuleRow(row, bankTexts: ["CARD 4711 \(row.payee) SAGT DANKE"]))
            guard result.tooCostly.isEmpty else { throw BenchError("an expression is too costly") }
            matches += result.matched.count
        }
        guard matches > 0 else { throw BenchError("no rule has matched") }
        return taken(since: begun) / 1e6
    }
}

extension Bench {
    static func show(_ daily: DailyFigures) {
        add(
            "1,000 rows of 100,000 get a category, as one change",
            tenths(daily.recategorised, "ms"),
            "< 1,000 ms",
            daily.recategorised < 1_000
        )
        add("its Undo", tenths(daily.undone, "ms"), "< 1,000 ms", daily.undone < 1_000)
        add("the same of 10,000 rows", tenths(daily.mostRecategorised, "ms"), "", nil)
        add("200 rules over 100,000 rows", hundredths(daily.rules, "s"), "< 2 s", daily.rules < 2)
        add(
            "the slowest suggestions while a name is typed, of 10,000 payees",
            micro(daily.suggestions),
            "< 5,000 µs",
            daily.suggestions < 5_000
        )
        add("the first ones after a change", micro(daily.suggestionsAfterChange), "", nil)
    }

    /// Searches of a list that is opened over loopback.
    static func showSearches(_ served: Served, _ count: Int) throws {
        let payee = "Netflix"
        guard let one = served.transactions.dropFirst(count / 2).first(where: { $0.payee == payee }) else {
            throw BenchError("no transaction of \(payee)")
        }
        let amount = "\(one.amount.minor / 100).\(String(one.amount.minor % 100 + 100).dropFirst())"
        let searches = [
            ("an amount", amount), ("a word and an amount", "\(payee) \(amount)"),
            ("a word of one in forty", payee),
        ]
        for (what, text) in searches {
            let address = "/transactions?month=all&q=\(text.replacing(" ", with: "+"))"
            guard try served.page(address).contains("data-kind=\"transaction\"") else {
                throw BenchError("\(text) is not found")
            }
            let time = try served.time(address, times: 50)
            add("a search for \(what), \(count) in the book", micro(time), "< 20,000 µs", time < 20_000)
        }
    }
}
