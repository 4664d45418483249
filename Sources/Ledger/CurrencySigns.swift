// The signs of currencies in locales. They stay lines of text until they are used: a server shows a few of 924 locales.

/// The signs that all locales show, from `signs.tsv`.
public struct CurrencySigns: Sendable {
    private let bytes: [UInt8]
    private let lines: [String: Range<Int>]

    /// No signs: every locale shows the symbols of the table of currencies.
    public init() {
        bytes = []
        lines = [:]
    }

    /// Parses `signs.tsv`: tag, code and sign in each line, and all lines of a tag together.
    /// - Throws: `LedgerError.badTable` for a line with other columns, or for a tag that occurs again.
    public init(tsv text: String) throws(LedgerError) {
        bytes = Array(text.utf8)
        var lines: [String: Range<Int>] = [:]
        var (start, number, tag, begin) = (0, 0, bytes[..<0], 0)
        while start < bytes.count {
            number += 1
            let end = bytes[start...].firstIndex(of: LocaleSigns.newline) ?? bytes.count
            let columns = bytes[start..<end].split(
                separator: LocaleSigns.tab,
                omittingEmptySubsequences: false
            )
            guard columns.count == 3, !columns[0].isEmpty, CurrencyCode(utf8: columns[1]) != nil,
                !columns[2].isEmpty
            else { throw .badTable(line: number) }
            if columns[0] != tag {
                (tag, begin) = (columns[0], start)
                guard lines[String(decoding: tag, as: UTF8.self)] == nil else {
                    throw .badTable(line: number)
                }
            }
            start = min(end + 1, bytes.count)
            lines[String(decoding: tag, as: UTF8.self)] = begin..<start
        }
        self.lines = lines
    }

    /// The lines of a locale, and of its language for the currencies without a line.
    func signs(of tag: String) -> LocaleSigns {
        let language = tag.prefix { $0 != "-" }
        return LocaleSigns(
            own: bytes[lines[tag] ?? 0..<0],
            language: language == tag ? [] : bytes[lines[String(language)] ?? 0..<0]
        )
    }
}

/// The signs that a locale shows where the table of currencies has others.
public struct LocaleSigns: Hashable, Sendable {
    /// The lines of the locale, such as `es-AR`.
    private let own: ArraySlice<UInt8>
    /// The lines of its language, such as `es`, which are for the currencies that the locale has no line for.
    private let language: ArraySlice<UInt8>

    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let tab = UInt8(ascii: "\t")

    /// No signs: the locale shows the symbols of the table of currencies.
    static let none = LocaleSigns(own: [], language: [])

    fileprivate init(own: ArraySlice<UInt8>, language: ArraySlice<UInt8>) {
        self.own = own
        self.language = language
    }

    /// The sign beside amounts of a currency; nil if the locale shows the symbol of the table of currencies.
    public subscript(code: CurrencyCode) -> String? {
        Self.sign(code, own) ?? Self.sign(code, language)
    }

    /// Looks for the line of a currency without making strings of the others. The lines have three columns each.
    private static func sign(_ code: CurrencyCode, _ lines: ArraySlice<UInt8>) -> String? {
        var rest = lines
        while let begin = rest.firstIndex(of: tab) {
            let end = rest[begin...].firstIndex(of: newline) ?? rest.endIndex
            if CurrencyCode(utf8: rest[begin..<end].dropFirst().prefix(3)) == code {
                return String(decoding: rest[begin..<end].dropFirst(5), as: UTF8.self)
            }
            rest = rest[end...]
        }
        return nil
    }
}
