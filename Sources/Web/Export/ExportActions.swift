// The addresses of the exports.

import HTTPServer
import Links

extension Link {
    static let wholeBook = Link(declared: "/export/breadly.json")
    static let archive = Link(declared: "/export/breadly.zip")
    static let spreadsheet = Link(declared: "/export/transactions.csv")
}

extension Feature {
    static let export = Feature(
        routes: [
            get(.wholeBook, BookExport.answer),
            get(.archive, ArchiveExport.answer),
            get(.spreadsheet, SpreadsheetExport.answer),
        ],
        links: [
            "whole_book": .wholeBook,
            "archive": .archive,
            "spreadsheet": .spreadsheet,
        ]
    )
}
