// Characters that other keyboards have in place of ASCII: full-width forms, ideographic points, typographic hyphens.

extension Character {
    /// The ASCII character or currency sign that this character stands for in a number or a day: `5` for `５`, `.` for
    /// `。`, `-` for `−`; any other character unchanged.
    package var narrow: Character {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1, !scalar.isASCII else {
            return self
        }
        switch scalar.value {
        case 0xFF01...0xFF5E: return Character(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
        case 0x3000: return " "
        case 0xFFE0: return "¢"
        case 0xFFE1: return "£"
        case 0xFFE5: return "¥"
        case 0xFFE6: return "₩"
        // The ideographic comma and full stop, their half-width forms, and small forms.
        case 0x3001, 0xFF64, 0xFE50, 0xFE51: return ","
        case 0x3002, 0xFF61, 0xFE52: return "."
        // Hyphens, the dashes of figures and ranges, the sign of subtraction.
        case 0x2010...0x2013, 0x2212, 0xFE58, 0xFE63: return "-"
        case 0xFE59: return "("
        case 0xFE5A: return ")"
        case 0xFE62: return "+"
        case 0x2217, 0xFE61: return "*"
        case 0x2044, 0x2215: return "/"
        case 0x22C5: return "\u{D7}"
        case 0xFE69: return "$"
        default: return self
        }
    }
}

extension String {
    /// The text with its characters `narrow`, and without white space around it.
    package var narrow: String {
        guard utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return self }
        var characters = map(\.narrow)[...]
        while characters.first?.isWhitespace == true { characters.removeFirst() }
        while characters.last?.isWhitespace == true { characters.removeLast() }
        return String(characters)
    }
}

extension CivilDate {
    /// Parses a day of a form: `YYYY-MM-DD` in characters of any width, because browsers without a picker of days send
    /// what was typed. Addresses have `init(iso:)`.
    package init?(typed text: String) { self.init(iso: text.narrow) }
}

extension YearMonth {
    /// Parses a month of a form: `YYYY-MM` in characters of any width.
    package init?(typed text: String) { self.init(iso: text.narrow) }
}
