// The files of the tests, the table of currencies, and documents made of parts.
import Foundation
import Ledger
import RateFeeds
import Testing

enum Files {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static let xml = ["eurofxref-daily.xml", "eurofxref-hist.xml"]
    static let csv = ["eurofxref.csv", "eurofxref-hist.csv"]
    static let zip = ["eurofxref.zip", "eurofxref-hist.zip"]

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "Files/\(name)")))
    }

    static func resource(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "../../Resources/data/\(name)")))
    }

    /// A reader whose day is that of the newest rates, unless another one is given.
    static func reader(
        today: String = "2026-10-30",
        limits: RateFileReader.Limits = RateFileReader.Limits()
    ) throws -> RateFileReader {
        let currencies = try CurrencyTable(
            tsv: String(decoding: try resource("currencies.tsv"), as: UTF8.self),
            euro: EuroTable(tsv: String(decoding: try resource("euro.tsv"), as: UTF8.self))
        )
        return RateFileReader(
            currencies: currencies,
            today: try #require(CivilDate(iso: today)),
            limits: limits
        )
    }

    static func read(_ text: String) throws -> RateFile { try reader().read(Array(text.utf8)) }

    /// A document in which the given days begin in line 4.
    static func document(_ days: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01" \
        xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
        <g:subject>Reference rates</g:subject><Cube>
        \(days)
        </Cube></g:Envelope>
        """
    }

    /// A document with one day, 2026-10-30, whose rates begin in line 5.
    static func day(_ rates: String) -> String {
        document("<Cube time='2026-10-30'>\n\(rates)\n</Cube>")
    }
}

/// The fault of reading a file; nil if the file is accepted.
func fault(_ bytes: [UInt8], _ reader: RateFileReader) -> RateFileError? {
    do {
        _ = try reader.read(bytes)
        return nil
    } catch {
        return error
    }
}

func currency(_ text: String) throws -> CurrencyCode { try #require(CurrencyCode(text)) }
