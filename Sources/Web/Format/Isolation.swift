// Names in sentences, in scripts of either direction.

import Texts

extension String {
    /// The text between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX 9) if it contains a letter of a
    /// right-to-left script, so that it does not reorder the text beside it; any other text unchanged.
    var isolated: String {
        // No such letter begins below 0xD6 in UTF-8, where nearly every name is.
        guard utf8.contains(where: { $0 >= 0xD6 }), unicodeScalars.contains(where: \.isRightToLeft) else {
            return self
        }
        return "\u{2068}\(self)\u{2069}"
    }
}

extension Text {
    /// The words of the user isolated like a string; a sentence of the catalogue unchanged.
    var isolated: Text {
        if case .verbatim(let words) = self { .verbatim(words.isolated) } else { self }
    }
}

extension Unicode.Scalar {
    /// Whether it is in a block of scripts that are written from right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
