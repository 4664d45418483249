// Text files for spreadsheets: typed cells, written with the signs that programs of the user's region expect.

import HTTPServer
import Ledger
import Links
import Templates
import Texts

/// The signs of a text file. A spreadsheet opens the file in columns and reads its amounts as numbers only if it expects
/// the same signs, which depend on the region. The raw values stand in addresses, as `cells`.
enum SheetForm: String, CaseIterable, Sendable {
    /// `Rent,12.50`
    case comma
    /// `Rent;12,50`
    case semicolon
    /// `Rent;12.50`
    case semicolonPoint = "semicolon-point"

    /// The form that spreadsheets expect in a region. Where the decimal sign is a comma, a semicolon separates the cells; in
    /// Switzerland and Liechtenstein, it does so beside a decimal point too.
    static func usual(in locale: LocaleFacts) -> SheetForm {
        if locale.decimalSign == "," { return .semicolon }
        return ["CH", "LI"].contains(locale.territory) ? .semicolonPoint : .comma
    }

    /// The sign between two cells.
    var separator: Unicode.Scalar {
        switch self {
        case .comma: ","
        case .semicolon, .semicolonPoint: ";"
        }
    }

    /// The sign between units and decimals.
    var decimalSign: String {
        switch self {
        case .comma, .semicolonPoint: "."
        case .semicolon: ","
        }
    }

    /// `semicolons, and amounts like 12,50`
    var words: Text {
        let sample: [String: Text.Argument] = ["sample": .string("12\(decimalSign)50")]
        return switch self {
        case .comma: Text("common.commas-and-amounts", sample)
        case .semicolon, .semicolonPoint: Text("common.semicolons-and-amounts", sample)
        }
    }
}

/// A cell of a text file. Only texts can hold what people or other programs wrote, so only they are quoted and kept from
/// being formulas.
enum SheetCell: Hashable, Sendable {
    case text(String)
    /// A number with the decimals of its currency, which is not named in the cell.
    case amount(Money)
    /// A sum in the same way, or the words that it is too large.
    case sum(MoneySum)
    case whole(Int64)
    case none
}

/// Writes the lines of a text file.
struct Sheet: Sendable {
    static let contentType = "text/csv; charset=utf-8"
    /// The byte order mark, by which spreadsheets recognise UTF-8.
    static let mark = "\u{FEFF}"

    let form: SheetForm
    private let style: any WritingStyle

    /// - Parameter style: writes amounts with a decimal point and ASCII digits.
    init(_ form: SheetForm, _ style: any WritingStyle) { (self.form, self.style) = (form, style) }

    /// The cells as a line, with its end.
    func line(_ cells: [SheetCell]) -> String {
        cells.map(text).joined(separator: String(Character(form.separator))) + "\r\n"
    }

    private func text(_ cell: SheetCell) -> String {
        switch cell {
        case .text(let text): quoted(withoutFormulas(text))
        case .amount(let money): number(money)
        case .sum(let sum): sum.amount.map(number) ?? text(.text(style.plain(sum)))
        case .whole(let number): String(number)
        case .none: ""
        }
    }

    private func number(_ money: Money) -> String {
        let number = style.plain(money)
        return form.decimalSign == "." ? number : number.replacing(".", with: form.decimalSign)
    }

    /// Quotes a text if necessary (RFC 4180). Programs that ask for the separator suggest the tab too.
    private func quoted(_ text: String) -> String {
        // Compares scalars: a quotation mark with a combining mark is a quotation mark to a CSV reader.
        let mustQuote = text.unicodeScalars.contains {
            $0 == form.separator || ["\t", "\"", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0)
        }
        return mustQuote ? "\"" + text.replacing(scalar: "\"", with: "\"\"") + "\"" : text
    }

    /// The text with an apostrophe before each sign with which a formula would begin, as OWASP's "CSV Injection" advises: at
    /// its beginning, and where a cell begins for a program that expects another separator. The first scalar decides,
    /// because a sign with a combining mark is another character, but the same formula. Full-width signs count too,
    /// because some programs accept them as well.
    private func withoutFormulas(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { Self.formulaSigns.contains($0) }) else { return text }
        var result = String.UnicodeScalarView()
        var (isFirst, isAfterSeparator) = (true, false)
        for scalar in text.unicodeScalars {
            if isFirst || isAfterSeparator, Self.formulaSigns.contains(scalar) { result.append("'") }
            result.append(scalar)
            // Such programs take quotation marks and spaces away.
            isAfterSeparator =
                (scalar != form.separator && Self.separators.contains(scalar))
                || (isAfterSeparator && (scalar == " " || scalar == "\""))
            isFirst = false
        }
        return String(result)
    }

    private static let separators: Set<Unicode.Scalar> = [",", ";", "\t"]

    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}

extension RequestContext {
    /// The text file that is asked for: in the form that the address names, or else in the usual one of the user's region.
    /// - Throws: `Refusal.malformed` for the name of no form.
    func sheet() throws -> Sheet {
        let form: SheetForm? =
            switch request.query.first("cells") {
            case nil, "": try formats().sheetForm
            case let name?: SheetForm(rawValue: name)
            }
        guard let form else { throw Refusal.malformed }
        return Sheet(form, site.style(LocaleFacts.fallback.tag))
    }
}

/// The form of a file that a page offers, and the links to the same file in the other forms.
struct SheetChoice: TemplateModel {
    let usual: SheetForm
    /// The address of the file in a form.
    let href: @Sendable (SheetForm) -> Link

    static let keys = Keys<SheetChoice>()
        .message("usual") { Text("common.usual-cells", ["cells": .text($0.usual.words)]) }
        .list("others", of: LinkChoice.self) { choice in
            SheetForm.allCases.filter { $0 != choice.usual }.map {
                let label = Text("common.with-cells", ["cells": .text($0.words)])
                return LinkChoice(label: label, href: choice.href($0), isSelected: false)
            }
        }
}

extension String {
    /// Replaces each occurrence of a scalar by a text, also if a combining mark follows the scalar.
    fileprivate func replacing(scalar sign: Unicode.Scalar, with other: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == sign {
                result.append(contentsOf: other.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
