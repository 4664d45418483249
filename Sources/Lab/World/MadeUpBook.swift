// The income and spending of Anna and her family: made up, believable, and the same in each world.

import Book
import Encoding
import Ledger

/// The book of Anna, her husband and a child in a small town, who are paid in euros.
struct MadeUpBook {
    /// The rows of a book, beside the rows of the onboarding.
    struct Content {
        var accounts: [Account] = []
        var preferences: Preferences?
        var transactions: [Transaction] = []
        var budgets: [Budget] = []
        var schedules: [Schedule] = []

        /// Records the rows.
        func write(into book: Book) throws(BookError) {
            if let preferences { try book.set(preferences) }
            for account in accounts { _ = try book.add(account) }
            // The history shows days as they were lived, oldest first.
            _ = try book.record(all: transactions.sorted { $0.date < $1.date })
            for budget in budgets { _ = try book.add(budget) }
            for schedule in schedules { _ = try book.add(schedule) }
        }
    }

    private let owner: EntityID
    private let today: CivilDate

    /// - Parameter owner: the guest of the device: the accounts and categories of the onboarding derive from it.
    init(owner: EntityID, today: CivilDate) {
        self.owner = owner
        self.today = today
    }

    private var cash: EntityID { owner.derived("account cash", place: 0) }
    private var bank: EntityID { owner.derived("account bank", place: 1) }
    private var card: EntityID { owner.derived("account card", place: 2) }
    private var savings: EntityID { owner.derived("lab savings") }

    private static let (franc, pound) = (code("CHF"), code("GBP"))

    private static func code(_ text: String) -> CurrencyCode { CurrencyCode(text) ?? .eur }

    private func category(_ key: String) -> EntityID { owner.derived("category \(key)") }

    // MARK: - Contents

    /// Two weeks of a guest: twelve transactions.
    func twelveTransactions() -> Content {
        let lines: [(days: Int, minor: Int64, category: String, payee: String)] = [
            (0, 340, "coffee", "Bakery on the square"), (1, 4_275, "groceries", "Greenmarket"),
            (2, 1_890, "eating-out", "Pizzeria Stella"), (3, 4_900, "transport", "City transit"),
            (5, 6_120, "groceries", "Corner Grocer"), (6, 1_299, "subscriptions", "Filmbox"),
            (7, 2_350, "health", "Linden Pharmacy"), (8, 5_840, "groceries", "Greenmarket"),
            (10, 3_990, "clothing", "Thread & Co"), (11, 420, "coffee", "Bakery on the square"),
            (12, 2_780, "children", "School canteen"), (13, 1_500, "gifts", "Flower stall"),
        ]
        var rows = Rows(self)
        for line in lines { rows.spend(ago(line.days), line.minor, line.category, line.payee, from: card) }
        return Content(transactions: rows.all)
    }

    /// A year, or more months, with a salary, a rent, subscriptions, savings, budgets and what comes back every month.
    func year(months: Int = 13) -> Content {
        var rows = Rows(self)
        for month in 0..<months { addMonth(month, to: &rows) }
        return Content(
            accounts: [
                Account(id: savings, name: "Rainy day", type: .savings, currency: .eur, openingMinor: 240_000)
            ],
            transactions: rows.all,
            budgets: budgets([
                ("groceries", 40_000, false), ("eating-out", 16_000, true), ("leisure", 8_000, false),
                ("children", 6_000, false), ("rent", 92_000, false),
            ]),
            schedules: schedules()
        )
    }

    /// The year in euros, with a second salary from Zürich and a journey to London.
    func threeCurrencies() -> Content {
        let (swiss, pounds) = (owner.derived("lab franc"), owner.derived("lab pound"))
        var content = year()
        content.accounts += [
            Account(
                id: swiss,
                name: "Zürich account",
                type: .bank,
                currency: Self.franc,
                openingMinor: 320_000
            ),
            Account(
                id: pounds,
                name: "London wallet",
                type: .cash,
                currency: Self.pound,
                openingMinor: 12_000
            ),
        ]
        var preferences = Preferences()
        preferences.baseCurrency = .eur
        preferences.secondaryCurrencies = [Self.franc, Self.pound]
        preferences.weekStart = .monday
        content.preferences = preferences
        var rows = Rows(self, seed: 2)
        for week in 0..<12 {
            rows.spend(
                ago(week * 7 + 1),
                2_450 + Int64(week) * 35,
                "eating-out",
                "Canteen Limmat",
                Self.franc,
                from: swiss
            )
            rows.spend(ago(week * 7 + 2), 780, "transport", "Zürich trams", Self.franc, from: swiss)
        }
        for days in [25, 55, 86] {
            rows.earn(ago(days), 410_000, "salary", "Alpenwerk AG", Self.franc, to: swiss)
        }
        for (days, minor, key, payee) in [
            (4, 1_850, "eating-out", "The Anchor"), (4, 640, "transport", "Underground"),
            (3, 3_200, "leisure", "Gallery ticket"), (3, 1_475, "groceries", "Parkside Foods"),
        ] as [(Int, Int64, String, String)] {
            rows.spend(ago(days), minor, key, payee, Self.pound, from: pounds)
        }
        // Paid in pounds, charged to the card in euros.
        rows.spend(ago(2), 5_600, "clothing", "Camden Vintage", Self.pound, from: card, charged: 6_627)
        content.transactions += rows.all
        return content
    }

    /// Five years in which the family wrote down every article of every receipt.
    func transactions(_ count: Int) -> Content {
        var content = year(months: 61)
        var rows = Rows(self, seed: 3)
        for back in 0..<61 {
            let month = YearMonth(index: today.yearMonth.index - back)
            rows.earn(month.day(3), 265_000, "salary", "Linden School", to: bank)
            // For the articles that are paid in cash.
            rows.move(month.day(5), 47_000, from: bank, to: cash)
        }
        var random = SplitMix(seed: 17)
        let most = Self.articles.reduce(0) { $0 + $1.weight }
        let left = max(0, count - content.transactions.count - rows.all.count)
        for _ in 0..<left {
            var place = Int.random(in: 0..<most, using: &random)
            let kind = Self.articles.first { kind in
                place -= kind.weight
                return place < 0
            }
            guard let kind else { continue }
            rows.spend(
                ago(Int.random(in: 0..<1_826, using: &random)),
                Int64.random(in: kind.price, using: &random),
                kind.category,
                kind.payees[Int.random(in: 0..<kind.payees.count, using: &random)],
                from: Int.random(in: 0..<100, using: &random) < 15 ? cash : bank
            )
        }
        content.transactions += rows.all
        content.budgets = budgets([
            ("groceries", 220_000, false), ("eating-out", 62_000, true), ("household", 45_000, false),
            ("children", 20_000, false), ("rent", 92_000, false),
        ])
        return content
    }

    /// Articles of one kind: how many of a hundred are of it, and the price of one in minor units.
    private struct Articles: Sendable {
        let category: String
        let weight: Int
        let price: ClosedRange<Int64>
        let payees: [String]
    }

    private static let articles = [
        Articles(
            category: "groceries",
            weight: 60,
            price: 39...299,
            payees: ["Greenmarket", "Corner Grocer", "Saturday market"]
        ),
        Articles(
            category: "household",
            weight: 10,
            price: 79...399,
            payees: ["Tool & Garden", "Bright Laundry"]
        ),
        Articles(
            category: "coffee",
            weight: 6,
            price: 120...290,
            payees: ["Bakery on the square", "Station kiosk"]
        ),
        Articles(
            category: "eating-out",
            weight: 6,
            price: 180...450,
            payees: ["Pizzeria Stella", "Golden Wok", "Café Linde"]
        ),
        Articles(
            category: "transport",
            weight: 6,
            price: 120...240,
            payees: ["City transit", "Regional rail"]
        ),
        Articles(
            category: "children",
            weight: 6,
            price: 60...250,
            payees: ["School canteen", "Stationer Blum"]
        ),
        Articles(
            category: "leisure",
            weight: 3,
            price: 100...500,
            payees: ["Cinema Rex", "Swimming pool", "Book Nook"]
        ),
        Articles(category: "health", weight: 3, price: 150...500, payees: ["Linden Pharmacy"]),
    ]

    // MARK: - A month

    private func addMonth(_ back: Int, to rows: inout Rows) {
        let month = YearMonth(index: today.yearMonth.index - back)
        var random = SplitMix(seed: UInt64(1_000 + back))
        func some(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
        rows.spend(month.day(1), 92_000, "rent", "Hausverwaltung Nord", from: bank)
        rows.spend(month.day(3), 3_490, "internet", "Fibre Home", from: bank)
        rows.spend(month.day(5), some(5_800...8_900), "power", "Town utilities", from: bank)
        rows.spend(month.day(7), 1_299, "subscriptions", "Filmbox", from: card)
        rows.spend(month.day(9), 1_099, "subscriptions", "Tonality", from: card)
        rows.spend(month.day(2), 4_900, "transport", "City transit", from: card)
        rows.spend(month.day(12), some(2_200...4_800), "children", "School canteen", from: bank)
        rows.earn(month.day(2), 285_000, "salary", "Berger & Sons", to: bank)
        rows.move(month.day(26), 30_000, from: bank, to: savings)
        rows.move(month.day(4), 15_000, from: bank, to: cash)
        // The card is paid off from the bank, a month later.
        rows.move(month.day(10), some(46_000...52_000), from: bank, to: card)
        for week in 0..<4 {
            let day = week * 7
            rows.spend(month.day(day + 2), some(4_100...8_900), "groceries", "Greenmarket", from: card)
            rows.spend(month.day(day + 5), some(1_200...4_200), "groceries", "Corner Grocer", from: cash)
            rows.spend(month.day(day + 6), some(1_600...5_200), "eating-out", "Pizzeria Stella", from: card)
            rows.spend(month.day(day + 3), some(280...620), "coffee", "Bakery on the square", from: cash)
        }
        if back % 3 == 1 {
            rows.spend(month.day(16), some(3_900...9_900), "clothing", "Thread & Co", from: card)
        }
        if back % 4 == 2 {
            rows.spend(month.day(18), some(1_800...6_400), "health", "Linden Pharmacy", from: card)
        }
        if month.month == 8 { rows.spend(month.day(10), 118_000, "travel", "Lakeside House", from: bank) }
        if month.month == 12 { rows.spend(month.day(15), 21_500, "gifts", "Toy Chest", from: card) }
        if back == 1 { rows.earn(month.day(20), 3_990, "clothing", "Thread & Co", to: card) }
    }

    private func budgets(_ limits: [(category: String, minor: Int64, rollover: Bool)]) -> [Budget] {
        let from = YearMonth(index: today.yearMonth.index - 6)
        return limits.map { key, minor, rollover in
            Budget(
                id: owner.derived("lab budget \(key)"),
                category: category(key),
                limit: Money(minor: minor, currency: .eur),
                from: from,
                rollover: rollover
            )
        }
    }

    private func schedules() -> [Schedule] {
        let next = today.yearMonth.next
        let lines: [(Int, Int64, String, String, EntityID)] = [
            (1, 92_000, "rent", "Hausverwaltung Nord", bank), (7, 1_299, "subscriptions", "Filmbox", card),
        ]
        return lines.map { day, minor, key, payee, account in
            Schedule(
                transaction: Transaction(
                    id: owner.derived("lab schedule \(payee)"),
                    kind: .expense,
                    date: next.day(day),
                    amount: Money(minor: minor, currency: .eur),
                    account: account,
                    accountMinor: minor,
                    category: category(key),
                    payee: payee
                ),
                accountCurrency: .eur
            )
        }
    }

    // MARK: - Rows

    private func ago(_ days: Int) -> CivilDate { today.adding(days: -days) }

    /// Collects transactions. Transactions of days to come are left out.
    private struct Rows {
        private let sample: MadeUpBook
        private var random: SplitMix
        private(set) var all: [Transaction] = []

        /// - Parameter seed: another one for each collection of a world, so that no two rows share an id.
        init(_ sample: MadeUpBook, seed: UInt64 = 1) {
            self.sample = sample
            random = SplitMix(seed: seed)
        }

        /// - Parameter charged: the amount on an account of another currency, in its minor units.
        mutating func spend(
            _ date: CivilDate,
            _ minor: Int64,
            _ key: String,
            _ payee: String,
            _ currency: CurrencyCode = .eur,
            from account: EntityID,
            charged: Int64? = nil
        ) {
            let category = sample.category(key)
            add(.expense, date, Money(minor: minor, currency: currency), account, charged ?? minor) {
                $0.category = category
                $0.payee = payee
            }
        }

        mutating func earn(
            _ date: CivilDate,
            _ minor: Int64,
            _ key: String,
            _ payee: String,
            _ currency: CurrencyCode = .eur,
            to account: EntityID
        ) {
            let category = sample.category(key)
            add(.income, date, Money(minor: minor, currency: currency), account, minor) {
                $0.category = category
                $0.payee = payee
            }
        }

        mutating func move(_ date: CivilDate, _ minor: Int64, from account: EntityID, to target: EntityID) {
            add(.transfer, date, Money(minor: minor, currency: .eur), account, minor) {
                $0.toAccount = target
                $0.toMinor = minor
            }
        }

        private mutating func add(
            _ kind: TransactionKind,
            _ date: CivilDate,
            _ amount: Money,
            _ account: EntityID,
            _ accountMinor: Int64,
            _ complete: (inout Transaction) -> Void
        ) {
            guard date <= sample.today else { return }
            let milliseconds = UInt64(clamping: Int64(date.dayNumber) * 86_400_000 + Int64(all.count))
            var transaction = Transaction(
                id: EntityID(milliseconds: milliseconds, using: &random),
                kind: kind,
                date: date,
                amount: amount,
                account: account,
                accountMinor: accountMinor
            )
            complete(&transaction)
            all.append(transaction)
        }
    }
}

extension YearMonth {
    /// A day of the month; the last one if the month is shorter.
    fileprivate func day(_ number: Int) -> CivilDate { min(firstDay.adding(days: number - 1), lastDay) }
}
