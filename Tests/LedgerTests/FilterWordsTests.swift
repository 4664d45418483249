// Filters in words: amounts, days, names and tags among the words of a search.
import Ledger
import TestKit
import Testing

@Suite struct FilterWordsTests {
    private static let today = CivilDate(iso: "2026-11-21") ?? .distantPast

    private static let choices = BookChoices(
        accounts: [("Cash", 1), ("Cash box", 2), ("Crédit Agricole", 3)].map { name, number in
            Account(id: id(number), name: name, type: .cash, currency: .eur, openingMinor: 0)
        },
        categories: [
            Category(id: id(11), name: "Food", kind: .expense, icon: "", color: "", parent: nil),
            Category(id: id(12), name: "Eating out", kind: .expense, icon: "", color: "", parent: id(11)),
        ]
    )

    private static func id(_ number: UInt64) -> EntityID { EntityID(high: 0, low: number) }

    private static func days(_ first: String, _ last: String) -> TypedFilter? {
        guard let first = CivilDate(iso: first), let last = CivilDate(iso: last) else { return nil }
        return .days(first...last)
    }

    private func read(_ text: String, _ sign: Character = ".") -> FilterWords.Reading {
        let words = FilterWords(
            decimalSign: sign,
            today: Self.today,
            phrases: [
                "last month": .period(.lastMonth), "this year": .period(.thisYear),
                "uncategorised": .category(.uncategorized), "with receipt": .withReceipt,
                "from a bank": .fromBank,
            ],
            kinds: ["income": .income, "transfer": .transfer],
            prefixes: FilterWords.Prefixes(
                account: "account",
                category: "category",
                payee: "payee",
                tag: "tag",
                kind: "kind"
            )
        )
        return words.read(text) { FilterNames(Self.choices) }
    }

    static let amounts: [(String, Character, String)] = [
        (">100", ".", ">100"), ("> 100", ".", ">100"), ("<5", ".", "<5"), ("10..20", ".", "10..20"),
        (">=7", ".", ">=7"), ("≥7", ".", ">=7"), ("≤ 7.5", ".", "<=7.50"), ("=12.5", ".", "12.50"),
        ("10..", ".", ">=10"), ("..20", ".", "<=20"), (">€100", ".", ">100"), ("＞１００", ".", ">100"),
        (">1,250.50", ".", ">1250.50"), (">1.250,50", ",", ">1250.50"), (">1.250", ",", ">1250"),
        (">1.250", ".", ">1.25"), (">1,250", ",", ">1.25"),
        ("10,5..20,75", ",", "10.50..20.75"),
        (">١٢٫٥", "٫", ">12.50"), ("\u{200F}>5\u{200F}", ".", ">5"), (">0.0001", ".", ">0\u{66B}0001"),
    ]

    @Test(arguments: amounts)
    func anAmountIsReadByTheSignOfTheUser(text: String, sign: Character, filter: String) throws {
        let reading = read(text + " lidl", sign)
        #expect(reading.text == "lidl" && reading.unread.isEmpty)
        guard case .amount(let range)? = reading.filters.first, reading.filters.count == 1 else {
            Issue.record("\(text) is no amount: \(reading)")
            return
        }
        #expect("\(range)" == filter)
        // A chip and an address say the same filter, whatever the sign.
        for sign: Character in [".", ",", "٫"] {
            let word = range.word(decimalSign: sign)
            let words = word.split(separator: " ").joined(separator: " ")
            #expect(read(words, sign).filters == [.amount(range)], "\(word)")
            #expect(try AmountFilter(range.typed(decimalSign: sign), decimalSign: sign) == range)
            #expect(try AmountFilter("\(range)", decimalSign: sign) == range)
        }
    }

    static let days: [(String, TypedFilter?)] = [
        ("2025", days("2025-01-01", "2025-12-31")), ("2024-02", days("2024-02-01", "2024-02-29")),
        ("2025-3-5", days("2025-03-05", "2025-03-05")),
        ("2025-01-01..2025-03-31", days("2025-01-01", "2025-03-31")),
        ("2025-03..2025-01", days("2025-01-01", "2025-03-31")),
        ("2024..2025", days("2024-01-01", "2025-12-31")),
        ("2025..", days("2025-01-01", "9999-12-31")), ("..2024", days("0001-01-01", "2024-12-31")),
        ("last month", .period(.lastMonth)), ("LAST  month", .period(.lastMonth)),
    ]

    @Test(arguments: days)
    func daysAreYearsMonthsAndRanges(text: String, filter: TypedFilter?) throws {
        #expect(read(text).filters == [try #require(filter)] && read(text).text.isEmpty)
    }

    static let names: [(String, [TypedFilter])] = [
        ("#holiday", [.tag("holiday")]), ("tag:#a", [.tag("a")]), ("account:cash", [.account(id(1))]),
        ("account:\"cash b\"", [.account(id(2))]), ("ACCOUNT:créd", [.account(id(3))]),
        ("category:food", [.category(.family(id(11)))]), ("payee:\"O'Neil % _\"", [.payee("O'Neil % _")]),
        ("kind:Income", [.kind(.income)]),
        ("uncategorised with receipt", [.category(.uncategorized), .withReceipt]),
        ("from a bank", [.fromBank]),
    ]

    @Test(arguments: names)
    func namesAndPhrasesAreFilters(text: String, filters: [TypedFilter]) {
        #expect(read(text).filters == filters && read(text).text.isEmpty && read(text).unread.isEmpty)
    }

    static let texts: [(String, UnreadFilter.Reason?)] = [
        (">>5", .unreadable), ("20..10", .empty), ("1...5", .unreadable), (">1250.0000.0", .unreadable),
        ("2025-13", .noSuchDay), ("2025-02-30", .noSuchDay), ("2025-13..2026", .noSuchDay),
        ("account:nowhere", .unknownName), ("account:ca", .unknownName), ("kind:loan", .unknownName),
        (">", nil), ("..", nil), ("#", nil), ("#4711", nil), ("1250", nil), ("12.50", nil), ("2100", nil),
        ("https://example.org", nil), ("account:", nil), ("\"last month\"", nil), ("last", nil), ("a=b", nil),
        ("100%_ok", nil), ("=)", nil), ("東京都", nil),
    ]

    @Test(arguments: texts)
    func whatIsNoFilterIsSearchedFor(text: String, reason: UnreadFilter.Reason?) {
        let reading = read(text)
        #expect(reading.filters.isEmpty && reading.text == text)
        #expect(reading.unread.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect(reading.unread.allSatisfy { $0.word == text })
    }

    @Test func longAndRandomTextsAreRead() {
        #expect(read(String(repeating: "9", count: 10_000)).filters.isEmpty)
        #expect(read(">" + String(repeating: "9", count: 10_000)).unread.count == 1)
        var random = SplitMix(seed: 11)
        let pieces = [
            ">", "<", "=", "..", "1", "20", "2025", "-", "#", "a", "\"", ":", " ", "\u{200F}", "account", "٫",
            ",",
        ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...9, using: &random)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            let reading = read(text)
            // Words that were searched for stay so when the page is sent again.
            let again = read(reading.text)
            #expect(again.filters.isEmpty || reading.text != text, "\(text)")
        }
    }

    @Test func filtersOfAmountsAddUpAndOthersReplaceEachOther() throws {
        var query = TransactionQuery()
        for filter in read(">10 <20 2025 last month #a #A #b").filters {
            let isAdded = query.add(filter, on: Self.today)
            #expect(isAdded)
        }
        #expect(query.amount.map { "\($0)" } == ">10 <20" && query.tags == ["a", "b"])
        #expect(query.period == .lastMonth && query.month.map { "\($0)" } == "2026-10")
        let (before, none) = (query.amount, try AmountFilter("<10", decimalSign: "."))
        let isAdded = query.add(.amount(none), on: Self.today)
        #expect(!isAdded && query.amount == before)
        query.month = query.month
        #expect(query.period == nil, "days that were set have no name")
    }

    @Test func anAmountIsOneOfWhateverCurrency() throws {
        let yen = try #require(CurrencyCode("JPY"))
        let dinar = try #require(CurrencyCode("BHD"))
        func passes(_ text: String, _ minor: Int64, _ currency: CurrencyCode) throws -> Bool {
            try AmountFilter(text, decimalSign: ".").passes(Money(minor: minor, currency: currency))
        }
        for (text, euros, yens, dinars) in [
            ("35", (3_500, 3_501), (35, 3_500), (35_000, 3_500)),
            (">35", (3_501, 3_500), (36, 35), (35_001, 35_000)),
            ("<35", (3_499, 3_500), (34, 35), (34_999, 35_000)),
            (">=34.5", (3_450, 3_449), (35, 34), (34_500, 34_499)),
            ("34.5..35.5", (3_550, 3_551), (35, 36), (35_500, 35_501)),
        ] as [(String, (Int64, Int64), (Int64, Int64), (Int64, Int64))] {
            #expect(try passes(text, euros.0, .eur) && !passes(text, euros.1, .eur), "\(text)")
            #expect(try passes(text, yens.0, yen) && !passes(text, yens.1, yen), "\(text)")
            #expect(try passes(text, dinars.0, dinar) && !passes(text, dinars.1, dinar), "\(text)")
        }
        #expect(try !passes("34.5", 34, yen) && !passes("34.5", 35, yen))
        #expect(try passes(">0", .max, yen) && passes("<99999999999999999999999", .max, .eur))
    }

    @Test func fieldsRefuseWhatIsNoAmount() {
        for text in ["", " ", "x", ">>5", "..", ">", "1..2..3", "-5", "12,50,1", "(5)", "5 EUR"] {
            #expect(throws: AmountFilter.Fault.unreadable, "\(text)") {
                try AmountFilter(text, decimalSign: ".")
            }
        }
        for text in ["20..10", ">5 <5", ">5 <=5", ">20 <10"] {
            #expect(throws: AmountFilter.Fault.empty, "\(text)") { try AmountFilter(text, decimalSign: ".") }
        }
    }
}

@Suite struct TransactionSortTests {
    private func row(_ number: UInt64, _ day: String, _ minor: Int64, _ payee: String) throws -> Transaction {
        Transaction(
            id: EntityID(high: 0, low: number),
            kind: .expense,
            date: try #require(CivilDate(iso: day)),
            amount: Money(minor: minor, currency: .eur),
            account: EntityID(high: 0, low: 1),
            accountMinor: minor,
            payee: payee
        )
    }

    @Test func ordersAreWrittenAsTheyAreRead() {
        for text in ["date", "-date", "amount", "-amount", "payee", "-payee"] {
            #expect(TransactionSort(text).map { "\($0)" } == text)
        }
        for text in ["", "-", "foo", "--date", "Date", "-amount "] { #expect(TransactionSort(text) == nil) }
    }

    @Test func positionsAreWrittenAsTheyAreRead() throws {
        let row = try row(7, "2026-03-01", 1_250, "O. Neil.")
        for sort in [TransactionSort.newestFirst, TransactionSort(.amount), TransactionSort(.payee)] {
            let place = sort.cursor(after: row)
            #expect(TransactionCursor("\(place)") == place && sort.has(place))
            #expect(!sort.has(TransactionSort(sort.key == .amount ? .payee : .amount).cursor(after: row)))
        }
        let text = "2026-03-01.\(row.id)"
        for wrong in [text + ".", text + ".x", text + ".a-5", text + ".aa", text + ".5"] {
            #expect(TransactionCursor(wrong) == nil, "\(wrong)")
        }
    }

    @Test func rowsOfEqualValuesAreTheNewestFirstAndRowsWithoutPayeeTheLast() throws {
        let rows = [
            try row(1, "2026-01-01", 500, "b"), try row(2, "2026-01-02", 500, "B"),
            try row(3, "2026-01-02", 900, ""),
            try row(4, "2026-01-03", 100, "a"),
        ]
        for (sort, ids) in [
            ("date", [1, 2, 3, 4]), ("-date", [4, 3, 2, 1]), ("amount", [4, 2, 1, 3]),
            ("-amount", [3, 2, 1, 4]),
            ("payee", [4, 2, 1, 3]), ("-payee", [2, 1, 4, 3]),
        ] as [(String, [UInt64])] {
            let sort = try #require(TransactionSort(sort))
            let sorted = rows.sorted { sort.precedes(sort.cursor(after: $0), sort.cursor(after: $1)) }
            #expect(sorted.map(\.id) == ids.map { EntityID(high: 0, low: $0) }, "\(sort)")
        }
    }
}
