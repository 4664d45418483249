// Cells of CSV files that a spreadsheet must not take for formulas.
import Testing

@testable import Web

@Suite struct CellsOfASpreadsheet {
    @Test(arguments: [
        ("Corner Café", "Corner Café"), ("=1+2", "'=1+2"), ("-5", "'-5"), ("1-5", "1-5"), ("a = b", "a = b"),
        // Programs of many countries end a cell with a semicolon, and take quotation marks and spaces away.
        ("a;=1+2", "a;'=1+2"), ("a; =1", "a; '=1"), ("a;\"=1", "\"a;\"\"'=1\""), ("a;b=c", "a;b=c"),
        ("a;;@x;+1", "a;;'@x;'+1"), ("a;＝1", "a;'＝1"), ("=a;=b", "'=a;'=b"), ("", ""),
    ])
    func aTextIsNoFormula(text: String, cell: String) { #expect(SpreadsheetExport.text(text) == cell) }
}
