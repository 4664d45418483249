// The tables as they are shipped.
import Foundation
import Ledger

enum Shipped {
    static func text(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Resources/data"
        )
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static let tables = Result {
        let euro = try EuroTable(tsv: text("euro.tsv"))
        let currencies = try CurrencyTable(tsv: text("currencies.tsv"), euro: euro)
        let signs = try CurrencySigns(tsv: text("signs.tsv"))
        return (currencies, try LocaleTable(tsv: text("locales.tsv"), signs: signs))
    }

    static func currencies() throws -> CurrencyTable { try tables.get().0 }

    static func locales() throws -> LocaleTable { try tables.get().1 }
}
