// Searching: what finds what, and that nothing typed is ever a command.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct SearchTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.record(all: [
            .sample(
                51,
                .expense,
                "2025-11-01",
                1_250,
                payee: "Café Müller",
                note: "Frühstück",
                tags: ["trip"]
            ),
            .sample(
                52,
                .expense,
                "2025-11-02",
                125_000,
                payee: "Rent",
                note: "flat 12b",
                tags: ["home", "fix"]
            ),
            .sample(53, .expense, "2025-12-03", 1_200, payee: "Лидл", note: "O'Brien & Co. \"quoted\""),
            .sample(54, .income, "2025-12-03", 300, payee: "cafe", note: "NEAR AND OR NOT"),
        ])
    }

    static let cases: [(String, Set<Int>)] = [
        ("cafe", [51, 54]), ("CAFÉ", [51, 54]), ("caf mull", [51]), ("muller trip", [51]),
        ("fruhstuck", [51]),
        ("лидл", [53]), ("ЛИД", [53]), ("afe", []), ("cafe rent", []), ("hom", [52]), ("home,fix", [52]),
        ("12.50", [51]), ("12,50", [51]), ("1250", [52]), ("12.5", [51]), ("€12.50", [51]),
        ("-12.50", [51]),
        ("12", [52, 53]), ("1,250.00", [52]), ("1.250,00", [52]), ("1,250", [52]), ("12b", [52]),
        ("3", [54]),
        ("o'brien", [53]), ("\"quoted\"", [53]), ("\"", []), ("near", [54]), ("not and", [54]), ("AND", [54]),
        ("cafe* OR rent", []), ("words:cafe", []), ("^cafe", [51, 54]), ("{cafe}", [51, 54]),
        ("-cafe", [51, 54]),
        ("(cafe", [51, 54]), ("cafe\0rent", []), ("cafe\0", [51, 54]), ("\u{E000}1250", [52]), ("\\", []),
        ("%", []), ("🍕", []), ("   ", [51, 52, 53, 54]), ("", [51, 52, 53, 54]),
        ("cafe cafe cafe", [51, 54]),
    ]

    @Test(arguments: cases)
    func wordsAreFoundByTheirBeginningsAndAmountsAsTyped(text: String, found: Set<Int>) throws {
        let rows = try book.transactions(TransactionQuery { $0.text = text }).page.rows
        #expect(Set(rows.map { Int($0.id.low) }) == found)
    }

    /// Texts of a transaction, and searches that find them.
    static let folded: [(stored: String, searches: [String])] = [
        ("Hauptstraße", ["hauptstrasse", "HAUPTSTRASSE", "hauptstraße"]), ("Łódź", ["lodz", "łódź"]),
        ("København", ["kobenhavn"]), ("Ёлка", ["елка", "ЁЛКА"]), ("Αθήνα οδός", ["αθηνα", "ΟΔΟΣ"]),
        ("ﾃｽﾄ", ["テスト"]),
        ("مُحَمَّد", ["محمد"]), ("zu\u{AD}sammen", ["zusammen"]), ("ﬁne", ["fin"]),
        ("Cafe\u{301}", ["café", "cafe"]),
        ("東京都水道局", ["水道", "東京", "局"]), ("서울우유", ["우유"]), ("ร้านกาแฟ", ["กาแฟ"]),
        ("🍕 Night", ["🍕", "🍕 night", "night🍕"]), ("👍🏽", ["👍🏽", "👍"]), ("♥️", ["♥", "♥️"]),
        ("12 % off", ["%", "12%"]),
        ("H & M", ["&", "h & m"]), ("C++", ["c++", "+"]), ("#fun", ["#"]), ("50 €", ["€"]),
    ]

    @Test(arguments: folded) func whatIsFoldedIsFoundInEachText(stored: String, searches: [String]) throws {
        var rows: [Transaction] = [
            .sample(61, .expense, "2026-01-01", 100, payee: stored),
            .sample(62, .expense, "2026-01-02", 100, note: stored),
            .sample(63, .expense, "2026-01-03", 100, tags: [stored]),
        ]
        var split = Transaction.sample(64, .expense, "2026-01-04", 100)
        split.split = .parts([
            SplitPart(category: nil, minor: 40, note: stored), SplitPart(category: nil, minor: 60, note: ""),
        ])
        rows.append(split)
        for row in rows { try book.record(row) }
        var account = Account.sample(9)
        account.name = stored
        try book.add(account)
        try book.record(Transaction.sample(65, .expense, "2026-01-05", 100, account: 9))
        for search in searches {
            let found = try book.transactions(TransactionQuery { $0.text = search }).page.rows
            #expect(
                found.map { Int($0.id.low) }.filter { $0 > 60 }.sorted() == [61, 62, 63, 64, 65],
                "\(search)"
            )
        }
        #expect(try book.verifySums() == [])
        try book.rebuildSums()
        for search in searches {
            let rows = try book.transactions(TransactionQuery { $0.text = search }).page.rows
            #expect(rows.filter { $0.id.low > 60 }.count == 5, "\(search), rebuilt")
        }
    }

    /// Searches for amounts with the decimal sign of the user, and the rows that they find: of euros 61 (0.35), 62 (35.00),
    /// 63 (350.00) and 64 (1,000.00), of yen 65 (35) and 66 (3,500), of dinars 67 (35.000) and 68 (1.000).
    static let amounts: [(String, Character, Set<Int>)] = [
        ("35", ".", [62, 65, 67]), ("35.00", ".", [62, 65, 67]), ("35,00", ",", [62, 65, 67]),
        ("350", ".", [63]),
        ("0.35", ".", [61]), (".35", ".", [61]), ("3500", ".", [66]), ("3,500", ".", [66]),
        ("3.500", ",", [66]),
        ("3 500", ",", [66]), ("3\u{202F}500", ",", [66]), ("1,000", ".", [64]), ("1.000", ".", [68]),
        ("1.000", ",", [64]),
        ("1,000", ",", [68]), ("1,000.00", ".", [64]), ("1.000,00", ",", [64]),
        ("35.000", ".", [62, 65, 67]),
        ("€35", ".", [62, 65, 67]), ("35 €", ".", [62, 65, 67]), ("EUR 35", ".", [62, 65, 67]),
        ("-35", ".", [62, 65, 67]),
        ("٣٥", "٫", [62, 65, 67]), ("３５．００", ".", [62, 65, 67]), ("35.0001", ".", []), ("0", ".", []),
        ("99999999999999999999999999999999999999999", ".", []),
    ]

    @Test(arguments: amounts)
    func anAmountIsOneValueInEachCurrency(text: String, sign: Character, found: Set<Int>) throws {
        let (yen, dinar) = (try #require(CurrencyCode("JPY")), try #require(CurrencyCode("KWD")))
        try book.add(Account.sample(7, yen))
        try book.add(Account.sample(8, dinar))
        for row in [
            Transaction.sample(61, .expense, "2026-01-01", 35), .sample(62, .expense, "2026-01-01", 3_500),
            .sample(63, .expense, "2026-01-01", 35_000), .sample(64, .expense, "2026-01-01", 100_000),
            .sample(65, .expense, "2026-01-01", 35, yen, account: 7),
            .sample(66, .expense, "2026-01-01", 3_500, yen, account: 7),
            .sample(67, .expense, "2026-01-01", 35_000, dinar, account: 8),
            .sample(68, .expense, "2026-01-01", 1_000, dinar, account: 8),
        ] { try book.record(row) }
        let query = TransactionQuery { ($0.text, $0.decimalSign) = (text, sign) }
        #expect(Set(try book.transactions(query).page.rows.map { Int($0.id.low) }) == found)
        #expect(try book.verifySums() == [])
    }

    @Test func hostileTextIsOnlyText() throws {
        var random = SplitMix(seed: 7)
        let pieces = [
            "\"", "'", "*", "(", ")", "AND", "OR", "NOT", "NEAR(", "^", ":", "\0", "-", "+", "{", "a", "1",
        ]
        for _ in 0..<300 {
            let length = Int.random(in: 1...12, using: &random)
            let text = (0..<length).map { _ in
                (pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
            #expect(throws: Never.self) { try book.transactions(TransactionQuery { $0.text = text }) }
        }
        for text in [
            String(repeating: "z ", count: 5_000), String(repeating: "\"", count: 10_000),
            (0..<2_000).map { "w\($0)" }.joined(separator: " "), String(repeating: "x", count: 10_000),
            (0..<400).map { "w\($0)" }.joined(separator: " "), String(repeating: "12.5.", count: 2_000),
        ] {
            #expect(try book.transactions(TransactionQuery { $0.text = text }).page.rows.isEmpty)
        }
    }

    @Test func aChangedOrDeletedTransactionIsFoundByWhatItSaysNow() throws {
        func found(_ text: String) throws -> Int {
            try book.transactions(TransactionQuery { $0.text = text }).page.rows.count
        }
        try book.change(Transaction.sample(52, .expense, "2025-10-02", 77, payee: "Tennis"))
        #expect(try found("rent") == 0 && found("home") == 0 && found("1250.00") == 0)
        #expect(try found("tennis") == 1 && found("0.77") == 1)
        try book.deleteTransaction(.number(52))
        #expect(try found("tennis") == 0)
        try book.restoreTransaction(.number(52))
        #expect(try found("tennis") == 1)
        try book.rebuildSums()
        #expect(try found("tennis") == 1 && found("rent") == 0)
        #expect(try book.verifySums() == [])
    }
}
