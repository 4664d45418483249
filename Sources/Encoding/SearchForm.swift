// The form in which a search compares texts: what a person types in a hurry finds what another person has written in full.

import Foundation

extension String {
    /// The text without what a search does not tell apart: case, accents and other marks above and below letters, compatibility
    /// forms such as full width and ligatures, letters that many keyboards lack (ß is ss, ł is l), the two dots of ё, both
    /// forms of a small sigma, vowel marks of Arabic and Hebrew, digits of any script, and invisible characters. In scripts
    /// whose marks are letters of their own, such as those of India, they stay.
    public var searchForm: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        var folded = UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in lowercased().decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            defer { last = scalar }
            if scalar.isDroppedInSearch {
                // Of the Cyrillic letters, й is not и: only е and ё are one letter.
                if scalar.value == 0x306, (0x400...0x52F).contains(last.value) { folded.append(scalar) }
                if scalar.value == 0x308, (0x400...0x52F).contains(last.value), last.value != 0x435 {
                    folded.append(scalar)
                }
                continue
            }
            if let plain = Self.plainLetters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else if scalar.value >= 0x80, scalar.properties.generalCategory == .decimalNumber,
                let digit = scalar.properties.numericValue
            {
                folded.append(contentsOf: "\(Int(digit))".unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        // Parts that were not dropped are put together again: Hangul, and kana with voiced marks.
        return String(folded).precomposedStringWithCanonicalMapping
    }

    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h",
        "ŧ": "t", "ı": "i",
        "ς": "σ", "ŋ": "n", "ƒ": "f", "ə": "e",
    ]
}

extension Unicode.Scalar {
    /// Whether a search does not compare the character at all.
    fileprivate var isDroppedInSearch: Bool {
        switch value {
        // Accents and other marks of Latin, Greek and Cyrillic; marks of symbols; half marks.
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        // Points of Hebrew; vowel marks, the long alif and the line of Arabic.
        case 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: true
        case 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E8, 0x6EA...0x6ED: true
        // Variants of the look of a character.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: properties.generalCategory == .format
        }
    }
}
