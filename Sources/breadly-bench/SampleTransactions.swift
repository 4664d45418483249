// Years of generated transactions, the same in each run.

import Encoding
import Ledger

/// Generates transactions over the three years before today.
struct Generator {
    private let accounts: [EntityID]
    private let expense: [EntityID]
    private let income: [EntityID]
    private let today: CivilDate
    /// The number of transactions whose days follow each other as their ids do, as if they had been entered day by day; nil
    /// for days in any order, as after an import of all of them at once.
    private let inOrder: Int?
    private var random = SplitMix(seed: 42)

    private static let payees = [
        "Billa", "Spar", "Hofer", "Lidl", "Bäckerei Ströck", "Café Eiles", "Wiener Linien", "ÖBB", "Shell",
        "OMV",
        "Apotheke zum Löwen", "Dr. Gruber", "H&M", "Zara", "IKEA", "Obi", "Thalia", "Filmcasino", "Netflix",
        "Spotify",
        "A1 Telekom", "Wien Energie", "Hausverwaltung Maier & Co", "Trattoria Martinelli",
        "Pizzeria Da Mario",
        "Würstelstand", "Naschmarkt", "Libro", "MediaMarkt", "Amazon", "Caritas", "Rotes Kreuz", "Uniqa",
        "Wüstenrot",
        "Kindergarten Regenbogen", "Musikschule", "Sport <Eybl>", "Gärtnerei \"Rose\"", "Tankstelle",
        "Friseur Anna",
    ]

    init(accounts: [EntityID], categories: [Category], today: CivilDate, inOrder: Int? = nil) {
        self.accounts = accounts
        expense = categories.filter { $0.kind == .expense }.map(\.id)
        income = categories.filter { $0.kind == .income }.map(\.id)
        self.today = today
        self.inOrder = inOrder
    }

    mutating func transactions(_ count: Int) -> [Transaction] { (0..<count).map { make($0) } }

    mutating func transaction(_ number: Int) -> Transaction { make(number) }

    private mutating func make(_ number: Int) -> Transaction {
        // The last sixty are of today, so that the current month fills a page on its first day too.
        var daysAgo = number < 60 ? 0 : Int.random(in: 0..<1_096, using: &random)
        if let inOrder { daysAgo = max(0, (inOrder - 1 - number) * 1_096 / inOrder) }
        let minor = Int64.random(in: 100...20_000, using: &random)
        let roll = Int.random(in: 0..<100, using: &random)
        let from = Int.random(in: 0..<accounts.count, using: &random)
        let kind: TransactionKind = roll < 88 ? .expense : roll < 94 ? .income : .transfer
        var transaction = Transaction(
            id: EntityID(high: UInt64(number) << 16, low: random.next()),
            kind: kind,
            date: today.adding(days: -daysAgo),
            amount: Money(minor: minor, currency: .eur),
            account: accounts[from],
            accountMinor: minor,
            payee: Self.payees[Int.random(in: 0..<Self.payees.count, using: &random)],
            note: roll % 10 == 0 ? "for the weekend & the guests" : ""
        )
        switch kind {
        case .expense: transaction.category = expense.randomElement(using: &random)
        case .income: transaction.category = income.randomElement(using: &random)
        case .transfer:
            transaction.toAccount = accounts[(from + 1) % accounts.count]
            transaction.toMinor = minor
        }
        return transaction
    }
}
