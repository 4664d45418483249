// Cells of CSV files: numbers that a spreadsheet reads, and texts that it must not take for formulas.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct CellsOfASpreadsheet {
    private let locales: LocaleTable
    private let style: LocaleStyle

    init() throws {
        locales = try LocaleTable(tsv: Repository.text("Resources/data/locales.tsv"))
        style = LocaleStyle(
            locale: .fallback,
            currencies: try CurrencyTable(tsv: Repository.text("Resources/data/currencies.tsv")),
            texts: try Repository.texts()
        )
    }

    private func line(_ form: SheetForm, _ cells: [SheetCell]) -> String { Sheet(form, style).line(cells) }

    @Test(arguments: [
        ("Corner Café", "Corner Café"), ("=1+2", "'=1+2"), ("-5", "'-5"), ("1-5", "1-5"), ("a = b", "a = b"),
        // Programs of many countries end a cell with a semicolon, and take quotation marks and spaces away.
        ("a;=1+2", "a;'=1+2"), ("a; =1", "a; '=1"), ("a;\"=1", "\"a;\"\"'=1\""), ("a;b=c", "a;b=c"),
        ("a;;@x;+1", "a;;'@x;'+1"), ("a;＝1", "a;'＝1"), ("=a;=b", "'=a;'=b"), ("", ""),
        ("a\t=1", "\"a\t'=1\""), ("a,=1", "\"a,=1\""),
    ])
    func aTextIsNoFormula(text: String, cell: String) {
        #expect(line(.comma, [.text(text)]) == cell + "\r\n")
    }

    @Test(
        arguments: [
            ("-5", "'-5"), ("a;b", "\"a;b\""), ("a,b", "a,b"), ("a;=1", "\"a;=1\""), ("a,=1", "a,'=1"),
            ("a, -1", "a, '-1"), ("12,50", "12,50"), ("a\t=1", "\"a\t'=1\""), ("a \"b\"", "\"a \"\"b\"\"\""),
        ],
        [SheetForm.semicolon, .semicolonPoint]
    )
    func aFileWithSemicolonsGuardsItsOwnCells(_ text: (String, String), form: SheetForm) {
        #expect(line(form, [.text(text.0)]) == text.1 + "\r\n")
    }

    @Test(
        arguments: [
            (.comma, "x,-9.00,1234.50,0.35,-35,1.000,7,,-9223372036854775808,'-9.00\r\n"),
            (.semicolon, "x;-9,00;1234,50;0,35;-35;1,000;7;;-9223372036854775808;'-9.00\r\n"),
            (.semicolonPoint, "x;-9.00;1234.50;0.35;-35;1.000;7;;-9223372036854775808;'-9.00\r\n"),
        ] as [(SheetForm, String)]
    )
    func aNumberIsANumber(form: SheetForm, expected: String) throws {
        func amount(_ minor: Int64, _ code: String) throws -> SheetCell {
            .amount(Money(minor: minor, currency: try #require(CurrencyCode(code))))
        }
        let cells: [SheetCell] = [
            .text("x"), try amount(-900, "EUR"), try amount(123_450, "EUR"), try amount(35, "USD"),
            try amount(-35, "JPY"), try amount(1_000, "KWD"), .whole(7), .none, try amount(.min, "JPY"),
            .text("-9.00"),
        ]
        #expect(line(form, cells) == expected)
    }

    /// Words in the place of a number have no decimals.
    @Test(arguments: SheetForm.allCases) func aSumThatIsTooLargeIsSaid(form: SheetForm) {
        let sums = [Int128(Int64.max), Int128(Int64.max) + 1, Int128(Int64.min), -(1 << 64)]
        let cells = sums.map { SheetCell.sum(MoneySum(minor: $0, currency: .eur)) }
        let sign = form.decimalSign
        let expected = [
            "92233720368547758\(sign)07", "too large to show", "-92233720368547758\(sign)08",
            "too large to show",
        ]
        #expect(line(form, cells) == expected.joined(separator: String(Character(form.separator))) + "\r\n")
    }

    private static let signs: [Unicode.Scalar] = [
        "a", "b", "ü", "🥖", "\u{301}", " ", "'", "\"", ",", ";", "\t", "=", "+", "-", "@", "\u{FF1D}",
    ]

    /// Lines of texts that begin and end in any way, and hold the signs of a file more often than words do.
    private func texts(_ random: inout SplitMix, of signs: [Unicode.Scalar]) -> [String] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                text.append(signs.randomElement(using: &random) ?? "a")
            }
            return String(text)
        }
    }

    @Test(arguments: SheetForm.allCases) func aTextThatIsReadBackIsTheSame(form: SheetForm) {
        var random = SplitMix(seed: 22)
        let words = Self.signs.filter { !"=+-@\t\u{FF1D}".unicodeScalars.contains($0) }
        for _ in 0..<2_000 {
            let plain = texts(&random, of: words)
            #expect(sheetRows(line(form, plain.map { .text($0) }), separator: form.separator) == [plain])
            // Where a formula would begin, an apostrophe is added, and nothing else.
            let any = texts(&random, of: Self.signs + ["\n", "\r"])
            let read = sheetRows(line(form, any.map { .text($0) }), separator: form.separator)
            let isSame = read.map { $0.map(withoutApostrophes) } == [any.map(withoutApostrophes)]
            #expect(isSame, "\(any) \(read)")
        }
    }

    private func withoutApostrophes(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "'" }
    }

    @Test(arguments: SheetForm.allCases) func noCellIsAFormulaWhateverSeparatorAProgramExpects(
        form: SheetForm
    ) {
        var random = SplitMix(seed: 23)
        let formula = Set("=+-@\t\u{FF1D}".unicodeScalars)
        for _ in 0..<2_000 {
            let written = line(form, texts(&random, of: Self.signs).map { .text($0) })
            for cell in sheetRows(written, separator: form.separator).joined() {
                #expect(cell.unicodeScalars.first.map { !formula.contains($0) } ?? true, "\(written)")
            }
            // A program with another separator may see no quotation marks, and takes them and spaces away.
            for other in [",", ";", "\t"] as [Unicode.Scalar] where other != form.separator {
                for cell in written.unicodeScalars.split(separator: other).dropFirst() {
                    let first = cell.first { $0 != " " && $0 != "\"" }
                    #expect(first.map { !formula.contains($0) } ?? true, "\(written)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("de-DE", .semicolon), ("de-AT", .semicolon), ("fr-FR", .semicolon), ("pt-BR", .semicolon),
            ("sv-SE", .semicolon), ("fr-CH", .semicolon), ("de-CH", .semicolonPoint),
            ("it-CH", .semicolonPoint), ("de-LI", .semicolonPoint), ("en-US", .comma), ("en-IE", .comma),
            ("es-MX", .comma), ("ar-EG", .comma), ("fa-IR", .comma), ("ja-JP", .comma),
        ] as [(String, SheetForm)]
    )
    func aRegionHasAUsualForm(tag: String, form: SheetForm) throws {
        #expect(SheetForm.usual(in: try #require(locales[tag])) == form)
    }
}
