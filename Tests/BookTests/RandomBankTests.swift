// Random reports of banks, notes and records beside a book: nothing counts twice, and every page agrees with a naive
// count.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct RandomBankTests {
    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func everythingCountsOnceAndAgreesWithANaiveCount(seed: UInt64) throws {
        print("seed \(seed)")
        let folder = Scratch()
        var run = try RandomBank(book: .scratch(folder), seed: seed)
        for step in 1...120 {
            try run.step()
            if step % 6 == 0 { try run.compare("seed \(seed), step \(step)") }
        }
        // The other side of a transfer, and a hidden row in a balance, do not occur with each seed.
        #expect(run.seen.isSuperset(of: ["open", "hidden", "recorded", "entered"]) && run.seen.count >= 5)
    }
}

/// A book with three accounts at a bank, an account without one, and a bank that reports anything.
private struct RandomBank {
    let book: Book
    private var random: SplitMix
    private var reported: [Int: [BankTransaction]] = [1: [], 2: [], 4: []]
    private var balances: [Int: Int64] = [1: 50_000, 2: -4_000, 4: 700]
    private var changes: [Int64] = []
    private var number = 1_000
    private let today = day("2025-11-25")
    private let currencies: [Int: CurrencyCode] = [1: .eur, 2: .usd, 3: .eur, 4: .eur]
    /// The names of the states that have occurred.
    var seen: Set<String> = []

    init(book: Book, seed: UInt64) throws {
        self.book = book
        random = SplitMix(seed: seed)
        try book.add(Account.sample(1, opening: 1_000))
        try book.add(Account.sample(2, .usd))
        try book.add(Account.sample(3, opening: 9_000))
        try book.add(Account.sample(4))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, .income))
        let joins = [1, 2, 4].map { number in
            let account = BankAccount(
                id: "a\(number)",
                name: "A",
                kind: .current,
                currency: currencies[number] ?? .eur,
                institution: nil
            )
            return BankJoin(account, of: "bank", .existing(.number(number)))
        }
        _ = try book.join(joins, connection: .number(600), refreshedAt: noon)
    }

    private func key(_ account: Int) -> BankAccountKey {
        BankAccountKey(provider: "bank", account: "a\(account)")
    }

    /// Few amounts and days, so that transactions look alike.
    private mutating func minor() -> Int64 { [100, 250, 250, 999][Int(random.next() % 4)] }
    private mutating func date() -> CivilDate { today.adding(days: -Int(random.next() % 75)) }
    private mutating func pick<Element>(_ all: [Element]) -> Element? {
        all.isEmpty ? nil : all[Int(random.next() % UInt64(all.count))]
    }

    /// The present rows. The order of the report does not matter.
    private mutating func rows() throws -> BankRows {
        var reports: [BankAccountKey: [BankTransaction]] = [:]
        for account in [1, 2, 4] {
            reports[key(account)] = (reported[account] ?? []).shuffled(using: &random)
        }
        var known: [BankAccountKey: BankBalance] = [:]
        for (account, minor) in balances {
            let money = Money(minor: minor, currency: currencies[account] ?? .eur)
            known[key(account)] = BankBalance(money: money, asOf: Int64(today.dayNumber) * 86_400 + 43_200)
        }
        return try book.bankRows(of: BankReports(reports, balances: known))
    }

    /// The bank reports a booked row of one of its accounts.
    private mutating func report(_ minor: Int64, on account: Int, _ day: CivilDate) {
        guard reported[account] != nil else { return }
        number += 1
        let row = BankTransaction(
            id: "t\(number)",
            date: day,
            money: Money(minor: minor, currency: currencies[account] ?? .eur),
            description: "SAVINGS",
            counterparty: nil,
            isPending: false
        )
        reported[account]?.append(row)
        balances[account, default: 0] += minor
    }

    mutating func step() throws {
        let account = [1, 2, 4][Int(random.next() % 3)]
        number += 1
        let before = reported[account] ?? []
        switch random.next() % 14 {
        case 0...3:
            let isPending = random.next() % 3 == 0
            let minor = random.next() % 3 == 0 ? minor() : -minor()
            let row = BankTransaction(
                id: "t\(number)",
                date: date(),
                money: Money(minor: minor, currency: currencies[account] ?? .eur),
                description: ["BAKERY 12", "SALARY", "KIOSK"][Int(random.next() % 3)],
                counterparty: nil,
                isPending: isPending
            )
            reported[account]?.append(row)
            if !isPending { balances[account, default: 0] += minor }
        case 4:
            // A pending row is booked, under another identifier now and then.
            guard let index = before.indices.filter({ before[$0].isPending }).first else { return }
            reported[account]?[index].isPending = false
            if random.next() % 2 == 0 { reported[account]?[index].id += "b" }
            balances[account, default: 0] += before[index].money.minor
            try book.followBank(key(account), before: before, now: reported[account] ?? [])
        case 5:
            // The oldest row is older than the days that the bank reports.
            guard let oldest = before.min(by: { $0.date < $1.date }) else { return }
            reported[account]?.removeAll { $0.id == oldest.id }
        case 13:
            // The bank names all transactions anew, which this device sees or not.
            reported[account] = before.map { row in
                var row = row
                row.id += "n"
                return row
            }
            guard random.next() % 2 == 0 else { return }
            try book.followBank(key(account), before: before, now: reported[account] ?? [])
        case 6...7:
            guard let row = pick(before) else { return }
            var note = try book.bankNote(of: BankTransactionKey(key(account), id: row.id))
            switch random.next() % 3 {
            case 0: note.isHidden.toggle()
            case 1: note.category = row.money.minor < 0 || random.next() % 2 == 0 ? .number(11) : .number(12)
            default: (note.payee, note.tags) = ("Bakery at the corner", ["bread"])
            }
            try book.write(note)
        case 8:
            guard let row = pick(try rows().all) else { return }
            if case .entered(let id) = row.state, random.next() % 2 == 0 {
                _ = try book.connect(id, to: row)
            } else if let change = try book.record([row], again: true).change {
                changes.append(change)
            }
        case 9:
            guard let change = pick(changes) else { return }
            _ = try book.undo(change, overriding: true)
        case 10:
            let isIncome = random.next() % 3 == 0
            try book.record(
                .sample(
                    number,
                    isIncome ? .income : .expense,
                    "\(date().adding(days: Int(random.next() % 9)))",
                    minor(),
                    currencies[account] ?? .eur,
                    account: account,
                    category: isIncome ? 12 : 11
                )
            )
        case 11:
            let (from, to) = [(3, 1), (1, 4), (4, 1)][Int(random.next() % 3)]
            let (day, minor, id) = (date(), minor(), EntityID.number(number))
            try book.record(.sample(number, .transfer, "\(day)", minor, account: from, to: to))
            // The bank often reports both sides, on days of their own.
            guard random.next() % 2 == 0 else { return }
            report(-minor, on: from, day)
            report(minor, on: to, day.adding(days: Int(random.next() % 3)))
            if let row = try rows().all.first(where: { $0.state == .entered(id) }), random.next() % 2 == 0 {
                _ = try book.connect(id, to: row)
            }
        default:
            // A record becomes a transfer.
            let records = try rows().all.compactMap { row -> EntityID? in
                if case .recorded(let id) = row.state { id } else { nil }
            }
            guard let id = pick(records), var record = try book.transaction(id),
                record.kind != .transfer, record.account != .number(2)
            else { return }
            let other = EntityID.number(record.account == .number(1) ? 4 : 1)
            let (from, to) = record.kind == .income ? (other, record.account) : (record.account, other)
            (record.kind, record.account, record.toAccount) = (.transfer, from, to)
            (record.toMinor, record.category) = (record.accountMinor, nil)
            report(record.accountMinor, on: to == .number(1) ? 1 : 4, record.date)
            report(-record.accountMinor, on: from == .number(1) ? 1 : 4, record.date)
            try book.change(record)
        }
    }

    // MARK: - The naive count

    /// The change of an account by a transaction.
    private static func change(of account: EntityID, _ transaction: Transaction) -> Int64 {
        if transaction.toAccount == account { return transaction.toMinor ?? 0 }
        guard transaction.account == account else { return 0 }
        return transaction.kind == .income ? transaction.accountMinor : -transaction.accountMinor
    }

    private func isRefund(_ row: Transaction) -> Bool { row.kind == .income && row.category == .number(11) }

    /// Income, spending and number by currency.
    private func totals(_ rows: [Transaction]) -> [CurrencyTotal] {
        Dictionary(grouping: rows, by: \.amount.currency).map { currency, rows in
            var total = CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: rows.count)
            for row in rows where row.kind != .transfer {
                if row.kind == .income, !isRefund(row) {
                    total.incomeMinor += Int128(row.amount.minor)
                } else {
                    total.expenseMinor += Int128(row.kind == .income ? -row.amount.minor : row.amount.minor)
                }
            }
            return total
        }
        .sorted { $0.currency < $1.currency }
    }

    mutating func compare(_ place: Comment) throws {
        let rows = try rows()
        let recorded = try book.reading { db in
            try db.all("SELECT \(Transaction.columns) FROM transactions WHERE deleted_at IS NULL") {
                try Transaction($0)
            }
        }
        let open = try checkStates(of: rows, recorded, place)
        let counted = (recorded + open).sorted { ($0.date, $0.id) > ($1.date, $1.id) }
        #expect(Set(counted.map(\.id)).count == counted.count, place)
        try compareLists(counted, rows, place)
        try compareReports(counted, rows, place)
        // The balances contain hidden rows as well.
        let booked = rows.all.filter { row in
            !row.reported.isPending && rows.booked.contains { $0.id == row.transaction.id }
        }
        #expect(
            booked.filter { $0.state == .open }.count
                == open.filter { row in
                    rows[row.id]?.reported.isPending == false
                }.count,
            place
        )
        let balanced = (recorded + booked.map(\.transaction)).sorted { ($0.date, $0.id) > ($1.date, $1.id) }
        try compareBalances(balanced, shown: Set(counted.map(\.id)), rows, place)
    }

    /// Each reported row is there once, and in the state that the book gives it.
    /// - Returns: the open rows.
    private mutating func checkStates(of rows: BankRows, _ recorded: [Transaction], _ place: Comment) throws
        -> [Transaction]
    {
        let keys = [1, 2, 4].flatMap { account in
            (reported[account] ?? []).map { BankTransactionKey(key(account), id: $0.id).description }
        }
        #expect(rows.all.compactMap(\.transaction.bankTransaction).sorted() == keys.sorted(), place)
        // The transactions that are no records of rows of an account, by the account.
        var free: [EntityID: [Transaction]] = [:]
        for account in [1, 2, 4] {
            let first = reported[account]?.map(\.date).min()
            free[.number(account)] = recorded.filter { entered in
                // A record whose transaction is not reported any more, although it is not too old.
                let isGone =
                    !keys.contains(entered.bankTransaction ?? "") && first.map { $0 <= entered.date } ?? true
                return Self.change(of: .number(account), entered) != 0
                    && (entered.bankTransaction?.hasPrefix("\(key(account)) ") != true || isGone)
            }
        }
        var (open, hidden): ([BankRow], [BankRow]) = ([], [])
        func twin(of row: BankRow) -> Transaction? {
            free[row.transaction.account]?.first { entered in
                Self.change(of: row.transaction.account, entered) == row.reported.money.minor
                    && abs(Int(entered.date.dayNumber) - Int(row.reported.date.dayNumber)) <= 3
            }
        }
        for row in rows.all {
            let key = try #require(row.transaction.bankTransaction)
            let isHidden = try book.bankNote(of: BankTransactionKey(text: key)).isHidden
            let record = recorded.first { $0.bankTransaction == key }
            switch row.state {
            case .recorded(let id) where record != nil: #expect(record?.id == id, place)
            case .hidden:
                #expect(record == nil && isHidden, place)
                hidden.append(row)
            case .recorded(let id), .entered(let id):
                let entered = try #require(free[row.transaction.account]?.first { $0.id == id }, place)
                free[row.transaction.account]?.removeAll { $0.id == id }
                // In no doubt are the other side of a transfer that is connected, and a record on the same day.
                let isOfAccount = entered.bankTransaction?.prefix { $0 != " " } == key.prefix { $0 != " " }
                let isCertain =
                    isOfAccount
                    ? entered.date == row.reported.date
                    : entered.kind == .transfer && entered.bankTransaction != nil
                if case .recorded = row.state { seen.insert(isOfAccount ? "named anew" : "other side") }
                #expect(isCertain == (row.state == .recorded(id)), place)
                let isAlike = Self.change(of: row.transaction.account, entered) == row.reported.money.minor
                let days = abs(Int(entered.date.dayNumber) - Int(row.reported.date.dayNumber))
                #expect(record == nil && !isHidden && isAlike && days <= 3, place)
            case .open:
                #expect(record == nil && !isHidden, place)
                open.append(row)
            }
            seen.insert("\(row.state)".prefix { $0 != "(" }.description)
        }
        // No open row is one that was entered by hand as well.
        for row in open { #expect(twin(of: row) == nil, place) }
        // A hidden one is in the balance of the bank, unless it is in the book.
        let booked = Set(rows.booked.map(\.id))
        for row in hidden where booked.contains(row.transaction.id) {
            seen.insert("hidden in a balance")
            #expect(twin(of: row) == nil, place)
        }
        return open.map(\.transaction)
    }

    private func compareLists(_ counted: [Transaction], _ rows: BankRows, _ place: Comment) throws {
        typealias Filter = (query: TransactionQuery, passes: (Transaction) -> Bool)
        func filter(_ change: (inout TransactionQuery) -> Void, _ passes: @escaping (Transaction) -> Bool)
            -> Filter
        {
            (TransactionQuery(change), passes)
        }
        let november = month("2025-11")
        let filters: [Filter] = [
            filter({ _ in }, { _ in true }),
            filter({ $0.month = november }, { $0.date.yearMonth == november }),
            filter({ $0.account = .number(1) }, { Self.change(of: .number(1), $0) != 0 }),
            filter({ $0.kind = .income }, { $0.kind == .income }),
            filter({ $0.category = .family(.number(11)) }, { $0.category == .number(11) }),
            filter({ $0.category = .uncategorized }, { $0.category == nil && $0.kind != .transfer }),
            filter({ $0.text = "bak" }, { $0.payee.contains("Bak") }),
            filter({ $0.text = "corner bread" }, { $0.tags == ["bread"] }),
            filter(
                { ($0.text, $0.month) = ("2.50", november) },
                { $0.amount.minor == 250 && $0.date.yearMonth == november }
            ),
        ]
        for (query, passes) in filters {
            let wanted = counted.filter(passes)
            var query = query
            query.limit = 7
            var (found, days): ([Transaction], [CivilDate: [CurrencyTotal]]) = ([], [:])
            while true {
                let page = try book.transactions(query, beside: rows).page
                #expect(page.totals == totals(wanted), place)
                for day in page.days { days[day.date] = day.totals }
                found += page.rows
                guard let next = page.next else { break }
                query.after = next
            }
            #expect(found == wanted, place)
            #expect(days == Dictionary(grouping: wanted, by: \.date).mapValues(totals), place)
        }
    }

    private func compareReports(_ counted: [Transaction], _ rows: BankRows, _ place: Comment) throws {
        let (first, last) = (month("2025-09"), month("2025-12"))
        let spent = counted.filter { $0.kind != .transfer && (first...last).contains($0.date.yearMonth) }
        func key(_ row: Transaction, _ group: ReportGroup) -> ReportRow.Key {
            switch group {
            case .month: .month(row.date.yearMonth)
            case .category: .category(row.category)
            case .account: .account(row.account)
            case .payee: .payee(row.payee)
            }
        }
        for group in ReportGroup.allCases {
            let wanted = Dictionary(grouping: spent) { key($0, group) }
            let report = try book.report(from: first, to: last, group: group, beside: rows)
            var found: [ReportRow.Key: [[Int128]]] = [:]
            for row in report where row.total.incomeMinor != 0 || row.total.expenseMinor != 0 {
                found[row.key, default: []].append([row.total.incomeMinor, row.total.expenseMinor])
            }
            let sums = wanted.mapValues { rows in
                totals(rows).map { [$0.incomeMinor, $0.expenseMinor] }.filter { $0 != [0, 0] }
            }
            #expect(
                found.mapValues(Set.init) == sums.filter { !$0.value.isEmpty }.mapValues(Set.init),
                "\(place) \(group)"
            )
        }
        let november = month("2025-11")
        let overview = try book.overview(month: november, today: today, base: .eur, beside: rows)
        let ofMonth = totals(spent.filter { $0.date.yearMonth == november })
        #expect(overview.totals == ofMonth, place)
        #expect(overview.latest == Array(counted.filter { $0.date <= today }.prefix(8)), place)
    }

    /// Balances go back from that of the bank, or from the opening one.
    private func compareBalances(
        _ counted: [Transaction],
        shown: Set<EntityID>,
        _ rows: BankRows,
        _ place: Comment
    ) throws {
        let (first, last) = (month("2025-08"), month("2025-12"))
        var ends: [Int: Int128] = [:]
        for account in 1...4 {
            let own = counted.filter { Self.change(of: .number(account), $0) != 0 }
            func sum(_ rows: some Sequence<Transaction>) -> Int128 {
                rows.reduce(0) { $0 + Int128(Self.change(of: .number(account), $1)) }
            }
            let end =
                balances[account].map { Int128($0) + sum(own.filter { $0.date > today }) } ?? 9_000 + sum(own)
            ends[account] = end
            var query = TransactionQuery()
            query.limit = 500
            let register = try #require(try book.register(of: .number(account), query, beside: rows))
            #expect(register.account.balanceMinor == end, place)
            let wanted = own.indices.filter { shown.contains(own[$0].id) }.map { end - sum(own[..<$0]) }
            #expect(register.balancesMinor == wanted, place)
            #expect(register.beforeMinor == end - sum(own), place)
            let october = month("2025-10")
            query.month = october
            let past = try #require(try book.register(of: .number(account), query, beside: rows))
            let later = sum(own.filter { $0.date.yearMonth > october })
            let ofMonth = sum(own.filter { $0.date.yearMonth == october })
            #expect(past.beforeMinor == end - later - ofMonth, place)
            let first = own.firstIndex { $0.date.yearMonth == october && shown.contains($0.id) }
            #expect(past.balancesMinor.first == first.map { end - sum(own[..<$0]) }, place)
            let overview = try book.overview(month: october, today: today, base: .eur, beside: rows)
            let shown = overview.accounts.first { $0.account.id == .number(account) }
            #expect(shown?.balanceMinor == end - later, place)
        }
        let flows = try book.cashFlow(from: first, to: last, beside: rows)
        let worth = try book.netWorth(from: first, to: last, beside: rows)
        for currency in [CurrencyCode.eur, .usd] {
            let accounts = currencies.filter { $0.value == currency }.keys
            for index in first.index...last.index {
                let month = YearMonth(index: index)
                func change(_ passes: (Transaction) -> Bool) -> Int128 {
                    accounts.reduce(0) { sum, account in
                        counted.filter(passes).reduce(sum) {
                            $0 + Int128(Self.change(of: .number(account), $1))
                        }
                    }
                }
                let end = accounts.reduce(0) { $0 + (ends[$1] ?? 0) } - change { $0.date.yearMonth > month }
                let flow = flows.first { $0.month == month && $0.currency == currency }
                #expect(
                    worth.first { $0.month == month && $0.currency == currency }?.balanceMinor == end,
                    place
                )
                #expect(flow?.endMinor == end, place)
                #expect(flow?.startMinor == end - change { $0.date.yearMonth == month }, place)
            }
        }
    }
}
