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

    static func currencies() throws -> CurrencyTable { try CurrencyTable(tsv: text("currencies.tsv")) }
}
