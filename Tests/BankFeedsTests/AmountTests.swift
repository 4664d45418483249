// Amounts and texts as banks write them.
import Ledger
import Testing

@testable import BankFeeds

@Suite struct BankAmounts {
    @Test(
        arguments: [
            ("12.34", 2, 1_234), ("-12.5", 2, -1_250), ("7", 2, 700), ("0", 2, 0), ("-0.00", 2, 0),
            ("0.10", 2, 10),
            ("1E2", 2, 10_000), ("1.5e1", 2, 1_500), ("125E-1", 2, 1_250), ("1e-2", 2, 1),
            ("12.340000", 2, 1_234),
            ("500", 0, 500), ("500.0", 0, 500), ("1.234", 3, 1_234), ("0012.30", 2, 1_230),
            ("10000000000000.00", 2, 1_000_000_000_000_000), ("0e99", 2, 0),
        ] as [(String, Int, Int64)]
    )
    func areReadExactly(text: String, exponent: Int, minor: Int64) {
        #expect(BankAmount.minor(text, exponent: exponent) == minor)
    }

    @Test(arguments: [
        ("12.345", 2), ("12.34001", 2), ("0.5", 0), ("1e-3", 2), ("10000000000000.01", 2), ("1E30", 2),
        ("1E999", 2), ("", 2), ("-", 2), (".5", 2), ("5.", 2), ("+5", 2), ("1,5", 2), ("1 000", 2), ("1e", 2),
        ("0x10", 2), ("NaN", 2), ("١٢", 2), (String(repeating: "1", count: 60), 2), ("--1", 2), ("1-", 2),
    ])
    func areLeftOutRatherThanRounded(text: String, exponent: Int) {
        #expect(BankAmount.minor(text, exponent: exponent) == nil)
    }

    @Test(
        arguments: [
            ("  a\u{0}b\n c ", "a b c"), ("\u{202E}gro", "gro"), ("\u{7}", nil), ("", nil),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 200)),
        ] as [(String, String?)]
    )
    func linesHaveNoControlCharacters(text: String, line: String?) {
        #expect(BankText.line(text) == line)
    }
}
