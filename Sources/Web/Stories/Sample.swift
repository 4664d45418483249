// A November of a sample book, from which the stories make their pages.

package import Ledger
import Links
import Texts

/// A book small enough to be read and full enough to fill every page.
package struct Sample: Sendable {
    /// The writer of a book, who determines its names and amounts.
    package enum Kind: Sendable {
        /// Short names, and amounts of daily life.
        case ordinary
        /// A book of many years: long names, names from right to left, and amounts with ten digits.
        case longLived
    }

    var chrome: Chrome
    let formats: Formats
    let catalog: Catalog
    let balances: [AccountBalance]
    let uses: [CategoryUse]
    let transactions: [Transaction]
    let totals: [CurrencyTotal]
    let budgets: [BudgetStatus]
    let byCategory: [ReportRow]
    let byMonth: [ReportRow]
    let worth: [NetWorthPoint]
    let hostile: String?
    private let kind: Kind

    static let assets = Assets { "/static/\($0)" }
    static let eur = CurrencyCode.eur
    static let usd = CurrencyCode.usd
    static let today = date(2026, 11, 21)
    static let once = "0123456789abcdef"
    /// The balance of an account whose bank was read on the day of the stories, and cannot be read since.
    static let unknown = UnknownBalance(since: Int64(today.dayNumber) * 86_400)

    static func id(_ number: UInt64) -> EntityID { EntityID(high: 7, low: number) }

    static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        CivilDate(year: year, month: month, day: day) ?? CivilDate(dayNumber: 0)
    }

    /// The same sample of another book.
    func of(_ kind: Kind) -> Sample {
        Sample(kind, assets: chrome.assets, theme: chrome.theme, style: formats.style, hostile: hostile)
    }

    /// A text that a user has typed.
    func typed(_ text: String) -> String {
        hostile ?? (kind == .longLived ? LongNames.all[text] ?? text : text)
    }

    /// A text that a user has typed, as a part of a page.
    func words(_ text: String) -> Text { .verbatim(typed(text)) }

    /// The same sample in another frame.
    func with(_ change: (inout Chrome) -> Void) -> Sample {
        var copy = self
        change(&copy.chrome)
        return copy
    }

    /// - Parameters:
    ///   - assets: the static files of the server that shows the pages.
    ///   - theme: the theme of the pages.
    ///   - style: how amounts and days are written.
    ///   - text: put into every text a user can type, to try hostile texts; nil for the ordinary texts.
    package init(
        _ kind: Kind = .ordinary,
        assets: Assets = Sample.assets,
        theme: Theme = .system,
        style: any WritingStyle = PlainStyle(),
        hostile text: String? = nil
    ) {
        self.kind = kind
        hostile = text
        let formats = Formats(base: Self.eur, secondary: [Self.usd], today: Self.today, style: style)
        self.formats = formats
        chrome = Chrome(
            assets: assets,
            // The server refuses a form with this token, so that no story changes the data of the lab.
            csrf: text ?? "story",
            state: "local_only",
            tier: .guest,
            cloud: .guest,
            theme: theme,
            toasts: text.map { words in
                [ToastLine(key: "hostile", text: .verbatim(words), undo: Link(path: "/" + words))]
            } ?? [],
            warning: text.map { .verbatim($0) },
            canSignIn: true,
            notices: text.map { [NoticeLine(key: "guest-count", text: .verbatim($0))] } ?? []
        )
        func named(_ name: String) -> String {
            text ?? (kind == .longLived ? LongNames.all[name] ?? name : name)
        }
        /// The amounts of a long-lived book have five digits more.
        func scaled<Minor: BinaryInteger>(_ minor: Minor) -> Minor {
            kind == .longLived ? minor * 100_003 : minor
        }
        func account(_ number: UInt64, _ name: String, _ type: AccountType, _ balance: Int128, _ count: Int)
            -> AccountBalance
        {
            let account = Account(
                id: Self.id(number),
                name: named(name),
                type: type,
                currency: number == 4 ? Self.usd : Self.eur,
                openingMinor: 0
            )
            return AccountBalance(
                account: account,
                balanceMinor: scaled(balance),
                transactionCount: count
            )
        }
        balances = [
            account(1, "Cash", .cash, 8_350, 14), account(2, "Checking", .bank, 241_277, 61),
            account(3, "Visa card", .card, -31_240, 38), account(4, "Travel wallet", .cash, 12_000, 3),
            account(5, "Rainy days", .savings, 810_000, 12),
        ]
        func category(
            _ number: UInt64,
            _ name: String,
            _ icon: String,
            _ color: String,
            _ kind: CategoryKind = .expense,
            parent: UInt64? = nil
        ) -> CategoryUse {
            let category = Category(
                id: Self.id(number),
                name: named(name),
                kind: kind,
                icon: icon,
                color: color,
                parent: parent.map { Self.id($0) }
            )
            return CategoryUse(category: category, transactionCount: Int(number) % 7 * 3)
        }
        var uses = [
            category(10, "Groceries", "basket", "basil"), category(11, "Eating out", "fork", "tomato"),
            category(12, "Coffee", "cup", "clay", parent: 11), category(13, "Home", "home", "crust"),
            category(14, "Transport", "bus", "sky"), category(15, "Health", "heart", "rose"),
            category(16, "Children", "child", "butter"), category(17, "Books and films", "film", "plum"),
            category(18, "Salary", "briefcase", "basil", .income),
            category(19, "Refunds", "refund", "moss", .income),
        ]
        uses[1].countWithChildren += uses[2].transactionCount
        self.uses = uses
        catalog = Catalog(BookChoices(accounts: balances.map(\.account), categories: uses.map(\.category)))
        func transaction(
            _ number: UInt64,
            _ day: Int,
            _ kind: TransactionKind,
            _ minor: Int64,
            _ payee: String,
            _ category: UInt64?,
            account: UInt64 = 3,
            note: String = "",
            tags: [String] = []
        ) -> Transaction {
            let isDollar = number == 107
            let minor = scaled(minor)
            return Transaction(
                id: Self.id(number),
                kind: kind,
                date: Self.date(2026, 11, day),
                amount: Money(minor: minor, currency: isDollar ? Self.usd : Self.eur),
                account: Self.id(account),
                accountMinor: isDollar ? minor * 9 / 10 : minor,
                toAccount: kind == .transfer ? Self.id(5) : nil,
                toMinor: kind == .transfer ? minor : nil,
                category: category.map { Self.id($0) },
                payee: named(payee),
                note: note.isEmpty ? text ?? "" : named(note),
                tags: text.map { [$0] } ?? tags.map(named)
            )
        }
        transactions = [
            transaction(110, 21, .expense, 4_210, "Green Market", 10, tags: ["weekly"]),
            transaction(109, 21, .expense, 380, "Corner Café", 12, account: 1),
            transaction(108, 20, .transfer, 25_000, "", nil, account: 2),
            transaction(107, 20, .expense, 1_899, "Online bookshop", 17, note: "Birthday of Anna"),
            transaction(106, 20, .expense, 6_240, "Trattoria Luca", 11),
            transaction(105, 18, .income, 2_400, "Shoes sent back", 19, account: 2),
            transaction(104, 18, .expense, 4_900, "Monthly pass", 14, account: 2),
            transaction(103, 17, .expense, 1_250, "", 15, account: 1),
            transaction(102, 15, .expense, 92_000, "Rent", 13, account: 2),
            transaction(101, 15, .income, 310_000, "Bakery Ltd", 18, account: 2),
        ]
        totals = [
            CurrencyTotal(
                currency: Self.eur,
                incomeMinor: scaled(312_400),
                expenseMinor: scaled(165_930),
                count: 41
            ),
            CurrencyTotal(currency: Self.usd, incomeMinor: 0, expenseMinor: scaled(1_899), count: 1),
        ]
        let november = YearMonth(year: 2026, month: 11)
        func budget(
            _ number: UInt64,
            _ category: UInt64?,
            _ limit: Int64,
            _ spent: Int128,
            carried: Int128 = 0,
            leftOut: Int = 0,
            pace: BudgetPace = .spread
        ) -> BudgetStatus {
            let budget = Budget(
                id: Self.id(number),
                category: category.map { Self.id($0) },
                limit: Money(minor: scaled(limit), currency: Self.eur),
                from: november.previous,
                rollover: carried != 0
            )
            return BudgetStatus(
                budget: budget,
                carriedMinor: scaled(carried),
                spentMinor: scaled(spent),
                leftOutCount: leftOut,
                pace: pace
            )
        }
        budgets = [
            budget(201, nil, 230_000, 165_930, leftOut: 1), budget(202, 10, 40_000, 26_480, carried: 1_520),
            budget(203, 11, 15_000, 17_735), budget(204, 14, 6_000, 4_900),
            budget(206, 13, 92_000, 92_000, pace: .once), budget(207, 15, 10_000, 0, carried: -89_000),
        ]
        func row(_ key: ReportRow.Key, _ expense: Int128, income: Int128 = 0) -> ReportRow {
            let total = CurrencyTotal(
                currency: Self.eur,
                incomeMinor: scaled(income),
                expenseMinor: scaled(expense),
                count: 3
            )
            return ReportRow(key: key, total: total)
        }
        byCategory = [
            row(.category(Self.id(13)), 92_000), row(.category(Self.id(10)), 26_480),
            row(.category(Self.id(11)), 14_655), row(.category(Self.id(12)), 3_080),
            row(.category(Self.id(14)), 4_900), row(.category(Self.id(15)), 8_250),
            row(.category(Self.id(16)), 11_800), row(.category(Self.id(17)), 4_765),
        ]
        byMonth = (0..<12).map { index in
            let step = Int128(index)
            let expense = 150_000 + (step * 37_417) % 90_000
            return row(
                .month(YearMonth(index: november.index - 11 + index)),
                expense,
                income: 270_000 + (step % 3) * 21_200
            )
        }
        worth = (0..<12).map { index in
            let step = Int128(index)
            let balance = 640_000 + step * 41_000 - (step % 4) * 38_000
            return NetWorthPoint(
                month: YearMonth(index: november.index - 11 + index),
                currency: Self.eur,
                balanceMinor: scaled(balance),
                debtMinor: scaled(-31_240 - step * 900)
            )
        }
    }
}
