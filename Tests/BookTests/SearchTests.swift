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

    /// Otherwise it would be the beginning of "Cash".
    @Test func aSignBetweenLettersDividesWords() throws {
        try book.record(Transaction.sample(61, .expense, "2026-01-01", 100, payee: "Cash"))
        let rows = try book.transactions(TransactionQuery { $0.text = "C&A" }).page.rows
        #expect(rows.allSatisfy { $0.payee != "Cash" })
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
        ("H & M", ["&", "h & m"]), ("H&M", ["H&M", "h&m", "&"]), ("user@host", ["user@host", "user@ho"]),
        ("C++", ["c++", "+"]), ("#fun", ["#"]), ("50 €", ["€"]),
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

    /// Searches for amounts, and the rows that show them: 61 is an expense of 10.00 pounds for which 11.70 euros were
    /// charged, 62 a transfer of 100.00 euros of which 110.00 dollars arrived, 63 an expense of 50.00 in parts of 30.00
    /// and 20.00, 64 one of 48.50 in parts of 56.50 and -8.00, 65 a transfer of 5.00 euros of which 850 yen arrived, 66 an
    /// expense of 100 yen for which 1.00 euro was charged, and 67 an expense of 300 yen in parts of 299 and 1.
    static let shown: [(String, Set<Int>)] = [
        ("11.70", [61]), ("10.00", [61]), ("110", [62]), ("100", [62, 66]), ("$110", [62]), ("30", [63]),
        ("20.00", [63]), ("50", [63]), ("56.50", [64]), ("8.00", [64]), ("-8.00", [64]), ("48.50", [64]),
        ("850", [65]), ("8.50", []), ("5.00", [65]), ("1.00", [66, 67]), ("299", [67]), ("2.99", []),
        ("0.30", []), ("3000", []), ("1170", []), ("110 100", []), ("30 food", []), ("30.00 20.00", [63]),
    ]

    @Test(arguments: shown) func eachAmountThatARowShowsIsFound(text: String, found: Set<Int>) throws {
        try addRowsWithSeveralAmounts()
        func search() throws -> Set<Int> {
            let rows = try book.transactions(TransactionQuery { $0.text = text }).page.rows
            return Set(rows.map { Int($0.id.low) }.filter { $0 > 60 })
        }
        #expect(try search() == found && book.verifySums() == [])
        try book.rebuildSums()
        #expect(try search() == found && book.verifySums() == [])
    }

    private func addRowsWithSeveralAmounts() throws {
        let yen = try #require(CurrencyCode("JPY"))
        let pound = try #require(CurrencyCode("GBP"))
        try book.add(Account.sample(7, yen))
        try book.add(Account.sample(8, .usd))
        func split(_ number: Int, _ parts: [Int64], _ currency: CurrencyCode = .eur, account: Int = 1)
            -> Transaction
        {
            let minor = parts.reduce(0, +)
            var row = Transaction.sample(number, .expense, "2026-01-01", minor, currency, account: account)
            row.split = .parts(parts.map { SplitPart(category: nil, minor: $0) })
            return row
        }
        for row in [
            Transaction.sample(61, .expense, "2026-01-01", 1_000, pound, accountMinor: 1_170),
            .sample(62, .transfer, "2026-01-01", 10_000, to: 8, toMinor: 11_000),
            split(63, [3_000, 2_000]), split(64, [5_650, -800]),
            .sample(65, .transfer, "2026-01-01", 500, to: 7, toMinor: 850),
            .sample(66, .expense, "2026-01-01", 100, yen, accountMinor: 100),
            split(67, [299, 1], yen, account: 7),
        ] { try book.record(row) }
    }

    @Test func theAmountsOfARowAreThoseThatItShowsNow() throws {
        try addRowsWithSeveralAmounts()
        func found(_ text: String) throws -> Set<Int> {
            let rows = try book.transactions(TransactionQuery { $0.text = text }).page.rows
            return Set(rows.map { Int($0.id.low) }.filter { $0 > 60 })
        }
        var charged = try #require(try book.transaction(.number(61)))
        charged.accountMinor = 1_180
        try book.change(charged)
        #expect(try found("11.70") == [] && found("11.80") == [61])
        var transfer = try #require(try book.transaction(.number(62)))
        transfer.toMinor = 11_100
        try book.change(transfer)
        #expect(try found("110") == [] && found("111") == [62])
        var parts = try #require(try book.transaction(.number(63)))
        parts.split = .parts([SplitPart(category: nil, minor: 3_100), SplitPart(category: nil, minor: 1_900)])
        try book.change(parts)
        #expect(try found("30") == [] && found("31") == [63])
        // Other devices can give an account with transactions another currency: 850 yen become 8.50 euros.
        try book.store.inDatabase { db in
            try db.execute(sql: "UPDATE accounts SET currency = 'EUR' WHERE currency = 'JPY'")
        }
        #expect(try found("850") == [] && found("8.50") == [65] && book.verifySums() == [])
        try book.deleteTransaction(.number(65))
        #expect(try found("8.50") == [] && found("5.00") == [] && book.verifySums() == [])
    }

    /// Any amounts, as they are typed, find the rows that show them, and no others.
    @Test(arguments: [1, 2, 3] as [UInt64]) func randomAmountsAreFound(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let codes = ["EUR", "USD", "JPY", "KWD", "CLF"].compactMap { CurrencyCode($0) }
        for (place, code) in codes.enumerated() { try book.add(Account.sample(101 + place, code)) }
        var shown: [Int: [Money]] = [:]
        for number in 201...260 {
            let (from, to) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
            let isTransfer = from != to && Int.random(in: 0..<4, using: &random) == 0
            let currency = codes[isTransfer ? from : Int.random(in: 0..<5, using: &random)]
            var minors = (0...2).map { _ in Int64.random(in: 1...30, using: &random) }
            minors[1] *= Bool.random(using: &random) ? 1 : 100
            let amount = minors.reduce(0, +)
            let charged = currency == codes[from] ? amount : Int64.random(in: 1...5_000, using: &random)
            var row = Transaction.sample(
                number,
                isTransfer ? .transfer : .expense,
                "2026-01-01",
                amount,
                currency,
                account: 101 + from,
                accountMinor: charged,
                to: isTransfer ? 101 + to : nil,
                toMinor: isTransfer ? minors[1] : nil
            )
            var amounts = [row.amount, Money(minor: charged, currency: codes[from])]
            if isTransfer {
                amounts.append(Money(minor: minors[1], currency: codes[to]))
            } else if Bool.random(using: &random) {
                minors[0] += 40
                minors.append(-40)
                row.split = .parts(minors.map { SplitPart(category: nil, minor: $0) })
                amounts += minors.map { Money(minor: $0, currency: currency) }
            }
            try book.record(row)
            shown[number] = amounts
        }
        for text in Set(shown.values.joined().map(\.typed)).sorted() where text.contains(".") {
            let wanted = shown.filter { $0.value.contains { $0.isWorth(text) } }.keys
            var query = TransactionQuery { $0.text = text }
            query.limit = 100
            let found = try book.transactions(query).page.rows.map { Int($0.id.low) }
            #expect(Set(found.filter { $0 > 200 }) == Set(wanted), "\(text)")
        }
        #expect(try book.verifySums() == [])
    }

    /// The index has the decimals of each currency, on both sides of a transaction.
    @Test func theIndexHasTheDecimalsOfEachCurrency() throws {
        let codes = CurrencyCode.unusualDecimals.keys.sorted().compactMap { CurrencyCode($0) } + [.usd]
        for (place, code) in codes.enumerated() {
            try book.add(Account.sample(100 + place, code))
            try book.record(
                .sample(200 + place, .expense, "2026-01-01", 7, .eur, account: 100 + place, accountMinor: 9)
            )
            try book.record(.sample(300 + place, .expense, "2026-01-01", 7, code, accountMinor: 9))
            let own = Money(minor: 7, currency: code).tenThousandths
            let charged = Money(minor: 9, currency: code).tenThousandths
            let amounts = try book.store.reading { db in
                try db.all("SELECT amounts FROM transaction_amounts ORDER BY seq DESC LIMIT 2") { $0.text(0) }
            }
            #expect(amounts == [" \u{E000}\(own) \u{E000}900", " \u{E000}700 \u{E000}\(charged)"], "\(code)")
        }
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

extension Money {
    /// Whether the amount, without its sign, is the number in a text with a decimal point.
    fileprivate func isWorth(_ text: String) -> Bool {
        let sides = text.split(separator: ".")
        guard sides.count == 2, sides[1].count <= 4 else { return false }
        let zeros = String(repeating: "0", count: 4 - sides[1].count)
        let wanted = Int64(sides[0] + sides[1] + zeros)
        return wanted == Int64(Money(minor: abs(minor), currency: currency).tenThousandths)
    }
}
