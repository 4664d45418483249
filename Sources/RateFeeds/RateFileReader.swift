// Files of exchange rates: the kind of a file is recognised by its content, and everything unusual is
// refused.

public import Ledger

/// The rates of a file.
public struct RateFile: Hashable, Sendable {
    /// The rates by day, the newest day first; at least one day.
    public let days: [ExchangeRates]
    /// Currencies of the file that are no longer in use, such as CYP, with the number of their rates. Their
    /// rates are not in `days`.
    public let withdrawn: [CurrencyCode: Int]
}

/// Reads the files of the European Central Bank: the daily, the 90-day and the whole history file as XML, and
/// the zip files with one CSV file each. It does no I/O.
public struct RateFileReader: Sendable {
    /// Limits against files that are made to exhaust memory or time. In 2026 the whole history is 8 MB of XML
    /// with 230,000 elements; it grows by about 3 percent a year.
    public struct Limits: Sendable {
        /// The greatest size in bytes, both of the file and of the content of a zip file.
        public var bytes = 32 << 20
        /// The greatest number of elements of an XML document.
        public var elements = 1_000_000
        /// The greatest depth of an XML document; the format has four levels.
        public var depth = 8
        /// The greatest ratio of the content of a zip file to its packed size; the history has a ratio of 3.
        public var ratio = 100

        /// The usual limits.
        public init() {}
    }

    private let currencies: CurrencyTable
    private let today: CivilDate
    private let limits: Limits

    /// - Parameters:
    ///   - currencies: rates of other currencies are counted only.
    ///   - today: days after it are refused.
    public init(currencies: CurrencyTable, today: CivilDate, limits: Limits = Limits()) {
        self.currencies = currencies
        self.today = today
        self.limits = limits
    }

    /// Reads a whole file.
    /// - Throws: `RateFileError` for the first fault. A file is read completely or not at all.
    public func read(_ bytes: [UInt8]) throws(RateFileError) -> RateFile {
        guard bytes.count <= limits.bytes else { throw RateFileError(.tooLarge) }
        guard ZipFile.isZip(bytes) else { return try readText(bytes) }
        let content = try ZipFile.onlyContent(of: bytes, upTo: limits.bytes, ratio: limits.ratio)
        return try readText(content)
    }

    private func readText(_ bytes: [UInt8]) throws(RateFileError) -> RateFile {
        // Each document in UTF-16 or UTF-32 begins with a byte order mark or with a character of ASCII, that
        // is with one of these bytes among the first two.
        guard !bytes.prefix(2).contains(where: { [0x00, 0xFE, 0xFF].contains($0) }) else {
            throw RateFileError(.unreadableEncoding, line: 1)
        }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = bytes.dropFirst(hasMark ? 3 : 0)
        let days = RateDays(currencies: currencies, today: today, source: .europeanCentralBank)
        if text.starts(with: "Date".utf8) {
            try EuropeanCentralBankCSV(days: days).read(text)
        } else if text.first(where: { !Self.isWhiteSpace($0) }) == UInt8(ascii: "<") {
            let document = EuropeanCentralBankXML(days: days)
            guard
                let reader = XMLReader(document, elements: limits.elements, depth: limits.depth)
            else { throw RateFileError(.tooLarge) }
            try reader.read(bytes)
        } else {
            throw RateFileError(.unknownKind)
        }
        return try days.file()
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
