// Random changes to a book and to a naive model of one: every page must say the same at every stop.
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct RandomOperationsTests {
    @Test(arguments: [1, 2, 3, 2_025] as [UInt64])
    func everyPageAgreesWithANaiveBook(seed: UInt64) throws {
        print("seed \(seed)")
        let folder = Scratch()
        var run = try Run(book: .scratch(folder), seed: seed)
        for step in 1...400 {
            try run.step()
            if step % 80 == 0 {
                try run.compare()
                try run.compareToday()
            }
        }
        run.book.close()
        run = try Run(book: .scratch(folder), resuming: run)
        try run.compare()
    }
}

@Suite struct CachedSumsOfRandomOperations {
    @Test(arguments: [1, 2, 3, 2_027] as [UInt64])
    func areThoseThatAreReadAnew(seed: UInt64) throws {
        print("seed \(seed)")
        let folder = Scratch()
        var run = try Run(book: .scratch(folder), seed: seed)
        let converter = try Self.converter()
        var random = SplitMix(seed: seed)
        let (first, today) = (day("2020-01-01"), day("2026-12-31"))
        for step in 1...200 {
            try run.step()
            // Ranges are requested again and again, whole years and single days among them.
            let begin = first.adding(days: [0, 366, 731, Int(random.next() % 2_500)][Int(random.next() % 4)])
            let end = [today, begin, begin.adding(days: Int(random.next() % 800))][Int(random.next() % 3)]
            for days in [first...today, begin...Swift.max(begin, Swift.min(end, today))] {
                let results = try run.book.reading { db in
                    try [run.book.cachedSums, CachedSums(mostLines: 0)].map {
                        try db.rows(of: days, converter, $0)
                    }
                }
                #expect(results[0] == results[1], "step \(step), \(days)")
            }
        }
    }

    private static func converter() throws -> DayConverter {
        let days = try (0..<2_600).map { number in
            ExchangeRates(
                day: day("2026-12-31").adding(days: -number),
                source: .europeanCentralBank,
                base: .eur,
                rates: [.usd: try #require(ExchangeRate("1.\(1_000 + number % 700)"))]
            )
        }
        let table = try CurrencyTable(tsv: "EUR\t2\t€\tEuro\nJPY\t0\t¥\tYen\nUSD\t2\t$\tDollar\n")
        return DayConverter(RateHistory(version: "1", days: days), to: .eur, currencies: table)
    }
}

extension BookDatabase {
    /// The rows of all reports that are put together from cached sums.
    fileprivate func rows(of days: ClosedRange<CivilDate>, _ converter: DayConverter, _ cache: CachedSums)
        throws
        -> Set<[ReportRow]>
    {
        var rows: Set = [try spending(of: days, in: .eur, cache).rows().sorted { "\($0)" < "\($1)" }]
        for group in ReportGroup.allCases {
            rows.insert(try valued(days, by: group, converter, cache).sorted { "\($0)" < "\($1)" })
        }
        return rows
    }
}

@Suite struct UndoingRandomOperations {
    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func leadsBackThroughEveryMoment(seed: UInt64) throws {
        print("seed \(seed)")
        let folder = Scratch()
        var run = try Run(book: .scratch(folder), seed: seed)
        var states: [Int64: [String]] = [:]
        for _ in 1...150 {
            let before = try run.book.contents()
            let last = try run.book.history(limit: 1).first?.id
            try run.step()
            let change = try #require(try run.book.history(limit: 1).first?.id)
            if change != last { states[change] = before }
        }
        let end = try run.book.contents()
        let changes = states.keys.sorted(by: >)
        for change in changes {
            #expect(try run.book.undo(change, overriding: false) == .done(by: latest(run.book)))
            #expect(try run.book.contents() == states[change], "undoing \(change)")
        }
        #expect(try run.book.verifySums() == [])
        // And forth again, by undoing what undid.
        for undoing in try run.book.history(limit: changes.count).map(\.id) {
            #expect(try run.book.undo(undoing, overriding: false) == .done(by: latest(run.book)))
        }
        #expect(try run.book.contents() == end)
        #expect(try run.book.verifySums() == [])
    }

    private func latest(_ book: Book) throws -> Int64 { try book.history(limit: 1).first?.id ?? 0 }
}

extension Book {
    /// All that lives in the book, a line each.
    fileprivate func contents() throws -> [String] {
        try reading { db in
            try BookSchema.breadly.tables.flatMap { table in
                let live = table.hasTombstones ? "WHERE deleted_at IS NULL" : ""
                return try db.all("SELECT id, \(table.columns) FROM \(table.name) \(live) ORDER BY id") {
                    row in
                    "\(table.kind) \(row.text(0)) \(table.read(row, from: 1))"
                }
            }
        }
    }
}

struct Run {
    let book: Book
    var model = Model()
    var random: SplitMix
    var nextID = 1_000

    private let currencies: [CurrencyCode] = [.eur, .usd, CurrencyCode("JPY") ?? .usd]
    private let payees = ["", "Lidl", "Lidl Express", "Baker & Sons", "ACME 1250", "lumber yard", "東京都水道局"]
    private let notes = ["", "weekly shop", "for the week", "no 12", "lid of a pot", "地下鉄 水道代"]

    init(book: Book, seed: UInt64) throws {
        self.book = book
        random = SplitMix(seed: seed)
        for number in 1...4 {
            let account = Account.sample(number, currencies[number % 3], opening: Int64(number) * 100 - 250)
            try book.add(account)
            model.accounts[account.id] = account
        }
        for number in 11...20 {
            let category = Ledger.Category.sample(
                number,
                number < 17 ? .expense : .income,
                parent: number == 12 || number == 13 ? 11 : nil
            )
            try book.add(category)
            model.categories[category.id] = category
        }
    }

    init(book: Book, resuming run: Run) throws {
        self.book = book
        model = run.model
        random = run.random
    }

    private mutating func pick<Value>(_ values: [Value], or other: Value) -> Value {
        values.randomElement(using: &random) ?? other
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func transaction(_ id: EntityID) -> Transaction {
        let account = pick(model.accounts.values.sorted { $0.id < $1.id }, or: .sample(1))
        let kind = pick([.expense, .expense, .expense, .income, .transfer], or: TransactionKind.expense)
        let minor = Int64.random(in: 1...2_000, using: &random)
        let isForeign = kind != .transfer && chance(20)
        let currency = isForeign ? pick(currencies, or: .eur) : account.currency
        // Some lie years apart, for reports over whole years.
        let years = chance(20) ? Int.random(in: -4..<0, using: &random) : 0
        let date = day("2025-01-01").adding(days: years * 365 + Int.random(in: 0..<150, using: &random))
        var row = Transaction(
            id: id,
            kind: kind,
            date: date,
            amount: Money(minor: minor, currency: currency),
            account: account.id,
            accountMinor: currency == account.currency ? minor : minor * 2,
            payee: pick(payees, or: ""),
            note: pick(notes, or: ""),
            tags: chance(20) ? ["home", "shared"] : []
        )
        if kind == .transfer {
            let others = model.accounts.values.filter { $0.id != account.id }.sorted { $0.id < $1.id }
            row.toAccount = pick(others, or: .sample(1)).id
            row.toMinor = minor + 7
        } else if chance(85) {
            let isRefund = kind == .income && chance(30)
            let fitting = model.categories.values.filter {
                $0.kind.rawValue == kind.rawValue || (isRefund && $0.kind == .expense)
            }
            row.category = fitting.map(\.id).sorted().randomElement(using: &random)
            if chance(25), minor > 3 { split(&row, over: fitting.map(\.id).sorted()) }
        }
        return row
    }

    private mutating func split(_ row: inout Transaction, over categories: [EntityID]) {
        row.category = nil
        var (parts, rest) = ([SplitPart](), row.amount.minor)
        for left in (0..<Int.random(in: 2...4, using: &random)).reversed() {
            let minor = left == 0 ? rest : Int64.random(in: 1...(rest - Int64(left)), using: &random)
            rest -= minor
            let category = chance(15) ? nil : categories.randomElement(using: &random)
            parts.append(SplitPart(category: category, minor: minor, note: pick(notes, or: "")))
        }
        if chance(30) {
            let back = Int64.random(in: 1...row.amount.minor, using: &random)
            parts[0].minor += back
            let category = chance(15) ? nil : categories.randomElement(using: &random)
            parts.insert(SplitPart(category: category, minor: -back), at: chance(50) ? 0 : parts.count)
        }
        row.split = .parts(parts)
    }

    mutating func step() throws {
        let ids = model.transactions.keys.sorted()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50:
            nextID += 1
            // Not in the order of the ids, so that the order within a day is put to the test.
            let row = transaction(
                EntityID(high: UInt64.random(in: 0...999, using: &random), low: UInt64(nextID))
            )
            let openings = chance(50) ? contain(row) : []
            if openings.isEmpty {
                #expect(try book.record(row) == .new)
            } else {
                #expect(try book.record(row, containedInOpeningsOf: openings) != nil)
            }
            #expect(try book.record(row) == .already)
            model.transactions[row.id] = Model.Held(transaction: row)
        case 50..<65:
            guard let id = ids.randomElement(using: &random), let held = model.transactions[id] else {
                return
            }
            let row = transaction(id)
            if held.isDeleted {
                #expect(throws: BookError.deletedTransaction(id)) { try book.change(row) }
            } else {
                try book.change(row)
                model.transactions[id]?.transaction = row
            }
        case 65..<78:
            guard let id = ids.randomElement(using: &random) else { return }
            try book.deleteTransaction(id)
            model.transactions[id]?.isDeleted = true
        case 78..<86:
            guard let id = ids.randomElement(using: &random) else { return }
            try book.restoreTransaction(id)
            model.transactions[id]?.isDeleted = false
        case 86..<90:
            let id = pick(model.accounts.keys.sorted(), or: .number(1))
            guard var account = model.accounts[id] else { return }
            account.openingMinor = Int64.random(in: -500...500, using: &random)
            account.openingDay =
                chance(60) ? day("2024-11-20").adding(days: Int.random(in: 0..<240, using: &random)) : nil
            try book.change(account)
            model.accounts[id] = account
        case 90..<95:
            try changeBudgets()
        default:
            let source = pick(model.categories.keys.sorted(), or: .number(11))
            let kind = model.categories[source]?.kind
            let targets = model.categories.values.filter { $0.kind == kind && $0.id != source }
            let target = chance(30) ? nil : targets.map(\.id).sorted().randomElement(using: &random)
            let moved = model.live.filter { model.pieces($0).contains { $0.category == source } }
            #expect(try book.move(transactionsOf: source, to: target) == moved.count)
            for var row in moved {
                if row.category == source { row.category = target }
                if case .parts(var parts)? = row.split {
                    for place in parts.indices where parts[place].category == source {
                        parts[place].category = target
                    }
                    row.split = .parts(parts)
                }
                model.transactions[row.id]?.transaction = row
            }
        }
    }

    /// Takes a transaction out of the opening balances of later days in the model.
    /// - Returns: the accounts with such an opening balance.
    private mutating func contain(_ row: Transaction) -> Set<EntityID> {
        let accounts = row.perhapsInOpenings(of: Array(model.accounts.values), inPlaceOf: nil)
        for account in accounts {
            model.accounts[account.id]?.openingMinor -= row.changeMinor(beforeOpeningOf: account)
        }
        return Set(accounts.map(\.id))
    }

    private mutating func changeBudgets() throws {
        if model.budgets.count > 5, let id = model.budgets.keys.sorted().randomElement(using: &random) {
            try book.deleteBudget(id)
            model.budgets[id] = nil
            return
        }
        nextID += 1
        let budget = Budget(
            id: .number(nextID),
            category: chance(30) ? nil : pick([11, 12, 14, 15].map { .number($0) }, or: .number(11)),
            limit: Money(
                minor: Int64.random(in: 1...5_000, using: &random),
                currency: pick(currencies, or: .eur)
            ),
            from: month("2025-01").adding(Int.random(in: 0...5, using: &random)),
            rollover: chance(50),
            until: chance(20) ? month("2025-01").adding(Int.random(in: 0...6, using: &random)) : nil,
            carryFrom: chance(30) ? month("2025-01").adding(Int.random(in: 0...4, using: &random)) : nil,
            pace: chance(40) ? pick(BudgetPace.allCases, or: .once) : nil
        )
        let other = model.budgets.values.first { $0.category == budget.category && $0.from == budget.from }
        if let other {
            #expect(throws: BookError.budgetExists(other.id)) { try book.add(budget) }
        } else {
            try book.add(budget)
            model.budgets[budget.id] = budget
        }
    }

    func compareReports(_ span: ClosedRange<YearMonth>) throws {
        for group in ReportGroup.allCases {
            let rows = try book.report(from: span.lowerBound, to: span.upperBound, group: group)
            #expect(Set(rows) == model.report(span, group), "\(group) of \(span)")
            #expect(Set(rows).count == rows.count, "\(group) of \(span)")
            let known = try book.report(
                from: span.lowerBound,
                to: span.upperBound,
                group: group,
                knownIn: .eur
            )
            #expect(Set(known) == model.report(span, group, knownIn: .eur), "\(group) of \(span)")
            #expect(Set(known).count == known.count, "\(group) of \(span)")
        }
    }

    mutating func compare() throws {
        #expect(try book.verifySums() == [])
        #expect(try book.accountBalances() == model.accountBalances())
        #expect(try book.counts().transactions == model.live.count)
        for _ in 0..<60 { try compareList(randomQuery()) }
        for index in month("2024-12").index...month("2025-07").index {
            let month = YearMonth(index: index)
            #expect(
                try book.budgets(month: month, base: .eur).statuses == model.statuses(month, current: month)
            )
            let today = day("2025-04-10")
            let overview = try book.overview(month: month, today: today, base: .eur)
            let isPresent = month == today.yearMonth
            let (soFar, toCome) = model.parted(month.firstDay...month.lastDay, today)
            #expect(overview.totals == model.chargedTotals(soFar, .eur))
            #expect(overview.toCome == model.chargedTotals(toCome, .eur))
            let present = model.through(today)
            #expect(
                overview.budgets.map(\.withoutToCome)
                    == (isPresent ? present : model).statuses(month, current: today.yearMonth)
            )
            let all = model.statuses(month, current: today.yearMonth)
            #expect(overview.budgets.map { $0.spentMinor + $0.toComeMinor } == all.map(\.spentMinor))
            #expect(overview.latest == Array((isPresent ? present.live : soFar).prefix(8)))
            let balances = isPresent ? present.balances() : model.balances(upTo: month)
            for account in overview.accounts {
                #expect(account.balanceMinor == balances[account.account.id])
            }
            let spending = soFar.flatMap(model.pieces).filter { $0.kind == .expense || model.isRefund($0) }
            let expected = Dictionary(grouping: spending, by: \.category).flatMap { category, rows in
                model.chargedTotals(rows, .eur).map { ReportRow(key: .category(category), total: $0) }
            }
            #expect(Set(overview.spending) == Set(expected))
        }
        let span = month("2025-01")...month("2025-04")
        try compareReports(span)
        for _ in 0..<5 {
            let first = month("2020-06").adding(Int.random(in: 0..<60, using: &random))
            try compareReports(first...first.adding(Int.random(in: 0..<60, using: &random)))
        }
        #expect(try book.netWorth(from: span.lowerBound, to: span.upperBound) == model.netWorth(span))
        #expect(
            try Set(book.accountWorth(from: span.lowerBound, to: span.upperBound)) == model.accountWorth(span)
        )
        #expect(try book.cashFlow(from: span.lowerBound, to: span.upperBound) == model.cashFlow(span))
        for days in [day("2025-02-03")...day("2025-02-17"), day("2025-03-01")...day("2025-04-30")] {
            func spent(_ rows: some Sequence<ReportRow>) -> Set<ReportRow> {
                Set(
                    rows.filter { $0.total.expenseMinor != 0 }.map { row in
                        var row = row
                        (row.total.incomeMinor, row.total.count) = (0, 0)
                        return row
                    }
                )
            }
            #expect(
                try spent(book.spending(of: days, knownIn: .eur)) == spent(model.spending(days)),
                "\(days)"
            )
        }
        for payee in payees where !payee.isEmpty {
            let last = model.live.first { $0.payee == payee && $0.category != nil }
            #expect(try book.usualCategory(ofPayee: payee) == last?.category)
        }
        try compareExport()
    }

    private func compareExport() throws {
        var exported: [Transaction] = []
        try book.export { entity in
            entity.kind == "transaction" ? { exported.append(try Transaction($0.columns)) } : nil
        }
        #expect(exported == model.live.reversed())
    }

    mutating func randomQuery() -> TransactionQuery {
        var query = TransactionQuery()
        if chance(40) { query.month = month("2025-01").adding(Int.random(in: 0...5, using: &random)) }
        if chance(15) {
            let (first, last) = (
                Int.random(in: 0...120, using: &random), Int.random(in: 0...90, using: &random)
            )
            let begin = day("2024-12-20").adding(days: first)
            query.days = begin...begin.adding(days: last)
        }
        if chance(10) { query.months = month("2025-01")...month("2025-03") }
        if chance(15) { query.payee = payees.filter { !$0.isEmpty }.randomElement(using: &random) }
        if chance(30) { query.account = pick(model.accounts.keys.sorted(), or: .number(1)) }
        if chance(15) { query.isOfDailyUse = true }
        if chance(10) { query.isAsCharged = true }
        if chance(30) { query.category = .family(pick(model.categories.keys.sorted(), or: .number(11))) }
        if chance(15) { query.category = .uncategorized }
        if chance(10) { query.category = .alone(pick(model.categories.keys.sorted(), or: .number(11))) }
        if chance(15) { query.isSpending = true }
        if chance(10) { query.counts = .known(pick(currencies, or: .eur)) }
        if chance(10) { query.counts = .leftOut(pick(currencies, or: .eur)) }
        if chance(25) { query.kind = pick(TransactionKind.allCases, or: .expense) }
        if chance(40) {
            query.text = pick(
                [
                    "li", "lidl", "week shop", "1250", "12", "home", "SHARED lum", "zebra", " ", "account",
                    "CATEGORY", "11", "2 account", "lidl category", "category account", "lidl 11 1", "水道",
                    "道 week", "下鉄", "li 局", "局 category",
                ],
                or: ""
            )
        }
        if chance(10), let row = model.live.randomElement(using: &random) {
            query.text = model.amounts(row).randomElement(using: &random)?.typed
        }
        if chance(15), let row = model.live.randomElement(using: &random) {
            let amount = row.amount.typed
            let text = pick([">\(amount)", "<=\(amount)", amount, "1..\(amount)", ">5 <20"], or: amount)
            query.amount = try? AmountFilter(text, decimalSign: ".")
        }
        if chance(10), let tags = model.live.randomElement(using: &random)?.tags { query.tags = tags }
        if chance(5) { query.isWithReceipt = true }
        if chance(5) { query.isFromBank = true }
        if chance(50) {
            query.sort = pick(
                ["date", "amount", "-amount", "payee", "-payee"].compactMap(TransactionSort.init),
                or: .newestFirst
            )
        }
        query.limit = pick([1, 3, 10, 50], or: 50)
        return query
    }

    /// Walks through all pages: every row once, in order, with the right totals on each page.
    private func compareList(_ query: TransactionQuery) throws {
        var query = query
        var rows: [Transaction] = []
        let all = model.found(query)
        repeat {
            let page = try book.transactions(query).page
            let expected = model.page(query, of: all)
            #expect(page.rows == expected.rows, "\(query)")
            #expect(page.days == expected.days, "\(query)")
            #expect(page.totals == expected.totals, "\(query)")
            #expect(page.next == expected.next, "\(query)")
            #expect(page.partMinors == expected.partMinors, "\(query)")
            #expect(page.moved == expected.moved, "\(query)")
            let known = try book.transactions(query, knownIn: .eur).page
            let wanted = model.page(query, of: all, knownIn: .eur)
            #expect(known.days == wanted.days && known.totals == wanted.totals, "\(query)")
            guard page.next == expected.next else { return }
            rows += page.rows
            query.after = page.next
            // A page of one row walks long: the first few pages say enough.
        } while query.after != nil && rows.count < 60
        if query.after == nil { #expect(rows == model.found(query)) }
    }
}

extension YearMonth {
    fileprivate func adding(_ months: Int) -> YearMonth { YearMonth(index: index + months) }
}
