// The categories of a month of a bank's rows after two years in one book: of payees that are known, by rules, and of what is
// new.
import Encoding
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct AMonthAfterTwoYears {
    private let folder = Scratch()
    private let book: Book
    private let key = BankAccountKey.sample("a")

    private struct Purchase {
        let words: String
        let category: Int
        let minor: Int64
    }

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in 11...19 { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(20, .income))
        try book.joinSample("a", to: 1)
        // The words of these begin alike and end otherwise each time.
        try book.add(Rule.sample(91, "miete", RuleEffects(category: .number(11))))
        try book.add(Rule.sample(92, "paypal .*tonality", RuleEffects(category: .number(12)), .matches))
        try book.add(Rule.sample(93, "kita", RuleEffects(payee: "Kita", category: .number(13))))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func hasMostOfItsRowsInTheirCategoriesUntouched(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let first = month("2023-11")
        for back in 0..<24 {
            _ = try live(YearMonth(index: first.index + back), &random)
        }
        let (right, all) = try live(YearMonth(index: first.index + 24), &random)
        #expect(all >= 50 && right * 100 >= all * 85, "\(right) of \(all)")
        #expect(right < all, "nothing can know a new payee")
    }

    /// Records the rows of a month, and corrects them by hand.
    /// - Returns: the number of those that had their categories by themselves, and of all.
    private func live(_ month: YearMonth, _ random: inout SplitMix) throws -> (right: Int, all: Int) {
        let purchases = Self.purchases(of: month, &random)
        let reported = purchases.enumerated().map { number, purchase in
            BankTransaction(
                id: "\(month)-\(number)",
                date: month.firstDay.adding(days: 4 + number % 20),
                money: Money(
                    minor: purchase.category == 20 ? purchase.minor : -purchase.minor,
                    currency: .eur
                ),
                description: purchase.words,
                counterparty: nil,
                isPending: false
            )
        }
        let rows = try book.bankRows(of: BankReports([key: reported])).all
        #expect(try book.record(rows, again: false).count == purchases.count)
        var wrong: [Int: [EntityID]] = [:]
        for row in rows {
            let number = try #require(reported.firstIndex { $0.id == row.reported.id })
            let truth = purchases[number].category
            let stored = try #require(try book.transaction(row.transaction.id))
            if stored.category != .number(truth) { wrong[truth, default: []].append(stored.id) }
        }
        for (category, ids) in wrong {
            let chosen = Ledger.Category.sample(category, category == 20 ? .income : .expense)
            _ = try book.change(.rows(ids), by: .category(chosen))
        }
        return (rows.count - wrong.values.reduce(0) { $0 + $1.count }, rows.count)
    }

    private static let often = [
        ("BIOHOF MARKT", 14), ("SUPERMARKT AM PLATZ", 14), ("BAECKEREI KRUME", 14), ("OBST YILMAZ", 14),
        ("CAFE FENSTERPLATZ", 15), ("DA PINO", 15), ("VERKEHRSBETRIEBE", 16), ("DROGERIE HAHN", 17),
    ]

    private static func purchases(of month: YearMonth, _ random: inout SplitMix) -> [Purchase] {
        func number() -> Int { Int.random(in: 1_000...9_999, using: &random) }
        func letters() -> String {
            String((0..<5).map { _ in "BCDFGHJKLMNP".randomElement(using: &random) ?? "B" })
        }
        let name = ["JAENNER", "MAERZ", "SOMMER", "HERBST"][month.index % 4]
        var all = [
            Purchase(words: "GEHALT LINDEN GMBH", category: 20, minor: 285_000),
            Purchase(words: "MIETE \(name) \(letters())", category: 11, minor: 92_000),
            Purchase(words: "KITA BEITRAG \(name) \(letters())", category: 13, minor: 21_000),
            Purchase(words: "STADTWERKE ABSCHLAG \(number())", category: 11, minor: 6_400),
            Purchase(words: "KABELNETZ RECHNUNG \(number())", category: 12, minor: 3_490),
        ]
        for _ in 0..<6 {
            all.append(Purchase(words: "PAYPAL \(letters()) TONALITY", category: 12, minor: 999))
        }
        for _ in 0..<44 {
            let (words, category) = often[Int.random(in: 0..<often.count, using: &random)]
            let minor = Int64.random(in: 300...9_000, using: &random)
            all.append(Purchase(words: "\(words) \(number())", category: category, minor: minor))
        }
        // One shop for everything, and shops that are new.
        for _ in 0..<3 {
            let category = Int.random(in: 17...19, using: &random)
            all.append(Purchase(words: "ALLES VERSAND \(number())", category: category, minor: 2_500))
        }
        for _ in 0..<3 {
            all.append(Purchase(words: "\(letters()) \(letters())", category: 18, minor: 1_900))
        }
        return all
    }
}
