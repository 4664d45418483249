// Why a file of rates was refused.

public import Ledger

/// The reason why a file of rates was refused, with its place. No rate of a refused file is used.
public struct RateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A fault of the file.
    public enum Problem: Hashable, Sendable {
        /// The file is neither XML, nor a zip file, nor the CSV file of such a zip file.
        case unknownKind
        /// The file exceeds one of `RateFileReader.Limits`, packed or unpacked.
        case tooLarge
        /// The file ends too early.
        case truncated
        /// The file is not well-formed.
        case malformed
        /// The encoding is not UTF-8, US-ASCII or ISO-8859-1.
        case unreadableEncoding
        /// The XML has a document type declaration, which could define entities.
        case documentType
        /// An element, an attribute or text that the format does not have at this place.
        case unexpected(String)
        /// No day of the calendar, or one before the euro.
        case invalidDay(String)
        /// A day after today.
        case futureDay(CivilDate)
        /// A day that occurs twice.
        case repeatedDay(CivilDate)
        /// No code of a currency, or the base currency itself.
        case invalidCurrency(String)
        /// A currency that occurs twice on one day.
        case repeatedCurrency(CurrencyCode)
        /// No decimal number above zero.
        case invalidRate(CurrencyCode, String)
        /// The file, or one of its days, has no rates.
        case noRates
        /// The zip file has this number of files instead of one.
        case fileCount(Int)
        /// The zip file is encrypted, or uses a method or an extension that zip files of rates do not need.
        case unsupportedZip
        /// The zip file is damaged: an offset, a size or the checksum is wrong.
        case damagedZip
    }

    /// The fault.
    public let problem: Problem
    /// The line of the fault, from 1; nil for a fault of the whole file.
    public let line: Int?

    init(_ problem: Problem, line: Int? = nil) {
        self.problem = problem
        self.line = line
    }

    /// A line for operators: the place, the fault, and what to do.
    public var description: String {
        line.map { "line \($0): \(fault): \(advice)" } ?? "\(fault): \(advice)"
    }

    private var fault: String {
        switch problem {
        case .unknownKind: "this is no file of rates"
        case .tooLarge: "the file is too large"
        case .truncated: "the file ends too early"
        case .malformed: "the file is damaged"
        case .unreadableEncoding: "the file has an encoding other than UTF-8"
        case .documentType: "the file has a document type declaration, which files of rates do not have"
        case .unexpected(let text): "\(Self.excerpt(text)) is unexpected here"
        case .invalidDay(let text): "\(Self.excerpt(text)) is no day of rates"
        case .futureDay(let day): "\(day) is in the future"
        case .repeatedDay(let day): "\(day) occurs twice"
        case .invalidCurrency(let text): "\(Self.excerpt(text)) is no currency with a rate"
        case .repeatedCurrency(let code): "\(code) occurs twice on one day"
        case .invalidRate(let code, let text): "\(Self.excerpt(text)) is no rate of \(code)"
        case .noRates: "there are no rates"
        case .fileCount(let count): "the zip file contains \(count) files instead of one"
        case .unsupportedZip: "the zip file is encrypted or uses an unsupported method"
        case .damagedZip: "the zip file is damaged"
        }
    }

    private var advice: String {
        switch problem {
        case .unknownKind:
            "use eurofxref-daily.xml, eurofxref-hist-90d.xml or eurofxref-hist.xml of the European Central "
                + "Bank, or its zip file"
        case .tooLarge: "use a file with fewer days"
        case .futureDay: "check the clock of this machine, or download the file again"
        case .fileCount, .unsupportedZip: "unpack it, and use the file with the rates"
        case .truncated, .malformed, .unreadableEncoding, .documentType, .unexpected, .invalidDay,
            .repeatedDay, .invalidCurrency, .repeatedCurrency, .invalidRate, .noRates, .damagedZip:
            "download it again from the European Central Bank"
        }
    }

    /// A text of the file in quotes: short, and safe for a terminal and a log.
    private static func excerpt(_ text: String) -> String {
        let bytes = text.utf8.prefix(40).map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
}
