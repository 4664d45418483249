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
        ("12.50", [51]), ("12,50", [51]), ("1250", [51, 52]), ("12.5", [51]), ("€12.50", [51]),
        ("-12.50", [51]),
        ("12", [52, 53]), ("1,250.00", [52]), ("1.250,00", [52]), ("1,250", [51, 52]), ("12b", [52]),
        ("3", [54]),
        ("o'brien", [53]), ("\"quoted\"", [53]), ("\"", []), ("near", [54]), ("not and", [54]), ("AND", [54]),
        ("cafe* OR rent", []), ("words:cafe", []), ("^cafe", [51, 54]), ("{cafe}", [51, 54]),
        ("-cafe", [51, 54]),
        ("(cafe", [51, 54]), ("cafe\0rent", []), ("cafe\0", [51, 54]), ("\u{E000}1250", [51, 52]), ("\\", []),
        ("%", []), ("🍕", []), ("   ", [51, 52, 53, 54]), ("", [51, 52, 53, 54]),
        ("cafe cafe cafe", [51, 54]),
    ]

    @Test(arguments: cases)
    func wordsAreFoundByTheirBeginningsAndAmountsAsTyped(text: String, found: Set<Int>) throws {
        let rows = try book.transactions(TransactionQuery { $0.text = text }).page.rows
        #expect(Set(rows.map { Int($0.id.low) }) == found)
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
